package io.tagfabric.complete;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressLoop;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The numbers of a {@link Counter}, and the waits that hear when they change. Numbers are read and
 * changed by any thread; waits are registered, and end, on the domain's loop.
 *
 * <p>Claim: no wait is missed. A waiter counts itself in {@code waiting} before it looks at the
 * numbers; a thread that counts changes a number before it looks at {@code waiting}. All are
 * volatile, so at least one of the two sees the other. The loop takes the check that a counting
 * thread has queued off {@code checkQueued} before it reads the numbers, so what is counted later
 * queues another.
 *
 * <p>Claim: of deferred operations none starts before one of a lower threshold that was deferred
 * before the counter got so far. They arrive in a queue that the loop empties after it has read the
 * numbers and before it ends waits: what was deferred before a number changed is in order by then.
 */
final class CounterState {
  /** Of {@code bound}: closed, so that nothing can be bound any more. */
  private static final int CLOSED = -1;

  private final ProgressLoop loop;
  private final CounterWaits waits;
  private final ConcurrentLinkedQueue<Arrival> arriving = new ConcurrentLinkedQueue<>();
  private final AtomicLong value = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong underWay = new AtomicLong();
  private final AtomicInteger bound = new AtomicInteger();
  private final AtomicBoolean checkQueued = new AtomicBoolean();
  private final Runnable check = this::check;

  /** A deferred operation that is not among the waits yet. */
  private record Arrival(long threshold, CounterWaits.Waiter waiter) {}

  CounterState(ProgressLoop loop) {
    this.loop = loop;
    waits = new CounterWaits(waiting::getAndDecrement);
  }

  long value() {
    return value.get();
  }

  long errors() {
    return errors.get();
  }

  // ---- counting ----

  void add(long amount) {
    value.getAndAdd(amount);
    changed();
  }

  void addErrors(long amount) {
    errors.getAndAdd(amount);
    changed();
  }

  void set(long newValue) {
    value.set(newValue);
    changed();
  }

  void setErrors(long newErrors) {
    errors.set(newErrors);
    changed();
  }

  private void changed() {
    if (waiting.get() > 0) {
      queueCheck();
    }
  }

  private void queueCheck() {
    if (checkQueued.compareAndSet(false, true)) {
      loop.execute(check);
    }
    loop.wake();
  }

  private void check() {
    checkQueued.set(false);
    long valueNow = value.get();
    long errorsNow = errors.get();
    takeArriving();
    waits.check(valueNow, errorsNow);
    if (isClosed()) {
      waits.close();
    }
  }

  private void takeArriving() {
    Arrival next;
    while ((next = arriving.poll()) != null) {
      if (next.waiter().isOver()) {
        waiting.getAndDecrement();
      } else {
        waits.add(next.threshold(), next.waiter());
      }
    }
  }

  /** An operation has begun that will be counted. */
  void begun() {
    underWay.getAndIncrement();
  }

  /** It has been counted. */
  void ended() {
    underWay.getAndDecrement();
  }

  /** Operations that will be counted. */
  long underWay() {
    return underWay.get();
  }

  // ---- waits ----

  /** Blocks until a wait would be over; false after the deadline. Drives the loop. */
  boolean await(long threshold, long knownErrors, long deadlineNs, IdlePolicy idle) {
    waiting.getAndIncrement();
    try {
      return loop.await(
          () -> value.get() >= threshold || errors.get() != knownErrors || isClosed(),
          deadlineNs,
          idle);
    } finally {
      waiting.getAndDecrement();
    }
  }

  /** Registers a wait, and ends it at once if it is over. Thread: the loop. */
  void register(long threshold, long knownErrors, CounterWaits.Waiter waiter) {
    waiting.getAndIncrement();
    waits.add(threshold, knownErrors, waiter);
    check();
  }

  /** Registers a wait that no error ends, of a deferred operation. Thread: any. */
  void defer(long threshold, CounterWaits.Waiter waiter) {
    waiting.getAndIncrement();
    arriving.add(new Arrival(threshold, waiter));
    queueCheck();
  }

  /** Takes the wait of a deferred operation back, if it is not over. Thread: the loop. */
  void remove(CounterWaits.Waiter waiter) {
    takeArriving();
    waits.remove(waiter);
  }

  /** The waits of deferred operations, in order. Thread: the loop. */
  List<CounterWaits.Waiter> deferred() {
    takeArriving();
    return waits.heedless();
  }

  // ---- open, bound, closed ----

  boolean isClosed() {
    return bound.get() == CLOSED;
  }

  void requireOpen() {
    if (isClosed()) {
      throw new FabricException(FabricError.BAD_STATE, "the counter is closed, open another");
    }
  }

  /** It cannot be closed before {@link #unbind}. */
  void bind() {
    if (bound.getAndUpdate(count -> count == CLOSED ? CLOSED : count + 1) == CLOSED) {
      requireOpen();
    }
  }

  void unbind() {
    bound.getAndUpdate(count -> count == CLOSED ? CLOSED : count - 1);
  }

  /** Closes it unless something is bound; returns how many bindings there are. */
  int close() {
    int before = bound.compareAndExchange(0, CLOSED);
    if (before == 0) {
      queueCheck();
    }
    return Math.max(0, before);
  }

  /** Closes it whatever is bound. */
  void end() {
    if (bound.getAndSet(CLOSED) != CLOSED) {
      queueCheck();
    }
  }
}
