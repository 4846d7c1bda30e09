package io.tagfabric.launch.output;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Hands on what is written to it line by line, without the ends of lines. Thread: any. */
public final class LineStream extends OutputStream {
  private final Consumer<String> lines;
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

  /**
   * @param lines gets each line on the thread that has written its end, one at a time
   */
  public LineStream(Consumer<String> lines) {
    this.lines = lines;
  }

  @Override
  public synchronized void write(int value) {
    if (value == '\n') {
      handOn();
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

  /** Takes what has been written of a line for a whole one. */
  public synchronized void endLine() {
    if (begun.size() > 0) {
      handOn();
    }
  }

  private void handOn() {
    String line = begun.toString(StandardCharsets.UTF_8);
    begun.reset();
    lines.accept(line);
  }
}
