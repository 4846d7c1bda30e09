package io.tagfabric.complete;

import io.tagfabric.error.FabricError;
import java.util.Objects;

/**
 * A completion in a form that is filled again and again, so that the way from the loop to the
 * reader allocates nothing.
 *
 * <p>One thread at a time; the holder of the entry may write it.
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
    /** As {@link Completion.Released}. */
    RELEASED,
    /** As {@link Completion.Accessed}. */
    ACCESSED,
    /** As {@link Completion.AccessedByPeer}. */
    ACCESSED_BY_PEER,
    /** As {@link Completion.Failed}. */
    FAILED
  }

  private static final int NO_PEER = -1;

  private Kind kind = Kind.EMPTY;
  private Object context;
  private int peer = NO_PEER;
  private long tag;
  private long length;

  // Whether a field below may hold more than its empty value. Most messages never write these, and
  // do not clear them either.
  private boolean extended;
  private Direction direction;
  private boolean untagged;
  private long offset;
  private boolean hasData;
  private long data;
  private long overflowLength;
  private FabricError error;
  private boolean mayHaveArrived;
  private String detail = "";

  /**
   * Becomes a {@link Completion.Sent} of a tagged message; all other fields return to their empty
   * values.
   */
  public CompletionEntry setSent(Object context, int peer, long tag, long length) {
    clearUnlessEmpty();
    return fill(Kind.SENT, context, peer, tag, length);
  }

  /**
   * Becomes a {@link Completion.Received} of a tagged message without immediate data, at the start
   * of its buffer.
   */
  public CompletionEntry setReceived(Object context, int source, long tag, long length) {
    clearUnlessEmpty();
    return fill(Kind.RECEIVED, context, source, tag, length);
  }

  /**
   * Becomes a {@link Completion.Released}.
   *
   * @param length bytes of the buffer that were used
   */
  public CompletionEntry setReleased(Object context, long length) {
    clearUnlessEmpty();
    return fill(Kind.RELEASED, context, NO_PEER, 0, length);
  }

  /**
   * Becomes a {@link Completion.Accessed}.
   *
   * @throws IllegalArgumentException if {@code direction} is not READ, WRITE or ATOMIC
   */
  public CompletionEntry setAccessed(Object context, int peer, Direction direction, long length) {
    direction.requireAccess();
    clearUnlessEmpty();
    extended = true;
    this.direction = direction;
    return fill(Kind.ACCESSED, context, peer, 0, length);
  }

  /**
   * Becomes a {@link Completion.AccessedByPeer} without immediate data.
   *
   * @throws IllegalArgumentException if {@code direction} is not REMOTE_READ, REMOTE_WRITE or
   *     REMOTE_ATOMIC
   */
  public CompletionEntry setAccessedByPeer(
      Object context, int peer, Direction direction, long offset, long length) {
    direction.requireRemote();
    clearUnlessEmpty();
    this.direction = direction;
    return fill(Kind.ACCESSED_BY_PEER, context, peer, 0, length).setOffset(offset);
  }

  /**
   * Becomes a {@link Completion.Failed}, of a tagged message if {@code direction} is that of a
   * message.
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
    clearUnlessEmpty();
    extended = true;
    this.direction = direction;
    this.error = error;
    this.overflowLength = overflowLength;
    this.detail = detail;
    return fill(Kind.FAILED, context, peer, tag, length);
  }

  /** Adds immediate data to what the entry tells. */
  public CompletionEntry setData(long data) {
    this.extended = true;
    this.hasData = true;
    this.data = data;
    return this;
  }

  /** Says that the message which the entry tells of was sent without a tag. */
  public CompletionEntry setUntagged() {
    this.extended = true;
    this.untagged = true;
    this.tag = 0;
    return this;
  }

  /** Says that the message of a send that failed may have arrived. */
  public CompletionEntry setMayHaveArrived() {
    this.extended = true;
    this.mayHaveArrived = true;
    return this;
  }

  /** Adds where in the posted buffer, or in the opened memory, the bytes begin. */
  public CompletionEntry setOffset(long offset) {
    this.extended = true;
    this.offset = offset;
    return this;
  }

  private void clearUnlessEmpty() {
    if (kind != Kind.EMPTY) {
      clear();
    }
  }

  private CompletionEntry fill(Kind kind, Object context, int peer, long tag, long length) {
    this.kind = kind;
    this.context = context;
    this.peer = peer;
    this.tag = tag;
    this.length = length;
    return this;
  }

  /** Forgets everything, so that no context stays reachable through a reused entry. */
  public void clear() {
    fill(Kind.EMPTY, null, NO_PEER, 0, 0);
    if (extended) {
      clearExtended();
    }
  }

  private void clearExtended() {
    extended = false;
    direction = null;
    untagged = false;
    offset = 0;
    hasData = false;
    data = 0;
    overflowLength = 0;
    error = null;
    mayHaveArrived = false;
    detail = "";
  }

  /** Tells the same as {@code other} from now on. */
  public void copyFrom(CompletionEntry other) {
    kind = other.kind;
    context = other.context;
    peer = other.peer;
    tag = other.tag;
    length = other.length;
    extended = other.extended;
    direction = other.direction;
    untagged = other.untagged;
    offset = other.offset;
    hasData = other.hasData;
    data = other.data;
    overflowLength = other.overflowLength;
    error = other.error;
    mayHaveArrived = other.mayHaveArrived;
    detail = other.detail;
  }

  /**
   * The same facts as a value to keep.
   *
   * @throws IllegalStateException if the entry is empty
   */
  public Completion toCompletion() {
    return switch (kind) {
      case SENT -> new Completion.Sent(context, peer, tagged(), tag, length);
      case RECEIVED ->
          new Completion.Received(context, peer, tagged(), tag, offset, length, hasData, data);
      case RELEASED -> new Completion.Released(context, length);
      case ACCESSED -> new Completion.Accessed(context, peer, direction, length);
      case ACCESSED_BY_PEER ->
          new Completion.AccessedByPeer(context, peer, direction, offset, length, hasData, data);
      case FAILED ->
          new Completion.Failed(
              context,
              error,
              peer,
              tagged(),
              tag,
              offset,
              length,
              overflowLength,
              hasData,
              data,
              direction,
              mayHaveArrived,
              detail);
      case EMPTY ->
          throw new IllegalStateException(
              "kind=EMPTY has no completion, fill the entry or keep the value inside the handler");
    };
  }

  /** What the entry tells. */
  public Kind kind() {
    return kind;
  }

  /** Which way the bytes went, and which side started it; null while empty. */
  public Direction direction() {
    return switch (kind) {
      case SENT -> Direction.SEND;
      case RECEIVED, RELEASED -> Direction.RECEIVE;
      case ACCESSED, ACCESSED_BY_PEER, FAILED, EMPTY -> direction;
    };
  }

  /** What the program handed in with the operation; may be null. */
  public Object context() {
    return context;
  }

  /** Index of the peer the completion concerns, -1 if none is known. */
  public int peer() {
    return peer;
  }

  /** Whether the completion concerns a message with a tag. */
  public boolean tagged() {
    return switch (kind) {
      case SENT, RECEIVED -> !untagged;
      case FAILED -> !untagged && direction.isMessage();
      case RELEASED, ACCESSED, ACCESSED_BY_PEER, EMPTY -> false;
    };
  }

  /** The tag of the message, or of the operation if none was matched; 0 if not tagged. */
  public long tag() {
    return tag;
  }

  /**
   * Where in the posted buffer the message begins, or in the memory of this side what a peer has
   * accessed, in bytes from its start.
   */
  public long offset() {
    return offset;
  }

  /** Bytes sent, placed in the buffer, used of a released buffer, or accessed. */
  public long length() {
    return length;
  }

  /** Bytes of a truncated message that did not fit. */
  public long overflowLength() {
    return overflowLength;
  }

  /** Whether the peer added immediate data. */
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

  /** Whether the message of a send that failed may have arrived, see {@link Completion.Failed}. */
  public boolean mayHaveArrived() {
    return mayHaveArrived;
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
