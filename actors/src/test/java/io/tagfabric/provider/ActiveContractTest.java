package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorSystem;
import io.tagfabric.endpoint.ActiveCall;
import io.tagfabric.endpoint.ActiveHandler;
import io.tagfabric.endpoint.ActiveMessages;
import io.tagfabric.endpoint.ActiveReply;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What active messages owe over every provider: `near` asks, `far` has the handlers. Subclasses say
 * which provider and which progress.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ActiveContractTest {
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(100);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int HANDLER = 7;
  private static final int FLOOD = 300;
  private static final ActiveHandler ECHO = call -> call.reply(arguments(call), call.payload());

  private final ContractSystems systems;
  private final ProgressMode mode;
  private final List<Domain> domains = new ArrayList<>();
  private Side near;
  private Side far;
  private ActiveMessages asking;
  private ActiveMessages asked;
  private int toFar;
  private int fromNear;

  ActiveContractTest(ContractSystems systems, ProgressMode mode) {
    this.systems = systems;
    this.mode = mode;
  }

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
    near = side(systems.near(), "near");
    far = side(systems.far(), "far");
    asking = near.endpoint.active();
    asked = far.endpoint.active();
    toFar = near.indexOf(far);
    fromNear = far.indexOf(near);
  }

  @AfterEach
  void close() {
    domains.forEach(domain -> domain.close(Duration.ZERO));
    domains.clear();
  }

  private Side side(ActorSystem<?> system, String name) {
    Domain domain = Fabric.get(system).openDomain("am" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  private static int[] arguments(ActiveCall call) {
    return IntStream.range(0, call.argumentCount()).map(call::argument).toArray();
  }

  private static int[] arguments(ActiveReply reply) {
    return IntStream.range(0, reply.argumentCount()).map(reply::argument).toArray();
  }

  private void await(CompletableFuture<?> future) {
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (!future.isDone()) {
      if (near.poll() + far.poll() == 0) {
        Thread.yield();
      }
      assertThat(System.nanoTime() - deadlineNs).as("a future is done in time").isNegative();
    }
  }

  private <T> T result(CompletionStage<T> stage) {
    await(stage.toCompletableFuture());
    return stage.toCompletableFuture().join();
  }

  private FabricException failure(CompletionStage<?> stage) {
    await(stage.toCompletableFuture());
    try {
      throw new AssertionError("completed with " + stage.toCompletableFuture().join());
    } catch (CompletionException e) {
      return (FabricException) e.getCause();
    }
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
