package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The one thread that has a loop to itself in {@link ThreadUse#ONE}. While there is none yet, and
 * after the end, all threads enter with a compare-and-set.
 *
 * <p><b>Nobody enters beside it.</b> The holder stores that it is inside, without a fence, then
 * looks whether it still holds; others store elsewhere that they are inside, so a store that comes
 * late overwrites nothing. Who takes the loop from the holder says so first, then makes it pass a
 * safepoint, which is a fence; only then others may enter, and they look whether it is inside. A
 * guest that has seen no holder, and comes late, looks again behind its compare-and-set, which is a
 * fence, as the one is by which the holder became it. {@code SoleThreadModel} among the tests
 * explores it.
 *
 * <p>Thread: any.
 */
@InternalApi
public final class SoleThread {
  /** In the place of the holder when all may come. */
  private static final Object ALL = "all";

  private static final VarHandle HOLDER;

  static {
    try {
      HOLDER = MethodHandles.lookup().findVarHandle(SoleThread.class, "holder", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A thread, {@link #ALL}, or null for none yet. */
  private volatile Object holder;

  private volatile boolean ending;

  SoleThread() {}

  /** Whether the calling thread is the holder. */
  public boolean isHeldByCaller() {
    return holder == Thread.currentThread();
  }

  /** Whether there is one, or there was one that may not have heard of its end. */
  boolean isHeld() {
    Object current = holder;
    return (current != null && current != ALL) || ending;
  }

  /**
   * Makes the calling thread the holder if there is none.
   *
   * @throws IllegalStateException if another thread is
   */
  void claim() {
    Thread self = Thread.currentThread();
    if (holder != self && !HOLDER.compareAndSet(this, (Object) null, (Object) self)) {
      require();
    }
  }

  /**
   * Refuses other threads than the holder.
   *
   * @throws IllegalStateException if there is one that is not the caller
   */
  void require() {
    if (holder instanceof Thread current && current != Thread.currentThread()) {
      throw new IllegalStateException(
          "thread ["
              + Thread.currentThread().getName()
              + "] calls into a domain that thread ["
              + current.getName()
              + "] has for itself (tagfabric.progress.threads = one): call from that thread, let it"
              + " call Domain.giveThreadUp() before, or open the domain with any");
    }
  }

  /** The holder gives the loop up: the next caller may be the holder. Not inside a pass. */
  void giveUp() {
    require();
    HOLDER.compareAndSet(this, (Object) Thread.currentThread(), (Object) null);
  }

  /**
   * Ends this for good: from now on all threads enter with a compare-and-set, and what the holder
   * has entered before is seen by the caller.
   */
  void end() {
    ending = true;
    Object last = HOLDER.getAndSet(this, ALL);
    if (last instanceof Thread thread && thread != Thread.currentThread()) {
      thread.getStackTrace(); // it passes a safepoint, and with it a fence
    }
    ending = false;
  }
}
