package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many messages the actors of a domain have been told and have not taken yet. Two counters,
 * each on a cache line of its own: senders touch the one, the reader touches the other. Thread:
 * any.
 */
@InternalApi
public final class MailCount {
  private static final int TOLD = 16;
  private static final int TAKEN = 32;
  private static final int LENGTH = 48;

  private final AtomicLongArray counts = new AtomicLongArray(LENGTH);

  /** A message is about to be put into a mailbox. */
  public void added() {
    counts.getAndIncrement(TOLD);
  }

  /** A message has been taken out of a mailbox. */
  public void taken() {
    counts.getAndIncrement(TAKEN);
  }

  /**
   * Whether every message that was told before this call has been taken; those of the calling
   * thread are seen for certain.
   */
  public boolean isEmpty() {
    long taken = counts.get(TAKEN);
    return counts.get(TOLD) == taken;
  }
}
