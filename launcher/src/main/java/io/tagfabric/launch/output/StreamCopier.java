package io.tagfabric.launch.output;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/** A thread that hands what comes out of a stream to a sink, until the stream ends. */
public final class StreamCopier {
  private static final int CHUNK_BYTES = 8192;
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

  private final InputStream in;
  private final TextSink sink;
  private final Thread thread;
  private volatile long copiedNs = System.nanoTime();
  private volatile boolean passing;

  private StreamCopier(InputStream in, TextSink sink, String name) {
    this.in = in;
    this.sink = sink;
    this.thread = new Thread(this::copy, name);
    this.thread.setDaemon(true);
  }

  /** Starts the thread. */
  public static StreamCopier start(InputStream in, TextSink sink, String name) {
    StreamCopier copier = new StreamCopier(in, sink, name);
    copier.thread.start();
    return copier;
  }

  /** Waits until all is copied, but not for a grandchild that keeps the output open. */
  public void awaitEnd(long patienceMs) throws InterruptedException {
    thread.join(patienceMs);
  }

  /**
   * Whether all is copied that a process has printed which has ended. A grandchild may keep the
   * output open: then it is, if nothing has come for a while, which does not count while the sink
   * makes the copier wait.
   */
  public boolean isDone(long endedNs) {
    if (!thread.isAlive()) {
      return true;
    }
    long quietNs = System.nanoTime() - Math.max(copiedNs, endedNs);
    return !passing && quietNs > QUIET_NS;
  }

  private void copy() {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (in) {
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        passing = true;
        sink.accept(chunk, length);
        copiedNs = System.nanoTime();
        passing = false;
      }
    } catch (IOException closed) {
      // the process was destroyed while it was being read
    }
    passing = true;
    sink.end();
  }
}
