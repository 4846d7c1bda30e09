package io.tagfabric.cluster.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Copies what a process prints, line by line and each behind a prefix, and remembers the end of it.
 * A line that a {@link RecordOutput} has marked for programs goes without the prefix.
 *
 * <p>Several copiers share a {@code screen} as their lock, so lines never mix. A line without end
 * is passed on when the output ends, or in pieces of 64 KiB.
 */
final class LineCopier {
  private static final int LONGEST_LINE_BYTES = 64 * 1024;
  private static final int CHUNK_BYTES = 8192;

  private final InputStream in;
  private final OutputStream out;
  private final Object screen;
  private final byte[] prefix;
  private final int remembered;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Thread thread;
  private boolean readerGone;

  private LineCopier(
      InputStream in, OutputStream out, Object screen, String prefix, int remembered, String name) {
    this.in = in;
    this.out = out;
    this.screen = screen;
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    this.remembered = remembered;
    this.thread = new Thread(this::copy, name);
    this.thread.setDaemon(true);
  }

  /**
   * Starts a thread that copies {@code in} until it ends.
   *
   * @param remembered how many of the last lines are kept
   */
  static LineCopier start(
      InputStream in, OutputStream out, Object screen, String prefix, int remembered, String name) {
    LineCopier copier = new LineCopier(in, out, screen, prefix, remembered, name);
    copier.thread.start();
    return copier;
  }

  /** Waits until all is copied, but not for a grandchild that keeps the output open. */
  void awaitEnd(long patienceMs) throws InterruptedException {
    thread.join(patienceMs);
  }

  /** The last lines, oldest first. */
  List<String> lastLines() {
    synchronized (lastLines) {
      return List.copyOf(lastLines);
    }
  }

  private void copy() {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK_BYTES];
    try (in) {
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        split(chunk, length, line);
      }
    } catch (IOException closed) {
      // the process was destroyed while it was being read
    }
    if (line.size() > 0) {
      pass(line);
    }
  }

  private void split(byte[] chunk, int length, ByteArrayOutputStream line) {
    int from = 0;
    for (int i = 0; i < length; i++) {
      if (chunk[i] == '\n') {
        line.write(chunk, from, i - from);
        pass(line);
        from = i + 1;
      }
    }
    line.write(chunk, from, length - from);
    if (line.size() >= LONGEST_LINE_BYTES) {
      pass(line);
    }
  }

  private void pass(ByteArrayOutputStream line) {
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
