package io.tagfabric.complete;

import io.tagfabric.error.FabricError;
import java.util.Objects;

/**
 * The one end of an accepted operation, as an immutable value.
 *
 * <p>Every accepted operation ends exactly once. A program that must not allocate reads {@link
 * CompletionEntry} instead and has the same facts.
 *
 * @source libfabric fi_cq(3)
 */
public sealed interface Completion {
  /** What the program handed in with the operation; may be null. */
  Object context();

  /**
   * A message left this side and its buffer is the program's again.
   *
   * @param peer index of the peer it went to
   * @param tag the tag it was sent with
   * @param length bytes sent
   */
  record Sent(Object context, int peer, long tag, long length) implements Completion {}

  /**
   * A message arrived whole.
   *
   * @param source index of the peer that sent it, or -1 if it has none here
   * @param tag the tag it was sent with, also where the receive ignored bits of it
   * @param length bytes placed in the buffer
   * @param hasData whether the sender added immediate data
   * @param data the immediate data, 0 if there is none
   */
  record Received(Object context, int source, long tag, long length, boolean hasData, long data)
      implements Completion {}

  /**
   * The operation ended without doing all it was asked for.
   *
   * <p>A cancelled operation has {@link FabricError#CANCELED}. A message longer than the buffer has
   * {@link FabricError#TRUNCATED}: the buffer is full and the rest is gone.
   *
   * @param peer index of the peer it concerned, or -1 if none is known
   * @param tag the tag of the operation, or of the message if one was matched
   * @param length bytes placed before the failure
   * @param overflowLength bytes of the message that did not fit
   * @param detail a sentence for people, never null, may be empty
   */
  record Failed(
      Object context,
      FabricError error,
      int peer,
      long tag,
      long length,
      long overflowLength,
      Direction direction,
      String detail)
      implements Completion {
    /** Requires what every failure has: its error, its direction and a text. */
    public Failed {
      Objects.requireNonNull(error, "error");
      Objects.requireNonNull(direction, "direction");
      Objects.requireNonNull(detail, "detail");
    }
  }
}
