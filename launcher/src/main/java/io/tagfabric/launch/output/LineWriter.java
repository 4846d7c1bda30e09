package io.tagfabric.launch.output;

import io.tagfabric.cluster.host.RecordOutput;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Puts what a process prints on a stream that others share, line by line, each behind a tag. A line
 * that a {@link RecordOutput} has marked for programs goes without the tag.
 *
 * <p>Lines of several writers mix only if they must: a line without end is passed on when it is
 * longer than 64 KiB, when nothing has come for a while, as after a prompt, and when the text ends.
 * If somebody else's line comes between, the rest begins on a line of its own.
 */
public final class LineWriter implements RankSink, StreamWriter.Pausing {
  private static final int LONGEST_LINE_BYTES = 64 * 1024;
  private static final byte[] NO_TAG = new byte[0];

  private final StreamWriter out;
  private final byte[] tag;
  private final LastLines last;
  private final ReentrantLock lock = new ReentrantLock();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean atStart = true;
  private boolean record;

  /**
   * @param remembered how many of the last lines are kept
   */
  LineWriter(StreamWriter out, String tag, int remembered) {
    this.out = out;
    this.tag = tag.getBytes(StandardCharsets.UTF_8);
    this.last = new LastLines(remembered);
  }

  @Override
  public List<String> lastLines() {
    return last.lastLines();
  }

  @Override
  public void accept(byte[] bytes, int length) {
    lock.lock();
    try {
      last.accept(bytes, length);
      extend(bytes, passWholeLines(bytes, length), length);
      if (line.size() >= LONGEST_LINE_BYTES) {
        out.put(this, tagOfLine(), takeLine(), false);
      }
      if (line.size() > 0) {
        out.remind(this);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Passes all lines on that end; returns where the next begins. */
  private int passWholeLines(byte[] bytes, int length) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    byte[] firstTag = null;
    int from = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        extend(bytes, from, i + 1);
        if (firstTag == null) {
          firstTag = tagOfLine();
        } else {
          text.writeBytes(tagOfLine());
        }
        text.writeBytes(takeLine());
        atStart = true;
        from = i + 1;
      }
    }
    if (firstTag != null) {
      out.put(this, firstTag, text.toByteArray(), true);
    }
    return from;
  }

  private void extend(byte[] bytes, int from, int to) {
    if (from == to) {
      return;
    }
    int begin = from;
    if (atStart) {
      atStart = false;
      record = bytes[from] == RecordOutput.RECORD_SEPARATOR;
      begin += record ? 1 : 0;
    }
    line.write(bytes, begin, to - begin);
  }

  private byte[] tagOfLine() {
    return record ? NO_TAG : tag;
  }

  private byte[] takeLine() {
    byte[] text = line.toByteArray();
    line.reset();
    return text;
  }

  /** Shows a prompt. A record is for a program, which wants it whole. */
  @Override
  public void paused() {
    // the holder of the lock adds text right now, and asks again if that ends without a line's end
    if (lock.tryLock()) {
      try {
        if (line.size() > 0 && !record) {
          out.forceOpen(this, tag, takeLine());
        }
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void end() {
    lock.lock();
    try {
      if (line.size() > 0) {
        line.write('\n');
        out.put(this, tagOfLine(), takeLine(), true);
      } else {
        out.endLine(this);
      }
      last.end();
      atStart = true;
    } finally {
      lock.unlock();
    }
  }
}
