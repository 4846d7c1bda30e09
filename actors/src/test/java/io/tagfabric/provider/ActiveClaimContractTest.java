package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.active.ActiveReplyClaim;
import io.tagfabric.active.ActiveRequestClaim;
import io.tagfabric.active.ReceivedRequest;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What active messages owe whose payload is written in place, or into the asker's region. */
abstract class ActiveClaimContractTest extends ActivePair {
  private static final int STEPS = 400;
  private static final int MOST_OPEN = 4;

  ActiveClaimContractTest(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  /** A claim in a packet of this flow, which must have been set up. */
  private ActiveRequestClaim claimNow(int argumentCount, int bytes) {
    ActiveRequestClaim[] claim = new ActiveRequestClaim[1];
    awaitThat(
        () -> (claim[0] = asking.tryPrepare(toFar, argumentCount, bytes, bytes)) != null,
        "credit and room for a claim");
    return claim[0];
  }

  private static void fill(ActiveRequestClaim claim, byte[] bytes) {
    claim.buffer().putBytes(0, bytes);
  }

  private CompletionStage<ActiveReply> askInPlace(byte[] picture) {
    // #claim
    try (ActiveRequestClaim claim = asking.prepare(toFar, 1, picture.length, picture.length)) {
      claim.buffer().putBytes(0, picture);
      return claim.commit(HANDLER, picture.length, 42);
    }
    // #claim
  }

  @Test
  void shouldSendFromWithinTheTryOfAClaim() {
    asked.register(HANDLER, ECHO);

    ActiveReply reply = result(askInPlace(Side.pattern(99, 3)));

    assertThat(arguments(reply)).containsExactly(42);
    assertThat(reply.payload()).isEqualTo(Side.pattern(99, 3));
  }

  @Test
  void shouldBringWhatWasWrittenInPlace() {
    asked.register(HANDLER, ECHO);
    for (int count = 0; count <= asking.maxArguments(); count += 4) {
      int[] arguments = new int[count];
      Arrays.setAll(arguments, i -> 1000 - i);
      for (int length : new int[] {0, 1, 7, 64, 300, 4_000, asking.maxMedium()}) {
        byte[] bytes = Side.pattern(length, count);
        try (ActiveRequestClaim claim = asking.prepare(toFar, count, length, length)) {
          assertThat(claim.capacity()).isEqualTo(length);
          assertThat(claim.argumentCount()).isEqualTo(count);
          fill(claim, bytes);

          ActiveReply reply = result(claim.commit(HANDLER, length, arguments));

          assertThat(arguments(reply)).isEqualTo(arguments);
          assertThat(reply.payload()).isEqualTo(bytes);
        }
      }
    }
  }

  @Test
  void shouldSendNoMoreThanIsCommitted() {
    asked.register(HANDLER, ECHO);
    try (ActiveRequestClaim claim = asking.prepare(toFar, 1, 0, 1 << 20)) {
      assertThat(claim.capacity()).isBetween(1, asking.maxMedium());
      fill(claim, Side.pattern(claim.capacity(), 4));

      assertThat(result(claim.commit(HANDLER, 5, 9)).payload()).isEqualTo(Side.pattern(5, 4));
    }
    UnsafeBuffer own = new UnsafeBuffer(Side.pattern(70_000, 5));
    int length = asking.maxMedium();
    ActiveRequestClaim claim = asking.prepare(toFar, 0, own, 100, length);
    assertThat(claim.isInPacket()).isFalse();
    byte[] wanted = Arrays.copyOfRange(own.byteArray(), 100, 100 + length);
    assertThat(result(claim.commit(HANDLER, length)).payload()).isEqualTo(wanted);
    assertThat(own.byteArray()).isEqualTo(Side.pattern(70_000, 5));
  }

  @Test
  void shouldRefuseCommitsThatCannotBe() {
    asked.register(HANDLER, ECHO);
    ActiveRequestClaim claim = asking.prepare(toFar, 2, 10, 10);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> claim.commit(HANDLER, 11, 1, 2))
        .withMessageContaining("lengthBytes=11");
    assertThatIllegalArgumentException().isThrownBy(() -> claim.commit(HANDLER, -1, 1, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> claim.commit(HANDLER, 5, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> claim.commit(0, 5, 1, 2));
    assertThat(claim.isOpen()).isTrue();
    fill(claim, Side.pattern(10, 1));
    assertThat(result(claim.commit(HANDLER, 10, 1, 2)).payload()).isEqualTo(Side.pattern(10, 1));

    assertThat(claim.isOpen()).isFalse();
    assertThat(claim.buffer().capacity()).isZero();
    assertThatIllegalStateException().isThrownBy(() -> claim.commit(HANDLER, 1, 1, 2));
    claim.close();
    assertThatIllegalArgumentException().isThrownBy(() -> asking.prepare(toFar, 17, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> asking.prepare(toFar, 0, 2, 1));
    int beyond = asking.maxMedium() + 1;
    assertThatIllegalArgumentException().isThrownBy(() -> asking.prepare(toFar, 0, beyond, beyond));
    UnsafeBuffer small = new UnsafeBuffer(new byte[8]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> asking.prepare(toFar, 0, new UnsafeBuffer(new byte[beyond]), 0, beyond));
    assertThat(asking.prepare(toFar, 0, small, 0, 8).capacity()).isEqualTo(8);
  }

  @Test
  void shouldGiveCreditBackWhenAClaimIsAbandoned() {
    openWithOneCredit();
    asked.register(HANDLER, ECHO);
    result(asking.request(toFar, HANDLER));
    for (int i = 0; i < 20; i++) {
      ActiveRequestClaim abandoned = claimNow(0, 2_000);
      assertThat(abandoned.isInPacket()).isTrue();
      assertThat(asking.tryPrepare(toFar, 0, 1, 1)).as("the only credit is claimed").isNull();
      CompletionStage<ActiveReply> waits = asking.request(toFar, HANDLER, i);
      near.poll();
      far.poll();
      assertThat(waits.toCompletableFuture()).isNotDone();

      abandoned.close();

      assertThat(arguments(result(waits))).containsExactly(i);
    }
  }

  @Test
  void shouldLetARequestGoFirstThatWasMadeBeforeTheCommit() {
    openWithOneCredit();
    Queue<Integer> seen = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> seen.add(call.argument(0)));
    result(asking.request(toFar, HANDLER, 0));
    ActiveRequestClaim claim = claimNow(1, 100);
    CompletionStage<ActiveReply> first = asking.request(toFar, HANDLER, 1);
    CompletionStage<ActiveReply> second = claim.commit(HANDLER, 100, 2);
    CompletionStage<ActiveReply> third = asking.request(toFar, HANDLER, 3);

    List.of(first, second, third).forEach(this::result);

    assertThat(seen).containsExactly(0, 1, 2, 3);
  }

  @Test
  void shouldFailTheCommitWhenThePeerIsLost() {
    asked.register(HANDLER, ECHO);
    result(asking.request(toFar, HANDLER));
    ActiveRequestClaim lost = claimNow(0, 3_000);
    ActiveRequestClaim abandoned = claimNow(0, 3_000);
    await(far.endpoint.close(Duration.ZERO).toCompletableFuture());
    assertThat(failure(asking.request(toFar, HANDLER)).error())
        .isIn(FabricError.SHUTDOWN, FabricError.CONNECTION_RESET, FabricError.CANCELED);

    fill(lost, new byte[3_000]);
    FabricException failure = failure(lost.commit(HANDLER, 3_000));
    abandoned.close();

    assertThat(failure.error())
        .isIn(FabricError.SHUTDOWN, FabricError.CONNECTION_RESET, FabricError.CANCELED);
    assertThat(failure.mayHaveArrived()).isFalse();
  }

  @Test
  void shouldDoWithClaimsWhatANaiveModelDoes() {
    for (int credits : new int[] {1, 2, 64}) {
      near = with(systems.near(), "nearm" + credits, credits, credits, 0);
      far = with(systems.far(), "farm" + credits, credits, credits, 0);
      asking = near.endpoint.active();
      asked = far.endpoint.active();
      toFar = near.indexOf(far);
      agree(new SplittableRandom(credits));
    }
  }

  /** Random claims: what comes is what was committed, in that order. */
  private void agree(SplittableRandom random) {
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    asked.register(
        HANDLER, call -> seen.add(call.argument(0) + ":" + Arrays.hashCode(call.payload())));
    List<String> wanted = new ArrayList<>();
    List<ActiveRequestClaim> open = new ArrayList<>();
    List<CompletionStage<ActiveReply>> ends = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      int length = random.nextInt(10) == 0 ? random.nextInt(40_000) : random.nextInt(400);
      switch (random.nextInt(open.size() < MOST_OPEN ? 6 : 4)) {
        case 0 -> {
          byte[] bytes = Side.pattern(length, i);
          ends.add(asking.request(toFar, HANDLER, new int[] {i}, bytes));
          wanted.add(i + ":" + Arrays.hashCode(bytes));
        }
        case 1, 2 -> {
          if (!open.isEmpty()) {
            ActiveRequestClaim claim = open.remove(random.nextInt(open.size()));
            byte[] bytes = Side.pattern(random.nextInt(claim.capacity() + 1), i);
            fill(claim, bytes);
            ends.add(
                random.nextBoolean()
                    ? claim.commit(HANDLER, bytes.length, i)
                    : claim.commitTell(HANDLER, bytes.length, i));
            wanted.add(i + ":" + Arrays.hashCode(bytes));
          }
        }
        case 3 -> {
          if (!open.isEmpty() && random.nextInt(3) == 0) {
            open.remove(random.nextInt(open.size())).close();
          }
          near.poll();
          far.poll();
        }
        case 4 -> open.add(asking.prepare(toFar, 1, random.nextInt(length + 1), length));
        default -> {
          ActiveRequestClaim claim = asking.tryPrepare(toFar, 1, 0, length);
          if (claim != null) {
            open.add(claim);
          }
        }
      }
    }
    open.forEach(ActiveRequestClaim::close);
    ends.forEach(this::result);
    result(asking.request(toFar, HANDLER, new int[] {-1}, new byte[0]));
    wanted.add("-1:" + Arrays.hashCode(new byte[0]));
    assertThat(seen).containsExactlyElementsOf(wanted);
  }

  @Test
  void shouldReplyInPlace() {
    AtomicInteger freed = new AtomicInteger();
    UnsafeBuffer own = new UnsafeBuffer(Side.pattern(asked.maxMedium(), 8));
    asked.register(
        HANDLER,
        call -> {
          int length = call.argument(0);
          try (ActiveReplyClaim given = call.prepareReply(0, 0, length)) {
            assertThat(given.isOpen()).isTrue(); // and it is given up
          }
          ActiveReplyClaim claim =
              call.argument(1) == 0
                  ? call.prepareReply(1, length, length)
                  : call.prepareReply(1, own, 0, length, freed::incrementAndGet);
          if (call.argument(1) == 0) {
            claim.buffer().putBytes(0, Side.pattern(length, 8));
          }
          claim.commit(length, length);
        });
    int mine = 0;
    for (int length : new int[] {0, 1, 250, 300, 6_000, asked.maxMedium()}) {
      for (int way = 0; way < 2; way++) {
        ActiveReply reply = result(asking.request(toFar, HANDLER, length, way));

        assertThat(arguments(reply)).containsExactly(length);
        assertThat(reply.payload()).isEqualTo(Arrays.copyOf(own.byteArray(), length));
        mine += way;
        assertThat(freed).hasValue(mine);
      }
    }
  }

  @Test
  void shouldDropAReplyInPlaceWhenTheHandlerThrowsOrForgetsIt() {
    AtomicInteger freed = new AtomicInteger();
    UnsafeBuffer own = new UnsafeBuffer(new byte[64]);
    List<ActiveReplyClaim> kept = new ArrayList<>();
    asked.register(
        HANDLER,
        call -> {
          ActiveReplyClaim claim = call.prepareReply(0, own, 0, 64, freed::incrementAndGet);
          kept.add(claim);
          if (call.argument(0) == 1) {
            claim.commit(64);
            throw new UnsupportedOperationException("after the commit");
          }
          if (call.argument(0) == 2) {
            call.prepareReply(0, 1, 1);
          }
        });

    assertThat(result(asking.request(toFar, HANDLER, 0)).payload()).isEmpty();
    assertThat(failure(asking.request(toFar, HANDLER, 1))).hasMessageContaining("after the commit");
    assertThat(failure(asking.request(toFar, HANDLER, 2))).hasMessageContaining("is open");
    result(asking.tell(toFar, HANDLER, new int[] {0}, new byte[0]));
    awaitThat(() -> freed.get() == 4, "each buffer is free again");
    assertThat(kept).hasSize(4).noneMatch(ActiveReplyClaim::isOpen);
    assertThatIllegalStateException().isThrownBy(() -> kept.get(0).commit(1));
  }

  private ReceivedRequest keptOf(Queue<ReceivedRequest> kept) {
    awaitThat(() -> !kept.isEmpty(), "the request has come");
    return kept.remove();
  }

  @Test
  void shouldReplyInPlaceAfterTheCall() {
    AtomicInteger freed = new AtomicInteger();
    UnsafeBuffer own = new UnsafeBuffer(Side.pattern(asked.maxMedium(), 8));
    Queue<ReceivedRequest> kept = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> kept.add(call.keep()));
    int inPackets = 0;
    int mine = 0;
    for (int length : new int[] {0, 1, 250, 300, 6_000, asked.maxMedium()}) {
      for (int way = 0; way < 2; way++) {
        CompletionStage<ActiveReply> asks = asking.request(toFar, HANDLER, length);
        ReceivedRequest request = keptOf(kept);
        try (ActiveReplyClaim given = request.prepareReply(0, 0, length)) {
          assertThat(given.isOpen()).isTrue(); // and it is given up
          inPackets += given.isInPacket() ? 1 : 0;
        }
        ActiveReplyClaim claim =
            way == 0
                ? request.prepareReply(1, length, length)
                : request.prepareReply(1, own, 0, length, freed::incrementAndGet);
        if (way == 0) {
          claim.buffer().putBytes(0, Side.pattern(length, 8));
        } else {
          assertThat(claim.isInPacket()).isFalse();
        }

        assertThat(claim.commit(length, length)).isTrue();

        ActiveReply reply = result(asks);
        assertThat(arguments(reply)).containsExactly(length);
        assertThat(reply.payload()).isEqualTo(Arrays.copyOf(own.byteArray(), length));
        mine += way;
        awaitThatIs(freed, mine);
        assertThatIllegalStateException().isThrownBy(() -> request.prepareReply(0, 0, 1));
      }
    }
    if (mode == ProgressMode.MANUAL) {
      assertThat(inPackets).as("nobody else has the loop").isPositive();
    }
  }

