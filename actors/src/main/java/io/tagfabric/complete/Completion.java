package io.tagfabric.complete;

import io.tagfabric.error.FabricError;
import java.util.Objects;

/**
 * What a completion queue tells a program, as an immutable value.
 *
 * <p>Every accepted operation ends exactly once:
 *
 * <ul>
 *   <li>a send as {@link Sent} or {@link Failed};
 *   <li>a receive as {@link Received} or {@link Failed};
 *   <li>a peek, a claim and a discard as {@link Received}, of a message of which no byte was
 *       placed, or {@link Failed};
 *   <li>a receive whose buffer takes many messages as {@link Released}, after a {@link Received} or
 *       {@link Failed} for each of them;
 *   <li>a read, write or atomic operation on a peer's memory, and a flush of them, as {@link
 *       Accessed} or {@link Failed}.
 * </ul>
 *
 * <p>An {@link AccessedByPeer} ends nothing: it tells what a peer did.
 *
 * <p>A program that must not allocate reads {@link CompletionEntry} instead and has the same facts.
 *
 * @source libfabric fi_cq(3)
 */
public sealed interface Completion {
  /** What the program handed in with the operation; may be null. */
  Object context();

  /** Which way the bytes went, and which side started it; never null. */
  Direction direction();

  /**
   * A message left this side and its buffer is the program's again. A send ends so.
   *
   * @param peer index of the peer it went to
   * @param tagged whether it was sent with a tag
   * @param tag the tag it was sent with, 0 if it was sent without
   * @param length bytes sent
   */
  record Sent(Object context, int peer, boolean tagged, long tag, long length)
      implements Completion {
    /** Of a tagged message. */
    public Sent(Object context, int peer, long tag, long length) {
      this(context, peer, true, tag, length);
    }

    /** Always {@link Direction#SEND}. */
    @Override
    public Direction direction() {
      return Direction.SEND;
    }
  }

  /**
   * A message arrived whole. A receive ends so, and its buffer is the program's again; one whose
   * buffer takes many messages goes on until it is {@link Released}.
   *
   * @param source index of the peer that sent it, or -1 if it has none here
   * @param tagged whether it was sent with a tag
   * @param tag the tag it was sent with, also where the receive ignored bits of it; 0 if it was
   *     sent without
   * @param offset where in the posted buffer the message begins, in bytes from its start: 0, but
   *     where a buffer takes many messages
   * @param length bytes placed in the buffer; of a peek, a claim and a discard the bytes of the
   *     message
   * @param hasData whether the sender added immediate data
   * @param data the immediate data, 0 if there is none
   * @source libfabric fi_cq(3), completion fields buf, len, data and tag
   */
  record Received(
      Object context,
      int source,
      boolean tagged,
      long tag,
      long offset,
      long length,
      boolean hasData,
      long data)
      implements Completion {
    /** Of a tagged message at the start of its buffer. */
    public Received(Object context, int source, long tag, long length, boolean hasData, long data) {
      this(context, source, true, tag, 0, length, hasData, data);
    }

    /** Always {@link Direction#RECEIVE}. */
    @Override
    public Direction direction() {
      return Direction.RECEIVE;
    }
  }

  /**
   * A buffer that took many messages is the program's again: no message will be placed in it any
   * more, and all that were have been told before. A receive that takes many messages always ends
   * so, also when it was cancelled.
   *
   * @param length bytes of the buffer that were used
   * @source libfabric fi_cq(3), completion flag FI_MULTI_RECV alone
   */
  record Released(Object context, long length) implements Completion {
    /** Always {@link Direction#RECEIVE}. */
    @Override
    public Direction direction() {
      return Direction.RECEIVE;
    }
  }

  /**
   * An access of this side to a peer's memory is done: what was to be fetched is in the program's
   * buffer, and the buffer is the program's again. A read, a write, an atomic operation and a flush
   * end so.
   *
   * @param peer index of the peer whose memory it is
   * @param direction READ, WRITE or ATOMIC
   * @param length bytes of the peer's memory that were read, written or updated
   * @source libfabric fi_cq(3), completion flags FI_RMA and FI_ATOMIC with FI_READ and FI_WRITE
   */
  record Accessed(Object context, int peer, Direction direction, long length)
      implements Completion {
    /**
     * Requires a direction that fits.
     *
     * @throws IllegalArgumentException if {@code direction} is not READ, WRITE or ATOMIC
     */
    public Accessed {
      direction.requireAccess();
    }
  }

