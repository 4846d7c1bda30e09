package io.tagfabric.trials.exit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that a job has printed.
 *
 * @param seconds since the run began
 * @param rank whose line it is, or {@link #LAUNCHER}
 * @param text without the rank
 */
record SaidLine(double seconds, int rank, String text) {
  static final int LAUNCHER = -1;

  private static final Pattern TAGGED = Pattern.compile("\\[(\\d+)] ?(.*)");

  static SaidLine parse(double seconds, String line) {
    Matcher tagged = TAGGED.matcher(line);
    return tagged.matches()
        ? new SaidLine(seconds, Integer.parseInt(tagged.group(1)), tagged.group(2))
        : new SaidLine(seconds, LAUNCHER, line);
  }

  @Override
  public String toString() {
    return rank == LAUNCHER ? text : "[" + rank + "] " + text;
  }
}
