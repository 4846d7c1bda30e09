package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.EndpointMemory;
import io.tagfabric.endpoint.RemoteRegion;
import io.tagfabric.endpoint.SendOptions;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionCounters;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Two sides of a test of regions: `near` asks, `far` has the region. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RegionSides {
  static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(100);
  static final AtomicInteger NUMBER = new AtomicInteger();
  static final int LONG = 3_000_017;
  static final SendOptions DELIVERED = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);

  final ContractSystems systems;
  final ProgressMode mode;
  final List<Domain> domains = new ArrayList<>();
  Domain nearDomain;
  Domain farDomain;
  Side near;
  Side far;
  EndpointMemory memory;
  int toFar;
  int fromNear;

  RegionSides(ContractSystems systems, ProgressMode mode) {
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
    nearDomain = domain(systems.near());
    farDomain = domain(systems.far());
    near = new Side(nearDomain, "near", Side.QUEUE_SIZE, nearDomain.endpointDefaults());
    far = new Side(farDomain, "far", Side.QUEUE_SIZE, farDomain.endpointDefaults());
    memory = near.endpoint.memory();
    toFar = near.indexOf(far);
    fromNear = far.indexOf(near);
  }

  @AfterEach
  void close() {
    domains.forEach(domain -> domain.close(Duration.ZERO));
    domains.clear();
  }

  Domain domain(ActorSystem<?> system) {
    Domain domain = Fabric.get(system).openDomain("r" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    return domain;
  }

  RemoteRegion there(RegionDescriptor region) {
    return new RemoteRegion(toFar, region);
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
      future.join();
    } catch (CompletionException e) {
      return (FabricException) e.getCause();
    }
    throw new AssertionError("the future did not fail");
  }

  static UnsafeBuffer buffer(int bytes) {
    return new UnsafeBuffer(new byte[bytes]);
  }

  static UnsafeBuffer pattern(int bytes, int seed) {
    return new UnsafeBuffer(Side.pattern(bytes, seed));
  }

  static UnsafeBuffer longs(long... values) {
    UnsafeBuffer buffer = buffer(8 * values.length);
    for (int i = 0; i < values.length; i++) {
      buffer.putLong(8 * i, values[i], ByteOrder.LITTLE_ENDIAN);
    }
    return buffer;
  }

  static byte[] bytes(UnsafeBuffer buffer) {
    return Arrays.copyOf(buffer.byteArray(), buffer.capacity());
  }

  RegionCounters counters(Region region) {
    return result(region.counters());
  }

  Completion lastSent(int count) {
    until(count + " accesses have ended", () -> near.sent.size() >= count);
    assertThat(near.sent).hasSize(count);
    return near.sent.get(count - 1);
  }

  // ---- descriptors that are wrong ----

  static RegionDescriptor wrongKey(RegionDescriptor region) {
    return new RegionDescriptor(
        region.key() + 1,
        region.generation(),
        region.lengthBytes(),
        region.rights(),
        region.incarnation());
  }

  /** A descriptor that says more than is true, so that only the target can refuse. */
  static RegionDescriptor lying(RegionDescriptor region) {
    return new RegionDescriptor(
        region.key(), region.generation(), Long.MAX_VALUE, RegionRight.all(), region.incarnation());
  }
}
