package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The one thread that has a loop to itself in {@link ThreadUse#ONE}. While there is none yet, and
 * after the end, all threads enter with a compare-and-set.
 *
 * <p><b>Nobody enters beside it.</b> The holder stores that it drives, without a fence, then looks
 * whether it still holds; who takes the loop from it stores that first, then makes the holder pass
 * a safepoint, then looks whether it drives. A guest that was late (it has seen no holder, and its
 * compare-and-set comes after the first holder's) looks again behind its compare-and-set, which is
 * a fence, and so is the one by which the holder became it.
 *
 * <p>Thread: any.
 */
@InternalApi
public final class SoleThread {
  private static final VarHandle HOLDER;

  static {
    try {
      HOLDER = MethodHandles.lookup().findVarHandle(SoleThread.class, "holder", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile Thread holder;
  private volatile boolean over;

  SoleThread() {}

  /** Whether the calling thread is the holder. */
  public boolean isHeldByCaller() {
    return holder == Thread.currentThread();
  }

  /** Whether there is one. */
  boolean isHeld() {
    return holder != null;
  }

  /**
   * Makes the calling thread the holder if there is none.
   *
   * @throws IllegalStateException if another thread is
   */
  void claim() {
    Thread self = Thread.currentThread();
    if (holder != self && !over && !HOLDER.compareAndSet(this, (Thread) null, self)) {
      require();
    }
  }

  /**
   * Refuses other threads than the holder.
   *
   * @throws IllegalStateException if there is one that is not the caller
   */
  void require() {
    Thread current = holder;
    if (current != null && current != Thread.currentThread()) {
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
    holder = null;
  }

  /**
   * Ends this for good: from now on all threads enter with a compare-and-set, and what the holder
   * has entered before is seen by the caller.
   */
  void end() {
    over = true;
    Thread last = (Thread) HOLDER.getAndSet(this, (Thread) null);
    if (last != null && last != Thread.currentThread()) {
      last.getStackTrace(); // it passes a safepoint, and with it a fence
    }
  }
}
