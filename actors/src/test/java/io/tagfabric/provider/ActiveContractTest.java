package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.active.ActiveCall;
import io.tagfabric.active.ActiveListener;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.active.ReceivedRequest;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * What active messages owe over every provider: `near` asks, `far` has the handlers. Subclasses say
 * which provider and which progress.
 */
abstract class ActiveContractTest extends ActiveClaimContractTest {
  ActiveContractTest(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  @Test
  void shouldBringAnyArgumentsAndPayloadThereAndBack() {
    asked.register(HANDLER, ECHO);
    int[] lengths = {0, 1, 7, 64, asking.maxMedium()};
    for (int count = 0; count <= asking.maxArguments(); count++) {
      int[] arguments = IntStream.range(0, count).map(i -> Integer.MIN_VALUE + 77 * i).toArray();
      for (int length : lengths) {
        byte[] payload = Side.pattern(length, count);

        ActiveReply reply = result(asking.request(toFar, HANDLER, arguments, payload));

        assertThat(arguments(reply)).isEqualTo(arguments);
        assertThat(reply.payload()).isEqualTo(payload);
      }
    }
  }

  @Test
  void shouldSayWhoHasSentIt() {
    Queue<List<Object>> seen = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> seen.add(List.of(call.peer(), call.isOwn(), call.handler())));
    result(asking.request(toFar, HANDLER));
    int self = far.indexOf(far);
    result(asked.request(self, HANDLER));

    assertThat(seen)
        .containsExactly(List.of(fromNear, false, HANDLER), List.of(self, true, HANDLER));
  }

  @Test
  void shouldEndARequestThatIsNotReplied() {
    asked.register(HANDLER, call -> {});

    ActiveReply reply = result(asking.request(toFar, HANDLER, 1, 2, 3));

    assertThat(reply.argumentCount()).isZero();
    assertThat(reply.payload()).isEmpty();
  }

  @Test
  void shouldFailARequestAtItsSenderWhenTheHandlerThrows() {
    asked.register(
        HANDLER,
        call -> {
          call.reply(new int[] {1}, new byte[0]);
          throw new UnsupportedOperationException("not on Sundays");
        });
    asked.register(HANDLER + 1, ECHO);

    FabricException failure = failure(asking.request(toFar, HANDLER));

    assertThat(failure.error()).isEqualTo(FabricError.OTHER);
    assertThat(failure).hasMessageContaining("not on Sundays").hasMessageContaining("handler=7");
    assertThat(arguments(result(asking.request(toFar, HANDLER + 1, 5)))).containsExactly(5);
  }

  @Test
  void shouldFailARequestWhenItRepliesTwice() {
    asked.register(
        HANDLER,
        call -> {
          call.reply(new int[0], new byte[0]);
          call.reply(new int[0], new byte[0]);
        });

    assertThat(failure(asking.request(toFar, HANDLER))).hasMessageContaining("answered once");
  }

  @Test
  void shouldFailARequestWhenThereIsNoHandler() {
    asked.register(HANDLER, ECHO);
    assertThat(asked.unregister(HANDLER)).isTrue();
    assertThat(asked.unregister(HANDLER)).isFalse();

    FabricException failure = failure(asking.request(toFar, HANDLER));

    assertThat(failure.error()).isEqualTo(FabricError.NO_ENTRY);
    assertThat(failure).hasMessageContaining("no handler=7");
  }

