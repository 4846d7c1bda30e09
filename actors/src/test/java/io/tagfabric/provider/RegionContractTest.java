package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.access.Access;
import io.tagfabric.access.AccessListener;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.MemorySettings;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionCounters;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What accesses to memory owe over every provider: `near` asks, `far` has the region. Subclasses
 * say which provider and which progress.
 */
abstract class RegionContractTest extends ReceiveDoorTests {
  RegionContractTest(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  private Region open(UnsafeBuffer buffer) {
    return farDomain.register(buffer, RegionRight.all());
  }

  // ---- writes and reads ----

  @Test
  void shouldWriteAndReadAnyLengthAtAnyOffset() {
    int[] lengths = {0, 1, 8, 1_000, 20_000, 70_000, LONG};
    UnsafeBuffer target = buffer(LONG + 100);
    byte[] expected = new byte[LONG + 100];
    RegionDescriptor region = open(target).descriptor();
    int written = 0;
    for (int length : lengths) {
      for (CompletionLevel level :
          List.of(CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY)) {
        int offset = 7 * written++ % 90;
        UnsafeBuffer source = pattern(length, written);
        Posted posted =
            memory.write(there(region), offset, source, 0, length, DELIVERED.at(level), written);
        assertThat(posted).isEqualTo(Posted.POSTED);
        assertThat(lastSent(written))
            .isEqualTo(new Completion.Accessed(written, toFar, Direction.WRITE, length));
        result(memory.futures().flush(toFar));
        System.arraycopy(source.byteArray(), 0, expected, offset, length);
        assertThat(Arrays.mismatch(target.byteArray(), expected)).isEqualTo(-1);

        UnsafeBuffer read = buffer(length);
        assertThat(result(memory.futures().read(there(region), offset, read)).length())
            .isEqualTo(length);
        assertThat(Arrays.mismatch(read.byteArray(), source.byteArray())).isEqualTo(-1);
      }
    }
  }

  @Test
  void shouldReadIntoPartsOfBuffersAndWriteFromThem() {
    UnsafeBuffer target = pattern(64, 3);
    RegionDescriptor region = open(target).descriptor();
    UnsafeBuffer own = buffer(40);
    memory.read(there(region), 10, own, 5, 20, "read");
    assertThat(lastSent(1)).isEqualTo(new Completion.Accessed("read", toFar, Direction.READ, 20));
    byte[] expected = new byte[40];
    System.arraycopy(Side.pattern(64, 3), 10, expected, 5, 20);
    assertThat(bytes(own)).isEqualTo(expected);

    memory.write(there(region), 60, own, 5, 4, DELIVERED, "write");
    lastSent(2);
    byte[] after = Side.pattern(64, 3);
    System.arraycopy(expected, 5, after, 60, 4);
    assertThat(bytes(target)).isEqualTo(after);
  }

  @Test
  void shouldDoAccessesAndMessagesOfOneSenderInTheOrderPosted() {
    UnsafeBuffer target = buffer(LONG);
    RegionDescriptor region = open(target).descriptor();
    UnsafeBuffer source = buffer(LONG);
    for (int round = 1; round <= 20; round++) {
      source = buffer(round % 4 == 0 ? LONG : 300);
      source.setMemory(0, source.capacity(), (byte) round);
      byte[] received = far.post(8, round);
      memory.write(there(region), 0, source, 0, source.capacity(), SendOptions.DEFAULT, "write");
      near.send(toFar, new byte[8], round);
      int count = round;
      // The receiver looks at the region when it has the message, and waits for nothing else.
      until("a message has come", () -> far.received.size() >= count);
      assertThat(far.lastReceived().context()).isSameAs(received);
      assertThat(target.getByte(0)).isEqualTo((byte) round);
      assertThat(target.getByte(source.capacity() - 1)).isEqualTo((byte) round);
    }
    // A read sees what was written before it.
    for (int i = 0; i < 50; i++) {
      memory.writeValue(there(region), 8, i, SendOptions.DEFAULT, "value");
      assertThat(result(memory.futures().readValue(there(region), 8))).isEqualTo(i);
    }
  }

  @Test
  void shouldInjectWritesWithoutEntriesAndTellOnlyFailures() {
    UnsafeBuffer target = buffer(800);
    Region region = open(target);
    UnsafeBuffer value = buffer(8);
    for (int i = 0; i < 100; i++) {
      value.putLong(0, i);
      assertThat(memory.injectWrite(there(region.descriptor()), 8L * i, value, 0, 8))
          .isEqualTo(Posted.POSTED);
    }
    result(memory.futures().flush(toFar));
    for (int i = 0; i < 100; i++) {
      assertThat(target.getLong(8 * i)).isEqualTo(i);
    }
    assertThat(near.sent).isEmpty();
    RegionDescriptor wrong = wrongKey(region.descriptor());
    memory.injectWrite(there(wrong), 0, value, 0, 8);
    Completion.Failed failed = (Completion.Failed) lastSent(1);
    assertThat(failed.error()).isEqualTo(FabricError.NO_KEY);
    assertThat(failed.context()).isNull();
    int tooLong = near.endpoint.settings().injectBytes() + 1;
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> memory.injectWrite(there(region.descriptor()), 0, buffer(tooLong), 0, tooLong))
        .withMessageContaining("inject-size");
  }

