package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tagfabric.access.Access;
import io.tagfabric.access.AccessListener;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Sends and accesses that are accepted only if they can leave now. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImmediateTest {
  private static final int CREDITS = 3;
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final SendOptions NOW = SendOptions.DEFAULT.now();

  private final ContractSystems systems = ContractSystems.two("shm");
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[64]);
  private Domain nearDomain;
  private Domain farDomain;
  private Side near;
  private Side far;
  private int toFar;
  private int opened;

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
    opened++;
    nearDomain = Fabric.get(systems.near()).openDomain("now-a" + opened, ProgressMode.MANUAL);
    farDomain = Fabric.get(systems.far()).openDomain("now-b" + opened, ProgressMode.MANUAL);
    near = side(nearDomain, "near");
    far = side(farDomain, "far");
    toFar = near.indexOf(far);
  }

  private static Side side(Domain domain, String name) {
    EndpointSettings settings = domain.endpointDefaults();
    return new Side(
        domain,
        name,
        Side.QUEUE_SIZE,
        settings.withFlow(settings.flow().withCredit(settings.flow().eagerCreditBytes(), CREDITS)));
  }

  @Test
  void shouldRefuseToLeaveNowWhereNobodyWouldHearWhetherItCould() {
    TaggedSend send = TaggedSend.of(toFar, bytes, 1).with(NOW);
    Region region = farDomain.register(new UnsafeBuffer(new byte[64]), RegionRight.all());
    Access access =
        Access.read(new RemoteRegion(toFar, region.descriptor()), 0, bytes, 0, 8).with(NOW);

    for (ThrowingCallable each :
        List.<ThrowingCallable>of(
            () -> near.endpoint.deferred().send(send, "sent"),
            () -> near.endpoint.deferred().access(access, "accessed"),
            () ->
                new Endpoint.SendTagged(
                    send, "sent", SendListener.telling(systems.near().<Completion>ignoreRef())),
            () ->
                new Endpoint.AccessMemory(
                    access,
                    "accessed",
                    AccessListener.telling(systems.near().<Completion>ignoreRef())))) {
      assertThatIllegalArgumentException()
          .isThrownBy(each)
          .withMessageContainingAll("immediate=true", "leave now() away");
    }
    assertThat(near.endpoint.deferred().waitingCount()).isZero();
  }

  @AfterEach
  void close() {
    nearDomain.close();
    farDomain.close();
  }

  private void await(BooleanSupplier condition, String what) {
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (!condition.getAsBoolean()) {
      if (near.poll() + far.poll() == 0) {
        Thread.yield();
      }
      assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
    }
  }

  private Posted send(int length, long tag) {
    return near.endpoint.post(TaggedSend.of(toFar, bytes, 0, length, tag).with(NOW), null);
  }

  @Test
  void shouldTakeUpTheCreditAndThenNothing() {
    await(() -> send(8, 1) == Posted.POSTED, "the flow is set up");
    for (int i = 2; i <= CREDITS; i++) {
      assertThat(send(i == 2 ? 64 : 0, i)).isEqualTo(Posted.POSTED);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(send(8, 99)).isEqualTo(Posted.TRY_AGAIN);
      near.poll();
      far.poll();
    }

    ByteBuffer into = ByteBuffer.allocateDirect(64);
    for (int i = 1; i <= CREDITS; i++) {
      far.endpoint.postReceive(into, i, 0, "r");
    }
    await(() -> far.received.size() == CREDITS, "what was accepted comes");
    await(() -> send(8, 7) == Posted.POSTED, "there is credit again");
    far.endpoint.postReceive(into, 7, 0, "r");
    await(() -> far.received.size() == CREDITS + 1, "what is accepted comes");

    assertThat(far.received).allMatch(each -> each instanceof Completion.Received);
    assertThat(near.sent).hasSize(CREDITS + 1);
  }

  @Test
  void shouldLeaveTheQueueItsSlots() {
    await(() -> send(8, 1) == Posted.POSTED, "the flow is set up");
    for (int i = 0; i < 3 * Side.QUEUE_SIZE; i++) {
      send(8, 1);
    }
    ByteBuffer into = ByteBuffer.allocateDirect(64);
    for (int i = 0; i < CREDITS; i++) {
      far.endpoint.postReceive(into, 1, 0, "r");
    }

    await(() -> far.received.size() == CREDITS, "what was accepted comes");

    assertThat(near.endpoint.post(TaggedSend.of(toFar, bytes, 0, 8, 5), null))
        .isEqualTo(Posted.POSTED);
  }

  @Test
  void shouldTakeAWriteOnlyWithCredit() {
    Region region = farDomain.register(new UnsafeBuffer(new byte[64]), RegionRight.all());
    RemoteRegion to = new RemoteRegion(toFar, region.descriptor());
    await(() -> write(to) == Posted.POSTED, "the flow is set up");
    await(() -> near.sent.size() == 1, "the write has left");
    await(() -> send(0, 1) == Posted.POSTED, "one");
    for (int i = 0; i < 1_000 && send(0, 1) == Posted.POSTED; i++) {
      near.poll();
      far.poll();
    }

    for (int i = 0; i < 100; i++) {
      assertThat(write(to)).isEqualTo(Posted.TRY_AGAIN);
      near.poll();
      far.poll();
    }

    far.endpoint.postReceive(ByteBuffer.allocateDirect(64), 1, 0, "r");
    await(() -> write(to) == Posted.POSTED, "there is credit again");
  }

  private Posted write(RemoteRegion to) {
    return near.endpoint.memory().write(to, 0, bytes, 0, 8, NOW, null);
  }
}
