package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;

/**
 * Bytes that the messages no receive has matched may take at one endpoint. The flows take what they
 * promise to their senders from it, so the promises of all together never exceed it. Single
 * threaded: the domain's loop.
 */
@InternalApi
public final class UnexpectedBudget {
  private final long bytes;
  private long freeBytes;

  public UnexpectedBudget(long bytes) {
    this.bytes = bytes;
    freeBytes = bytes;
  }

  /** Whether less than half has been promised. */
  boolean isPlentiful() {
    return freeBytes > bytes / 2;
  }

  /** Bytes nobody was promised. */
  public long freeBytes() {
    return freeBytes;
  }

  void take(long bytes) {
    freeBytes -= bytes;
  }

  void giveBack(long bytes) {
    freeBytes += bytes;
  }
}
