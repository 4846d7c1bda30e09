package io.tagfabric.launch.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where a launcher shows what ranks print and what it has to say itself. Nobody reads on, a disk is
 * full, a terminal is stopped: a caller of {@link #say} never waits for that, ranks do. Thread:
 * any.
 */
public final class Screen implements AutoCloseable {
  private static final String DROPPED = "; the rest of what ranks print to it is dropped";

  private final StreamWriter out;
  private final StreamWriter err;
  private final LongAdder filedBytes = new LongAdder();
  private final AtomicInteger filing = new AtomicInteger();
  private final AtomicBoolean fileLost = new AtomicBoolean();

  /**
   * @param out gets what the ranks print
   * @param err gets their errors, and what the launcher has to say
   */
  public Screen(OutputStream out, OutputStream err) {
    this.out = writer(out, "standard output");
    this.err = writer(err, "standard error");
  }

  private StreamWriter writer(OutputStream stream, String name) {
    return StreamWriter.start(
        stream,
        why -> say("cannot write " + name + " (" + why + ")" + DROPPED),
        System::nanoTime,
        name.replace(' ', '-'));
  }

  /** For what a process prints. */
  public LineWriter output(String tag, int remembered) {
    return new LineWriter(out, tag, remembered);
  }

  /** For its errors. */
  public LineWriter errors(String tag, int remembered) {
    return new LineWriter(err, tag, remembered);
  }

  /** For what goes to a file and not to the screen. */
  public FileSink file(Path file, OutputStream stream, int remembered) {
    return new FileSink(
        counted(stream), filedBytes::add, failure -> fileLost(file, failure), remembered);
  }

  private OutputStream counted(OutputStream stream) {
    return new FilterOutputStream(stream) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        filing.incrementAndGet();
        try {
          out.write(bytes, offset, length);
        } finally {
          filing.decrementAndGet();
        }
      }
    };
  }

  private void fileLost(Path file, IOException failure) {
    // if one is full, the others are, too
    if (!fileLost.getAndSet(true)) {
      say("cannot write " + file + " (" + failure.getMessage() + ")" + DROPPED);
    }
  }

  /** Shows a line of the launcher, or several; never waits. */
  public void say(String text) {
    err.force(("tagfabric: " + text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** A number that grows while output is taken. */
  public long progress() {
    return out.writtenBytes() + err.writtenBytes() + filedBytes.sum();
  }

  /** Whether nothing is left that waits to be shown, or to be taken by a file. */
  public boolean isIdle() {
    return out.isIdle() && err.isIdle() && filing.get() == 0;
  }

  /** Whether something was lost that somebody might have read. */
  public boolean isLost() {
    return out.isLost() || err.isLost() || fileLost.get();
  }

  /** From now on ranks wait no longer than this for a stream that takes nothing. */
  public void hurry(Duration patience) {
    out.hurry(patience);
    err.hurry(patience);
  }

  /** Drops what is left and all that comes. */
  public void drop(String why) {
    if (err.isIdle()) {
      out.drop(why);
    } else {
      // behind what is not taken, nobody would see it anyway
      out.drop("");
      err.drop("");
    }
  }

  /** Gives what was said a moment to be seen. */
  @Override
  public void close() {
    try {
      err.drain(Duration.ofSeconds(1));
      out.drain(Duration.ofSeconds(1));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    out.close();
    err.close();
  }
}
