package io.tagfabric.complete;

import io.tagfabric.error.FabricError;
import java.util.Objects;

/**
 * A completion in a form that is filled again and again, so that the way from the loop to the
 * reader allocates nothing.
 *
 * <p>One thread at a time; whoever holds the entry may write it.
 *
 * @source libfabric fi_cq(3), fi_cq_tagged_entry and fi_cq_err_entry
 */
public final class CompletionEntry {
  /** What an entry tells. */
  public enum Kind {
    /** Nothing yet. */
    EMPTY,
    /** As {@link Completion.Sent}. */
    SENT,
    /** As {@link Completion.Received}. */
    RECEIVED,
    /** As {@link Completion.Failed}. */
    FAILED
  }

  private static final int NO_PEER = -1;

  private Kind kind = Kind.EMPTY;
  private Direction direction;
  private Object context;
  private int peer = NO_PEER;
  private boolean hasData;
  private long tag;
  private long length;
  private long overflowLength;
  private long data;
  private FabricError error;
  private String detail = "";

  /** Becomes a {@link Completion.Sent}; all other fields return to their empty values. */
  public CompletionEntry setSent(Object context, int peer, long tag, long length) {
    clearUnlessEmpty();
    return fill(Kind.SENT, Direction.SEND, context, peer, tag, length);
  }

  /** Becomes a {@link Completion.Received} without immediate data. */
  public CompletionEntry setReceived(Object context, int source, long tag, long length) {
    clearUnlessEmpty();
    return fill(Kind.RECEIVED, Direction.RECEIVE, context, source, tag, length);
  }

  /** Adds immediate data to what the entry tells. */
  public CompletionEntry setData(long data) {
    this.hasData = true;
    this.data = data;
    return this;
  }

  /**
   * Becomes a {@link Completion.Failed}.
   *
   * @param length bytes placed before the failure
   * @param overflowLength bytes of the message that did not fit
   * @param detail a sentence for people, may be empty
   */
  public CompletionEntry setFailed(
      Object context,
      FabricError error,
      int peer,
      long tag,
      long length,
      long overflowLength,
      Direction direction,
      String detail) {
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(direction, "direction");
    Objects.requireNonNull(detail, "detail");
    clear();
    this.error = error;
    this.overflowLength = overflowLength;
    this.detail = detail;
    return fill(Kind.FAILED, direction, context, peer, tag, length);
  }

  private void clearUnlessEmpty() {
    if (kind != Kind.EMPTY) {
      clear();
    }
  }

  private CompletionEntry fill(
      Kind kind, Direction direction, Object context, int peer, long tag, long length) {
    this.kind = kind;
    this.direction = direction;
    this.context = context;
    this.peer = peer;
    this.tag = tag;
    this.length = length;
    return this;
  }

  /** Forgets everything, so that no context stays reachable through a reused entry. */
  public void clear() {
    kind = Kind.EMPTY;
    direction = null;
    context = null;
    peer = NO_PEER;
    tag = 0;
    length = 0;
    if (hasData) {
      hasData = false;
      data = 0;
    }
    if (error != null) {
      error = null;
      overflowLength = 0;
      detail = "";
    }
  }

  /** Tells the same as {@code other} from now on. */
  public void copyFrom(CompletionEntry other) {
    kind = other.kind;
    direction = other.direction;
    context = other.context;
    peer = other.peer;
    hasData = other.hasData;
    tag = other.tag;
    length = other.length;
    overflowLength = other.overflowLength;
    data = other.data;
    error = other.error;
    detail = other.detail;
  }

  /**
   * The same facts as a value to keep.
   *
   * @throws IllegalStateException if the entry is empty
   */
  public Completion toCompletion() {
    return switch (kind) {
      case SENT -> new Completion.Sent(context, peer, tag, length);
      case RECEIVED -> new Completion.Received(context, peer, tag, length, hasData, data);
      case FAILED ->
          new Completion.Failed(
              context, error, peer, tag, length, overflowLength, direction, detail);
      case EMPTY ->
          throw new IllegalStateException(
              "kind=EMPTY has no completion, fill the entry or keep the value inside the handler");
    };
  }

  /** What the entry tells. */
  public Kind kind() {
    return kind;
  }

  /** Which way the bytes went, null while empty. */
  public Direction direction() {
    return direction;
  }

  /** What the program handed in with the operation; may be null. */
  public Object context() {
    return context;
  }

  /** Index of the peer the operation concerned, -1 if none is known. */
  public int peer() {
    return peer;
  }

  /** The tag of the message, or of the operation if none was matched. */
  public long tag() {
    return tag;
  }

  /** Bytes sent, or placed in the buffer. */
  public long length() {
    return length;
  }

  /** Bytes of a truncated message that did not fit. */
  public long overflowLength() {
    return overflowLength;
  }

  /** Whether the sender added immediate data. */
  public boolean hasData() {
    return hasData;
  }

  /** The immediate data, 0 if there is none. */
  public long data() {
    return data;
  }

  /** Why a failed operation failed, null otherwise. */
  public FabricError error() {
    return error;
  }

  /** A sentence for people about a failure, never null. */
  public String detail() {
    return detail;
  }

  @Override
  public String toString() {
    return kind == Kind.EMPTY ? "Empty" : toCompletion().toString();
  }
}
