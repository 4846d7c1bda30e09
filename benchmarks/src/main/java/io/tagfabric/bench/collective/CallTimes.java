package io.tagfabric.bench.collective;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times of one collective at one number of bytes, in microseconds. */
record CallTimes(int bytes, double p50, double p99, double mean) {
  private static final Pattern LINE = Pattern.compile("times (\\d+) (\\S+) (\\S+) (\\S+)\\s*");

  /** A line as the programs of peers print it; empty if it is another. */
  static Optional<CallTimes> parse(String line) {
    Matcher words = LINE.matcher(line);
    if (!words.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new CallTimes(
            Integer.parseInt(words.group(1)),
            Double.parseDouble(words.group(2)),
            Double.parseDouble(words.group(3)),
            Double.parseDouble(words.group(4))));
  }
}
