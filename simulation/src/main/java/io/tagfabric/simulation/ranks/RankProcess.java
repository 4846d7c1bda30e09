package io.tagfabric.simulation.ranks;

import io.tagfabric.runtime.ProcessControl;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What a rank takes for its process: a part of this JVM, which ends with a code while the JVM goes
 * on. A thread that ends it stops there for ever, as in {@link System#exit}; other threads of the
 * rank are not stopped, but what they print is not shown any more. Thread: any.
 */
final class RankProcess implements ProcessControl {
  private static final int CODE_MASK = 0xFF;
  private static final long LOOK_MS = 50;

  /**
   * How it has ended.
   *
   * @param isCut whether the program has halted it, in the middle of whatever it did
   */
  record End(int code, boolean isCut) {}

  private final Consumer<String> errors;
  private final Set<Thread> hooks = new LinkedHashSet<>();
  private final CompletableFuture<End> ended = new CompletableFuture<>();
  private boolean ending;
  private OptionalInt exitCode = OptionalInt.empty();

  /**
   * @param errors takes a line for the rank's error stream
   */
  RankProcess(Consumer<String> errors) {
    this.errors = errors;
  }

  @Override
  public String identity() {
    return JVM.identity();
  }

  @Override
  public void exit(int code) {
    end(code);
    stay();
  }

  @Override
  public void halt(int code) {
    stop(code, false);
  }

  /** As {@link #halt}, at the program's wish: other ranks are to take it for killed. */
  void cut(int code) {
    stop(code, true);
  }

  private void stop(int code, boolean isCut) {
    synchronized (this) {
      ending = true;
    }
    ended.complete(new End(code & CODE_MASK, isCut));
    stay();
  }

  /** Ends the rank after its hooks, unless its end has begun already; returns when it is over. */
  void end(int code) {
    synchronized (this) {
      exitCode = ending ? exitCode : OptionalInt.of(code & CODE_MASK);
    }
    if (runHooks()) {
      ended.complete(new End(code & CODE_MASK, false));
    }
  }

  /** The JVM ends, by something that is no rank's: the code is the JVM's. */
  void endWithJvm() {
    runHooks();
  }

  private boolean runHooks() {
    List<Thread> all;
    synchronized (this) {
      if (ending) {
        return false;
      }
      ending = true;
      all = new ArrayList<>(hooks);
    }
    all.forEach(Thread::start);
    boolean interrupted = false;
    for (Thread hook : all) {
      while (hook.isAlive() && !ended.isDone()) {
        try {
          hook.join(LOOK_MS);
        } catch (InterruptedException notNow) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private static void stay() {
    while (true) {
      LockSupport.park();
      // a thread that stays interrupted does not park
      Thread.interrupted();
    }
  }

  @Override
  public void addShutdownHook(String name, Runnable hook) {
    add(new Thread(hook, name));
  }

  /** As {@link Runtime#addShutdownHook}. */
  synchronized void add(Thread hook) {
    requireNotEnding();
    if (hook.isAlive() || !hooks.add(hook)) {
      throw new IllegalArgumentException("Hook previously registered or already running");
    }
  }

  /** As {@link Runtime#removeShutdownHook}. */
  synchronized boolean remove(Thread hook) {
    requireNotEnding();
    return hooks.remove(hook);
  }

  private void requireNotEnding() {
    if (ending) {
      throw new IllegalStateException("Shutdown in progress");
    }
  }

  @Override
  public boolean isEnding() {
    synchronized (this) {
      if (ending) {
        return true;
      }
    }
    return JVM.isEnding();
  }

  @Override
  public Optional<Integer> signal() {
    return JVM.signal();
  }

  /** Its own end tells the code. */
  @Override
  public void hearExit() {}

  @Override
  public synchronized OptionalInt exitCode() {
    return exitCode;
  }

  @Override
  public void say(String line) {
    errors.accept(line);
  }

  /** Completes when it has ended, with how. */
  CompletionStage<End> whenEnded() {
    return ended;
  }

  boolean hasEnded() {
    return ended.isDone();
  }
}
