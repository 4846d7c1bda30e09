package io.tagfabric.complete;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.Timeouts;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Two numbers, of successes and of errors, and those who wait until the first reaches a threshold.
 * The program adds to it, and so do the operations of endpoints that it is bound to, when they end.
 * A domain opens it.
 *
 * <p>A wait ends in one of four ways: the value has reached the threshold; the number of errors is
 * another than the waiter knew (AVAILABLE); the counter was closed (CANCELED); the time is over. If
 * the first two hold at once, the threshold wins.
 *
 * <p>Units: the program's; of operations, one or their payload bytes, see {@link CounterUnit}; a
 * failed one always adds 1 to the errors. An entry of the same operation may come a little later
 * than its count. Numbers wrap past 2^63. Thread: any. Counting and reading take no lock and
 * allocate nothing; counting does so only while somebody waits. Reading and waiting drive the
 * domain's loop in MANUAL mode.
 *
 * @source libfabric fi_cntr(3)
 */
public final class Counter {
  /** What a counter can be told. */
  public sealed interface Command {}

  /**
   * Answers once with how the wait ended.
   *
   * @param threshold the value to wait for
   * @param knownErrors errors that end no wait: {@link #errors} as the program last saw it
   */
  public record Await(long threshold, long knownErrors, ActorRef<? super Outcome> replyTo)
      implements Command {
    public Await {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Adds to the value. */
  public record Add(long amount) implements Command {}

  /** Adds to the errors. */
  public record AddErrors(long amount) implements Command {}

  /** Answers to {@link Await}. */
  public sealed interface Outcome {}

  /**
   * The threshold is reached.
   *
   * @param value what the counter was at, maybe more than the threshold
   */
  public record Reached(long value) implements Outcome {}

  /** The wait is over: AVAILABLE after an error, CANCELED after the close. */
  public record Failed(FabricError error, String detail) implements Outcome {}

  private final CounterUnit unit;
  private final ProgressLoop loop;
  private final ProgressMode mode;
  private final IdlePolicy idle;
  private final ProgressFutures futures;
  private final ActorRef<Command> ref;
  private final CounterState state;
  private final Deferrals deferrals;

  private Counter(
      CounterUnit unit,
      ProgressLoop loop,
      ProgressMode mode,
      IdlePolicy idle,
      ProgressFutures futures,
      Function<Behavior<Command>, ActorRef<Command>> spawner) {
    this.unit = unit;
    this.loop = loop;
    this.mode = mode;
    this.idle = idle;
    this.futures = futures;
    state = new CounterState(loop);
    deferrals = new Deferrals(state, loop, futures);
    ref = spawner.apply(CounterActor.create(this));
  }

  /**
   * Opens a counter at zero; called by the domain.
   *
   * @param spawner spawns the counter's actor on the domain's dispatcher
   */
  @InternalApi
  public static Counter open(
      CounterUnit unit,
      ProgressLoop loop,
      ProgressMode mode,
      IdlePolicy idle,
      ProgressFutures futures,
      Function<Behavior<Command>, ActorRef<Command>> spawner) {
    return new Counter(unit, loop, mode, idle, futures, spawner);
  }

  /** The actor; it lives until the domain is closed. */
  public ActorRef<Command> ref() {
    return ref;
  }

  /** What operations add. */
  public CounterUnit unit() {
    return unit;
  }

  /** The loop that this counter's domain runs on. */
  @InternalApi
  public ProgressLoop loop() {
    return loop;
  }

  // ---- the endpoints ----

  /** An endpoint is opened whose operations it counts; it cannot be closed before them. */
  @InternalApi
  public void bind() {
    state.bind();
  }

  /** Ends {@link #bind}. */
  @InternalApi
  public void unbind() {
    state.unbind();
  }

  /** An operation was accepted that it will count. Thread: any. */
  @InternalApi
  public void begun() {
    state.begun();
  }

  /** It has ended well. Thread: the loop. */
  @InternalApi
  public void ended(long payloadBytes) {
    count(payloadBytes);
    state.ended();
  }

  /** It has failed. Thread: the loop. */
  @InternalApi
  public void failed() {
    state.addErrors(1);
    state.ended();
  }

  /** An operation has begun and ended well. Thread: the loop. */
  @InternalApi
  public void count(long payloadBytes) {
    state.add(unit == CounterUnit.BYTES ? payloadBytes : 1);
  }

  // ---- deferred operations ----

  /**
   * Starts an operation when the value reaches a threshold; at once if it has. Operations start in
   * the order of their thresholds, then in the order deferred, also where the value jumps past
   * several. They start on the domain's loop: in MANUAL mode in any wait or read of the domain. To
   * chain operations, defer the next one with the counter that counts the one before.
   *
   * <p>Only the value starts operations; the number of errors starts none. An operation that fails
   * is told as any other. So is one that is cancelled, or that still waits when its endpoint or
   * this counter closes.
   *
   * @throws FabricException AGAIN if its queue has no slot, BAD_STATE if the counter is closed
   * @throws IllegalArgumentException if the operation is of another domain
   * @source libfabric fi_trigger(3), FI_QUEUE_WORK
   */
  public Deferral defer(long threshold, DeferredOperation operation) {
    return deferrals.defer(threshold, operation);
  }

  /**
   * Takes back all operations that still wait for this counter. Thread: the loop.
   *
   * @return how many there were
   */
  @InternalApi
  public int flushDeferred() {
    return deferrals.flush();
  }

  /** Adds for a deferred operation, which cannot know that the counter has been closed. */
  void addUnlessClosed(long amount) {
    if (!state.isClosed()) {
      state.add(amount);
    }
  }

  /** As {@link #addUnlessClosed} for an error. */
  void addErrorUnlessClosed() {
    if (!state.isClosed()) {
      state.addErrors(1);
    }
  }

  /** As {@link #addUnlessClosed} for a new value; an error while operations are under way. */
  void setUnlessClosed(long newValue) {
    if (state.underWay() > 0) {
      addErrorUnlessClosed();
    } else if (!state.isClosed()) {
      state.set(newValue);
    }
  }

  // ---- the program ----

  /** Successes; in MANUAL mode after a pass of the loop. */
  public long value() {
    drive();
    return state.value();
  }

  /** Errors; in MANUAL mode after a pass of the loop. */
  public long errors() {
    drive();
    return state.errors();
  }

  private void drive() {
    if (mode == ProgressMode.MANUAL && !loop.isDriving() && loop.admitsCaller()) {
      loop.advance();
    }
  }

  /**
   * Adds to the value.
   *
   * @param amount may be negative
   * @throws FabricException BAD_STATE if the counter is closed
   */
  public void add(long amount) {
    state.requireOpen();
    state.add(amount);
  }

  /** Adds to the errors, otherwise as {@link #add}. */
  public void addErrors(long amount) {
    state.requireOpen();
    state.addErrors(amount);
  }

  /**
   * Sets the value, otherwise as {@link #add}. What another thread adds during this call may be
   * lost.
   *
   * @throws FabricException BUSY while operations are under way that it will count, or BAD_STATE
   */
  public void set(long newValue) {
    state.requireOpen();
    requireIdle();
    state.set(newValue);
  }

  /** Sets the errors, otherwise as {@link #set}. */
  public void setErrors(long newErrors) {
    state.requireOpen();
    requireIdle();
    state.setErrors(newErrors);
  }

  private void requireIdle() {
    long now = state.underWay();
    if (now > 0) {
      throw new FabricException(
          FabricError.BUSY,
          "operations=" + now + " under way will be counted, wait until they have ended");
    }
  }

  /**
   * Waits until the value reaches a threshold, driving the loop.
   *
   * @return false after the timeout or an interrupt (the flag stays set)
   * @throws FabricException AVAILABLE if an error is counted meanwhile, CANCELED if the counter is
   *     closed
   * @throws IllegalStateException if called from an actor or a listener of this domain
   */
  public boolean await(long threshold, Duration timeout) {
    return await(threshold, state.errors(), timeout);
  }

  /**
   * The same for a program that knows of so many errors; with another number of them it does not
   * wait.
   *
   * @param knownErrors {@link #errors} as last seen, 0 to hear of any
   */
  public boolean await(long threshold, long knownErrors, Duration timeout) {
    long timeoutNs = Timeouts.nanos(timeout);
    loop.requireOutside("a wait for a counter");
    loop.requireCaller();
    state.await(threshold, knownErrors, loop.time().nanoTime() + timeoutNs, idle);
    if (state.value() >= threshold) {
      return true;
    }
    if (state.errors() != knownErrors) {
      throw failure(FabricError.AVAILABLE, threshold, knownErrors);
    }
    if (state.isClosed()) {
      throw failure(FabricError.CANCELED, threshold, knownErrors);
    }
    return false;
  }

  /**
   * A future of the value when it has reached a threshold. Waiting for it drives the loop.
   *
   * @param knownErrors as in {@link #await(long, long, Duration)}
   * @return fails as {@link #await(long, long, Duration)} does
   */
  public CompletionStage<Long> whenReached(long threshold, long knownErrors) {
    ProgressFuture<Long> future = futures.create();
    if (state.isClosed()) { // nobody may drive the loop any more
      if (state.value() >= threshold) {
        future.complete(state.value());
      } else {
        future.completeExceptionally(failure(FabricError.CANCELED, threshold, knownErrors));
      }
      return future;
    }
    loop.execute(
        () ->
            state.register(
                threshold,
                knownErrors,
                new CounterWaits.Waiter() {
                  @Override
                  public void onReached(long reached) {
                    futures.complete(future, reached);
                  }

                  @Override
                  public void onFailed(FabricError error) {
                    futures.fail(future, failure(error, threshold, knownErrors));
                  }
                }));
    return future;
  }

  /** A wait that began as a message. On the loop. */
  void onAwait(Await await) {
    state.register(
        await.threshold(),
        await.knownErrors(),
        new CounterWaits.Waiter() {
          @Override
          public void onReached(long reached) {
            await.replyTo().tell(new Reached(reached));
          }

          @Override
          public void onFailed(FabricError error) {
            await
                .replyTo()
                .tell(new Failed(error, detail(error, await.threshold(), await.knownErrors())));
          }
        });
  }

  private FabricException failure(FabricError error, long threshold, long knownErrors) {
    return new FabricException(error, detail(error, threshold, knownErrors));
  }

  private String detail(FabricError error, long threshold, long knownErrors) {
    String numbers =
        "value=" + state.value() + " < threshold=" + threshold + ", errors=" + state.errors();
    return error == FabricError.CANCELED
        ? "the counter was closed at " + numbers
        : numbers + " are not the known " + knownErrors + ", see what failed and wait anew";
  }

  /** Whether it takes no more counts. Thread: any. */
  public boolean isClosed() {
    return state.isClosed();
  }

  /**
   * Ends waits with CANCELED, unless their threshold is reached, and takes no more counts. The last
   * numbers can still be read. Idempotent.
   *
   * @throws FabricException BUSY while an endpoint is open whose operations it counts
   */
  public void close() {
    int endpoints = state.close();
    if (endpoints > 0) {
      throw new FabricException(
          FabricError.BUSY,
          "endpoints=" + endpoints + " are bound to the counter, close them first");
    }
  }

  /** Closes with the domain. */
  @InternalApi
  public void end() {
    state.end();
  }
}