  @Test
  void shouldLeaveNoEntryOfWhatIsSilentUnlessItFails() {
    UnsafeBuffer target = buffer(64);
    RegionDescriptor region = open(target).descriptor();
    SendOptions silent = DELIVERED.silent();
    UnsafeBuffer operand = longs(5);
    memory.post(Access.write(there(region), 8, longs(3), 0, 8).data(77).with(silent), "write");
    memory.update(
        there(region), 0, AtomicOp.SUM, AtomicKind.INT64, operand, 0, 1, silent, "update");
    operand.putLong(0, -1); // it was copied
    result(memory.futures().flush(toFar));
    until("the data has come", () -> far.received.size() == 1);
    assertThat(far.lastReceived())
        .isEqualTo(
            new Completion.AccessedByPeer(null, fromNear, Direction.REMOTE_WRITE, 8, 8, true, 77));
    assertThat(target.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(5);
    assertThat(target.getLong(8, ByteOrder.LITTLE_ENDIAN)).isEqualTo(3);
    assertThat(near.sent).isEmpty();

    memory.update(
        there(wrongKey(region)), 0, AtomicOp.SUM, AtomicKind.INT64, operand, 0, 1, silent, "no");

    assertThat(((Completion.Failed) lastSent(1)).error()).isEqualTo(FabricError.NO_KEY);
  }

  @Test
  void shouldAccessItsOwnRegionThroughItself() {
    UnsafeBuffer target = buffer(16);
    Region region =
        nearDomain.register(target, EnumSet.of(RegionRight.LOCAL_READ, RegionRight.LOCAL_WRITE));
    int self = nearDomain.addressVector().insert(near.endpoint.address());
    RegionDescriptor descriptor = region.descriptor();
    assertThat(
            result(memory.futures().fetch(new RemoteRegion(self, descriptor), 8, AtomicOp.SUM, 5)))
        .isZero();
    assertThat(
            result(memory.futures().fetch(new RemoteRegion(self, descriptor), 8, AtomicOp.READ, 0)))
        .isEqualTo(5);
    assertThat(
            failure(
                far.endpoint
                    .memory()
                    .futures()
                    .readValue(new RemoteRegion(fromNear, descriptor), 0)))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.ACCESS));
  }

  // ---- bounds and rights ----

  @Test
  void shouldRefuseAtTheCallWhatTheDescriptorDoesNotAllow() {
    UnsafeBuffer target = buffer(64);
    RegionDescriptor region = open(target).descriptor();
    UnsafeBuffer source = buffer(64);
    long[][] wrong = {{57, 8}, {64, 1}, {-1, 8}, {Long.MAX_VALUE, 8}, {Long.MIN_VALUE, 1}};
    for (long[] each : wrong) {
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(
              () ->
                  memory.write(
                      there(region), each[0], source, 0, (int) each[1], DELIVERED, "wrong"))
          .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.ACCESS))
          .withMessageContaining("offset=" + each[0]);
    }
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> memory.futures().fetch(there(region), 4, AtomicOp.SUM, 1))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.INVALID));
    assertThat(result(memory.futures().readValue(there(region), 56))).isZero();
    assertThat(near.sent).isEmpty();
  }

  @Test
  void shouldRefuseAtTheTargetWhatADescriptorLiesAbout() {
    UnsafeBuffer around = pattern(192, 9);
    byte[] before = bytes(around);
    UnsafeBuffer target = new UnsafeBuffer(around, 64, 64);
    Region region =
        farDomain.register(target, Set.of(RegionRight.REMOTE_READ, RegionRight.REMOTE_WRITE));
    Region readOnly = farDomain.register(target, Set.of(RegionRight.REMOTE_READ));
    Region writeOnly = farDomain.register(target, Set.of(RegionRight.REMOTE_WRITE));
    RegionDescriptor lie = lying(region.descriptor());
    UnsafeBuffer bytes = pattern(200_000, 1);
    long[][] wrong = {
      {57, 8}, {64, 1}, {0, 65}, {0, 200_000}, {1, 100_000}, {Long.MAX_VALUE - 8, 8}
    };
    int refused = 0;
    for (long[] each : wrong) {
      int length = (int) each[1];
      FabricException e =
          failure(memory.futures().write(there(lie), each[0], new UnsafeBuffer(bytes, 0, length)));
      assertThat(e.error()).isEqualTo(FabricError.ACCESS);
      assertThat(e)
          .hasMessageContaining("offset=" + each[0])
          .hasMessageContaining("lengthBytes=" + each[1])
          .hasMessageContaining(Long.toHexString(region.key()))
          .hasMessageContaining("lengthBytes=64")
          .hasMessageContaining(far.endpoint.address().toString());
      e = failure(memory.futures().read(there(lie), each[0], buffer(length)));
      assertThat(e.error()).isEqualTo(FabricError.ACCESS);
      refused += 2;
    }
    FabricException atomic = failure(memory.futures().fetch(there(lie), 64, AtomicOp.SUM, 1));
    assertThat(atomic.error()).isEqualTo(FabricError.ACCESS);
    refused++;
    RegionDescriptor noWrite = lying(readOnly.descriptor());
    RegionDescriptor noRead = lying(writeOnly.descriptor());
    List<CompletionStage<?>> forbidden =
        List.of(
            memory.futures().writeValue(there(noWrite), 0, 1),
            memory.futures().fetch(there(noWrite), 0, AtomicOp.SUM, 1),
            memory.futures().write(there(noWrite), 0, new UnsafeBuffer(bytes, 0, 64)),
            memory.futures().readValue(there(noRead), 0),
            memory.futures().fetch(there(noRead), 0, AtomicOp.READ, 0),
            memory.futures().fetch(there(noRead), 0, AtomicOp.SUM, 1));
    for (CompletionStage<?> each : forbidden) {
      assertThat(failure(each).error()).isEqualTo(FabricError.ACCESS);
    }
    for (RegionDescriptor none :
        List.of(
            wrongKey(lie),
            new RegionDescriptor(
                lie.key(),
                lie.generation() + 1,
                lie.lengthBytes(),
                lie.rights(),
                lie.incarnation()))) {
      FabricException noKey =
          failure(memory.futures().write(there(none), 0, new UnsafeBuffer(bytes, 0, 100_000)));
      assertThat(noKey.error()).isEqualTo(FabricError.NO_KEY);
      assertThat(failure(memory.futures().readValue(there(none), 0)).error())
          .isEqualTo(FabricError.NO_KEY);
    }
    assertThat(bytes(around)).isEqualTo(before);
    RegionCounters counted = counters(region);
    assertThat(counted).isEqualTo(new RegionCounters(0, 0, 0, 0, 0, 0, refused));
    assertThat(counters(readOnly).refused() + counters(writeOnly).refused()).isEqualTo(6);
    // The flow lives, and what is allowed still works.
    assertThat(result(memory.futures().readValue(there(region.descriptor()), 0)))
        .isEqualTo(target.getLong(0, ByteOrder.LITTLE_ENDIAN));
  }

  @Test
  void shouldTellARefusalThatNobodyWaitedForInTheNextFlush() {
    Region region = open(buffer(64));
    RegionDescriptor lie = lying(region.descriptor());
    UnsafeBuffer bytes = pattern(300_000, 1);
    memory.write(there(lie), 60, bytes, 0, 8, SendOptions.DEFAULT, "inject");
    memory.write(
        there(lie), 3, bytes, 0, 300_000, DELIVERED.at(CompletionLevel.TRANSMIT), "transmit");
    FabricException first = failure(memory.futures().flush(toFar));
    assertThat(first.error()).isEqualTo(FabricError.ACCESS);
    assertThat(first).hasMessageContaining("offset=60 lengthBytes=8");
    result(memory.futures().flush(toFar));
    memory.write(there(lie), 57, bytes, 0, 8, SendOptions.DEFAULT, "inject");
    assertThat(failure(memory.futures().flushAll())).hasMessageContaining("offset=57");
    result(memory.futures().flushAll());
    assertThat(counters(region).writtenBytes()).isZero();
  }

  @Test
  void shouldRefuseADescriptorOfAnotherIncarnation() {
    RegionDescriptor region = open(buffer(8)).descriptor();
    RegionDescriptor other =
        new RegionDescriptor(
            region.key(), region.generation(), 8, region.rights(), region.incarnation() + 1);
    FabricException e = failure(memory.futures().readValue(there(other), 0));
    assertThat(e.error()).isEqualTo(FabricError.NO_KEY);
    assertThat(e).hasMessageContaining("incarnation=" + (region.incarnation() + 1));
  }

  @Test
  void shouldDoOnlyWhatEndpointsWereOpenedFor() {
    RegionDescriptor region = open(buffer(64)).descriptor();
    Side reader =
        new Side(
            nearDomain, "reader", bindings -> bindings.accessing(EndpointBindings.Access.READ));
    int there = reader.indexOf(far);
    result(reader.endpoint.memory().futures().readValue(new RemoteRegion(there, region), 0));
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(
            () ->
                reader
                    .endpoint
                    .memory()
                    .futures()
                    .writeValue(new RemoteRegion(there, region), 0, 1))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED));
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(
            () ->
                reader
                    .endpoint
                    .memory()
                    .futures()
                    .fetch(new RemoteRegion(there, region), 0, AtomicOp.SUM, 1))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED));
    Side shut =
        new Side(
            farDomain,
            "shut",
            bindings -> bindings.accessing(EndpointBindings.Access.REMOTE_WRITE));
    int toShut = near.indexOf(shut);
    result(memory.futures().writeValue(new RemoteRegion(toShut, region), 0, 77));
    assertThat(failure(memory.futures().readValue(new RemoteRegion(toShut, region), 0)).error())
        .isEqualTo(FabricError.ACCESS);
    assertThat(result(memory.futures().readValue(there(region), 0))).isEqualTo(77);
  }

  // ---- keys ----

  @Test
  void shouldTakeKeysOfTheProgramAndRefuseDuplicates() {
    UnsafeBuffer target = buffer(8);
    RegionOptions seven = RegionOptions.DEFAULT.withKey(7);
    Region region = farDomain.register(target, RegionRight.all(), seven);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> farDomain.register(buffer(8), RegionRight.all(), seven))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.NO_KEY))
        .withMessageContaining("key=7");
    RegionDescriptor agreed = RegionDescriptor.agreed(7, 8);
    result(memory.futures().writeValue(there(agreed), 0, 11));
    assertThat(target.getLong(0)).isEqualTo(11);
    RegionDescriptor old = region.descriptor();
    result(region.close());

    UnsafeBuffer next = buffer(8);
    farDomain.register(next, RegionRight.all(), seven);
    assertThat(failure(memory.futures().writeValue(there(old), 0, 12)).error())
        .isEqualTo(FabricError.NO_KEY);
    result(memory.futures().writeValue(there(agreed), 0, 13));
    assertThat(target.getLong(0)).isEqualTo(11);
    assertThat(next.getLong(0)).isEqualTo(13);
  }

  @Test
  void shouldSendDescriptorsAsBytes() {
    UnsafeBuffer target = buffer(8);
    Region region =
        farDomain.register(target, Set.of(RegionRight.REMOTE_READ, RegionRight.REMOTE_WRITE));
    UnsafeBuffer encoded = buffer(RegionDescriptor.LENGTH);
    region.descriptor().encode(encoded, 0);
    byte[] received = near.post(RegionDescriptor.LENGTH, 1);
    far.send(fromNear, encoded.byteArray(), 1);
    until("a descriptor has come", () -> near.received.size() == 1);
    RegionDescriptor there = RegionDescriptor.decode(new UnsafeBuffer(received), 0);
    assertThat(there).isEqualTo(region.descriptor());
    result(memory.futures().writeValue(there(there), 0, 3));
    assertThat(target.getLong(0)).isEqualTo(3);
  }

  // ---- closes ----

  @Test
  void shouldChangeNothingAfterTheCloseOfARegion() {
    for (Duration patience : List.of(Duration.ZERO, Duration.ofSeconds(60))) {
      UnsafeBuffer target = buffer(LONG);
      Region region = open(target);
      UnsafeBuffer source = buffer(LONG);
      source.setMemory(0, LONG, (byte) 1);
      List<CompletionStage<?>> accesses = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        accesses.add(memory.futures().write(there(region.descriptor()), 0, source));
        accesses.add(memory.futures().read(there(region.descriptor()), 0, buffer(LONG)));
      }
      until("bytes have come", () -> counters(region).writtenBytes() > 0);
      CompletionStage<Void> closed = region.close(patience);
      assertThat(region.isOpen()).isFalse();
      result(closed);
      target.setMemory(0, LONG, (byte) 0);
      int failed = 0;
      for (CompletionStage<?> access : accesses) {
        CompletableFuture<?> future = access.toCompletableFuture();
        until("an access has ended", future::isDone);
        if (future.isCompletedExceptionally()) {
          assertThat(failure(access).error()).isEqualTo(FabricError.NO_KEY);
          failed++;
        }
      }
      assertThat(failure(memory.futures().writeValue(there(region.descriptor()), 0, 1)).error())
          .isEqualTo(FabricError.NO_KEY);
      assertThat(Arrays.mismatch(target.byteArray(), new byte[LONG])).isEqualTo(-1);
      if (patience.isZero() && mode == ProgressMode.MANUAL) {
        assertThat(failed).isPositive(); // else all may have been quicker
      }
      result(region.close());
    }
  }

  @Test
  void shouldEndAccessesWhenThePeerCloses() {
    UnsafeBuffer target = buffer(LONG);
    Region region = open(target);
    List<CompletionStage<?>> accesses = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      accesses.add(memory.futures().write(there(region.descriptor()), 0, buffer(LONG)));
      accesses.add(memory.futures().read(there(region.descriptor()), 0, buffer(LONG)));
      accesses.add(memory.futures().flush(toFar));
    }
    until("bytes have come", () -> counters(region).writtenBytes() > 0);
    CompletionStage<?> closing = far.endpoint.close(Duration.ZERO);
    for (CompletionStage<?> access : accesses) {
      CompletableFuture<?> future = access.toCompletableFuture();
      until("an access has ended", future::isDone);
      if (future.isCompletedExceptionally()) {
        assertThat(failure(access).error()).isEqualTo(FabricError.SHUTDOWN);
      }
    }
    result(closing);
    result(region.close());
  }

  @Test
  void shouldEndItsOwnAccessesWhenItCloses() {
    UnsafeBuffer target = buffer(LONG);
    Region region = open(target);
    for (int i = 0; i < 5; i++) {
      memory.write(there(region.descriptor()), 0, buffer(LONG), 0, LONG, DELIVERED, i);
      memory.read(there(region.descriptor()), 0, buffer(LONG), 0, LONG, i);
    }
    until("bytes have come", () -> counters(region).writtenBytes() > 0);
    result(near.endpoint.close(Duration.ZERO));
    until("all accesses have ended", () -> near.sent.size() == 10);
    for (Completion each : near.sent) {
      if (each instanceof Completion.Failed failed) {
        assertThat(failed.error()).isEqualTo(FabricError.CANCELED);
      }
    }
    // What was under way at the target has ended too, or the close would wait for it.
    result(region.close(Duration.ofSeconds(90)));
  }

  // ---- signals ----

  @Test
  void shouldRaiseSignalsWhenAllBytesArePlaced() {
    for (int length : new int[] {8, 100_000}) {
      UnsafeBuffer target = buffer(100_000);
      Counter counter = farDomain.openCounter();
      CompletionQueue queue = farDomain.openCompletionQueue(16);
      List<String> seen = new ArrayList<>();
      List<Completion.AccessedByPeer> heard = new ArrayList<>();
      Region region =
          farDomain.register(
              target,
              RegionRight.all(),
              RegionOptions.DEFAULT
                  .withContext("region")
                  .counting(counter)
                  .to(queue)
                  .telling(
                      access -> {
                        synchronized (seen) {
                          seen.add(counter.value() + " " + target.getByte(length - 1));
                          heard.add(access);
                        }
                      }));
      UnsafeBuffer source = buffer(length);
      source.setMemory(0, length, (byte) 5);
      result(memory.futures().write(there(region.descriptor()), 0, source));
      assertThat(counter.value()).isZero();
      result(memory.futures().start(Access.write(there(region.descriptor()), 0, source).signal()));
      result(memory.futures().start(Access.write(there(region.descriptor()), 0, source).data(99)));
      List<Completion> told = new ArrayList<>();
      until(
          "two signals have come",
          () -> {
            told.addAll(queue.read(10));
            synchronized (seen) {
              return told.size() >= 2 && heard.size() >= 2;
            }
          });
      assertThat(told)
          .containsExactly(
              new Completion.AccessedByPeer(
                  "region", fromNear, Direction.REMOTE_WRITE, 0, length, false, 0),
              new Completion.AccessedByPeer(
                  "region", fromNear, Direction.REMOTE_WRITE, 0, length, true, 99));
      assertThat(heard).isEqualTo(told);
      assertThat(seen).containsExactly("1 5", "2 5");
      assertThat(counters(region).signals()).isEqualTo(2);
    }
  }

  @Test
  void shouldLeaveDataInTheReceiveQueueWhenTheRegionHasNone() {
    Region region = open(buffer(64));
    result(
        memory.futures().start(Access.write(there(region.descriptor()), 16, buffer(8)).data(-7)));
    until("an entry has come", () -> far.received.size() == 1);
    assertThat(far.lastReceived())
        .isEqualTo(
            new Completion.AccessedByPeer(null, fromNear, Direction.REMOTE_WRITE, 16, 8, true, -7));
  }

  @Test
  void shouldKeepSignalsForAQueueThatIsFull() {
    CompletionQueue queue = farDomain.openCompletionQueue(1);
    UnsafeBuffer target = buffer(8);
    Region region = farDomain.register(target, RegionRight.all(), RegionOptions.DEFAULT.to(queue));
    int many = 500;
    List<CompletionStage<?>> writes = new ArrayList<>();
    for (int i = 1; i <= many; i++) {
      UnsafeBuffer value = longs(i);
      writes.add(
          memory.futures().start(Access.write(there(region.descriptor()), 0, value).data(i)));
    }
    List<Long> told = new ArrayList<>();
    until(
        "all signals have come",
        () -> {
          queue.read(entry -> told.add(entry.data()), 10);
          return told.size() == many;
        });
    for (int i = 0; i < many; i++) {
      assertThat(told.get(i)).isEqualTo(i + 1);
    }
    writes.forEach(this::result);
    assertThat(target.getLong(0)).isEqualTo(many);
  }

  // ---- updates ----

  @Test
  void shouldUpdateFetchAndCompareElements() {
    UnsafeBuffer target = longs(10, 20, 30, 40);
    RegionDescriptor region = open(target).descriptor();
    UnsafeBuffer old = buffer(32);
    memory.update(
        there(region),
        0,
        AtomicOp.SUM,
        AtomicKind.INT64,
        longs(1, 2, 3, 4),
        0,
        4,
        DELIVERED,
        "update");
    assertThat(lastSent(1))
        .isEqualTo(new Completion.Accessed("update", toFar, Direction.ATOMIC, 32));
    assertThat(bytes(target)).isEqualTo(bytes(longs(11, 22, 33, 44)));
    memory.fetch(
        there(region), 8, AtomicOp.MAX, AtomicKind.INT64, longs(25, 25), 0, 2, old, 16, "fetch");
    lastSent(2);
    assertThat(bytes(old)).isEqualTo(bytes(longs(0, 0, 22, 33)));
    assertThat(bytes(target)).isEqualTo(bytes(longs(11, 25, 33, 44)));
    memory.post(
        Access.compare(
            there(region),
            0,
            AtomicOp.CSWAP,
            AtomicKind.INT64,
            longs(11, 0),
            longs(1, 2),
            new UnsafeBuffer(old, 0, 16)),
        "compare");
    lastSent(3);
    assertThat(bytes(target)).isEqualTo(bytes(longs(1, 25, 33, 44)));
    assertThat(old.getLong(0)).isEqualTo(11);
    assertThat(old.getLong(8)).isEqualTo(25);
    assertThat(result(memory.futures().compareAndSwap(there(region), 16, 33, -1))).isEqualTo(33);
    assertThat(result(memory.futures().fetch(there(region), 16, AtomicOp.READ, 0))).isEqualTo(-1);
    int most = memory.query(AtomicOp.SUM, AtomicKind.INT64);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(
            () ->
                memory.update(
                    there(lying(region)),
                    0,
                    AtomicOp.SUM,
                    AtomicKind.INT64,
                    buffer(8 * most + 8),
                    0,
                    most + 1,
                    DELIVERED,
                    "many"))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.MESSAGE_SIZE));
    assertThat(memory.query(AtomicOp.BOR, AtomicKind.DOUBLE)).isZero();
  }

  @Test
  void shouldLoseNoUpdateOfTwoPeers() {
    UnsafeBuffer target = buffer(8);
    RegionDescriptor region = open(target).descriptor();
    Side other = new Side(nearDomain, "other", Side.QUEUE_SIZE, nearDomain.endpointDefaults());
    int fromOther = other.indexOf(far);
    int self = farDomain.addressVector().insert(far.endpoint.address());
    List<CompletionStage<Long>> fetched = new ArrayList<>();
    int each = 300;
    for (int i = 0; i < each; i++) {
      fetched.add(memory.futures().fetch(there(region), 0, AtomicOp.SUM, 1));
      fetched.add(
          other
              .endpoint
              .memory()
              .futures()
              .fetch(new RemoteRegion(fromOther, region), 0, AtomicOp.SUM, 1));
      fetched.add(
          far.endpoint
              .memory()
              .futures()
              .fetch(new RemoteRegion(self, region), 0, AtomicOp.SUM, 1));
    }
    boolean[] seen = new boolean[3 * each];
    for (CompletionStage<Long> one : fetched) {
      int old = (int) (long) result(one);
      assertThat(seen[old]).isFalse();
      seen[old] = true;
    }
    assertThat(target.getLong(0)).isEqualTo(3L * each);
  }

  // ---- limits, actors, counters ----

  @Test
  void shouldServeManyReadsAFewAtATime() {
    Side slow =
        new Side(
            farDomain,
            "slow",
            Side.QUEUE_SIZE,
            farDomain.endpointDefaults().withMemory(new MemorySettings(2, 10, 0)));
    int toSlow = near.indexOf(slow);
    UnsafeBuffer target = pattern(300_000, 4);
    Region region = open(target);
    List<UnsafeBuffer> buffers = new ArrayList<>();
    List<CompletionStage<?>> reads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      UnsafeBuffer into = buffer(300_000 - i);
      buffers.add(into);
      reads.add(memory.futures().read(new RemoteRegion(toSlow, region.descriptor()), i, into));
    }
    reads.forEach(this::result);
    for (int i = 0; i < 40; i++) {
      assertThat(
              Arrays.mismatch(
                  buffers.get(i).byteArray(), Arrays.copyOfRange(target.byteArray(), i, 300_000)))
          .isEqualTo(-1);
    }
    assertThat(counters(region).reads()).isEqualTo(40);

    List<CompletionStage<?>> own = new ArrayList<>();
    int back = slow.indexOf(near);
    RegionDescriptor there = nearDomain.register(target, RegionRight.all()).descriptor();
    for (int i = 0; i < 400; i++) {
      own.add(
          slow.endpoint.memory().futures().read(new RemoteRegion(back, there), 0, buffer(300_000)));
    }
    int again = 0;
    for (CompletionStage<?> each : own) {
      CompletableFuture<?> future = each.toCompletableFuture();
      until("a read has ended", future::isDone);
      if (future.isCompletedExceptionally()) {
        assertThat(failure(each).error()).isEqualTo(FabricError.AGAIN);
        again++;
      }
    }
    assertThat(again).isPositive();
    result(slow.endpoint.memory().futures().read(new RemoteRegion(back, there), 0, buffer(8)));
  }

  @Test
  void shouldTellActors() {
    Queue<Object> told = new ConcurrentLinkedQueue<>();
    ActorRef<Object> actor =
        nearDomain
            .fabric()
            .system()
            .systemActorOf(
                Behaviors.receiveMessage(
                    message -> {
                      told.add(message);
                      return Behaviors.same();
                    }),
                "accessor-" + NUMBER.incrementAndGet(),
                Props.empty());
    SendOptions delivered = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);
    AccessListener replyTo = AccessListener.telling(actor);
    UnsafeBuffer target = buffer(16);
    RegionDescriptor region = open(target).descriptor();
    near.endpoint
        .ref()
        .tell(
            new Endpoint.AccessMemory(
                Access.write(there(region), 0, longs(5)).with(delivered), "write", replyTo));
    near.endpoint
        .ref()
        .tell(
            new Endpoint.AccessMemory(
                Access.read(there(wrongKey(region)), 0, buffer(8), 0, 8), "read", replyTo));
    until("two completions were told", () -> told.size() == 2);
    assertThat(told).contains(new Completion.Accessed("write", toFar, Direction.WRITE, 8));
    assertThat(told)
        .anyMatch(
            each ->
                each instanceof Completion.Failed failed
                    && failed.error() == FabricError.NO_KEY
                    && failed.direction() == Direction.READ);
    assertThat(target.getLong(0)).isEqualTo(5);
  }

  @Test
  void shouldDoWhatAMirrorDoesWithEachPoolAtItsLeast() {
    storm(stormLength());
  }

  @Tag("exhaustive")
  @Test
  void shouldDoWhatAMirrorDoesForLong() {
    storm(longStormLength());
  }

  @Test
  void shouldHaveAsManyUnderWayAsTheQueueHasSlots() {
    int many = outstanding();
    Side asking = new Side(nearDomain, "many", many, nearDomain.endpointDefaults());
    UnsafeBuffer target = buffer(8);
    RemoteRegion region = new RemoteRegion(asking.indexOf(far), open(target).descriptor());
    UnsafeBuffer one = longs(1);
    EndpointMemory its = asking.endpoint.memory();
    for (int i = 0; i < many; i++) {
      assertThat(its.update(region, 0, AtomicOp.SUM, AtomicKind.INT64, one, 0, 1, DELIVERED, i))
          .isEqualTo(Posted.POSTED);
    }
    assertThat(its.update(region, 0, AtomicOp.SUM, AtomicKind.INT64, one, 0, 1, DELIVERED, -1))
        .isEqualTo(Posted.TRY_AGAIN);
    until("all have ended", () -> asking.sent.size() == many || asking.poll() < 0);
    for (int i = 0; i < many; i++) {
      assertThat(asking.sent.get(i))
          .isEqualTo(new Completion.Accessed(i, region.peer(), Direction.ATOMIC, 8));
    }
    assertThat(target.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(many);
  }

  /** Accesses of each storm; where they take long, fewer. */
  int stormLength() {
    return 1_000;
  }

  int longStormLength() {
    return 5_000;
  }

  private void storm(int accesses) {
    for (int queueSize : new int[] {1, 64}) {
      FlowSettings flow = nearDomain.endpointDefaults().flow();
      FlowSettings least =
          RecordCopy.with(flow, "messageCredits", 1, "windowPackets", 2, "acknowledgeEvery", 1);
      var settings =
          nearDomain.endpointDefaults().withFlow(least).withMemory(new MemorySettings(1, 1, 0));
      Side asking = new Side(nearDomain, "asks" + queueSize, queueSize, settings);
      Side asked = new Side(farDomain, "asked" + queueSize, queueSize, settings);
      UnsafeBuffer target = buffer(20_000);
      RemoteRegion there = new RemoteRegion(asking.indexOf(asked), open(target).descriptor());
      long deadlineNs = System.nanoTime() + DEADLINE_NS;
      Runnable poll =
          () -> {
            assertThat(System.nanoTime() - deadlineNs).as("all in time").isNegative();
            asked.poll();
            farDomain.loop().advance();
            nearDomain.loop().advance();
          };
      byte[] mirror =
          new SliceStorm(
                  asking.endpoint.memory(), asking.endpoint.transmitQueue(), there, poll, queueSize)
              .run(accesses);
      assertThat(Arrays.mismatch(target.byteArray(), mirror)).isEqualTo(-1);
    }
  }

  @Test
  void shouldRefuseMessagesOfActorsAsItRefusesCalls() {
    Side reader =
        new Side(nearDomain, "reads", bindings -> bindings.accessing(EndpointBindings.Access.READ));
    RemoteRegion region = new RemoteRegion(reader.indexOf(far), open(buffer(8)).descriptor());
    List<Completion> told = new ArrayList<>();
    AccessListener replyTo = told(told);
    reader
        .endpoint
        .ref()
        .tell(new Endpoint.AccessMemory(Access.write(region, 0, longs(5)), "write", replyTo));
    reader
        .endpoint
        .ref()
        .tell(new Endpoint.AccessMemory(Access.read(region, 0, buffer(8), 0, 8), "read", replyTo));
    until("both have ended", () -> told.size() == 2 || reader.poll() < 0);
    Completion.Failed refused = (Completion.Failed) told.get(0);
    assertThat(refused.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED);
    assertThat(refused.context()).isEqualTo("write");
    assertThat(told.get(1)).isInstanceOf(Completion.Accessed.class);
    assertThatNullPointerException()
        .isThrownBy(
            () ->
                new Endpoint.AccessMemory(Access.read(region, 0, buffer(8), 0, 8), "nobody", null))
        .withMessage("listener");
  }

  private static AccessListener told(List<Completion> into) {
    return new AccessListener() {
      @Override
      public void onAccessed(Completion.Accessed accessed) {
        synchronized (into) {
          into.add(accessed);
        }
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        synchronized (into) {
          into.add(failure);
        }
      }
    };
  }

  @Test
  void shouldCountAccesses() {
    Counter counter = nearDomain.openCounter();
    Side counting = new Side(nearDomain, "counts", bindings -> bindings.countingAccesses(counter));
    int there = counting.indexOf(far);
    RegionDescriptor region = open(buffer(8)).descriptor();
    EndpointMemory its = counting.endpoint.memory();
    result(its.futures().writeValue(new RemoteRegion(there, region), 0, 1));
    result(its.futures().readValue(new RemoteRegion(there, region), 0));
    result(its.futures().fetch(new RemoteRegion(there, region), 0, AtomicOp.SUM, 1));
    failure(its.futures().readValue(new RemoteRegion(there, wrongKey(region)), 0));
    until("all are counted", () -> counter.value() == 3 && counter.errors() == 1);
  }

  @Test
  void shouldAnswerTryAgainWhenTheQueueIsFull() {
    Side small = new Side(nearDomain, "small", 2, nearDomain.endpointDefaults());
    int there = small.indexOf(far);
    RegionDescriptor region = open(buffer(8)).descriptor();
    EndpointMemory its = small.endpoint.memory();
    assertThat(its.read(new RemoteRegion(there, region), 0, buffer(8), 0, 8, 1))
        .isEqualTo(Posted.POSTED);
    assertThat(its.read(new RemoteRegion(there, region), 0, buffer(8), 0, 8, 2))
        .isEqualTo(Posted.POSTED);
    assertThat(its.read(new RemoteRegion(there, region), 0, buffer(8), 0, 8, 3))
        .isEqualTo(Posted.TRY_AGAIN);
    until(
        "both have ended",
        () -> {
          small.poll();
          return small.sent.size() == 2;
        });
    assertThat(its.flush(there, 4)).isEqualTo(Posted.POSTED);
  }

  @Test
  void shouldFenceAccesses() {
    UnsafeBuffer target = buffer(LONG);
    RegionDescriptor region = open(target).descriptor();
    memory.read(there(region), 0, buffer(LONG), 0, LONG, "read");
    memory.write(there(region), 0, buffer(8), 0, 8, DELIVERED.fence(), "fenced");
    near.send(toFar, new byte[8], 1, CompletionLevel.INJECT);
    far.post(8, 1);
    until("all have ended", () -> near.sent.size() == 3 && far.received.size() == 1);
    assertThat(near.sent.get(0).context()).isEqualTo("read");
  }
}
