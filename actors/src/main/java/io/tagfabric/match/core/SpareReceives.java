package io.tagfabric.match.core;

import io.tagfabric.complete.CompletionRing;
import io.tagfabric.match.PostedReceive;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;

/**
 * Keeps the objects of receives that have got a whole message, so that posting the next one makes
 * none. A direct call that posts a receive of one message gets one of them. A receive that is told
 * to an actor does not: it lies in a mailbox. A receive that ends in another way is left to the
 * collector, since a transfer may still hold it. Single threaded.
 */
final class SpareReceives {
  /** So many are kept: as many as programs that have many under way usually post. */
  static final int MOST = 256;

  private static final int FIRST_LENGTH = 16;

  private PostedReceive[] spare = {};
  private int count;

  /**
   * A receive whose arguments have been checked.
   *
   * @param ring where its slot is reserved
   */
  PostedReceive lend(
      CompletionRing ring,
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Object context) {
    PostedReceive receive = take();
    receive.lend(ring, buffer, offset, capacity, tag, ignore, source, context);
    return receive;
  }

  private PostedReceive take() {
    if (count == 0) {
      return new PostedReceive();
    }
    PostedReceive receive = spare[--count];
    spare[count] = null; // it need not come back
    return receive;
  }

  /** It has got a message, and nobody has it any more; does nothing unless it was lent. */
  void giveBack(PostedReceive receive) {
    if (receive.isLent()) {
      receive.giveBack();
      if (count == spare.length && count < MOST) {
        spare = Arrays.copyOf(spare, Math.max(FIRST_LENGTH, 2 * count));
      }
      if (count < spare.length) {
        spare[count++] = receive;
      }
    }
  }
}
