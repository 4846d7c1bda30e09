package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future of a domain: waiting for it drives the domain's loop, so {@code get} and {@code join}
 * end in MANUAL mode too. Futures made from it drive as well.
 *
 * @param <T> type of the result
 */
public final class ProgressFuture<T> extends CompletableFuture<T> {
  private static final long FOREVER_NS = TimeUnit.DAYS.toNanos(365);

  private final ProgressLoop loop;
  private final IdlePolicy idle;

  public ProgressFuture(ProgressLoop loop, IdlePolicy idle) {
    this.loop = loop;
    this.idle = idle;
  }

  /** The time of the domain. */
  @InternalApi
  public TimeSource time() {
    return loop.time();
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new ProgressFuture<>(loop, idle);
  }

  @Override
  public boolean complete(T value) {
    boolean first = super.complete(value);
    loop.wakeWaiters();
    return first;
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    boolean first = super.completeExceptionally(failure);
    loop.wakeWaiters();
    return first;
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    drive(FOREVER_NS);
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    drive(unit.toNanos(timeout));
    if (!isDone()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw new TimeoutException("not done within " + timeout + " " + unit);
    }
    return super.get();
  }

  @Override
  public T join() throws CancellationException, CompletionException {
    boolean interrupted = false;
    while (!isDone()) {
      // An interrupt ends a drive, but not a join.
      interrupted |= Thread.interrupted();
      drive(FOREVER_NS);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return super.join();
  }

  /** Dependents complete inside CompletableFuture and wake nobody, so parks are kept short. */
  private void drive(long timeoutNs) {
    if (!isDone()) {
      IdlePolicy brief =
          new IdlePolicy(idle.spinNs(), idle.yieldNs(), Math.min(idle.maxParkNs(), 1_000_000L));
      loop.await(this::isDone, loop.time().nanoTime() + timeoutNs, brief);
    }
  }
}
