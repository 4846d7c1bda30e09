package io.tagfabric.trials.fuzz;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;

/** Values that fields of real frames had of late, so that invented frames name what there is. */
final class RecentValues {
  private static final int KEPT = 8;

  private static final class Ring {
    private final long[] values = new long[KEPT];
    private int count;

    void add(long value) {
      values[count++ % KEPT] = value;
    }

    long any(SplittableRandom random) {
      return values[random.nextInt(Math.min(count, KEPT))];
    }
  }

  private final Map<String, Ring> byField = new HashMap<>();

  void note(DirectBuffer packet, List<PacketMap.Frame> frames) {
    for (PacketMap.Frame frame : frames) {
      for (PacketMap.Field field : frame.kind().fields()) {
        byField
            .computeIfAbsent(field.name(), name -> new Ring())
            .add(field.get(packet, frame.at()));
      }
    }
  }

  /** A value that a field of this name had; 0 if there was none. */
  long any(SplittableRandom random, String field) {
    Ring ring = byField.get(field);
    return ring == null ? 0 : ring.any(random);
  }
}
