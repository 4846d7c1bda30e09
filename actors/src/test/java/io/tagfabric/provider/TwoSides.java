package io.tagfabric.provider;

import akka.actor.typed.ActorSystem;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Two sides of a contract test, each with a domain: `near` asks, `far` has what it asks for. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TwoSides {
  static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(100);
  static final AtomicInteger NUMBER = new AtomicInteger();

  final ContractSystems systems;
  final ProgressMode mode;
  final List<Domain> domains = new ArrayList<>();
  Side near;
  Side far;
  int toFar;
  int fromNear;

  TwoSides(ContractSystems systems, ProgressMode mode) {
    this.systems = systems;
    this.mode = mode;
  }

  @BeforeAll
  void startSystems() {
    systems.start();
  }

  @AfterAll
  void stopSystems() {
    systems.stop();
  }

  @AfterEach
  void close() {
    domains.forEach(domain -> domain.close(Duration.ZERO));
    domains.clear();
  }

  Domain domain(ActorSystem<?> system) {
    Domain domain = Fabric.get(system).openDomain("d" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    return domain;
  }

  /** Both sides are open. */
  void meet() {
    toFar = near.indexOf(far);
    fromNear = far.indexOf(near);
  }

  void until(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (!condition.getAsBoolean()) {
      if (near.poll() + far.poll() == 0) {
        Thread.yield();
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError(
            "waited in vain until " + what + ": near " + near.sent + " far " + far.received);
      }
    }
  }

  <T> T result(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    until("a future is done", future::isDone);
    return future.join();
  }

  FabricException failure(CompletionStage<?> stage) {
    CompletableFuture<?> future = stage.toCompletableFuture();
    until("a future is done", future::isDone);
    try {
      throw new AssertionError("completed with " + future.join());
    } catch (CompletionException e) {
      return (FabricException) e.getCause();
    }
  }
}