  /**
   * A peer has accessed memory of this side and wanted this side to know, such as by a write with
   * immediate data. What it wrote can be read. It ends no operation of this side.
   *
   * @param context what the program handed in when it opened that memory to its peers; may be null
   * @param peer index of the peer that did it, or -1 if it has none here
   * @param direction REMOTE_READ, REMOTE_WRITE or REMOTE_ATOMIC
   * @param offset where in that memory the bytes begin that were accessed, in bytes from its start
   * @param length bytes that were read, written or updated
   * @param hasData whether the peer added immediate data
   * @param data the immediate data, 0 if there is none
   * @source libfabric fi_cq(3), completion flags FI_REMOTE_READ, FI_REMOTE_WRITE and
   *     FI_REMOTE_CQ_DATA; fi_rma(3), fi_writedata
   */
  record AccessedByPeer(
      Object context,
      int peer,
      Direction direction,
      long offset,
      long length,
      boolean hasData,
      long data)
      implements Completion {
    /**
     * Requires a direction that fits.
     *
     * @throws IllegalArgumentException if {@code direction} is not REMOTE_READ, REMOTE_WRITE or
     *     REMOTE_ATOMIC
     */
    public AccessedByPeer {
      direction.requireRemote();
    }
  }

  /**
   * The operation ended without doing all it was asked for. Any operation may end so; of a receive
   * that takes many messages it is one message that failed, or its cancelling, and {@link Released}
   * follows when the buffer is the program's again.
   *
   * <p>The message of a send that has failed, for instance with {@link FabricError#SHUTDOWN},
   * {@link FabricError#CONNECTION_RESET} or {@link FabricError#TIMED_OUT}, may have arrived: {@code
   * mayHaveArrived()} says whether it can have.
   *
   * <p>A cancelled operation has {@link FabricError#CANCELED}. A message longer than the buffer has
   * {@link FabricError#TRUNCATED}: the buffer is full and the rest is gone.
   *
   * @param peer index of the peer it concerned, or -1 if none is known
   * @param tagged whether it concerned a tagged message
   * @param tag the tag of the operation, or of the message if one was matched; 0 if not tagged
   * @param offset where in the posted buffer the message begins, as in {@link Received}
   * @param length bytes placed before the failure
   * @param overflowLength bytes of the message that did not fit
   * @param hasData whether a message that was truncated has immediate data
   * @param data the immediate data, 0 if there is none
   * @param direction which way the bytes should have gone
   * @param mayHaveArrived of a send: whether a receive of the peer may have ended with the message
   *     nevertheless, as the peer was lost before it could say so; if not, none has and none will,
   *     but one that had no room for a byte of it. Of all else false
   * @param detail a sentence for people, never null, may be empty
   * @source libfabric fi_cq(3), fi_cq_err_entry
   */
  record Failed(
      Object context,
      FabricError error,
      int peer,
      boolean tagged,
      long tag,
      long offset,
      long length,
      long overflowLength,
      boolean hasData,
      long data,
      Direction direction,
      boolean mayHaveArrived,
      String detail)
      implements Completion {
    /**
     * Requires what every failure has: its error, its direction and a text.
     *
     * @throws IllegalArgumentException if {@code tagged} is set of an access to memory, or {@code
     *     mayHaveArrived} of anything but a send
     */
    public Failed {
      Objects.requireNonNull(error, "error");
      Objects.requireNonNull(direction, "direction");
      Objects.requireNonNull(detail, "detail");
      if (tagged && !direction.isMessage()) {
        throw new IllegalArgumentException(
            "tagged=true with direction=" + direction + ", only SEND and RECEIVE have tags");
      }
      if (mayHaveArrived && direction != Direction.SEND) {
        throw new IllegalArgumentException(
            "mayHaveArrived=true with direction=" + direction + ", only SEND has it");
      }
    }

    /**
     * Of a tagged message without immediate data, at the start of its buffer, that has not arrived.
     */
    public Failed(
        Object context,
        FabricError error,
        int peer,
        long tag,
        long length,
        long overflowLength,
        Direction direction,
        String detail) {
      this(
          context,
          error,
          peer,
          true,
          tag,
          0,
          length,
          overflowLength,
          false,
          0,
          direction,
          false,
          detail);
    }
  }
}