  private void awaitThatIs(AtomicInteger count, int wanted) {
    awaitThat(() -> count.get() >= wanted, "each buffer is free again");
    assertThat(count).hasValue(wanted);
  }

  @Test
  void shouldLetAnActorReplyInPlace() {
    ActorRef<ReceivedRequest> actor =
        systems
            .far()
            .systemActorOf(
                Behaviors.receiveMessage(
                    (ReceivedRequest request) -> {
                      byte[] bytes = request.payload();
                      try (ActiveReplyClaim claim =
                          request.prepareReply(1, bytes.length, bytes.length)) {
                        claim.buffer().putBytes(0, bytes);
                        claim.commit(bytes.length, request.argument(0) + 1);
                      }
                      return Behaviors.same();
                    }),
                "claiming" + NUMBER.incrementAndGet(),
                Props.empty());
    int index = asked.register(0, actor);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = Side.pattern(40 * i, i);
      ActiveReply reply = result(asking.request(toFar, index, new int[] {i}, bytes));
      assertThat(arguments(reply)).containsExactly(i + 1);
      assertThat(reply.payload()).isEqualTo(bytes);
    }
  }

  @Test
  void shouldSayThatAReplyInPlaceIsTooLate() {
    AtomicInteger freed = new AtomicInteger();
    UnsafeBuffer own = new UnsafeBuffer(new byte[64]);
    Queue<ReceivedRequest> kept = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> kept.add(call.keep()));
    CompletionStage<ActiveReply> asks = asking.request(toFar, HANDLER);
    ReceivedRequest request = keptOf(kept);
    ActiveReplyClaim inPlace = request.prepareReply(0, 64, 64);
    ActiveReplyClaim mine = request.prepareReply(0, own, 0, 64, freed::incrementAndGet);
    ActiveReplyClaim second = request.prepareReply(0, own, 0, 64, freed::incrementAndGet);
    assertThatIllegalArgumentException().isThrownBy(() -> request.prepareReply(17, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> request.prepareReply(0, 2, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.prepareReply(0, own, 1, 64, () -> {}));
    assertThatIllegalArgumentException().isThrownBy(() -> inPlace.commit(65));
    assertThat(inPlace.isOpen()).isTrue();

    await(near.endpoint.close(Duration.ZERO).toCompletableFuture());
    failure(asked.request(fromNear, HANDLER)); // until it is known there that the sender is gone

    assertThat(request.prepareReply(0, 1, 1).commit(1)).isFalse();
    assertThat(inPlace.commit(64)).isFalse();
    assertThat(mine.commit(64)).isFalse();
    second.close();
    second.close();
    awaitThatIs(freed, 2);
    assertThat(asks.toCompletableFuture()).isCompletedExceptionally();
  }

  @Test
  void shouldReplyInPlaceOnce() {
    AtomicInteger freed = new AtomicInteger();
    UnsafeBuffer own = new UnsafeBuffer(new byte[64]);
    Queue<ReceivedRequest> kept = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> kept.add(call.keep()));
    CompletionStage<ActiveReply> asks = asking.request(toFar, HANDLER);
    ReceivedRequest request = keptOf(kept);
    ActiveReplyClaim first = request.prepareReply(0, 1, 64);
    ActiveReplyClaim second = request.prepareReply(0, own, 0, 64, freed::incrementAndGet);
    assertThat(first.commit(1)).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> second.commit(64));
    assertThat(second.isOpen()).isTrue();
    second.close();
    awaitThatIs(freed, 1);
    assertThat(result(asks).payload()).hasSize(1);
    // One that wants no reply takes one, which goes nowhere.
    result(asking.tell(toFar, HANDLER, new int[0], new byte[0]));
    ReceivedRequest told = keptOf(kept);
    assertThat(told.prepareReply(0, own, 0, 64, freed::incrementAndGet).commit(64)).isTrue();
    awaitThatIs(freed, 2);
  }

  @Test
  void shouldHaveTheBytesOfALongReplyInPlaceWhenItComes() {
    byte[] place = new byte[300_000];
    Region region =
        domains.get(0).register(new UnsafeBuffer(place), EnumSet.allOf(RegionRight.class));
    RegionDescriptor to = region.descriptor();
    Queue<CompletionStage<Boolean>> written = new ConcurrentLinkedQueue<>();
    asked.register(
        HANDLER,
        call -> {
          int length = call.argument(0);
          UnsafeBuffer from = new UnsafeBuffer(Side.pattern(length, length));
          int[] replied = {length, 77};
          written.add(call.replyLong(to, call.argument(1), replied, from, 0, length));
        });
    for (int length : new int[] {0, 1, 5_000, 200_000}) {
      ActiveReply reply = result(asking.request(toFar, HANDLER, length, 77));

      assertThat(arguments(reply)).containsExactly(length, 77);
      assertThat(Arrays.copyOfRange(place, 77, 77 + length))
          .isEqualTo(Side.pattern(length, length));
      assertThat(result(written.remove())).isTrue();
    }
    FabricException beyond = failure(asking.request(toFar, HANDLER, 2, place.length - 1));
    assertThat(beyond.error()).isEqualTo(FabricError.ACCESS);
    assertThat(beyond).hasMessageContaining("long reply");
    assertThat(failure(written.remove()).error()).isEqualTo(FabricError.ACCESS);
  }

  @Test
  void shouldFailALongReplyIntoARegionWithoutTheRightOrThatHasClosed() {
    Region closed =
        domains
            .get(0)
            .register(new UnsafeBuffer(new byte[64]), EnumSet.of(RegionRight.REMOTE_READ));
    RegionDescriptor to = closed.descriptor();
    asked.register(
        HANDLER, call -> call.replyLong(to, 0, new int[0], new UnsafeBuffer(new byte[8]), 0, 8));

    assertThat(failure(asking.request(toFar, HANDLER)).error()).isEqualTo(FabricError.ACCESS);
    result(closed.close());
    assertThat(failure(asking.request(toFar, HANDLER)).error())
        .isIn(FabricError.NO_KEY, FabricError.ACCESS);
  }

  @Test
  void shouldReplyLongOnceAndLater() {
    byte[] place = new byte[64];
    Region region =
        domains.get(0).register(new UnsafeBuffer(place), EnumSet.allOf(RegionRight.class));
    Queue<ReceivedRequest> kept = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> kept.add(call.keep()));
    CompletionStage<ActiveReply> reply = asking.request(toFar, HANDLER);
    awaitThat(() -> !kept.isEmpty(), "the request has come");
    ReceivedRequest request = kept.remove();
    UnsafeBuffer from = new UnsafeBuffer(Side.pattern(8, 3));

    assertThat(result(request.replyLong(region.descriptor(), 8, new int[] {5}, from, 0, 8)))
        .isTrue();

    assertThat(arguments(result(reply))).containsExactly(5);
    assertThat(Arrays.copyOfRange(place, 8, 16)).isEqualTo(Side.pattern(8, 3));
    assertThatIllegalStateException()
        .isThrownBy(() -> request.replyLong(region.descriptor(), 0, new int[0], from, 0, 8));
    assertThatIllegalStateException().isThrownBy(() -> request.reply(new int[0], new byte[0]));
  }
}
