package io.tagfabric.cluster.launch;

import java.io.IOException;
import java.io.InputStream;

/** A thread that hands what comes out of a stream to a sink, until the stream ends. */
final class StreamCopier {
  private static final int CHUNK_BYTES = 8192;

  private final InputStream in;
  private final TextSink sink;
  private final Thread thread;

  private StreamCopier(InputStream in, TextSink sink, String name) {
    this.in = in;
    this.sink = sink;
    this.thread = new Thread(this::copy, name);
    this.thread.setDaemon(true);
  }

  /** Starts the thread. */
  static StreamCopier start(InputStream in, TextSink sink, String name) {
    StreamCopier copier = new StreamCopier(in, sink, name);
    copier.thread.start();
    return copier;
  }

  /** Waits until all is copied, but not for a grandchild that keeps the output open. */
  void awaitEnd(long patienceMs) throws InterruptedException {
    thread.join(patienceMs);
  }

  private void copy() {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (in) {
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        sink.accept(chunk, length);
      }
    } catch (IOException closed) {
      // the process was destroyed while it was being read
    }
    sink.end();
  }
}
