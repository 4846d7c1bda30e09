package io.tagfabric.flow;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;

/**
 * A send that an endpoint has accepted, and how far it is. The flow is the sole writer of its
 * progress.
 */
public abstract class PendingSend {
  private final int peer;
  private final long tag;
  private final DirectBuffer buffer;
  private final int offset;
  private final int length;
  private final boolean hasData;
  private final long data;
  private final CompletionLevel level;

  long message;
  long receive;
  int wanted;
  int cleared;
  int sent;
  boolean queued;

  /** Where the peer may read the bytes itself; null if nowhere. */
  MemoryKey source;

  /** Where the peer wants the bytes written; null if nowhere. */
  MemoryKey target;

  long lastSequence;

  protected PendingSend(
      int peer,
      long tag,
      DirectBuffer buffer,
      int offset,
      int length,
      boolean hasData,
      long data,
      CompletionLevel level) {
    this.peer = peer;
    this.tag = tag;
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
    this.hasData = hasData;
    this.data = data;
    this.level = level;
  }

  /** Index of the peer in the domain's address vector. */
  public final int peer() {
    return peer;
  }

  public final long tag() {
    return tag;
  }

  public final DirectBuffer buffer() {
    return buffer;
  }

  public final int offset() {
    return offset;
  }

  /** Payload bytes. */
  public final int length() {
    return length;
  }

  public final boolean hasData() {
    return hasData;
  }

  /** Immediate data, 0 if there are none. */
  public final long data() {
    return data;
  }

  /** What must have happened before the send completes. */
  public final CompletionLevel level() {
    return level;
  }
}
