package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether messages from and into fabric memory go straight, as the settings of shm say. */
class ShmPlacementTest {
  private static final int MIB = 1 << 20;
  private static final long TAG = 9;

  @TempDir Path directory;

  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private Side near;
  private Side far;
  private int messages;

  /** Two sides with settings of their own, as two ranks have them. */
  private void open(String ofNear, String ofFar) {
    near = side("near", ofNear);
    far = side("far", ofFar);
  }

  private Side side(String name, String settings) {
    ActorSystem<Void> system =
        ContractSystems.start(
            "shm",
            name,
            "tagfabric { launch.directory = \"%s\", provider.shm { %s } }"
                .formatted(directory, settings));
    systems.add(system);
    Domain domain = Fabric.get(system).openDomain(name, ProgressMode.MANUAL);
    return new Side(domain, name, 64, domain.endpointDefaults());
  }

  @AfterEach
  void stop() {
    ContractSystems.stop(systems);
    assertThat(directory).as("files are left").isEmptyDirectory();
  }

  private void await(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      near.poll();
      far.poll();
      assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
    }
  }

  private FlowCounters.Snapshot counters(Side side, Side peer) {
    CompletionStage<FlowCounters.Snapshot> stage = side.endpoint.flowCounters(side.indexOf(peer));
    await("counters", stage.toCompletableFuture()::isDone);
    return stage.toCompletableFuture().join();
  }

  private long directBytes() {
    return counters(near, far).directBytes() + counters(far, near).directBytes();
  }

  private static MutableDirectBuffer buffer(Side side, boolean shared, int bytes) {
    return shared ? side.domain.allocate(bytes).buffer() : new UnsafeBuffer(new byte[bytes]);
  }

  /** Sends a message whose receive is posted, and checks that all of it is there. */
  private void deliver(MutableDirectBuffer from, MutableDirectBuffer into, int length) {
    byte[] sent = Side.pattern(length, ++messages);
    from.putBytes(0, sent);
    assertThat(far.endpoint.postReceive(into, 0, length, TAG, 0, TagSelector.ANY_SOURCE, null))
        .isEqualTo(Posted.POSTED);
    assertThat(
            near.endpoint.post(
                TaggedSend.of(near.indexOf(far), from, 0, length, TAG)
                    .level(CompletionLevel.INJECT),
                null))
        .isEqualTo(Posted.POSTED);

    await("both ends", () -> far.received.size() == messages && near.sent.size() == messages);

    assertThat(((Completion.Received) far.lastReceived()).length()).isEqualTo(length);
    byte[] received = new byte[length];
    into.getBytes(0, received);
    assertThat(received).isEqualTo(sent);
  }

  @ParameterizedTest
  @CsvSource({
    "on, on, true, false, 1",
    "on, on, false, true, 1",
    "on, on, true, true, 1",
    "off, off, true, true, 0",
    "off, on, true, false, 0",
    "off, on, false, true, 0",
    "on, off, true, false, 0",
    "on, off, false, true, 0"
  })
  void shouldGoStraightOnlyWhereBothSidesPlace(
      String atNear, String atFar, boolean fromShared, boolean intoShared, long straight) {
    open("place = " + atNear, "place = " + atFar);
    int length = 2 * MIB + 13;

    deliver(buffer(near, fromShared, length), buffer(far, intoShared, length), length);

    assertThat(directBytes()).isEqualTo(straight * length);
    assertThat(counters(near, far).dataBytesSent()).isEqualTo((1 - straight) * length);
  }

  @Test
  void shouldGoStraightFromTheLimitOn() {
    open("place-limit = 512 KiB", "place-limit = 512 KiB");
    MutableDirectBuffer from = buffer(near, true, MIB);
    MutableDirectBuffer into = buffer(far, true, MIB);

    deliver(from, into, MIB / 2 - 1);
    assertThat(directBytes()).isZero();
    deliver(from, into, MIB / 2);
    assertThat(directBytes()).isEqualTo(MIB / 2);
    deliver(from, into, MIB);
    assertThat(directBytes()).isEqualTo(MIB / 2 + MIB);
  }
}
