package io.tagfabric.runtime;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads of this JVM, on real time. */
final class JvmThreads implements Threads {
  static final Threads INSTANCE = new JvmThreads();

  @Override
  public Thread start(String name, boolean daemon, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(daemon);
    thread.start();
    return thread;
  }

  @Override
  public boolean await(Future<?> future, Duration timeout) {
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          future.get(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
          return true;
        } catch (ExecutionException | TimeoutException | CancellationException late) {
          return false;
        } catch (InterruptedException notNow) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void await(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public <T> T join(CompletableFuture<T> future) {
    return future.join();
  }
}
