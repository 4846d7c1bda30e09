package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.wire.MemoryKey;
import java.util.Objects;

/**
 * A send that an endpoint has accepted, and how far it is. It shows one message all its life. The
 * flow is the sole writer of its progress.
 */
@InternalApi
public abstract class PendingSend extends AcceptedOperation {
  private final int peer;
  private final CompletionLevel level;

  public long message;
  long receive;
  int wanted;
  int cleared;
  public int sent;
  boolean queued;
  private boolean fenced;

  /** Whether the peer has, or can read, all that a receive of the message would take. */
  boolean inPeersReach;

  /** Where the peer may read the bytes itself; null if nowhere. */
  MemoryKey source;

  /**
   * Whether the bytes that were written there are lent, and so must stay until the peer has all.
   */
  boolean lent;

  /** Where the peer wants the bytes written; null if nowhere. */
  MemoryKey target;

  long lastSequence;

  /** The recorder's number of the operation, 0 if it has none. */
  long traced;

  /** A send of the message that it is shown before it is submitted. */
  protected PendingSend(int peer, CompletionLevel level, Object context) {
    super(context);
    this.peer = peer;
    this.level = Objects.requireNonNull(level, "level");
  }

  /** It has ended, and is to be sent once more with what it is shown then. */
  protected final void renew() {
    again();
    message = 0;
    receive = 0;
    wanted = 0;
    cleared = 0;
    sent = 0;
    queued = false;
    inPeersReach = false;
    source = null;
    lent = false;
    target = null;
    lastSequence = 0;
    traced = 0;
  }

  /** It, and what is sent to its peer after it, waits until all before it has completed. */
  public final void fence() {
    fenced = true;
  }

  /** Whether it waits so. */
  public final boolean isFenced() {
    return fenced;
  }

  /** Whether the buffer still has the bytes: a program may have wrapped it around others. */
  public final boolean hasItsBytes() {
    return offset() + length() <= buffer().capacity();
  }

  /** Why a send fails that {@link #hasItsBytes} no more. */
  final String lostItsBytes() {
    return "offset="
        + offset()
        + " lengthBytes="
        + length()
        + " do not lie in the buffer any more, capacity="
        + buffer().capacity()
        + "; leave it alone until the completion";
  }

  /** Why its bytes can be sent no more, null if they can. */
  public final String lostBytes() {
    return hasItsBytes() ? null : lostItsBytes();
  }

  /** Index of the peer in the domain's address vector. */
  public final int peer() {
    return peer;
  }

  /**
   * Whether a receive of the peer may have ended with this message, should the send fail now; if
   * not, none has and none will, but one that had no room for a byte of it.
   */
  public final boolean mayHaveArrived() {
    return inPeersReach;
  }

  /** The recorder's number of the operation, 0 if it has none. */
  public final long traced() {
    return traced;
  }

  /** The recorder has given the operation a number. */
  public final void trace(long operation) {
    traced = operation;
  }

  /** What must have happened before the send completes. */
  public final CompletionLevel level() {
    return level;
  }
}
