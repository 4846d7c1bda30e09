package io.tagfabric.match.core;

import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;
import java.util.ArrayDeque;

/**
 * Keeps some objects of short messages that came before their receive, so that the next of them
 * makes none. Single threaded.
 */
final class SpareMessages {
  /** Messages up to this length have room in a kept one. */
  static final int SHORT_BYTES = 64;

  /** So many are kept: programs whose receives are late now and then have a few at a time. */
  static final int MOST = 16;

  private final ArrayDeque<UnexpectedMessage> spare = new ArrayDeque<>(0);

  /**
   * A whole message that waits.
   *
   * @param others that wait too; beside many, a short one takes no more memory than it needs
   */
  UnexpectedMessage keep(FrameOrigin origin, MessageView message, int others) {
    if (message.length() > SHORT_BYTES || others >= MOST) {
      return new UnexpectedMessage(origin, message);
    }
    UnexpectedMessage kept = spare.poll();
    if (kept == null) {
      kept = new UnexpectedMessage(SHORT_BYTES);
    }
    kept.take(origin, message);
    return kept;
  }

  /** A message has been received, and nobody has it any more. */
  void giveBack(UnexpectedMessage message) {
    if (message.envelope == null && message.bytes.length == SHORT_BYTES && spare.size() < MOST) {
      message.origin = null;
      spare.push(message);
    }
  }
}
