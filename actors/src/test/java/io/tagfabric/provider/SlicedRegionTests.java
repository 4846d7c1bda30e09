package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tagfabric.access.Access;
import io.tagfabric.access.AccessListener;
import io.tagfabric.access.AccessRegion;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.endpoint.Endpoint;
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
import io.tagfabric.memory.Slices;
import io.tagfabric.progress.ProgressMode;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What accesses by slices, fills and access regions owe over every provider. */
abstract class SlicedRegionTests extends FabricRegionTests {
  private static final int BYTES = 400_000;

  SlicedRegionTests(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  private Region openTo(UnsafeBuffer buffer) {
    return farDomain.register(buffer, RegionRight.all());
  }

  // ---- slices ----

  /** Random pieces that do not overlap, of so many bytes, cut anywhere. */
  private static Slices somewhere(Random random, int bytes, int longest) {
    List<long[]> pieces = new ArrayList<>();
    int at = random.nextInt(50);
    for (int left = bytes; left > 0; ) {
      int length = Math.min(left, random.nextInt(longest + 1));
      pieces.add(new long[] {at, length});
      at += length + (random.nextInt(3) == 0 ? 0 : random.nextInt(20));
      left -= length;
    }
    Collections.shuffle(pieces, random);
    long[] offsets = new long[pieces.size()];
    int[] lengths = new int[pieces.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = pieces.get(i)[0];
      lengths[i] = (int) pieces.get(i)[1];
    }
    return Slices.of(offsets, lengths);
  }

  private static byte[] gather(byte[] from, Slices slices) {
    byte[] all = new byte[(int) slices.bytes()];
    int at = 0;
    for (int i = 0; i < slices.count(); i++) {
      System.arraycopy(from, (int) slices.offset(i), all, at, slices.length(i));
      at += slices.length(i);
    }
    return all;
  }

  private static void scatter(byte[] all, byte[] to, Slices slices) {
    int at = 0;
    for (int i = 0; i < slices.count(); i++) {
      System.arraycopy(all, at, to, (int) slices.offset(i), slices.length(i));
      at += slices.length(i);
    }
  }

  @Test
  void shouldWriteAndReadPiecesThatBothSidesCutAsTheyLike() {
    Random random = new Random(20251126);
    CompletionLevel[] levels = {
      CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY
    };
    int ended = 0;
    for (boolean direct : new boolean[] {false, true}) {
      UnsafeBuffer target = direct ? fabric(BYTES) : buffer(BYTES);
      RemoteRegion region = there(openTo(target).descriptor());
      byte[] mirror = new byte[BYTES];
      for (int round = 0; round < 24; round++) {
        int longest = new int[] {9, 300, 5_000, 70_000}[round % 4];
        int bytes = round == 0 ? 0 : 1 + random.nextInt(Math.min(120_000, 1_000 * longest));
        Slices there = somewhere(random, bytes, longest);
        Slices here = somewhere(random, bytes, longest);
        UnsafeBuffer source = pattern(BYTES, round);
        byte[] before = bytes(source);
        SendOptions options = DELIVERED.at(levels[round % 3]);
        assertThat(
                memory.post(Access.writeSlices(region, there, source, here).with(options), round))
            .isEqualTo(Posted.POSTED);
        assertThat(lastSent(++ended))
            .isEqualTo(new Completion.Accessed(round, toFar, Direction.WRITE, bytes));
        source.setMemory(0, BYTES, (byte) 0); // it may be used again
        result(memory.futures().flush(toFar));
        scatter(gather(before, here), mirror, there);
        assertThat(Arrays.mismatch(content(target), mirror)).isEqualTo(-1);

        UnsafeBuffer into = buffer(BYTES);
        Slices back = somewhere(random, bytes, longest);
        assertThat(memory.post(Access.readSlices(region, there, into, back), "read"))
            .isEqualTo(Posted.POSTED);
        assertThat(lastSent(++ended))
            .isEqualTo(new Completion.Accessed("read", toFar, Direction.READ, bytes));
        byte[] wanted = new byte[BYTES];
        scatter(gather(mirror, there), wanted, back);
        assertThat(Arrays.mismatch(bytes(into), wanted)).isEqualTo(-1);
      }
    }
  }

  @Test
  void shouldTransposeAMatrixByStrides() {
    int rows = 40;
    int columns = 30;
    UnsafeBuffer matrix = buffer(8 * rows * columns);
    for (int i = 0; i < rows * columns; i++) {
      matrix.putLong(8 * i, i, ByteOrder.LITTLE_ENDIAN);
    }
    UnsafeBuffer target = buffer(8 * rows * columns);
    RemoteRegion region = there(openTo(target).descriptor());
    Slices byColumns =
        Slices.strided(0, 8, new int[] {columns, rows}, new long[] {8, 8L * columns});
    Slices inOneRow = Slices.one(0, 8 * rows * columns);
    result(memory.futures().start(Access.writeSlices(region, inOneRow, matrix, byColumns)));
    for (int column = 0; column < columns; column++) {
      for (int row = 0; row < rows; row++) {
        assertThat(target.getLong(8 * (column * rows + row), ByteOrder.LITTLE_ENDIAN))
            .isEqualTo((long) row * columns + column);
      }
    }
    // Back, every second from the last to the first.
    UnsafeBuffer back = buffer(8 * rows);
    Slices backwards =
        Slices.strided(8L * (2 * rows - 2), 8, new int[] {rows}, new long[] {-2 * 8});
    result(
        memory
            .futures()
            .start(Access.readSlices(region, backwards, back, Slices.one(0, 8 * rows))));
    for (int i = 0; i < rows; i++) {
      assertThat(back.getLong(8 * i)).isEqualTo(target.getLong(8 * (2 * rows - 2 - 2 * i)));
    }
  }

  @Test
  void shouldRefuseSlicesThatDoNotLieThere() {
    for (boolean direct : new boolean[] {false, true}) {
      UnsafeBuffer target = direct ? fabric(64) : buffer(64);
      Region region = openTo(target);
      RemoteRegion there = there(region.descriptor());
      Slices outside = Slices.indexed(8, 0, 57);
      UnsafeBuffer own = buffer(16);
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(
              () ->
                  memory
                      .futures()
                      .start(Access.writeSlices(there, outside, own, Slices.one(0, 16))))
          .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.ACCESS))
          .withMessageContaining("lengthBytes=65");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  memory
                      .futures()
                      .start(Access.writeSlices(there, outside, own, Slices.one(0, 15))))
          .withMessageContaining("bytes=16");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  memory
                      .futures()
                      .start(Access.readSlices(there, outside, own, Slices.indexed(8, 0, 9))));
      RemoteRegion lie = there(lying(region.descriptor()));
      FabricException e =
          failure(memory.futures().start(Access.writeSlices(lie, outside, own, Slices.one(0, 16))));
      assertThat(e.error()).isEqualTo(FabricError.ACCESS);
      e = failure(memory.futures().start(Access.readSlices(lie, outside, own, Slices.one(0, 16))));
      assertThat(e.error()).isEqualTo(FabricError.ACCESS);
      assertThat(e).hasMessageContaining("lengthBytes=64");
      assertThat(failure(memory.futures().start(Access.fill(lie, 60, 5, (byte) 1))).error())
          .isEqualTo(FabricError.ACCESS);
      Region readOnly = farDomain.register(target, Set.of(RegionRight.REMOTE_READ));
      RemoteRegion noWrite = there(lying(readOnly.descriptor()));
      Slices inside = Slices.indexed(8, 0, 16);
      assertThat(
              failure(
                      memory
                          .futures()
                          .start(Access.writeSlices(noWrite, inside, own, Slices.one(0, 16))))
                  .error())
          .isEqualTo(FabricError.ACCESS);
      assertThat(failure(memory.futures().start(Access.fill(noWrite, 0, 5, (byte) 1))).error())
          .isEqualTo(FabricError.ACCESS);
      result(region.close());
      assertThat(
              failure(
                      memory
                          .futures()
                          .start(Access.readSlices(there, inside, own, Slices.one(0, 16))))
                  .error())
          .isEqualTo(FabricError.NO_KEY);
      // The flow lives.
      result(memory.futures().readValue(there(readOnly.descriptor()), 0));
      assertThat(near.sent).isEmpty();
    }
  }

  @Test
  void shouldKeepTheOrderOfSlicesAndTellActors() {
    UnsafeBuffer target = buffer(10_000);
    RemoteRegion region = there(openTo(target).descriptor());
    Slices every = Slices.strided(0, 4, new int[] {1_000}, new long[] {10});
    UnsafeBuffer source = buffer(4_000);
    for (int round = 1; round <= 10; round++) {
      source.setMemory(0, 4_000, (byte) round);
      Slices all = Slices.one(0, 4_000);
      memory.post(
          Access.writeSlices(region, every, source, all).with(SendOptions.DEFAULT), "slices");
      memory.post(Access.fill(region, 5, 2, (byte) -round).with(SendOptions.DEFAULT), "fill");
      near.send(toFar, new byte[8], round);
      far.post(8, round);
      int count = round;
      until("a message has come", () -> far.received.size() >= count);
      assertThat(target.getByte(9_993)).isEqualTo((byte) round);
      assertThat(target.getByte(6)).isEqualTo((byte) -round);
    }
    List<Completion> told = new ArrayList<>();
    AccessListener replyTo = telling(told);
    CompletionLevel level = CompletionLevel.DELIVERY;
    Slices one = Slices.one(0, 4_000);
    UnsafeBuffer back = buffer(4_000);
    near.endpoint
        .ref()
        .tell(
            new Endpoint.AccessMemory(
                Access.writeSlices(region, every, source, one).level(level), "write", replyTo));
    near.endpoint
        .ref()
        .tell(
            new Endpoint.AccessMemory(
                Access.readSlices(region, every, back, one), "read", replyTo));
    near.endpoint
        .ref()
        .tell(
            new Endpoint.AccessMemory(
                Access.fill(region, 0, 10_000, (byte) 9).level(level), "fill", replyTo));
    until("all are told", () -> count(told) == 3);
    assertThat(told)
        .containsExactlyInAnyOrder(
            new Completion.Accessed("write", toFar, Direction.WRITE, 4_000),
            new Completion.Accessed("read", toFar, Direction.READ, 4_000),
            new Completion.Accessed("fill", toFar, Direction.WRITE, 10_000));
    assertThat(bytes(back)).isEqualTo(bytes(source));
    assertThat(target.getByte(9_999)).isEqualTo((byte) 9);
  }

  private static AccessListener telling(List<Completion> into) {
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

  private static int count(List<Completion> told) {
    synchronized (told) {
      return told.size();
    }
  }

  @Test
  void shouldFillAnyLength() {
    for (boolean direct : new boolean[] {false, true}) {
      UnsafeBuffer target = direct ? fabric(LONG) : buffer(LONG);
      RemoteRegion region = there(openTo(target).descriptor());
      result(memory.futures().start(Access.fill(region, 0, LONG, (byte) 7)));
      result(memory.futures().start(Access.fill(region, 100, 0, (byte) 8)));
      result(memory.futures().start(Access.fill(region, 1, LONG - 2, (byte) -9)));
      byte[] expected = new byte[LONG];
      Arrays.fill(expected, (byte) -9);
      expected[0] = 7;
      expected[LONG - 1] = 7;
      assertThat(Arrays.mismatch(content(target), expected)).isEqualTo(-1);
    }
  }

  @Test
  void shouldEndSlicesWhenTheRegionCloses() {
    UnsafeBuffer target = buffer(LONG);
    Region region = openTo(target);
    RemoteRegion there = there(region.descriptor());
    Slices every = Slices.strided(0, 5, new int[] {LONG / 10}, new long[] {10});
    Slices one = Slices.one(0, LONG / 10 * 5);
    UnsafeBuffer ones = buffer(LONG);
    ones.setMemory(0, LONG, (byte) 1);
    List<CompletionStage<?>> accesses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      accesses.add(memory.futures().start(Access.writeSlices(there, every, ones, one)));
      accesses.add(memory.futures().start(Access.readSlices(there, every, buffer(LONG), one)));
      accesses.add(memory.futures().start(Access.fill(there, 0, LONG, (byte) 2)));
    }
    until("bytes have come", () -> counters(region).writtenBytes() > 0);
    result(region.close(Duration.ZERO));
    target.setMemory(0, LONG, (byte) 0);
    for (CompletionStage<?> access : accesses) {
      until("an access has ended", () -> access.toCompletableFuture().isDone());
      if (access.toCompletableFuture().isCompletedExceptionally()) {
        assertThat(failure(access).error()).isEqualTo(FabricError.NO_KEY);
      }
    }
    assertThat(Arrays.mismatch(target.byteArray(), new byte[LONG])).isEqualTo(-1);
  }

  // ---- counters of accesses ----

  @Test
  void shouldCountAllThatPeersDoWithARegion() {
    Counter accesses = farDomain.openCounter();
    Counter signals = farDomain.openCounter();
    RegionOptions counting = RegionOptions.DEFAULT.counting(signals).countingAll(accesses);
    Region region = farDomain.register(fabric(BYTES), RegionRight.all(), counting);
    assertThat(region.reach()).isEqualTo(RegionReach.LOOP);
    RemoteRegion there = there(region.descriptor());
    MemoryFutures futures = memory.futures();
    result(futures.write(there, 0, buffer(100_000)));
    result(futures.read(there, 0, buffer(100_000)));
    result(futures.readValue(there, 0));
    result(futures.fetch(there, 0, AtomicOp.SUM, 1));
    result(futures.start(Access.write(there, 0, buffer(8)).signal()));
    result(futures.start(Access.fill(there, 0, 9, (byte) 1)));
    Slices two = Slices.indexed(8, 0, 64);
    result(futures.start(Access.writeSlices(there, two, buffer(16), Slices.one(0, 16))));
    result(futures.start(Access.readSlices(there, two, buffer(16), Slices.one(0, 16))));
    failure(futures.readValue(there(lying(region.descriptor())), BYTES));
    until("all are counted", () -> accesses.value() >= 8);
    assertThat(accesses.value()).isEqualTo(8);
    assertThat(signals.value()).isEqualTo(1);
    result(region.close());
    failure(futures.readValue(there, 0));
    assertThat(accesses.value()).isEqualTo(8);
  }

  // ---- access regions ----

  @Test
  void shouldEndManyAccessesAsOneThatTakeOneSlot() {
    Side asking = new Side(nearDomain, "one-slot", 1, nearDomain.endpointDefaults());
    for (boolean direct : new boolean[] {false, true}) {
      UnsafeBuffer target = direct ? fabric(8_016) : buffer(8_016);
      RemoteRegion region = new RemoteRegion(asking.indexOf(far), openTo(target).descriptor());
      AccessRegion all = asking.endpoint.openAccessRegion();
      UnsafeBuffer value = buffer(8_000);
      UnsafeBuffer old = buffer(8);
      for (int i = 0; i < 1_000; i++) {
        value.putLong(8 * i, i, ByteOrder.LITTLE_ENDIAN);
        assertThat(all.write(region, 8L * i, value, 8 * i, 8, DELIVERED, null))
            .isEqualTo(Posted.POSTED);
        assertThat(
                all.update(
                    region, 8_000, AtomicOp.SUM, AtomicKind.INT64, longs(2), 0, 1, DELIVERED, null))
            .isEqualTo(Posted.POSTED);
      }
      all.fetch(region, 8_000, AtomicOp.SUM, AtomicKind.INT64, longs(1), 0, 1, old, 0, null);
      all.post(Access.fill(region, 8_008, 8, (byte) 3).with(DELIVERED), null);
      assertThat(all.end("all")).isEqualTo(Posted.POSTED);
      until("the region has ended", () -> asking.poll() > 0);
      assertThat(asking.sent)
          .containsExactly(new Completion.Accessed("all", -1, Direction.WRITE, 0));
      asking.sent.clear();
      assertThat(all.underWay()).isZero();
      for (int i = 0; i < 1_000; i++) {
        assertThat(target.getLong(8 * i, ByteOrder.LITTLE_ENDIAN)).isEqualTo(i);
      }
      assertThat(target.getLong(8_000, ByteOrder.LITTLE_ENDIAN)).isEqualTo(2_001);
      assertThat(old.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(2_000);
      assertThat(target.getByte(8_015)).isEqualTo((byte) 3);
      assertThatIllegalStateException().isThrownBy(() -> all.end("again"));
      assertThatIllegalStateException()
          .isThrownBy(() -> all.post(Access.fill(region, 0, 8, (byte) 1).with(DELIVERED), null));
    }
    AccessRegion none = asking.endpoint.openAccessRegion();
    result(none.end());
  }

  @Test
  void shouldTellTheFirstFailureOfAnAccessRegionAndHowManyThereWere() {
    UnsafeBuffer target = buffer(64);
    RegionDescriptor region = openTo(target).descriptor();
    AccessRegion all = near.endpoint.openAccessRegion();
    for (int i = 0; i < 10; i++) {
      all.write(there(region), 0, longs(5), 0, 8, DELIVERED, null);
      all.write(there(wrongKey(region)), 16, longs(5), 0, 8, DELIVERED, null);
    }
    all.read(there(lying(region)), 100, buffer(8), 0, 8, null);
    FabricException e = failure(all.end());
    assertThat(e.error()).isEqualTo(FabricError.NO_KEY);
    assertThat(e).hasMessageContaining("failedAccesses=11").hasMessageContaining("offset=16");
    assertThat(target.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(5);
    assertThat(near.sent).isEmpty();
  }

  @Test
  void shouldHaveMostUnderWayInAnAccessRegion() {
    Side asking = new Side(nearDomain, "most", 1, nearDomain.endpointDefaults());
    UnsafeBuffer target = buffer(8);
    RemoteRegion region = new RemoteRegion(asking.indexOf(far), openTo(target).descriptor());
    AccessRegion all = asking.endpoint.openAccessRegion();
    UnsafeBuffer one = longs(1);
    int many = outstanding() == AccessRegion.MOST ? AccessRegion.MOST + 500 : outstanding();
    for (int i = 0; i < many; i++) {
      until(
          "one more is accepted",
          () -> {
            boolean posted =
                all.update(region, 0, AtomicOp.SUM, AtomicKind.INT64, one, 0, 1, DELIVERED, null)
                    == Posted.POSTED;
            return posted || asking.poll() < 0;
          });
      assertThat(all.underWay()).isLessThanOrEqualTo(AccessRegion.MOST);
    }
    result(all.end());
    assertThat(target.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(many);
  }

  @Test
  void shouldEndAnAccessRegionWhenAnEndpointCloses() {
    UnsafeBuffer target = buffer(LONG);
    RemoteRegion region = there(openTo(target).descriptor());
    AccessRegion all = near.endpoint.openAccessRegion();
    for (int i = 0; i < 20; i++) {
      all.write(region, 0, buffer(LONG), 0, LONG, DELIVERED, null);
    }
    CompletionStage<?> end = all.end();
    result(near.endpoint.close(Duration.ZERO));
    until("the region has ended", () -> end.toCompletableFuture().isDone());
    assertThat(failure(end).error()).isEqualTo(FabricError.CANCELED);
    AccessRegion late = far.endpoint.openAccessRegion();
    result(far.endpoint.close(Duration.ZERO));
    result(late.end());
    assertThatIllegalStateException().isThrownBy(() -> far.endpoint.openAccessRegion());
  }

  /** Accesses under way at a time; where they take long, fewer. */
  int outstanding() {
    return 5_000;
  }
}
