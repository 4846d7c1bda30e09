package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.complete.ListenerFailures;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * A collective that is started again and again, with the objects of its start before. A start makes
 * no future unless it is asked for one, and in the memory of a JVM or of a host it makes nothing at
 * all, once the objects are there.
 *
 * <p>Thread: any, one at a time; the loop ends it.
 */
@InternalApi
public final class PreparedRun implements CallEnd {
  /*
   * One word says how it stands: DONE, RUNNING, or a future somebody has asked for while it was
   * running. Who ends it swaps DONE in and completes the future it has found there; who asks for
   * one swaps it in for RUNNING. So of an end and a question at the same time either the end finds
   * the future, or the question finds the end.
   */
  private static final Object DONE = new Object();
  private static final Object RUNNING = new Object();
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(PreparedRun.class, "state", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ScheduleRunner runner;
  private final ProgressLoop loop;
  private final ProgressFutures futures;
  private final CollectiveCall call;
  private final Shape shape;
  private final Algorithm algorithm;
  private final ListenerFailures listenerFailures = new ListenerFailures();
  private final Runnable beginning = this::begin;
  private final Runnable telling = this::tell;
  private BiConsumer<CollectiveCompletion, Throwable> listener;
  private Runnable wordlessListener;

  private volatile Object state = DONE;
  private boolean started;
  private CallRun run;

  // How the last start has ended; written before the state is DONE.
  private CallRun ended;
  private TeamException failure;

  PreparedRun(ScheduleRunner runner, CollectiveCall call, Shape shape, Algorithm algorithm) {
    this.runner = runner;
    this.call = call;
    this.shape = shape;
    this.algorithm = algorithm;
    loop = runner.members().domain().loop();
    futures = runner.members().domain().futures();
  }

  CollectiveCall call() {
    return call;
  }

  Shape shape() {
    return shape;
  }

  /** Null if none is needed unless memory cannot be shared. */
  Algorithm algorithm() {
    return algorithm;
  }

  /** The objects of the start before; null if there are none. */
  CallRun run() {
    return run;
  }

  void run(CallRun newRun) {
    run = newRun;
  }

  /** Who hears of each end, with how it went; null for nobody. */
  public void onEnd(BiConsumer<CollectiveCompletion, Throwable> end) {
    listener = end;
  }

  /** Who hears of each end, without a word; null for nobody. */
  public void onEnd(Runnable end) {
    wordlessListener = end;
  }

  /** Starts it; TRY_AGAIN if the start before has not ended. */
  public Posted start() {
    if (state != DONE) {
      return Posted.TRY_AGAIN;
    }
    started = true;
    ended = null;
    failure = null;
    state = RUNNING;
    TeamException broken = runner.failure();
    if (broken != null) {
      failed(broken);
    } else if (loop.tryEnter()) {
      try {
        begin();
      } finally {
        loop.leave();
      }
    } else {
      loop.execute(beginning);
    }
    return Posted.POSTED;
  }

  private void begin() {
    runner.begin(this);
  }

  /** Whether the last start has ended; true before the first. */
  public boolean isDone() {
    return state == DONE;
  }

  /** Why the last start has failed; null if it has not. */
  public TeamException failure() {
    return isDone() ? failure : null;
  }

  /** How the last start went; null if it has not ended well. */
  public CollectiveCompletion completion() {
    return isDone() && ended != null ? ended.completion() : null;
  }

  /**
   * The end of the last start.
   *
   * @throws IllegalStateException before the first
   */
  public CompletionStage<CollectiveCompletion> stage() {
    if (!started) {
      throw new IllegalStateException("started=0, start it before its stage is asked for");
    }
    Object known = state;
    if (known == RUNNING) {
      ProgressFuture<CollectiveCompletion> asked = futures.create();
      known = STATE.compareAndExchange(this, RUNNING, asked);
      if (known == RUNNING) {
        return asked;
      }
    }
    return known == DONE ? endedStage() : future(known);
  }

  private CompletionStage<CollectiveCompletion> endedStage() {
    ProgressFuture<CollectiveCompletion> stage = futures.create();
    if (failure != null) {
      stage.completeExceptionally(failure);
    } else {
      stage.complete(ended.completion());
    }
    return stage;
  }

  @SuppressWarnings("unchecked") // nothing else is put there
  private static ProgressFuture<CollectiveCompletion> future(Object state) {
    return (ProgressFuture<CollectiveCompletion>) state;
  }

  @Override
  public void completed(CallRun itsRun) {
    ended = itsRun;
    end();
  }

  @Override
  public void failed(TeamException why) {
    failure = why;
    run = null;
    end();
  }

  private void end() {
    CallRun well = ended;
    TeamException badly = failure;
    BiConsumer<CollectiveCompletion, Throwable> told = listener;
    // Before it counts as done: then it may be started again, and the run is that of the next.
    CollectiveCompletion completion =
        badly == null && (told != null || state != RUNNING) ? well.completion() : null;
    Object before = STATE.getAndSet(this, DONE);
    if (before != RUNNING) {
      if (badly == null) {
        futures.complete(future(before), completion == null ? well.completion() : completion);
      } else {
        futures.fail(future(before), badly);
      }
    }
    if (wordlessListener != null) {
      futures.run(telling);
    }
    if (told != null) {
      futures.run(() -> tell(told, completion, badly));
    }
    loop.wake();
  }

  private void tell() {
    Runnable told = wordlessListener;
    try {
      told.run();
    } catch (Throwable e) {
      listenerFailures.caught(told, e);
    }
  }

  private void tell(
      BiConsumer<CollectiveCompletion, Throwable> told,
      CollectiveCompletion completion,
      TeamException badly) {
    try {
      told.accept(completion, badly);
    } catch (Throwable e) {
      listenerFailures.caught(told, e);
    }
  }
}
