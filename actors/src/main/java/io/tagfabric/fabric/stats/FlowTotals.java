package io.tagfabric.fabric.stats;

import io.tagfabric.flow.window.FlowCounters;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The counters of flows, added up. Not thread safe. */
public final class FlowTotals {
  private static final RecordComponent[] COUNTERS =
      FlowCounters.Snapshot.class.getRecordComponents();
  private static final List<String> NAMES =
      Arrays.stream(COUNTERS).map(each -> withDashes(each.getName())).toList();

  private final long[] sums = new long[COUNTERS.length];

  private static String withDashes(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  public void add(FlowCounters.Snapshot snapshot) {
    try {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += (long) COUNTERS[i].getAccessor().invoke(snapshot);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("counters of a flow cannot be read", e);
    }
  }

  public void add(FlowTotals other) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += other.sums[i];
    }
  }

  FlowTotals copy() {
    FlowTotals copy = new FlowTotals();
    copy.add(this);
    return copy;
  }

  /** By name, such as {@code packets-sent}, in the order of {@link FlowCounters.Snapshot}. */
  Map<String, Long> values() {
    Map<String, Long> values = new LinkedHashMap<>();
    for (int i = 0; i < sums.length; i++) {
      values.put(NAMES.get(i), sums[i]);
    }
    return values;
  }
}
