package io.tagfabric.simulation.swarm;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How many runs have met each {@link Probe}. */
public final class Probes {
  private final Map<Probe, Long> runs = new EnumMap<>(Probe.class);

  /** This run has met it. */
  void reach(Probe probe) {
    runs.putIfAbsent(probe, 1L);
  }

  void reachIf(boolean met, Probe probe) {
    if (met) {
      reach(probe);
    }
  }

  /** Adds those of a run. */
  void add(Probes other) {
    other.runs.forEach((probe, count) -> runs.merge(probe, count, Long::sum));
  }

  /** Runs that have met it. */
  public long runs(Probe probe) {
    return runs.getOrDefault(probe, 0L);
  }

  /** Those that no run has met. */
  public List<Probe> missed() {
    List<Probe> missed = new ArrayList<>();
    for (Probe probe : Probe.values()) {
      if (!runs.containsKey(probe)) {
        missed.add(probe);
      }
    }
    return missed;
  }
}