  @Test
  void shouldRunRequestsInTheOrderMade() {
    Queue<Integer> seen = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> seen.add(call.argument(0)));
    List<CompletionStage<ActiveReply>> replies = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      replies.add(asking.request(toFar, HANDLER, i));
    }
    replies.forEach(this::result);

    assertThat(seen).containsExactlyElementsOf(IntStream.range(0, FLOOD).boxed().toList());
  }

  @Test
  void shouldEndStormsBothWaysWhoseHandlersRequestToo() {
    Queue<CompletionStage<ActiveReply>> back = new ConcurrentLinkedQueue<>();
    asking.register(HANDLER + 1, ECHO);
    asked.register(HANDLER + 1, ECHO);
    asking.register(HANDLER, call -> back.add(asking.request(call.peer(), HANDLER + 1, 1)));
    asked.register(HANDLER, call -> back.add(asked.request(call.peer(), HANDLER + 1, 2)));
    List<CompletionStage<ActiveReply>> replies = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      replies.add(asking.request(toFar, HANDLER));
      replies.add(asked.request(fromNear, HANDLER));
    }
    replies.forEach(this::result);
    assertThat(back).hasSize(2 * FLOOD);
    int sum = 0;
    for (CompletionStage<ActiveReply> reply : back) {
      sum += result(reply).argument(0);
    }

    assertThat(sum).isEqualTo(3 * FLOOD);
  }

  @Test
  void shouldEndACallWithItsHandler() {
    List<ActiveCall> kept = new ArrayList<>();
    asked.register(HANDLER, kept::add);
    result(asking.request(toFar, HANDLER, 3));

    assertThatIllegalStateException().isThrownBy(() -> kept.get(0).argument(0));
    assertThatIllegalStateException().isThrownBy(() -> kept.get(0).payload());
    assertThatIllegalStateException().isThrownBy(() -> kept.get(0).reply(new int[0], new byte[0]));
  }

  @Test
  void shouldRefuseWhatCannotBe() {
    assertThat(asked.register(0, ECHO)).isEqualTo(1);
    assertThat(asked.register(0, ECHO)).isEqualTo(2);
    assertThatIllegalArgumentException().isThrownBy(() -> asked.register(2, ECHO));
    assertThatIllegalArgumentException().isThrownBy(() -> asked.register(256, ECHO));
    assertThatIllegalArgumentException().isThrownBy(() -> asked.register(-1, ECHO));
    assertThatIllegalArgumentException().isThrownBy(() -> asking.request(toFar, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> asking.request(toFar, 1, new int[17]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> asking.request(toFar, 1, new byte[asking.maxMedium() + 1]));
  }

  @Test
  void shouldBringPayloadsOfSeveralPackets() {
    asked.register(HANDLER, ECHO);
    for (int length : new int[] {433, 4_000, 65_000, asking.maxMedium()}) {
      byte[] payload = Side.pattern(length, length);

      ActiveReply reply = result(asking.request(toFar, HANDLER, new int[] {length}, payload));

      assertThat(arguments(reply)).containsExactly(length);
      assertThat(reply.payload()).isEqualTo(payload);
    }
  }

  @Test
  void shouldEndStormsOfMediumsWithOneCredit() {
    openWithOneCredit();
    asked.register(HANDLER, ECHO);
    asking.register(HANDLER, ECHO);
    byte[] payload = Side.pattern(9_000, 3);
    List<CompletionStage<ActiveReply>> replies = new ArrayList<>();
    for (int i = 0; i < FLOOD / 3; i++) {
      replies.add(asking.request(toFar, HANDLER, new int[] {i}, payload));
      replies.add(asked.request(fromNear, HANDLER, new int[] {i}, payload));
      replies.add(asking.request(toFar, HANDLER, new int[] {i}, new byte[0]));
    }

    for (CompletionStage<ActiveReply> reply : replies) {
      int length = result(reply).payload().length;
      assertThat(length).isIn(0, payload.length);
    }
  }

  @Test
  void shouldEndAFloodThatIsNeverReplied() {
    openWithOneCredit();
    AtomicInteger ran = new AtomicInteger();
    asked.register(HANDLER, call -> ran.incrementAndGet());
    List<CompletionStage<ActiveReply>> told = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      told.add(asking.tell(toFar, HANDLER, new int[] {i}, new byte[0]));
    }
    told.forEach(this::result);
    result(asking.request(toFar, HANDLER));

    assertThat(ran).hasValue(FLOOD + 1);
  }

  @Test
  void shouldHaveNoMoreUnderWayThanItsTotal() {
    near = with(systems.near(), "near3", 8, 3, 1);
    far = with(systems.far(), "far3", 8, 3, 1);
    List<ReceivedRequest> kept = new ArrayList<>();
    far.endpoint.active().register(HANDLER, call -> kept.add(call.keep()));
    toFar = near.indexOf(far);
    List<CompletionStage<ActiveReply>> replies = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      replies.add(near.endpoint.active().request(toFar, HANDLER, i));
    }
    int answered = 0;
    while (answered < 10) {
      int wanted = Math.min(10, answered + 3);
      awaitThat(() -> kept.size() >= wanted, "requests come up to the total");
      assertThat(kept).hasSize(wanted);
      ReceivedRequest request = kept.get(answered);
      assertThat(request.argument(0)).isEqualTo(answered);
      assertThat(request.reply(new int[] {answered}, new byte[0])).isTrue();
      assertThat(result(replies.get(answered)).argument(0)).isEqualTo(answered);
      answered++;
    }
  }

  /** One that asks with a total of one, and two peers that keep credit for a packet to ride in. */
  private Side openWithATotalOfOne() {
    near = with(systems.near(), "few", 16, 1, 8);
    far = with(systems.far(), "slack", 16, 16, 8);
    meet();
    Side third = with(systems.far(), "third", 16, 16, 8);
    third.endpoint.active().register(HANDLER, ECHO);
    return third;
  }

  @Test
  void shouldAskOthersThoughTheTotalWentToRequestsWithoutReply() {
    Side third = openWithATotalOfOne();
    int toThird = near.indexOf(third);
    asked.register(HANDLER, call -> {});
    for (int i = 0; i < 20; i++) {
      CompletableFuture<?> told =
          asking.tell(toFar, HANDLER, new int[0], new byte[0]).toCompletableFuture();
      CompletableFuture<?> reply = asking.request(toThird, HANDLER, i).toCompletableFuture();
      awaitThat(() -> third.poll() >= 0 && told.isDone() && reply.isDone(), "both have ended");
    }
  }

  @Test
  void shouldGiveEachPeerItsTurnOfTheTotal() {
    Side third = openWithATotalOfOne();
    int toThird = near.indexOf(third);
    asked.register(HANDLER, ECHO);
    List<Integer> ended = new ArrayList<>();
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i <= FLOOD; i++) {
      int to = i;
      all.add(
          asking
              .request(i < FLOOD ? toFar : toThird, HANDLER, i)
              .thenAccept(
                  reply -> {
                    synchronized (ended) {
                      ended.add(to);
                    }
                  })
              .toCompletableFuture());
    }
    awaitThat(
        () -> third.poll() >= 0 && all.stream().allMatch(CompletableFuture::isDone), "all ended");
    assertThat(ended.indexOf(FLOOD))
        .as("the turn of the one that asked last")
        .isLessThan(FLOOD / 2);
  }

  @Test
  void shouldAnswerOnceAfterTheCall() {
    Queue<ReceivedRequest> kept = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> kept.add(call.keep()));
    CompletionStage<ActiveReply> reply =
        asking.request(toFar, HANDLER, new int[] {4, 5}, new byte[] {6});
    awaitThat(() -> !kept.isEmpty(), "the request has come");
    ReceivedRequest request = kept.remove();

    assertThat(request.payload()).containsExactly(6);
    assertThat(request.reply(new int[] {9}, request.payload())).isTrue();

    assertThatIllegalStateException()
        .isThrownBy(() -> request.reply(new int[0], new byte[0]))
        .withMessageContaining("answered once");
    assertThat(arguments(result(reply))).containsExactly(9);
    assertThat(result(reply).payload()).containsExactly(6);
  }

  @Test
  void shouldFailARequestThatIsKeptTooLong() {
    Domain domain = Fabric.get(systems.far()).openDomain("am" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    EndpointSettings settings = domain.endpointDefaults();
    far =
        new Side(
            domain,
            "short",
            Side.QUEUE_SIZE,
            settings.withActive(settings.active().withReplyTimeoutNs(20_000_000)));
    Queue<ReceivedRequest> kept = new ConcurrentLinkedQueue<>();
    far.endpoint.active().register(HANDLER, call -> kept.add(call.keep()));

    FabricException failure = failure(asking.request(near.indexOf(far), HANDLER));

    assertThat(failure.error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(failure).hasMessageContaining("am.reply-timeout");
    assertThat(kept.remove().reply(new int[0], new byte[0])).isFalse();
  }

  @Test
  void shouldRunAnActor() {
    ActorRef<ReceivedRequest> actor =
        systems
            .far()
            .systemActorOf(
                Behaviors.receiveMessage(
                    (ReceivedRequest request) -> {
                      request.reply(new int[] {request.argument(0) + 1}, request.payload());
                      return Behaviors.same();
                    }),
                "active" + NUMBER.incrementAndGet(),
                Props.empty());
    int index = asked.register(0, actor);

    for (int i = 0; i < 50; i++) {
      ActiveReply reply = result(asking.request(toFar, index, new int[] {i}, new byte[] {7}));
      assertThat(arguments(reply)).containsExactly(i + 1);
      assertThat(reply.payload()).containsExactly(7);
    }
  }

  @Test
  void shouldHaveTheBytesOfALongRequestInPlaceWhenTheHandlerRuns() {
    int bytes = 200_000;
    Region region =
        domains
            .get(1)
            .register(new UnsafeBuffer(new byte[bytes]), EnumSet.allOf(RegionRight.class));
    RemoteRegion to = new RemoteRegion(toFar, region.descriptor());
    asked.register(
        HANDLER,
        call ->
            call.reply(
                new int[] {(int) call.regionOffset(), call.length(), call.argument(0)},
                call.length() > 60_000 ? new byte[0] : call.payload()));
    for (int length : new int[] {0, 1, asking.packedLongLimit(), asking.packedLongLimit() + 1}) {
      byte[] source = Side.pattern(length, 5);

      ActiveReply reply =
          result(
              asking.requestLong(
                  to, 77, HANDLER, new int[] {3}, new UnsafeBuffer(source), 0, length));

      assertThat(arguments(reply)).containsExactly(77, length, 3);
      assertThat(reply.payload()).isEqualTo(source);
    }
    byte[] source = Side.pattern(150_000, 6);
    result(
        asking.requestLongAsync(
            to, 50_000, HANDLER, new int[] {3}, new UnsafeBuffer(source), 0, source.length));

    FabricException beyond =
        failure(
            asking.requestLong(to, bytes - 1, HANDLER, new int[0], new UnsafeBuffer(source), 0, 2));
    assertThat(beyond.error()).isEqualTo(FabricError.ACCESS);
  }

  @Test
  void shouldTakeNothingAtOnceWhenCreditIsSpent() {
    openWithOneCredit();
    Queue<ReceivedRequest> kept = new ConcurrentLinkedQueue<>();
    asked.register(HANDLER, call -> kept.add(call.keep()));
    List<ActiveReply> replies = new ArrayList<>();
    ActiveListener listener =
        new ActiveListener() {
          @Override
          public void onReply(ActiveReply reply) {
            replies.add(reply);
          }

          @Override
          public void onFailed(FabricException reason) {
            throw new AssertionError(reason);
          }
        };
    awaitThat(() -> tryOne(1, listener) == Posted.POSTED, "one is accepted");
    awaitThat(() -> !kept.isEmpty(), "it has come");

    for (int i = 0; i < 100; i++) {
      assertThat(tryOne(2, listener)).isEqualTo(Posted.TRY_AGAIN);
      near.poll();
      far.poll();
    }

    assertThat(kept).hasSize(1);
    kept.remove().reply(new int[] {8}, new byte[0]);
    awaitThat(() -> replies.size() == 1, "the reply has come");
    awaitThat(() -> tryOne(3, listener) == Posted.POSTED, "one is accepted again");
    awaitThat(() -> !kept.isEmpty(), "it has come");
    ReceivedRequest last = kept.remove();
    assertThat(last.argument(0)).isEqualTo(3);
    last.reply(new int[0], new byte[0]);
    awaitThat(() -> replies.size() == 2, "the second reply has come");
  }

  private Posted tryOne(int argument, ActiveListener listener) {
    return asking.tryRequest(toFar, HANDLER, new int[] {argument}, new byte[0], listener);
  }

  @Test
  void shouldFailRequestsToAPeerThatHasClosed() {
    asked.register(HANDLER, ECHO);
    result(asking.request(toFar, HANDLER));
    CompletableFuture<?> closed = far.endpoint.close(Duration.ZERO).toCompletableFuture();
    await(closed);

    FabricException failure = failure(asking.request(toFar, HANDLER));

    assertThat(failure.error())
        .isIn(FabricError.SHUTDOWN, FabricError.CONNECTION_RESET, FabricError.CANCELED);
    assertThatIllegalStateException().isThrownBy(() -> asked.request(fromNear, HANDLER));
    assertThatIllegalStateException().isThrownBy(() -> asked.register(0, ECHO));
  }
}
