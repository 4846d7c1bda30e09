package io.tagfabric.progress;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import io.tagfabric.annotation.InternalApi;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Makes and completes the futures of a domain.
 *
 * <p>Continuations never run where they could hold the loop up: in AUTO mode they run on the
 * system's default dispatcher; in MANUAL mode on the thread that drives, which is the application's
 * own.
 */
public final class ProgressFutures {
  private final ActorSystem<?> system;
  private final ProgressLoop loop;
  private final ProgressMode mode;
  private final IdlePolicy idle;
  private final Executor executor;

  public ProgressFutures(
      ActorSystem<?> system, ProgressLoop loop, ProgressMode mode, IdlePolicy idle) {
    this.system = system;
    this.loop = loop;
    this.mode = mode;
    this.idle = idle;
    this.executor = system.executionContext();
  }

  /** A future whose waits drive the loop. */
  public <T> ProgressFuture<T> create() {
    return new ProgressFuture<>(loop, idle);
  }

  /** Runs a listener where continuations run; from the loop. */
  @InternalApi
  public void run(Runnable listener) {
    if (mode == ProgressMode.MANUAL) {
      listener.run();
    } else {
      executor.execute(listener);
    }
  }

  /** Completes a future from the loop. */
  public <T> void complete(ProgressFuture<T> future, T value) {
    if (mode == ProgressMode.MANUAL) {
      future.complete(value);
    } else {
      executor.execute(() -> future.complete(value));
    }
  }

  /** Fails a future from the loop. */
  public void fail(ProgressFuture<?> future, Throwable failure) {
    if (mode == ProgressMode.MANUAL) {
      future.completeExceptionally(failure);
    } else {
      executor.execute(() -> future.completeExceptionally(failure));
    }
  }

  /**
   * Asks an actor of the domain; for set-up and administration, not for the data path.
   *
   * @param message makes the message from the reference to answer to
   * @param timeout after which the future fails with a TimeoutException
   */
  public <C, R> ProgressFuture<R> ask(
      ActorRef<C> actor, Function<ActorRef<R>, C> message, Duration timeout) {
    ProgressFuture<R> future = create();
    // Dependents of Akka's stages run in the common pool unless told otherwise, and its only worker
    // on a small machine may be the very thread that waits for this answer.
    Executor answering = mode == ProgressMode.MANUAL ? Runnable::run : executor;
    AskPattern.<C, R>ask(
            actor, message::apply, Duration.ofNanos(Timeouts.nanos(timeout)), system.scheduler())
        .whenCompleteAsync(
            (answer, failure) -> {
              if (failure == null) {
                future.complete(answer);
              } else {
                future.completeExceptionally(failure);
              }
            },
            answering);
    return future;
  }
}
