package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.endpoint.ActiveCall;
import io.tagfabric.endpoint.ActiveHandler;
import io.tagfabric.endpoint.ActiveMessages;
import io.tagfabric.endpoint.ActiveReply;
import io.tagfabric.endpoint.EndpointSettings;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.flow.ActiveSettings;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Two sides with active messages: `near` asks, `far` has the handlers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ActivePair {
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(100);
  static final AtomicInteger NUMBER = new AtomicInteger();
  static final int HANDLER = 7;
  static final int FLOOD = 300;
  static final ActiveHandler ECHO = call -> call.reply(arguments(call), call.payload());

  final ContractSystems systems;
  final ProgressMode mode;
  final List<Domain> domains = new ArrayList<>();
  Side near;
  Side far;
  ActiveMessages asking;
  ActiveMessages asked;
  int toFar;
  int fromNear;

  ActivePair(ContractSystems systems, ProgressMode mode) {
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

  @BeforeEach
  void open() {
    near = side(systems.near(), "near");
    far = side(systems.far(), "far");
    asking = near.endpoint.active();
    asked = far.endpoint.active();
    toFar = near.indexOf(far);
    fromNear = far.indexOf(near);
  }

  @AfterEach
  void close() {
    domains.forEach(domain -> domain.close(Duration.ZERO));
    domains.clear();
  }

  Side side(ActorSystem<?> system, String name) {
    Domain domain = Fabric.get(system).openDomain("am" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  static int[] arguments(ActiveCall call) {
    return IntStream.range(0, call.argumentCount()).map(call::argument).toArray();
  }

  static int[] arguments(ActiveReply reply) {
    return IntStream.range(0, reply.argumentCount()).map(reply::argument).toArray();
  }

  void await(CompletableFuture<?> future) {
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (!future.isDone()) {
      if (near.poll() + far.poll() == 0) {
        Thread.yield();
      }
      assertThat(System.nanoTime() - deadlineNs).as("a future is done in time").isNegative();
    }
  }

  <T> T result(CompletionStage<T> stage) {
    await(stage.toCompletableFuture());
    return stage.toCompletableFuture().join();
  }

  FabricException failure(CompletionStage<?> stage) {
    await(stage.toCompletableFuture());
    try {
      throw new AssertionError("completed with " + stage.toCompletableFuture().join());
    } catch (CompletionException e) {
      return (FabricException) e.getCause();
    }
  }

  Side with(ActorSystem<?> system, String name, int credits, int total, int slack) {
    Domain domain = Fabric.get(system).openDomain("am" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    EndpointSettings settings = domain.endpointDefaults();
    ActiveSettings active = settings.active().withCredits(credits, total, slack);
    return new Side(domain, name, Side.QUEUE_SIZE, settings.withActive(active));
  }

  /** Both sides with as little credit as can be. */
  void openWithOneCredit() {
    near = with(systems.near(), "near1", 1, 1, 7);
    far = with(systems.far(), "far1", 1, 1, 7);
    asking = near.endpoint.active();
    asked = far.endpoint.active();
    toFar = near.indexOf(far);
    fromNear = far.indexOf(near);
  }

  void awaitThat(BooleanSupplier condition, String what) {
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (!condition.getAsBoolean()) {
      if (near.poll() + far.poll() == 0) {
        Thread.yield();
      }
      assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
    }
  }
}
