package io.tagfabric.endpoint;

import io.tagfabric.match.PostedReceive;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import org.agrona.DirectBuffer;

/**
 * The short way of a post: the application's thread takes the loop and calls the core that the
 * actor wraps, instead of telling the actor. Refused while somebody else drives or a mailbox waits;
 * the post is then told, and the order of one thread's posts is kept either way.
 *
 * <p>A short message may leave at once. What a post leaves to flush goes out with the next pass. In
 * MANUAL mode that is the application's, in AUTO mode the progress thread is woken for it, unless a
 * wait comes first.
 */
final class DirectEntry {
  private final ProgressLoop loop;
  private final boolean wakes;
  private final SendEntry sends;
  private final ReceiveEntry receives;

  DirectEntry(ProgressLoop loop, ProgressMode mode, SendEntry sends, ReceiveEntry receives) {
    this.loop = loop;
    this.wakes = mode == ProgressMode.AUTO;
    this.sends = sends;
    this.receives = receives;
  }

  boolean send(SendOperation operation) {
    if (!loop.tryEnter()) {
      return false;
    }
    try {
      sends.send(operation);
    } finally {
      leave(sends.hasUnflushed());
    }
    return true;
  }

  /** As {@link SendEntry#inject}; also false while somebody else has the loop. */
  boolean inject(int peer, DirectBuffer buffer, int offset, int length, long tag) {
    if (!loop.tryEnter()) {
      return false;
    }
    try {
      return sends.inject(peer, buffer, offset, length, tag);
    } finally {
      leave(sends.hasUnflushed());
    }
  }

  boolean post(PostedReceive receive) {
    if (!loop.tryEnter()) {
      return false;
    }
    boolean met = true;
    try {
      met = receives.post(receive);
    } finally {
      leave(met);
    }
    return true;
  }

  /** Fails a send that was told to an actor that may have stopped, unless it has begun with it. */
  void refuse(SendOperation operation) {
    onLoop(() -> sends.refuse(operation));
  }

  /** As {@link #refuse(SendOperation)} for a receive. */
  void refuse(PostedReceive receive) {
    onLoop(() -> receives.refuse(receive));
  }

  /** Runs something on the loop of a domain that closes: nobody else may drive it any more. */
  private void onLoop(Runnable task) {
    loop.execute(task);
    while (!loop.isDriving() && loop.hasQueuedWork()) {
      if (loop.advance() == 0) {
        Thread.yield();
      }
    }
  }

  private void leave(boolean unflushed) {
    loop.leave(unflushed);
    if (wakes && unflushed) {
      loop.wake();
    }
  }
}
