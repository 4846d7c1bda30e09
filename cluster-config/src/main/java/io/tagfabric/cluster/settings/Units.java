package io.tagfabric.cluster.settings;

import java.time.Duration;

/** Writes quantities the way a person would type them into a configuration file. */
final class Units {
  private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final long[] SPANS_NS = {
    3_600_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L, 1L
  };
  // HOCON knows no "min", and "m" is easily read as milli
  private static final String[] SPANS = {"h", "s", "ms", "us", "ns"};

  private Units() {}

  /** The largest binary unit that divides the size evenly: 16384 is {@code 16 KiB}. */
  static String size(long bytes) {
    int unit = 0;
    long value = bytes;
    while (unit < SIZES.length - 1 && value != 0 && value % 1024 == 0) {
      value /= 1024;
      unit++;
    }
    return value + " " + SIZES[unit];
  }

  /** The largest unit that divides the duration evenly: 1500 ms is {@code 1500 ms}. */
  static String duration(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0 s";
    }
    for (int i = 0; i < SPANS_NS.length; i++) {
      if (nanos % SPANS_NS[i] == 0) {
        return nanos / SPANS_NS[i] + " " + SPANS[i];
      }
    }
    throw new AssertionError("every number of nanoseconds is a multiple of 1");
  }
}
