package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tagfabric.access.Access;
import io.tagfabric.access.AccessRegion;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.MemoryOperations;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.access.RemoteSegments;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.FabricSegments;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.SegmentsDescriptor;
import io.tagfabric.memory.Slices;
import io.tagfabric.progress.ProgressMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What accesses owe that are accepted only if they can leave now, over every provider. */
abstract class ImmediateRegionTests extends SegmentedRegionTests {
  private static final int BYTES = 256;
  private static final int CREDITS = 2;
  private static final int UNTAKEN = 77;

  /** Level DELIVERY: a write has ended when it is placed. */
  private static final SendOptions NOW = DELIVERED.now();

  private static final Slices PIECES = Slices.indexed(8, 0, 64);

  /** A call that wants to write, or only to read. */
  private record Call<T>(String name, boolean writes, Function<T, Posted> call) {}

  private record Future(
      String name, boolean writes, Function<MemoryFutures, CompletionStage<?>> call) {}

  ImmediateRegionTests(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  /** One that gives few credits, and whose messages nobody receives. */
  private Side strict() {
    EndpointSettings settings = farDomain.endpointDefaults();
    return new Side(
        farDomain,
        "strict" + NUMBER.incrementAndGet(),
        Side.QUEUE_SIZE,
        settings.withFlow(settings.flow().withCredit(settings.flow().eagerCreditBytes(), CREDITS)));
  }

  /** All that can be asked with options. */
  private static List<Call<MemoryOperations>> calls(RemoteRegion at) {
    UnsafeBuffer bytes = pattern(BYTES, 9);
    UnsafeBuffer back = buffer(BYTES);
    UnsafeBuffer one = longs(1);
    AtomicKind kind = AtomicKind.INT64;
    return List.of(
        new Call<>("write", true, to -> to.write(at, 0, bytes, 0, 8, NOW, "a")),
        new Call<>("writeValue", true, to -> to.writeValue(at, 8, 1, NOW, "a")),
        new Call<>(
            "writeData",
            true,
            to -> to.post(Access.write(at, 0, bytes, 0, 8).data(5).with(NOW), "a")),
        new Call<>(
            "writeSignal",
            true,
            to -> to.post(Access.write(at, 0, bytes, 0, 8).signal().with(NOW), "a")),
        new Call<>(
            "writeSlices",
            true,
            to -> to.post(Access.writeSlices(at, PIECES, bytes, PIECES).with(NOW), "a")),
        new Call<>("fill", true, to -> to.post(Access.fill(at, 0, 16, (byte) 3).with(NOW), "a")),
        new Call<>("read", false, to -> to.post(Access.read(at, 0, back, 0, 8).with(NOW), "a")),
        new Call<>(
            "readSlices",
            false,
            to -> to.post(Access.readSlices(at, PIECES, back, PIECES).with(NOW), "a")),
        new Call<>("update", true, to -> to.update(at, 0, AtomicOp.SUM, kind, one, 0, 1, NOW, "a")),
        new Call<>(
            "fetch",
            true,
            to ->
                to.post(
                    Access.fetch(at, 0, AtomicOp.SUM, kind, one, 0, 1, back, 0).with(NOW), "a")),
        new Call<>(
            "compare",
            true,
            to ->
                to.post(
                    Access.compare(at, 0, AtomicOp.CSWAP, kind, one, one, longs(0)).with(NOW),
                    "a")));
  }

  private static List<Future> futures(RemoteRegion at) {
    UnsafeBuffer bytes = pattern(BYTES, 9);
    UnsafeBuffer eight = longs(4);
    UnsafeBuffer back = buffer(BYTES);
    UnsafeBuffer old = longs(0);
    AtomicKind kind = AtomicKind.INT64;
    return List.of(
        new Future("write", true, to -> to.write(at, 0, bytes)),
        new Future("writeData", true, to -> to.start(Access.write(at, 0, eight).data(5))),
        new Future("writeSignal", true, to -> to.start(Access.write(at, 0, eight).signal())),
        new Future("writeValue", true, to -> to.writeValue(at, 0, 1)),
        new Future(
            "writeSlices", true, to -> to.start(Access.writeSlices(at, PIECES, bytes, PIECES))),
        new Future("fill", true, to -> to.start(Access.fill(at, 0, 16, (byte) 3))),
        new Future("read", false, to -> to.read(at, 0, back)),
        new Future("readValue", false, to -> to.readValue(at, 0)),
        new Future(
            "readSlices", false, to -> to.start(Access.readSlices(at, PIECES, back, PIECES))),
        new Future("update", true, to -> to.start(Access.update(at, 0, AtomicOp.SUM, kind, eight))),
        new Future(
            "fetch", true, to -> to.start(Access.fetch(at, 0, AtomicOp.SUM, kind, eight, old))),
        new Future("fetch one", true, to -> to.fetch(at, 0, AtomicOp.SUM, 1)),
        new Future(
            "compare",
            true,
            to -> to.start(Access.compare(at, 0, AtomicOp.CSWAP, kind, eight, eight, old))),
        new Future("compareAndSwap", true, to -> to.compareAndSwap(at, 0, 0, 1)));
  }

  /** Sends messages that nobody takes until no credit is left. */
  private void spendCredit(Side target, int peer) {
    int[] taken = {0};
    until(
        "as many messages were accepted as there is credit",
        () -> {
          target.poll();
          taken[0] += send(peer) == Posted.POSTED ? 1 : 0;
          return taken[0] == CREDITS;
        });
  }

  private Posted send(int peer) {
    return near.endpoint.post(
        TaggedSend.of(peer, buffer(8), 0, 8, UNTAKEN).with(SendOptions.DEFAULT.now()), "m");
  }

  private void giveCredit(Side target) {
    for (int i = 0; i < CREDITS; i++) {
      target.post(8, UNTAKEN);
    }
    until("the messages are taken", () -> target.poll() >= 0 && target.received.size() >= CREDITS);
  }

  @Test
  void shouldAcceptAccessesOfARegionNowOrNotAtAll() {
    Side target = strict();
    byte[] place = new byte[BYTES];
    RemoteRegion at =
        new RemoteRegion(
            near.indexOf(target),
            farDomain.register(new UnsafeBuffer(place), RegionRight.all()).descriptor());
    result(memory.futures().writeValue(at, 0, 0)); // the flow is open
    spendCredit(target, at.peer());
    AccessRegion region = near.endpoint.openAccessRegion();
    for (Call<MemoryOperations> each : calls(at)) {
      for (int i = 0; i < 20; i++) {
        assertThat(each.call.apply(region)).as(each.name).isEqualTo(Posted.TRY_AGAIN);
        assertThat(each.call.apply(memory)).as(each.name).isEqualTo(Posted.TRY_AGAIN);
        near.poll();
        target.poll();
      }
    }
    assertThat(region.underWay()).isZero();
    assertThat(place).containsOnly(0);

    giveCredit(target);
    for (Call<MemoryOperations> each : calls(at)) {
      Arrays.fill(place, (byte) 0);
      until(
          each.name + " is accepted",
          () -> target.poll() >= 0 && each.call.apply(region) == Posted.POSTED);
      until(each.name + " has ended", () -> target.poll() >= 0 && region.underWay() == 0);
      assertThat(place[0] != 0 || place[8] != 0).as(each.name).isEqualTo(changes(each));
    }
    assertThat(result(region.end())).isInstanceOf(Completion.Accessed.class);
  }

  /** Whether it changes one of the first words, which are 0. */
  private static boolean changes(Call<?> each) {
    return each.writes && !each.name.equals("compare");
  }

  @Test
  void shouldEndARegionWhoseCallsWereNotAccepted() {
    Side target = strict();
    byte[] place = new byte[BYTES];
    RemoteRegion at =
        new RemoteRegion(
            near.indexOf(target),
            farDomain.register(new UnsafeBuffer(place), RegionRight.all()).descriptor());
    result(memory.futures().writeValue(at, 0, 0));
    spendCredit(target, at.peer());
    AccessRegion region = near.endpoint.openAccessRegion();
    for (int i = 0; i < 100; i++) {
      assertThat(region.writeValue(at, 0, 1, NOW, null)).isEqualTo(Posted.TRY_AGAIN);
    }

    assertThat(result(region.end())).isInstanceOf(Completion.Accessed.class);

    giveCredit(target);
    result(memory.futures().flush(at.peer()));
    assertThat(place).containsOnly(0);
  }

  @Test
  void shouldFailFuturesAtOnceThatCannotLeaveNow() {
    Side target = strict();
    byte[] place = new byte[BYTES];
    RemoteRegion at =
        new RemoteRegion(
            near.indexOf(target),
            farDomain.register(new UnsafeBuffer(place), RegionRight.all()).descriptor());
    result(memory.futures().writeValue(at, 0, 0));
    spendCredit(target, at.peer());
    MemoryFutures now = memory.futures().now();
    int most = near.endpoint.settings().maxPendingFutures();
    for (Future each : futures(at)) {
      for (int i = 0; i < most / 100; i++) { // each gives its place back
        CompletableFuture<?> future = each.call.apply(now).toCompletableFuture();
        assertThat(future).as(each.name).isCompletedExceptionally();
        FabricException failure = failure(future);
        assertThat(failure.error()).as(each.name).isEqualTo(FabricError.AGAIN);
        assertThat(failure).hasMessageContaining("peer=" + at.peer());
      }
    }
    CompletableFuture<?> flush = now.flush(at.peer()).toCompletableFuture();
    assertThat(place).containsOnly(0);

    giveCredit(target);
    until("a flush is as ever", () -> target.poll() >= 0 && flush.isDone());
    assertThat(flush).isCompleted();
    assertThat(place).containsOnly(0);
    for (Future each : futures(at)) {
      List<CompletionStage<?>> accepted = new ArrayList<>();
      until(
          each.name + " is accepted",
          () -> {
            target.poll();
            CompletableFuture<?> future = each.call.apply(now).toCompletableFuture();
            accepted.add(future);
            return !future.isCompletedExceptionally();
          });
      result(accepted.get(accepted.size() - 1));
    }
  }

  @Test
  void shouldRefuseNowWhatLiesInSeveralSegments() {
    try (FabricSegments segments = farDomain.allocateSegments(2_000, 1_000)) {
      SegmentsDescriptor descriptor =
          farDomain.register(segments, RegionRight.all(), RegionOptions.DEFAULT).descriptor();
      RemoteSegments at = new RemoteSegments(toFar, descriptor);
      MemoryFutures now = memory.futures().now();
      result(memory.futures().ofSegments().fill(at, 0, 8, (byte) 0)); // the flow is open
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> now.ofSegments().write(at, 993, pattern(8, 1)))
          .withMessageContaining("several segments")
          .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED));
      List<CompletionStage<?>> accepted = new ArrayList<>();
      until(
          "one that lies in one segment is accepted",
          () -> {
            CompletableFuture<?> future =
                now.ofSegments().write(at, 992, pattern(8, 1)).toCompletableFuture();
            accepted.add(future);
            return !future.isCompletedExceptionally();
          });
      result(accepted.get(accepted.size() - 1));
      byte[] found = new byte[8];
      segments.bufferAt(992).getBytes(segments.indexIn(992), found);
      assertThat(found).isEqualTo(Side.pattern(8, 1));
    }
  }
}
