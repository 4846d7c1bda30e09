package io.tagfabric.trials.roll;

import java.util.ArrayList;
import java.util.List;

/** Numbers in the order they were added, kept as runs of successive ones: {@code 0-311,313}. */
final class NumberRuns {
  private final List<long[]> runs = new ArrayList<>();

  /** Successive numbers, both ends included. */
  record Run(long first, long last) {}

  /** Adds a number behind all others. */
  void add(long number) {
    long[] latest = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    if (latest != null && latest[1] + 1 == number) {
      latest[1] = number;
    } else {
      runs.add(new long[] {number, number});
    }
  }

  List<Run> runs() {
    return runs.stream().map(run -> new Run(run[0], run[1])).toList();
  }

  boolean contains(long number) {
    return runs.stream().anyMatch(run -> run[0] <= number && number <= run[1]);
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  long count() {
    return runs.stream().mapToLong(run -> run[1] - run[0] + 1).sum();
  }

  /**
   * Reads what {@link #toString} has written.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static NumberRuns parse(String text) {
    NumberRuns numbers = new NumberRuns();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String[] ends = part.split("-", 2);
      long first = Long.parseLong(ends[0]);
      long last = ends.length == 1 ? first : Long.parseLong(ends[1]);
      if (last < first) {
        throw new IllegalArgumentException("run [" + part + "] ends before it begins");
      }
      numbers.runs.add(new long[] {first, last});
    }
    return numbers;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (long[] run : runs) {
      text.append(text.isEmpty() ? "" : ",").append(run[0]);
      if (run[1] > run[0]) {
        text.append('-').append(run[1]);
      }
    }
    return text.toString();
  }
}
