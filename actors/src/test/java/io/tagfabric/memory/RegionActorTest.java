package io.tagfabric.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.access.Access;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.FabricMemory;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The actor of a region. */
class RegionActorTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static ActorSystem<Void> system;

  private final BlockingQueue<Region.Answer> answers = new LinkedBlockingQueue<>();
  private Domain domain;
  private ActorRef<Region.Answer> asker;

  @BeforeAll
  static void start() {
    system = ActorSystem.create(Behaviors.empty(), "region-actor");
  }

  @AfterAll
  static void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @BeforeEach
  void open() {
    domain = Fabric.get(system).openDomain("ra" + NUMBER.incrementAndGet(), ProgressMode.AUTO);
    asker =
        system.systemActorOf(
            Behaviors.<Region.Answer>receiveMessage(
                answer -> {
                  if (answer instanceof Region.Written written && written.offset() == 99) {
                    return Behaviors.stopped();
                  }
                  answers.add(answer);
                  return Behaviors.same();
                }),
            "asker-" + NUMBER.incrementAndGet(),
            Props.empty());
  }

  @AfterEach
  void close() {
    domain.close(Duration.ZERO);
  }

  private <T extends Region.Answer> T next(Class<T> type) throws InterruptedException {
    Region.Answer answer = answers.poll(60, TimeUnit.SECONDS);
    assertThat(answer).isInstanceOf(type);
    return type.cast(answer);
  }

  private static UnsafeBuffer longOf(long value) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
    bytes.putLong(0, value, ByteOrder.LITTLE_ENDIAN);
    return bytes;
  }

  @Test
  void shouldReadWriteAndUpdateForActors() throws InterruptedException {
    FabricMemory memory = domain.allocate(16);
    for (UnsafeBuffer target :
        new UnsafeBuffer[] {new UnsafeBuffer(new byte[16]), new UnsafeBuffer(memory.buffer())}) {
      Region region = domain.register(target, RegionRight.all());
      ActorRef<Region.Command> ref = region.ref();
      assertThat(region.ref()).isSameAs(ref);
      ref.tell(new Region.Write(8, longOf(5), asker));
      assertThat(next(Region.Written.class).offset()).isEqualTo(8);
      ref.tell(new Region.Atomic(8, AtomicOp.SUM, AtomicKind.INT64, longOf(2), null, asker));
      assertThat(next(Region.Bytes.class).bytes()).isEqualTo(longOf(5));
      ref.tell(
          new Region.Atomic(8, AtomicOp.CSWAP, AtomicKind.INT64, longOf(11), longOf(7), asker));
      assertThat(next(Region.Bytes.class).bytes()).isEqualTo(longOf(7));
      ref.tell(new Region.Read(8, 8, asker));
      assertThat(next(Region.Bytes.class).bytes()).isEqualTo(longOf(11));
      ref.tell(new Region.Close(Duration.ofSeconds(60), asker));
      assertThat(next(Region.Closed.class).key()).isEqualTo(region.key());
    }
  }

  @Test
  void shouldRefuseWhatARegionDoesNotAllow() throws InterruptedException {
    UnsafeBuffer target = new UnsafeBuffer(new byte[16]);
    Region region = domain.register(target, EnumSet.of(RegionRight.LOCAL_READ));
    ActorRef<Region.Command> ref = region.ref();
    ref.tell(new Region.Write(0, longOf(5), asker));
    assertThat(next(Region.Refused.class).error()).isEqualTo(FabricError.ACCESS);
    ref.tell(new Region.Atomic(0, AtomicOp.SUM, AtomicKind.INT64, longOf(5), null, asker));
    assertThat(next(Region.Refused.class).error()).isEqualTo(FabricError.ACCESS);
    for (long[] wrong : new long[][] {{9, 8}, {-1, 1}, {0, -1}, {Long.MAX_VALUE, 8}, {0, 17}}) {
      ref.tell(new Region.Read(wrong[0], (int) wrong[1], asker));
      Region.Refused refused = next(Region.Refused.class);
      assertThat(refused.error()).isEqualTo(FabricError.ACCESS);
      assertThat(refused.detail()).contains("offset=" + wrong[0]);
    }
    ref.tell(new Region.Atomic(4, AtomicOp.READ, AtomicKind.INT64, longOf(5), null, asker));
    assertThat(next(Region.Refused.class).error()).isEqualTo(FabricError.INVALID);
    ref.tell(new Region.Atomic(0, AtomicOp.CSWAP, AtomicKind.INT64, longOf(5), null, asker));
    assertThat(next(Region.Refused.class).error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED);
    ref.tell(new Region.Atomic(0, AtomicOp.READ, AtomicKind.INT64, longOf(5), null, asker));
    assertThat(next(Region.Bytes.class).bytes()).isEqualTo(longOf(0));
    region.close().toCompletableFuture().join();
    ref.tell(new Region.Read(0, 8, asker));
    assertThat(next(Region.Refused.class).error()).isEqualTo(FabricError.NO_KEY);
  }

  @Test
  void shouldTellWatchersOfSignalsUntilTheClose() throws InterruptedException {
    UnsafeBuffer target = new UnsafeBuffer(new byte[16]);
    Region region = domain.register(target, RegionRight.all());
    ActorRef<Region.Command> ref = region.ref();
    Endpoint endpoint = domain.openEndpoint("own");
    int self = domain.addressVector().insert(endpoint.address());
    RemoteRegion own = new RemoteRegion(self, region.descriptor());
    ref.tell(new Region.Watch(asker));
    ref.tell(new Region.Watch(asker));
    ref.tell(new Region.Read(0, 1, asker));
    next(Region.Bytes.class);
    UnsafeBuffer value = longOf(7);
    endpoint
        .memory()
        .futures()
        .start(Access.write(own, 8, value).data(42))
        .toCompletableFuture()
        .join();
    Completion.AccessedByPeer access = next(Region.Accessed.class).access();
    assertThat(access.offset()).isEqualTo(8);
    assertThat(access.data()).isEqualTo(42);
    region.close().toCompletableFuture().join();
    assertThat(next(Region.Closed.class).key()).isEqualTo(region.key());
    ref.tell(new Region.Watch(asker));
    assertThat(next(Region.Closed.class).key()).isEqualTo(region.key());
    assertThat(answers).isEmpty();
  }

  @Test
  void shouldForgetAWatcherThatHasEnded() throws InterruptedException {
    Region region = domain.register(new UnsafeBuffer(new byte[128]), RegionRight.all());
    region.ref().tell(new Region.Watch(asker));
    region
        .ref()
        .tell(new Region.Write(99, new UnsafeBuffer(new byte[1]), asker)); // upon which it ends
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    boolean watched = false;
    while (!watched || region.watchers().count() > 0) {
      watched |=
          region.watchers().count() > 0
              || region.counters().toCompletableFuture().join().writes() > 0;
      assertThat(System.nanoTime() - deadlineNs).as("forgotten in time").isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldStartNoActorOnTheLoop() {
    Region region = domain.register(new UnsafeBuffer(new byte[8]), RegionRight.all());
    Throwable[] thrown = new Throwable[1];
    domain
        .loop()
        .execute(
            () -> {
              try {
                region.ref();
              } catch (IllegalStateException e) {
                thrown[0] = e;
              }
            });
    domain.loop().wake();
    assertThat(domain.await(() -> thrown[0] != null, Duration.ofSeconds(60))).isTrue();
    assertThat(region.watchers()).isNull();
    domain.close();
    assertThatIllegalStateException().isThrownBy(() -> domain.openEndpoint("late"));
  }
}
