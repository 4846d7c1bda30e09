package io.tagfabric.launch.output;

import java.io.InputStream;
import java.util.List;

/** Reads what a process prints, so that it never waits, and remembers the end of it. */
public final class LineCopier {
  private final LastLines lines;
  private final StreamCopier copier;

  private LineCopier(LastLines lines, StreamCopier copier) {
    this.lines = lines;
    this.copier = copier;
  }

  /**
   * Starts a thread that reads {@code in} until it ends.
   *
   * @param remembered how many of the last lines are kept
   */
  public static LineCopier start(InputStream in, int remembered, String name) {
    LastLines lines = new LastLines(remembered);
    return new LineCopier(lines, StreamCopier.start(in, lines, name));
  }

  /** Waits until all is read, but not for a grandchild that keeps the output open. */
  public void awaitEnd(long patienceMs) throws InterruptedException {
    copier.awaitEnd(patienceMs);
  }

  /** The last lines, oldest first. */
  public List<String> lastLines() {
    return lines.lastLines();
  }
}
