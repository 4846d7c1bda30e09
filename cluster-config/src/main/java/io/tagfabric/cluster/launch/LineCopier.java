package io.tagfabric.cluster.launch;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Copies what a process prints line by line: a {@link LineWriter} with a thread that feeds it. */
final class LineCopier {
  private final LineWriter writer;
  private final StreamCopier copier;

  private LineCopier(LineWriter writer, StreamCopier copier) {
    this.writer = writer;
    this.copier = copier;
  }

  /**
   * Starts a thread that copies {@code in} until it ends.
   *
   * @param remembered how many of the last lines are kept
   */
  static LineCopier start(
      InputStream in, OutputStream out, Object screen, String prefix, int remembered, String name) {
    LineWriter writer = new LineWriter(out, screen, prefix, remembered);
    return new LineCopier(writer, StreamCopier.start(in, writer, name));
  }

  /** Waits until all is copied, but not for a grandchild that keeps the output open. */
  void awaitEnd(long patienceMs) throws InterruptedException {
    copier.awaitEnd(patienceMs);
  }

  /** The last lines, oldest first. */
  List<String> lastLines() {
    return writer.lastLines();
  }
}
