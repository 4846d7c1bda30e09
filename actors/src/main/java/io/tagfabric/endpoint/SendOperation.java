package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.flow.PendingSend;
import io.tagfabric.wire.BufferRange;
import java.util.Objects;
import org.agrona.DirectBuffer;

/** A send with what its program wants to hear of it. */
class SendOperation extends PendingSend {
  private final Object context;
  private final SendListener listener;
  private boolean silent;
  private boolean internal;
  private boolean counted;
  private boolean begun;
  private boolean ended;

  SendOperation(int peer, CompletionLevel level, Object context, SendListener listener) {
    super(peer, level);
    this.context = context;
    this.listener = listener;
  }

  /**
   * Refuses what no send can be made of, whichever face it comes by.
   *
   * @throws NullPointerException without a buffer or a level
   * @throws IllegalArgumentException if the bytes do not lie in the buffer
   */
  static void require(DirectBuffer buffer, int offset, int length, CompletionLevel level) {
    BufferRange.require(buffer, offset, length);
    Objects.requireNonNull(level, "level");
  }

  final Object context() {
    return context;
  }

  /** A success shall leave no entry in the queue. */
  final void silence() {
    silent = true;
  }

  /** Whether success leaves no entry in the queue. */
  final boolean isSilent() {
    return silent;
  }

  /** It is no send of a program's, and nothing counts it. */
  final void internal() {
    internal = true;
  }

  /** It shall be counted when it ends; false if it is no program's, or is counted already. */
  final boolean count() {
    boolean first = !internal && !counted;
    counted |= first;
    return first;
  }

  /** Whether it is counted. */
  final boolean isCounted() {
    return counted;
  }

  /** Whether nobody has begun with a send that was told; then the caller does. On the loop. */
  final boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Whether it has not ended before; then the caller tells its outcome. On the loop. */
  final boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  /** Who hears of an end that nothing is made for; null unless it is a {@link RepeatedSend}. */
  RepeatedSend.Listener hearer() {
    return null;
  }

  /** It has ended, and is to be sent once more. */
  final void begunAgain() {
    renew();
    begun = false;
    ended = false;
  }

  /** What hears of its end; null for the endpoint's transmit queue. */
  final SendListener listener() {
    return listener;
  }
}
