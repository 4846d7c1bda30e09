package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorSystem;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Long messages from and into memory that both sides share. */
class FabricMemoryTest {
  private static final int MIB = 1 << 20;
  private static final long TAG = 9;

  @TempDir Path directory;

  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private Side near;
  private Side far;
  private int toFar;
  private int toNear;

  @BeforeEach
  void open() {
    open("shm", ProgressMode.MANUAL);
  }

  private void open(String provider, ProgressMode mode) {
    ActorSystem<Void> system =
        ContractSystems.start(
            provider, "memory", "tagfabric.launch.directory = \"" + directory + '"');
    systems.add(system);
    near = side(system, "near", mode);
    far = side(system, "far", mode);
    toFar = near.indexOf(far);
    toNear = far.indexOf(near);
  }

  private static Side side(ActorSystem<Void> system, String name, ProgressMode mode) {
    Domain domain = Fabric.get(system).openDomain(name, mode);
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

  private <T> T get(CompletionStage<T> stage) {
    await("an answer", stage.toCompletableFuture()::isDone);
    return stage.toCompletableFuture().join();
  }

  private FlowCounters.Snapshot nearCounters() {
    return get(near.endpoint.flowCounters(toFar));
  }

  private FlowCounters.Snapshot farCounters() {
    return get(far.endpoint.flowCounters(toNear));
  }

  private static MutableDirectBuffer buffer(Side side, boolean shared, int bytes) {
    return shared ? side.domain.allocate(bytes).buffer() : new UnsafeBuffer(new byte[bytes]);
  }

  private static byte[] bytes(MutableDirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return bytes;
  }

  private void send(MutableDirectBuffer buffer, int offset, int length, Object context) {
    assertThat(
            near.endpoint.post(
                TaggedSend.of(toFar, buffer, offset, length, TAG).level(CompletionLevel.INJECT),
                context))
        .isEqualTo(Posted.POSTED);
  }

  private void post(MutableDirectBuffer buffer, int offset, int capacity) {
    assertThat(
            far.endpoint.postReceive(
                buffer, offset, capacity, TAG, 0, TagSelector.ANY_SOURCE, null))
        .isEqualTo(Posted.POSTED);
  }

  /** Announces a message and waits until the peer knows of it. */
  private void announce(MutableDirectBuffer buffer, int offset, int length, Object context) {
    long before = get(far.endpoint.futures().matcherState()).unexpectedMessages();
    send(buffer, offset, length, context);
    await(
        "the announcement",
        () -> get(far.endpoint.futures().matcherState()).unexpectedMessages() == before + 1);
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, true", "true, true", "false, false"})
  void shouldCopyOnceWhenOneSideUsesFabricMemory(boolean fromShared, boolean intoShared) {
    int capacity = 3 * MIB;
    MutableDirectBuffer from = buffer(near, fromShared, capacity);
    MutableDirectBuffer into = buffer(far, intoShared, capacity);
    boolean direct = fromShared || intoShared;
    long expected = 0;
    int round = 0;
    for (int length : new int[] {200_000, MIB, 2 * MIB + 13, 262_144}) {
      byte[] sent = Side.pattern(length, ++round);
      from.putBytes(100 + round, sent);
      into.setMemory(0, capacity, (byte) 0);
      post(into, 50, capacity - 50);
      send(from, 100 + round, length, null);
      int done = round;
      await("both ends", () -> far.received.size() == done && near.sent.size() == done);

      assertThat(bytes(into, 50, length)).isEqualTo(sent);
      assertThat(into.getByte(49)).isZero();
      assertThat(into.getByte(50 + length)).isZero();
      assertThat(((Completion.Received) far.lastReceived()).length()).isEqualTo(length);
      expected += length;
    }

    assertThat(nearCounters().directBytes()).isEqualTo(direct && !fromShared ? expected : 0);
    assertThat(farCounters().directBytes()).isEqualTo(fromShared ? expected : 0);
    assertThat(nearCounters().dataBytesSent()).isEqualTo(direct ? 0 : expected);
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, true"})
  void shouldDeliverWhatFitsWhenTheMessageIsTooLong(boolean fromShared, boolean intoShared) {
    MutableDirectBuffer from = buffer(near, fromShared, MIB);
    MutableDirectBuffer into = buffer(far, intoShared, MIB);
    byte[] sent = Side.pattern(MIB, 3);
    from.putBytes(0, sent);

    post(into, 7, 300_000);
    send(from, 0, MIB, null);
    await("both ends", () -> far.received.size() == 1 && near.sent.size() == 1);

    Completion.Failed failed = (Completion.Failed) far.lastReceived();
    assertThat(failed.error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(bytes(into, 7, 300_000)).isEqualTo(java.util.Arrays.copyOf(sent, 300_000));
    assertThat(into.getByte(7 + 300_000)).isZero();
  }

  @Test
  void shouldKeepOrderAndBytesWhenManyMessagesOfAllKindsAreUnderWay() {
    Random random = new Random(42);
    FabricMemory source = near.domain.allocate(8 * MIB);
    FabricMemory target = far.domain.allocate(8 * MIB);
    for (int round = 0; round < 20; round++) {
      int count = 8;
      List<byte[]> expected = new ArrayList<>();
      List<MutableDirectBuffer> targets = new ArrayList<>();
      int before = far.received.size();
      int sentBefore = near.sent.size();
      boolean postFirst = random.nextBoolean();
      for (int i = 0; i < count; i++) {
        MutableDirectBuffer into =
            random.nextBoolean()
                ? new UnsafeBuffer(target.buffer(), i * MIB, MIB)
                : new UnsafeBuffer(new byte[MIB]);
        targets.add(into);
        if (postFirst) {
          post(into, 0, MIB);
        }
      }
      for (int i = 0; i < count; i++) {
        byte[] message = Side.pattern(1 + random.nextInt(MIB), round * 100L + i);
        expected.add(message);
        MutableDirectBuffer from = new UnsafeBuffer(message.clone());
        if (random.nextBoolean()) {
          from = new UnsafeBuffer(source.buffer(), i * MIB, MIB);
          from.putBytes(0, message);
        }
        send(from, 0, message.length, null);
      }
      if (!postFirst) {
        targets.forEach(into -> post(into, 0, MIB));
      }
      await("all", () -> far.received.size() == before + count);
      await("all sent", () -> near.sent.size() == sentBefore + count);
      for (int i = 0; i < count; i++) {
        assertThat(bytes(targets.get(i), 0, expected.get(i).length)).isEqualTo(expected.get(i));
      }
    }
    assertThat(nearCounters().directBytes()).isPositive();
    assertThat(farCounters().directBytes()).isPositive();
    assertThat(nearCounters().dataBytesSent()).isPositive();
  }

  @Test
  void shouldForgetTheMessageWhenItIsCancelledBeforeItMatched() {
    MutableDirectBuffer from = near.domain.allocate(2 * MIB).buffer();
    Object context = new Object();
    announce(from, 0, MIB, context);

    assertThat(get(near.endpoint.futures().cancel(context)))
        .isEqualTo(new TagMatcher.Cancelled(context));

    await(
        "the peer to hear",
        () -> get(far.endpoint.futures().matcherState()).unexpectedMessages() == 0);
  }

  @Test
  void shouldAskForTheBytesWhenTheirMemoryWasRevokedMeanwhile() {
    MutableDirectBuffer from = near.domain.allocate(2 * MIB).buffer();
    byte[] kept = Side.pattern(MIB, 1);
    from.putBytes(0, kept);
    Object context = new Object();
    announce(from, 0, MIB, null);
    announce(from, MIB, MIB, context);
    get(near.endpoint.futures().cancel(context));
    MutableDirectBuffer into = buffer(far, false, MIB);

    post(into, 0, MIB);
    await("the message", () -> far.received.size() == 1);

    assertThat(bytes(into, 0, MIB)).isEqualTo(kept);
    assertThat(farCounters().directBytes()).isZero();
    assertThat(nearCounters().dataBytesSent()).isEqualTo(MIB);
  }

  @Test
  void shouldStillDeliverWhenTheMemoryIsClosedBeforeTheMatch() {
    FabricMemory memory = near.domain.allocate(MIB);
    byte[] sent = Side.pattern(MIB, 5);
    memory.buffer().putBytes(0, sent);
    announce(memory.buffer(), 0, MIB, null);
    memory.close();
    memory.close();
    MutableDirectBuffer into = buffer(far, false, MIB);

    post(into, 0, MIB);
    await("the message", () -> far.received.size() == 1 && near.sent.size() == 1);

    assertThat(bytes(into, 0, MIB)).isEqualTo(sent);
  }

  @Test
  void shouldWriteIntoPacketsWhenTheReceiversMemoryIsClosed() {
    FabricMemory memory = far.domain.allocate(MIB);
    MutableDirectBuffer into = memory.buffer();
    byte[] sent = Side.pattern(MIB, 6);
    post(into, 0, MIB);
    await("nothing else", () -> far.poll() == 0);
    memory.close();

    send(new UnsafeBuffer(sent), 0, MIB, null);
    await("the message", () -> far.received.size() == 1 && near.sent.size() == 1);

    assertThat(bytes(into, 0, MIB)).isEqualTo(sent);
    assertThat(nearCounters().directBytes()).isZero();
  }

  @Test
  void shouldEndTheReceiveWhenTheSenderClosesInMidTransfer() {
    untilHalfWay(64 * MIB);

    near.domain.close(Duration.ZERO);
    await("the end", () -> far.received.size() == 1);

    assertThat(far.lastReceived()).isInstanceOf(Completion.Failed.class);
  }

  /** Sends a message that takes many passes, and waits for its first bytes. */
  private void untilHalfWay(int bytes) {
    post(buffer(far, false, bytes), 0, bytes);
    send(near.domain.allocate(bytes).buffer(), 0, bytes, null);
    await("a part", () -> farHasFlow() && farCounters().directBytes() > 0);
  }

  private boolean farHasFlow() {
    return !get(far.endpoint.futures().flows()).flows().isEmpty();
  }

  @Test
  void shouldCopyInPartsWhenAnotherMessageWaits() {
    untilHalfWay(32 * MIB);
    byte[] shortOne = new byte[8];
    post(new UnsafeBuffer(shortOne), 0, 8);

    near.send(toFar, Side.pattern(8, 1), TAG);
    await("the first", () -> far.received.size() == 1);

    assertThat(((Completion.Received) far.received.get(0)).length()).isEqualTo(8);
    await("the second", () -> far.received.size() == 2);
  }

  @Test
  void shouldRemoveItsFileWhenItIsClosed() throws Exception {
    FabricMemory memory = near.domain.allocate(MIB);
    assertThat(memory.sharedBy()).hasValue("shm");
    assertThat(memoryFiles()).isEqualTo(1);

    memory.close();

    assertThat(memoryFiles()).isZero();
    near.domain.allocate(MIB);
    near.domain.close(Duration.ZERO);
    assertThat(memoryFiles()).as("the domain closes its memory").isZero();
  }

  private long memoryFiles() throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(each -> each.getFileName().toString().startsWith("memory-")).count();
    }
  }

  @Test
  void shouldBeOrdinaryMemoryWhenNoProviderShares() {
    stop();
    systems.clear();
    open("local", ProgressMode.AUTO);
    FabricMemory memory = near.domain.allocate(MIB);
    byte[] sent = Side.pattern(MIB, 8);
    ByteBuffer bytes = memory.byteBuffer();
    assertThat(bytes.remaining()).isEqualTo(MIB);
    bytes.put(sent);
    MutableDirectBuffer into = buffer(far, true, MIB);

    post(into, 0, MIB);
    send(memory.buffer(), 0, MIB, null);
    await("the message", () -> far.received.size() == 1 && near.sent.size() == 1);

    assertThat(memory.sharedBy()).isEmpty();
    assertThat(bytes(into, 0, MIB)).isEqualTo(sent);
  }

  @Test
  void shouldRefuseWhenNothingIsAskedForOrTheDomainIsClosed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> near.domain.allocate(0))
        .withMessage("bytes=0 < 1, ask for at least one");
    near.domain.close(Duration.ZERO);
    assertThatIllegalStateException().isThrownBy(() -> near.domain.allocate(1));
  }
}
