package io.tagfabric.trials.exit;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Remembers the lines that a job prints, and when. Any thread. */
final class SaidLines extends OutputStream {
  private final long beginNs = System.nanoTime();
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private final List<SaidLine> lines = new ArrayList<>();

  @Override
  public synchronized void write(int value) {
    if (value == '\n') {
      endLine();
    } else {
      begun.write(value);
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int count) {
    for (int i = from; i < from + count; i++) {
      write(bytes[i]);
    }
  }

  /** Adds a line of the launcher. */
  synchronized void add(String text) {
    text.lines().forEach(line -> lines.add(new SaidLine(seconds(), SaidLine.LAUNCHER, line)));
  }

  /** Since it was made. */
  double seconds() {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  /** All so far; a line without an end counts. */
  synchronized List<SaidLine> all() {
    if (begun.size() > 0) {
      endLine();
    }
    return List.copyOf(lines);
  }

  private void endLine() {
    lines.add(SaidLine.parse(seconds(), begun.toString(StandardCharsets.UTF_8)));
    begun.reset();
  }
}
