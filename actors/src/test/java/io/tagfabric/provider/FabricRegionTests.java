package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tagfabric.access.Access;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionReach;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What accesses to regions in fabric memory owe, over providers whose peers do them themselves as
 * over all others.
 */
abstract class FabricRegionTests extends RegionSides {
  private static final int BIG = 5_000_003;

  private final List<FabricMemory> memories = new ArrayList<>();

  FabricRegionTests(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  @AfterEach
  void giveBack() {
    memories.forEach(FabricMemory::close);
    memories.clear();
  }

  UnsafeBuffer fabric(int bytes) {
    FabricMemory allocated = farDomain.allocate(bytes);
    memories.add(allocated);
    return new UnsafeBuffer(allocated.buffer());
  }

  static byte[] content(UnsafeBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.getBytes(0, bytes);
    return bytes;
  }

  private Region openAll(UnsafeBuffer buffer) {
    return farDomain.register(buffer, RegionRight.all());
  }

  /** Waits while only this side makes progress. */
  private <T> T nearResult(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!future.isDone()) {
      near.poll();
      Thread.onSpinWait();
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("waited in vain for an access while the target stood still");
      }
    }
    return future.join();
  }

  // ---- reach ----

  @Test
  void shouldSayWhoMovesTheBytes() {
    Region direct = openAll(fabric(64));
    Region byLoop = openAll(buffer(64));
    assertThat(direct.reach()).isEqualTo(RegionReach.DIRECT);
    assertThat(byLoop.reach()).isEqualTo(RegionReach.LOOP);
    assertThat(memory.query(direct.descriptor())).isEqualTo(RegionReach.DIRECT);
    assertThat(memory.query(byLoop.descriptor())).isEqualTo(RegionReach.LOOP);
    // Elements of a region that begins anywhere could not be updated as words.
    UnsafeBuffer whole = fabric(64);
    assertThat(openAll(new UnsafeBuffer(whole, 8, 51)).reach()).isEqualTo(RegionReach.DIRECT);
    assertThat(openAll(new UnsafeBuffer(whole, 4, 16)).reach()).isEqualTo(RegionReach.LOOP);
  }

  @Test
  void shouldAskTheLoopOnlyWhereItMust() {
    UnsafeBuffer target = fabric(64);
    Region region = openAll(target);
    result(memory.futures().writeValue(there(region.descriptor()), 0, 1));
    result(memory.futures().readValue(there(region.descriptor()), 0));
    result(memory.futures().fetch(there(region.descriptor()), 0, AtomicOp.SUM, 1));
    assertThat(counters(region).writes()).isEqualTo(systems.accessDirectly() ? 0 : 1);
    assertThat(counters(region).reads()).isEqualTo(systems.accessDirectly() ? 0 : 1);
    assertThat(counters(region).atomics()).isEqualTo(systems.accessDirectly() ? 0 : 1);
    // Of a key that was agreed on nobody knows before whether there is a region to reach.
    RegionDescriptor agreed = RegionDescriptor.agreed(region.key(), 64);
    assertThat(result(memory.futures().fetch(there(agreed), 0, AtomicOp.SUM, 1))).isEqualTo(2);
    assertThat(target.getLong(0)).isEqualTo(3);
  }

  @Test
  void shouldReadAndWriteAndUpdateWhileTheTargetStandsStill() throws InterruptedException {
    UnsafeBuffer target = fabric(100_000);
    CountDownLatch stands = new CountDownLatch(1);
    CountDownLatch goes = new CountDownLatch(1);
    Region stopper =
        farDomain.register(
            fabric(8),
            RegionRight.all(),
            RegionOptions.DEFAULT.telling(
                access -> {
                  stands.countDown();
                  awaitQuietly(goes);
                }));
    RegionDescriptor region = openAll(target).descriptor();
    if (!systems.accessDirectly()) {
      goes.countDown();
    }
    result(memory.futures().writeValue(there(region), 0, 1));
    CompletionStage<?> signal =
        memory.futures().start(Access.write(there(stopper.descriptor()), 0, longs(1)).signal());
    if (goes.getCount() > 0 && mode == ProgressMode.AUTO) {
      assertThat(stands.await(60, TimeUnit.SECONDS)).isTrue();
    }
    try {
      if (goes.getCount() > 0) {
        UnsafeBuffer source = pattern(90_000, 4);
        nearResult(memory.futures().write(there(region), 8, source));
        UnsafeBuffer back = buffer(90_000);
        nearResult(memory.futures().read(there(region), 8, back));
        assertThat(bytes(back)).isEqualTo(bytes(source));
        assertThat(nearResult(memory.futures().fetch(there(region), 0, AtomicOp.SUM, 5)))
            .isEqualTo(1);
        assertThat(nearResult(memory.futures().compareAndSwap(there(region), 0, 6, 7)))
            .isEqualTo(6);
        assertThat(target.getLong(0)).isEqualTo(7);
      }
    } finally {
      goes.countDown();
    }
    result(signal);
    result(memory.futures().flush(toFar));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- signals ----

  /** More than there is credit for, so that some leave within the call and others later. */
  @Test
  void shouldSignalWritesByCallInTheOrderMade() {
    int count = 400;
    int slot = 16;
    List<CompletionLevel> levels =
        List.of(CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY);
    UnsafeBuffer target = fabric(count * slot);
    CompletionQueue queue = farDomain.openCompletionQueue(count);
    Region region = farDomain.register(target, RegionRight.all(), RegionOptions.DEFAULT.to(queue));
    UnsafeBuffer source = pattern(slot, 3);
    byte[] expected = new byte[count * slot];
    List<Completion> signals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = i % 5 == 0 ? 0 : 1 + i % slot;
      int offset = slot * i;
      CompletionLevel level = levels.get(i % levels.size());
      SendOptions options = SendOptions.DEFAULT.at(level);
      boolean data = i % 2 == 0;
      Posted posted =
          data
              ? memory.post(
                  Access.write(there(region.descriptor()), offset, source, 0, length)
                      .data(i)
                      .with(options),
                  i)
              : memory.post(
                  Access.write(there(region.descriptor()), offset, source, 0, length)
                      .signal()
                      .with(options),
                  i);
      assertThat(posted).isEqualTo(Posted.POSTED);
      System.arraycopy(source.byteArray(), 0, expected, offset, length);
      signals.add(
          new Completion.AccessedByPeer(
              null, fromNear, Direction.REMOTE_WRITE, offset, length, data, data ? i : 0));
      near.poll(); // what is gathered leaves
      if (i % 64 == 63) {
        int last = i;
        until("the writes end", () -> near.sent.size() > last);
      }
    }
    result(memory.futures().flush(toFar));
    assertThat(queue.read(count)).as("a flush waits for signals").isEqualTo(signals);
    assertThat(content(target)).isEqualTo(expected);
    until("all writes have ended", () -> near.sent.size() == count);
    assertThat(near.sent)
        .extracting(sent -> ((Completion.Accessed) sent).context())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, count).boxed().toList());
    assertThat(counters(region).signals()).isEqualTo(count);
  }

  /** The other side gives no credit meanwhile. */
  @Test
  void shouldSignalNoMoreWritesThanThereIsCreditFor() {
    int count = 4_000;
    Counter counter = farDomain.openCounter();
    UnsafeBuffer target = fabric(8);
    Region region =
        farDomain.register(target, RegionRight.all(), RegionOptions.DEFAULT.counting(counter));
    SendOptions silent = SendOptions.DEFAULT.silent();
    for (int i = 1; i <= count; i++) {
      UnsafeBuffer source = longs(i);
      int polls = 0;
      while (memory.post(
              Access.write(there(region.descriptor()), 0, source, 0, 8).signal().with(silent), null)
          != Posted.POSTED) {
        near.poll(); // the slots of the queue are those of writes that wait
        if (++polls % 100 == 0) {
          far.poll();
        }
      }
    }
    until("all signals have come", () -> counter.value() == count);
    result(memory.futures().flush(toFar));
    assertThat(target.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(count);
    assertThat(near.sent).isEmpty();
  }

  /** Only what is placed has ended at once; what waits for the other side's word has not. */
  @Test
  void shouldEndASignalledWriteWhenItsLevelSays() {
    if (mode == ProgressMode.AUTO) {
      return; // the other side answers by itself there
    }
    UnsafeBuffer target = fabric(64);
    CompletionQueue queue = farDomain.openCompletionQueue(16);
    Region region = farDomain.register(target, RegionRight.all(), RegionOptions.DEFAULT.to(queue));
    UnsafeBuffer source = pattern(8, 3);
    result(memory.futures().start(Access.write(there(region.descriptor()), 0, source).signal()));
    result(memory.futures().flush(toFar)); // so the next one has only the next write to wait for
    int before = queue.read(16).size();
    assertThat(before).isEqualTo(1);

    memory.post(
        Access.write(there(region.descriptor()), 0, source, 0, 8)
            .signal()
            .with(SendOptions.DEFAULT),
        "placed");
    CompletableFuture<?> flush = memory.futures().flush(toFar).toCompletableFuture();
    for (int i = 0; i < 100; i++) {
      near.poll();
    }
    assertThat(flush).as("the other side has not seen the signal").isNotDone();
    assertThat(near.sent).hasSize(1);
    result(flush);
    near.sent.clear();

    SendOptions delivered = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);
    memory.post(
        Access.write(there(region.descriptor()), 8, source, 0, 8).signal().with(delivered),
        "delivered");
    memory.post(
        Access.write(there(region.descriptor()), 16, source, 0, 8)
            .signal()
            .with(SendOptions.DEFAULT.fence()),
        "fenced");
    for (int i = 0; i < 100; i++) {
      near.poll();
    }
    assertThat(near.sent).as("the other side has done nothing").isEmpty();
    until("both have ended", () -> near.sent.size() == 2);
    assertThat(near.sent)
        .extracting(sent -> ((Completion.Accessed) sent).context())
        .containsExactly("delivered", "fenced");
    result(memory.futures().flush(toFar));
    assertThat(before + queue.read(16).size()).isEqualTo(4);
  }

  @Test
  void shouldNeitherWriteNorSignalBeyondTheRegion() {
    UnsafeBuffer target = fabric(64);
    CompletionQueue queue = farDomain.openCompletionQueue(16);
    Region region =
        farDomain.register(
            new UnsafeBuffer(target, 0, 32), RegionRight.all(), RegionOptions.DEFAULT.to(queue));
    UnsafeBuffer source = pattern(16, 3);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(
            () ->
                memory.post(
                    Access.write(there(region.descriptor()), 24, source, 0, 16)
                        .signal()
                        .with(SendOptions.DEFAULT),
                    null))
        .withMessageContaining("offset=24 lengthBytes=16 do not lie in region");
    result(memory.futures().flush(toFar));
    assertThat(queue.read(16)).isEmpty();
    assertThat(content(target)).containsOnly(0);
  }

  // ---- writes and reads ----

  @Test
  void shouldWriteAndReadFabricMemoryAtAllLevels() {
    int[] lengths = {0, 1, 8, 1_000, 70_000, BIG - 100};
    UnsafeBuffer target = fabric(BIG);
    byte[] expected = new byte[BIG];
    RegionDescriptor region = openAll(target).descriptor();
    int written = 0;
    for (int length : lengths) {
      for (CompletionLevel level :
          List.of(CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY)) {
        int offset = 13 * written++ % 90;
        UnsafeBuffer source = pattern(length, written);
        assertThat(
                memory.write(
                    there(region), offset, source, 0, length, DELIVERED.at(level), written))
            .isEqualTo(Posted.POSTED);
        assertThat(lastSent(written))
            .isEqualTo(new Completion.Accessed(written, toFar, Direction.WRITE, length));
        result(memory.futures().flush(toFar));
        System.arraycopy(source.byteArray(), 0, expected, offset, length);
        assertThat(content(target)).isEqualTo(expected);
        UnsafeBuffer read = buffer(length);
        result(memory.futures().read(there(region), offset, read));
        assertThat(bytes(read)).isEqualTo(bytes(source));
      }
    }
  }

  @Test
  void shouldShowAWriteToWhomALaterMessageReaches() {
    UnsafeBuffer target = fabric(BIG);
    RegionDescriptor region = openAll(target).descriptor();
    for (int round = 1; round <= 20; round++) {
      UnsafeBuffer source = buffer(round % 5 == 0 ? BIG : 300);
      source.setMemory(0, source.capacity(), (byte) round);
      far.post(8, round);
      memory.write(there(region), 0, source, 0, source.capacity(), SendOptions.DEFAULT, "write");
      near.send(toFar, new byte[8], round);
      int count = round;
      until("a message has come", () -> far.received.size() >= count);
      assertThat(target.getByte(0)).isEqualTo((byte) round);
      assertThat(target.getByte(source.capacity() - 1)).isEqualTo((byte) round);
    }
  }

  @Test
  void shouldTellOfAWriteWithASignalWhenItsBytesAreThere() {
    UnsafeBuffer target = fabric(200_000);
    CompletionQueue queue = farDomain.openCompletionQueue(64);
    Region region = farDomain.register(target, RegionRight.all(), RegionOptions.DEFAULT.to(queue));
    int[] lengths = {0, 8, 1_024, 200_000};
    List<Completion> told = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      UnsafeBuffer source = pattern(lengths[i], i);
      memory.post(
          Access.write(there(region.descriptor()), 0, source, 0, lengths[i])
              .data(i)
              .with(SendOptions.DEFAULT),
          "data");
      int count = i + 1;
      until(
          "a signal has come",
          () -> {
            told.addAll(queue.read(10));
            return told.size() == count;
          });
      assertThat(told.get(i))
          .isEqualTo(
              new Completion.AccessedByPeer(
                  null, fromNear, Direction.REMOTE_WRITE, 0, lengths[i], true, i));
      byte[] there = new byte[lengths[i]];
      target.getBytes(0, there);
      assertThat(there).isEqualTo(bytes(source));
    }
    assertThat(counters(region).signals()).isEqualTo(lengths.length);
    assertThat(counters(region).writtenBytes()).isEqualTo(201_032);
    result(memory.futures().flush(toFar));
  }

  @Test
  void shouldAccessItsOwnFabricMemory() {
    UnsafeBuffer target = fabric(16);
    Region region =
        farDomain.register(target, Set.of(RegionRight.LOCAL_READ, RegionRight.LOCAL_WRITE));
    int self = farDomain.addressVector().insert(far.endpoint.address());
    RegionDescriptor descriptor = region.descriptor();
    var own = far.endpoint.memory().futures();
    assertThat(result(own.fetch(new RemoteRegion(self, descriptor), 8, AtomicOp.SUM, 5))).isZero();
    result(own.writeValue(new RemoteRegion(self, descriptor), 0, 9));
    assertThat(result(own.readValue(new RemoteRegion(self, descriptor), 8))).isEqualTo(5);
    assertThat(failure(memory.futures().readValue(there(descriptor), 0)).error())
        .isEqualTo(FabricError.ACCESS);
    assertThat(target.getLong(0)).isEqualTo(9);
  }

  // ---- refusals ----

  @Test
  void shouldRefuseWhatARegionOfFabricMemoryDoesNotAllow() {
    UnsafeBuffer around = fabric(192);
    around.setMemory(0, 192, (byte) 3);
    UnsafeBuffer target = new UnsafeBuffer(around, 64, 64);
    Region region =
        farDomain.register(target, Set.of(RegionRight.REMOTE_READ, RegionRight.REMOTE_WRITE));
    Region readOnly = farDomain.register(target, Set.of(RegionRight.REMOTE_READ));
    Region writeOnly = farDomain.register(target, Set.of(RegionRight.REMOTE_WRITE));
    byte[] before = content(around);
    RegionDescriptor lie = lying(region.descriptor());
    long[][] wrong = {{57, 8}, {64, 1}, {0, 65}, {0, 100_000}, {Long.MAX_VALUE - 8, 8}};
    for (long[] each : wrong) {
      FabricException e =
          failure(memory.futures().write(there(lie), each[0], buffer((int) each[1])));
      assertThat(e.error()).isEqualTo(FabricError.ACCESS);
      assertThat(e)
          .hasMessageContaining("offset=" + each[0])
          .hasMessageContaining("lengthBytes=64")
          .hasMessageContaining("key=" + Long.toHexString(region.key()));
      assertThat(failure(memory.futures().read(there(lie), each[0], buffer((int) each[1]))).error())
          .isEqualTo(FabricError.ACCESS);
    }
    assertThat(
            failure(memory.futures().writeValue(there(lying(readOnly.descriptor())), 0, 1)).error())
        .isEqualTo(FabricError.ACCESS);
    assertThat(failure(memory.futures().readValue(there(lying(writeOnly.descriptor())), 0)).error())
        .isEqualTo(FabricError.ACCESS);
    assertThat(
            failure(memory.futures().fetch(there(lying(readOnly.descriptor())), 0, AtomicOp.SUM, 1))
                .error())
        .isEqualTo(FabricError.ACCESS);
    assertThat(
            failure(memory.futures().writeValue(there(wrongKey(region.descriptor())), 0, 1))
                .error())
        .isEqualTo(FabricError.NO_KEY);
    RegionDescriptor other = region.descriptor();
    RegionDescriptor wrongGeneration =
        new RegionDescriptor(
            other.key(), other.generation() + 2, 64, other.rights(), other.incarnation());
    assertThat(failure(memory.futures().writeValue(there(wrongGeneration), 0, 1)).error())
        .isEqualTo(FabricError.NO_KEY);
    assertThat(content(around)).isEqualTo(before);
    // Who may only read can still read, by an atomic operation too.
    assertThat(result(memory.futures().fetch(there(readOnly.descriptor()), 0, AtomicOp.READ, 0)))
        .isEqualTo(0x0303030303030303L);
    assertThat(near.sent).isEmpty();
  }

  @Test
  void shouldKeepToWhatAnEndpointWasOpenedFor() {
    UnsafeBuffer target = fabric(8);
    Side closed =
        new Side(
            farDomain,
            "closed",
            bindings ->
                bindings.accessing(
                    EndpointBindings.Access.READ,
                    EndpointBindings.Access.WRITE,
                    EndpointBindings.Access.REMOTE_READ));
    int toClosed = near.indexOf(closed);
    RegionDescriptor region = openAll(target).descriptor();
    assertThat(
            failure(memory.futures().writeValue(new RemoteRegion(toClosed, region), 0, 1)).error())
        .isEqualTo(FabricError.ACCESS);
    assertThat(target.getLong(0)).isZero();
    assertThat(result(memory.futures().readValue(new RemoteRegion(toClosed, region), 0))).isZero();
  }

  // ---- closes ----

  @Test
  void shouldChangeNoByteAfterTheCloseHasCompleted() {
    for (int round = 0; round < 20; round++) {
      UnsafeBuffer target = fabric(1_000_000);
      Region region = openAll(target);
      RegionDescriptor descriptor = region.descriptor();
      UnsafeBuffer source = buffer(1_000_000);
      source.setMemory(0, 1_000_000, (byte) 1);
      List<CompletionStage<?>> accesses = new ArrayList<>();
      accesses.add(memory.futures().write(there(descriptor), 0, source));
      CompletionStage<Void> closed = region.close();
      for (int i = 0; i < 5; i++) {
        accesses.add(memory.futures().write(there(descriptor), 0, source));
        accesses.add(memory.futures().fetch(there(descriptor), 0, AtomicOp.SUM, 1));
      }
      result(closed);
      target.setMemory(0, 1_000_000, (byte) 0);
      for (CompletionStage<?> access : accesses) {
        CompletableFuture<?> future = access.toCompletableFuture();
        until("an access has ended", future::isDone);
        if (future.isCompletedExceptionally()) {
          assertThat(failure(access).error()).isEqualTo(FabricError.NO_KEY);
        }
      }
      assertThat(failure(memory.futures().writeValue(there(descriptor), 0, 1)))
          .hasMessageContaining("key=" + Long.toHexString(region.key()))
          .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.NO_KEY));
      assertThat(content(target)).isEqualTo(new byte[1_000_000]);
      // The memory serves the next region, which the old descriptor does not open.
      Region next = openAll(target);
      assertThat(failure(memory.futures().writeValue(there(descriptor), 0, 1)).error())
          .isEqualTo(FabricError.NO_KEY);
      result(memory.futures().writeValue(there(next.descriptor()), 0, 2));
      assertThat(target.getLong(0)).isEqualTo(2);
      result(next.close());
    }
  }

  /** The bytes are in place; the region closes before its owner has read the signal. */
  @Test
  void shouldRefuseASignalIntoAClosedRegionAndNothingElse() {
    Region closing = openAll(fabric(256));
    UnsafeBuffer target = fabric(8);
    RegionDescriptor other = openAll(target).descriptor();
    // Only a flow that has been used carries a signal at once.
    result(memory.futures().start(Access.write(there(other), 0, longs(4)).signal()));
    memory.post(
        Access.write(there(closing.descriptor()), 0, pattern(256, 3), 0, 256)
            .data(7)
            .with(SendOptions.DEFAULT),
        null);
    CompletionStage<Void> closed = closing.close();
    CompletableFuture<?> flush = memory.futures().flush(toFar).toCompletableFuture();
    until("the flush has ended", flush::isDone);
    if (mode == ProgressMode.MANUAL || flush.isCompletedExceptionally()) {
      assertThat(failure(flush).error()).isEqualTo(FabricError.NO_KEY);
    }
    result(closed);
    result(memory.futures().start(Access.write(there(other), 0, longs(5)).signal()));
    assertThat(result(memory.futures().fetch(there(other), 0, AtomicOp.SUM, 1))).isEqualTo(5);
    result(memory.futures().flush(toFar));
    assertThat(target.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(6);
  }

  @Test
  void shouldEndAccessesToFabricMemoryWhenThePeerCloses() {
    UnsafeBuffer target = fabric(1_000_000);
    RegionDescriptor region = openAll(target).descriptor();
    result(memory.futures().writeValue(there(region), 0, 1));
    CompletionStage<?> closing = far.endpoint.close(Duration.ZERO);
    List<FabricError> errors = new ArrayList<>();
    until(
        "accesses to a closed peer fail",
        () -> {
          CompletableFuture<?> write =
              memory.futures().writeValue(there(region), 0, 2).toCompletableFuture();
          until("a write has ended", write::isDone);
          if (write.isCompletedExceptionally()) {
            errors.add(failure(write).error());
          }
          return !errors.isEmpty();
        });
    assertThat(errors).containsExactly(FabricError.SHUTDOWN);
    result(closing);
  }

  // ---- updates ----

  @Test
  void shouldTakeWholeElementsAndNone() {
    Region region = openAll(fabric(64));
    RemoteRegion at = there(region.descriptor());
    UnsafeBuffer nothing = buffer(0);
    UnsafeBuffer odd = buffer(12);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () -> memory.futures().start(Access.update(at, 0, AtomicOp.SUM, AtomicKind.INT64, odd)))
        .withMessageContaining("bytes=12 are no multiple of the elementBytes=8 of INT64");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () ->
                memory
                    .futures()
                    .start(Access.fetch(at, 0, AtomicOp.SUM, AtomicKind.INT64, odd, buffer(12))));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () ->
                memory
                    .futures()
                    .start(
                        Access.compare(
                            at, 0, AtomicOp.CSWAP, AtomicKind.INT64, odd, odd, buffer(12))));
    result(memory.futures().start(Access.update(at, 0, AtomicOp.SUM, AtomicKind.INT64, nothing)));
    result(
        memory
            .futures()
            .start(Access.fetch(at, 8, AtomicOp.SUM, AtomicKind.INT64, nothing, nothing)));
    result(
        memory
            .futures()
            .start(
                Access.compare(
                    at, 8, AtomicOp.CSWAP, AtomicKind.INT64, nothing, nothing, nothing)));
    assertThat(region.isOpen()).isTrue();
  }

  @Test
  void shouldUpdateElementsOfFabricMemoryAsAnyOther() {
    Random random = new Random(20251125);
    UnsafeBuffer shared = fabric(64);
    UnsafeBuffer plain = buffer(64);
    RegionDescriptor direct = openAll(shared).descriptor();
    RegionDescriptor byLoop = openAll(plain).descriptor();
    for (AtomicKind kind : AtomicKind.values()) {
      for (AtomicOp op : AtomicOp.values()) {
        if (memory.query(op, kind) == 0) {
          continue;
        }
        byte[] start = new byte[64];
        random.nextBytes(start);
        shared.putBytes(0, start);
        plain.putBytes(0, start);
        int count = 2 + random.nextInt(2);
        int offset = kind.bytes() * (1 + random.nextInt(3));
        UnsafeBuffer operands = buffer(count * kind.bytes());
        UnsafeBuffer compares = buffer(count * kind.bytes());
        random.nextBytes(operands.byteArray());
        compares.putBytes(0, start, offset, count * kind.bytes());
        if (random.nextBoolean()) {
          random.nextBytes(compares.byteArray());
        }
        UnsafeBuffer old = buffer(count * kind.bytes());
        UnsafeBuffer oldByLoop = buffer(count * kind.bytes());
        var futures = memory.futures();
        if (op.compares()) {
          result(
              futures.start(
                  Access.compare(there(direct), offset, op, kind, compares, operands, old)));
          result(
              futures.start(
                  Access.compare(there(byLoop), offset, op, kind, compares, operands, oldByLoop)));
        } else {
          result(futures.start(Access.fetch(there(direct), offset, op, kind, operands, old)));
          result(futures.start(Access.fetch(there(byLoop), offset, op, kind, operands, oldByLoop)));
        }
        assertThat(bytes(old)).as("%s %s", op, kind).isEqualTo(bytes(oldByLoop));
        assertThat(content(shared)).as("%s %s", op, kind).isEqualTo(bytes(plain));
      }
    }
  }

  @Test
  void shouldLoseNoUpdateOfPeersAndOwner() {
    UnsafeBuffer target = fabric(16);
    RegionDescriptor region = openAll(target).descriptor();
    int self = farDomain.addressVector().insert(far.endpoint.address());
    List<CompletionStage<?>> updates = new ArrayList<>();
    UnsafeBuffer ones = buffer(8);
    ones.setMemory(0, 8, (byte) 1);
    for (int i = 0; i < 100; i++) {
      updates.add(
          memory
              .futures()
              .start(Access.update(there(region), 0, AtomicOp.SUM, AtomicKind.INT8, ones)));
      updates.add(
          far.endpoint
              .memory()
              .futures()
              .start(
                  Access.update(
                      new RemoteRegion(self, region), 0, AtomicOp.SUM, AtomicKind.INT8, ones)));
      updates.add(memory.futures().fetch(there(region), 8, AtomicOp.SUM, 1));
      updates.add(
          far.endpoint
              .memory()
              .futures()
              .fetch(new RemoteRegion(self, region), 8, AtomicOp.SUM, 1));
    }
    updates.forEach(this::result);
    for (int i = 0; i < 8; i++) {
      assertThat(target.getByte(i)).isEqualTo((byte) 200);
    }
    assertThat(target.getLong(8, ByteOrder.LITTLE_ENDIAN)).isEqualTo(200);
  }

  @Test
  void shouldRefuseElementsOfFabricMemoryThatAreMisaligned() {
    RegionDescriptor region = openAll(fabric(16)).descriptor();
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> memory.futures().fetch(there(region), 4, AtomicOp.SUM, 1))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.INVALID));
  }

  // ---- order ----

  @Test
  void shouldFenceAccessesToFabricMemory() {
    UnsafeBuffer target = fabric(64);
    UnsafeBuffer heap = buffer(3_000_000);
    RegionDescriptor region = openAll(target).descriptor();
    RegionDescriptor byLoop = openAll(heap).descriptor();
    memory.write(there(byLoop), 0, pattern(3_000_000, 1), 0, 3_000_000, DELIVERED, "loop");
    MutableDirectBuffer one = longs(1);
    memory.write(there(region), 0, one, 0, 8, DELIVERED.fence(), "fenced");
    until("both have ended", () -> near.sent.size() == 2);
    assertThat(near.sent.get(0).context()).isEqualTo("loop");
    assertThat(target.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(1);
  }
}
