package io.tagfabric.cluster.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Writes what a process prints line by line, each behind a prefix, and remembers the end of it. A
 * line that a {@link RecordOutput} has marked for programs goes without the prefix.
 *
 * <p>Several writers share a {@code screen} as their lock, so lines never mix. A line without end
 * is passed on when the output ends, or in pieces of 64 KiB.
 */
final class LineWriter implements TextSink {
  private static final int LONGEST_LINE_BYTES = 64 * 1024;

  private final OutputStream out;
  private final Object screen;
  private final byte[] prefix;
  private final int remembered;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean readerGone;

  /**
   * @param remembered how many of the last lines are kept
   */
  LineWriter(OutputStream out, Object screen, String prefix, int remembered) {
    this.out = out;
    this.screen = screen;
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    this.remembered = remembered;
  }

  /** The last lines, oldest first. Thread: any. */
  List<String> lastLines() {
    synchronized (lastLines) {
      return List.copyOf(lastLines);
    }
  }

  @Override
  public void accept(byte[] bytes, int length) {
    int from = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        line.write(bytes, from, i - from);
        pass();
        from = i + 1;
      }
    }
    line.write(bytes, from, length - from);
    if (line.size() >= LONGEST_LINE_BYTES) {
      pass();
    }
  }

  @Override
  public void end() {
    if (line.size() > 0) {
      pass();
    }
  }

  private void pass() {
    byte[] text = line.toByteArray();
    line.reset();
    remember(text);
    synchronized (screen) {
      if (readerGone) {
        return;
      }
      try {
        if (text.length > 0 && text[0] == RecordOutput.RECORD_SEPARATOR) {
          out.write(text, 1, text.length - 1);
        } else {
          out.write(prefix);
          out.write(text);
        }
        out.write('\n');
        out.flush();
      } catch (IOException gone) {
        // as with `| head`: nobody reads on, but the process must not be blocked
        readerGone = true;
      }
    }
  }

  private void remember(byte[] text) {
    synchronized (lastLines) {
      if (lastLines.size() == remembered) {
        lastLines.poll();
      }
      if (remembered > 0) {
        lastLines.add(new String(text, StandardCharsets.UTF_8));
      }
    }
  }
}
