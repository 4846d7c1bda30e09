package io.tagfabric.trials.exit;

import io.tagfabric.launch.output.LineStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Remembers the lines that a job prints, and when. Any thread. */
final class SaidLines {
  private final long beginNs = System.nanoTime();
  private final List<SaidLine> lines = Collections.synchronizedList(new ArrayList<>());
  private final LineStream stream =
      new LineStream(line -> lines.add(SaidLine.parse(seconds(), line)));

  /** Where the job prints them. */
  LineStream stream() {
    return stream;
  }

  /** Adds a line of the launcher. */
  void add(String text) {
    text.lines().forEach(line -> lines.add(new SaidLine(seconds(), SaidLine.LAUNCHER, line)));
  }

  /** Since it was made. */
  double seconds() {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  /** All so far; a line without an end counts. */
  List<SaidLine> all() {
    stream.endLine();
    return List.of(lines.toArray(SaidLine[]::new));
  }
}
