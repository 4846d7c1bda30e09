package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.StepQueue;

/**
 * The loop's own call into a plain part: a thread takes the loop and calls the part that an actor
 * wraps, instead of telling the actor. Refused while somebody else drives or a mailbox waits; it is
 * then told, and the order of one thread's calls is kept either way. Code that runs on the loop
 * already (a listener, another actor of the domain) adds a step, which runs when the handler that
 * is at work has returned.
 *
 * <p>What a call leaves to flush goes out with the next pass. In MANUAL mode that is the
 * application's, in AUTO mode the progress thread is woken for it, unless a wait comes first.
 */
@InternalApi
public final class LoopEntry {
  private final ProgressLoop loop;
  private final boolean wakes;
  private final boolean tells;

  public LoopEntry(ProgressLoop loop, ProgressMode mode) {
    this.loop = loop;
    this.wakes = mode == ProgressMode.AUTO;
    this.tells = loop.handOver() == HandOver.MAILBOX;
  }

  /** Takes the loop, until {@link #leave}; false if that cannot be done now. Thread: any. */
  public boolean tryEnter() {
    return !tells && loop.tryEnter();
  }

  /** The same, also where steps are messages: for what no message can answer. */
  public boolean tryEnterNow() {
    return loop.tryEnter();
  }

  /**
   * Gives the loop back.
   *
   * @param unflushed whether there is something to flush
   */
  public void leave(boolean unflushed) {
    if (loop.leave(unflushed) && wakes) {
      loop.wake();
    }
  }

  /**
   * Adds a step, if this is code on the loop that may: what it told before has been handled then.
   */
  public <T> boolean joins(StepQueue.Handler<T> handler, T operation) {
    if (tells || !loop.mayStep()) {
      return false;
    }
    loop.steps().add(handler, operation);
    return true;
  }

  /** Adds a step that may overtake what was told. Thread: the one that drives the loop. */
  <T> void step(StepQueue.Handler<T> handler, T operation) {
    loop.steps().add(handler, operation);
  }

  /** Runs something on the loop of a domain that closes: nobody else may drive it any more. */
  public void run(Runnable task) {
    loop.execute(task);
    while (!loop.isDriving() && loop.hasQueuedWork()) {
      if (loop.advance() == 0) {
        Thread.yield();
      }
    }
  }
}
