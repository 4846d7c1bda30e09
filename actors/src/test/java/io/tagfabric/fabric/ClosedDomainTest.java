package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What closed endpoints and domains leave, and calls that would wait where nothing can come. */
class ClosedDomainTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  // A question that nobody answers lasts longer than the test may.
  private final ActorSystem<Void> system =
      ActorSystem.create(
          Behaviors.empty(),
          "closed-domain",
          ConfigFactory.parseString(
                  """
                  tagfabric.provider.use = [local]
                  tagfabric.endpoint.ask-timeout = 1 h
                  akka.loglevel = ERROR
                  akka.log-dead-letters = off
                  """)
              .withFallback(ConfigFactory.load()));
  private final Fabric fabric = Fabric.get(system);

  @AfterEach
  void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** A message from an endpoint to itself. */
  private static void exchange(Endpoint endpoint, Domain domain) {
    int self = domain.addressVector().insert(endpoint.address());
    CompletionStage<TaggedMessage> received =
        endpoint.futures().receiveTagged(TagSelector.exact(7));
    Await.get(endpoint.futures().sendTagged(self, new byte[9], 7));
    assertThat(Await.get(received).payload().length()).isEqualTo(9);
  }

  private static final class Answer implements SendListener {
    final CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    private final Runnable call;

    Answer(Runnable call) {
      this.call = call;
    }

    @Override
    public void onSent(Completion.Sent sent) {
      try {
        call.run();
        thrown.complete(null);
      } catch (RuntimeException e) {
        thrown.complete(e);
      }
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      thrown.completeExceptionally(new AssertionError(failure.detail()));
    }
  }

  /** What a call throws that a listener makes. */
  private static Throwable thrownInListener(Domain domain, Endpoint endpoint, Runnable call) {
    int self = domain.addressVector().insert(endpoint.address());
    Answer answer = new Answer(call);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[1]);
    endpoint
        .ref()
        .tell(new Endpoint.SendTagged(TaggedSend.of(self, buffer, 0, 1, 99), null, answer));
    assertThat(domain.await(answer.thrown::isDone, PATIENCE)).isTrue();
    return Await.get(answer.thrown);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldReleaseAnEndpointThatHasClosed(ProgressMode mode) {
    Domain domain = fabric.openDomain("one", mode);
    Endpoint kept = domain.openEndpoint("kept");
    List<Endpoint> ended = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Endpoint endpoint = domain.openEndpoint("e" + i);
      endpoint.onEnd(() -> ended.add(endpoint));
      exchange(endpoint, domain);
      assertThat(domain.endpoints()).containsExactly(kept, endpoint);

      Endpoint.Closed report = Await.get(endpoint.close(Duration.ZERO));

      assertThat(domain.endpoints()).containsExactly(kept);
      assertThat(ended).hasSize(i + 1).last().isSameAs(endpoint);
      assertThat(Await.get(endpoint.close(Duration.ofSeconds(1)))).isEqualTo(report);
    }
    exchange(kept, domain);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldReportACloseAsItWasWhateverIsToldAfterwards(ProgressMode mode) {
    Domain domain = fabric.openDomain("late", mode);
    Endpoint endpoint = domain.openEndpoint("one");
    Endpoint.Closed report = Await.get(endpoint.close(Duration.ZERO));
    Answer late = new Answer(() -> {});
    endpoint
        .ref()
        .tell(
            new Endpoint.SendTagged(
                TaggedSend.of(0, new UnsafeBuffer(new byte[1]), 0, 1, 7), null, late));
    assertThat(domain.await(late.thrown::isDone, PATIENCE)).isTrue();
    assertThat(late.thrown).isCompletedExceptionally();

    CompletableFuture<Endpoint.Closed> again =
        AskPattern.<Endpoint.Command, Endpoint.Closed>ask(
                endpoint.ref(),
                replyTo -> new Endpoint.Close(Duration.ZERO, replyTo),
                PATIENCE,
                system.scheduler())
            .toCompletableFuture();

    assertThat(domain.await(again::isDone, PATIENCE)).isTrue();
    assertThat(again.join()).isEqualTo(report);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldOpenADomainAgainWhenOneOfItsNameHasClosed(ProgressMode mode) {
    for (int i = 0; i < 5; i++) {
      Domain domain = fabric.openDomain("again", mode);
      assertThat(domain.name()).isEqualTo("again");
      assertThatIllegalStateException()
          .isThrownBy(() -> fabric.openDomain("again"))
          .withMessage(
              "domain name [again] is taken, close that domain first or choose another name");
      exchange(domain.openEndpoint("e"), domain);

      domain.close(Duration.ZERO);

      assertThat(fabric.domains()).isEmpty();
      assertThat(domain.endpoints()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldRefuseToCloseInAListenerAndCloseLater(ProgressMode mode) {
    Domain domain = fabric.openDomain("one", mode);
    Endpoint endpoint = domain.openEndpoint("e");

    Throwable thrown = thrownInListener(domain, endpoint, domain::close);

    assertThat(thrown)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("close of a domain inside a pass of its own progress loop");
    exchange(domain.openEndpoint("later"), domain);
    domain.close(Duration.ZERO);
    assertThat(fabric.domains()).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(() -> endpoint.futures().receiveTagged(TagSelector.any()))
        .withMessageContaining("is closed");
  }

  @Test
  void shouldRefuseToCloseInACallbackOfAManualDomain() {
    Domain domain = fabric.openDomain("one", ProgressMode.MANUAL);
    Endpoint endpoint = domain.openEndpoint("e");
    int self = domain.addressVector().insert(endpoint.address());

    CompletionStage<Void> closed =
        endpoint.futures().sendTagged(self, new byte[100], 1).thenAccept(sent -> domain.close());

    assertThat(Await.failure(closed)).isInstanceOf(IllegalStateException.class);
    exchange(endpoint, domain);
    domain.close(Duration.ZERO);
    assertThat(domain.endpoints()).isEmpty();
  }

  @Test
  void shouldCloseInACallbackOfAnAutoDomain() {
    Domain domain = fabric.openDomain("one", ProgressMode.AUTO);
    Endpoint endpoint = domain.openEndpoint("e");
    int self = domain.addressVector().insert(endpoint.address());

    Await.get(
        endpoint
            .futures()
            .sendTagged(self, new byte[100], 1)
            .thenAccept(sent -> domain.close(Duration.ZERO)));

    assertThat(fabric.domains()).isEmpty();
  }

  @Test
  void shouldNotBeginToCloseWithinNoTime() {
    Domain domain = fabric.openDomain("one", ProgressMode.AUTO);

    assertThatIllegalArgumentException().isThrownBy(() -> domain.close(Duration.ofNanos(-1)));

    exchange(domain.openEndpoint("e"), domain);
  }

  @Test
  void shouldRefuseToOpenAndToWaitInAListener() {
    Domain domain = fabric.openDomain("one", ProgressMode.AUTO);
    Endpoint endpoint = domain.openEndpoint("e");
    CompletionQueue queue = endpoint.receiveQueue();
    List<Runnable> calls =
        List.of(
            () -> domain.openEndpoint("late"),
            domain::openCompletionQueue,
            () -> domain.await(() -> false, PATIENCE),
            () -> queue.readBlocking(PATIENCE),
            () -> queue.readBlocking(entry -> {}, 1, PATIENCE),
            () ->
                endpoint
                    .futures()
                    .receiveTagged(TagSelector.exact(5))
                    .toCompletableFuture()
                    .join());
    for (Runnable call : calls) {
      assertThat(thrownInListener(domain, endpoint, call))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inside a pass of its own progress loop can never end");
    }
    assertThat(domain.endpoints()).containsExactly(endpoint);
    exchange(endpoint, domain);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldRefuseABlockingReadInAHandlerOfTheQueue(ProgressMode mode) {
    Domain domain = fabric.openDomain("one", mode);
    Endpoint endpoint = domain.openEndpoint("e");
    int self = domain.addressVector().insert(endpoint.address());
    CompletionQueue queue = endpoint.transmitQueue();
    endpoint.sendTagged(self, ByteBuffer.allocate(1), 1, "first");
    endpoint.sendTagged(self, ByteBuffer.allocate(1), 1, "second");
    assertThat(domain.await(() -> queue.ring().size() == 2, PATIENCE)).isTrue();
    List<Object> read = new ArrayList<>();

    queue.readBlocking(
        entry -> {
          read.add(entry.toCompletion().context());
          assertThatIllegalStateException()
              .isThrownBy(() -> queue.readBlocking(PATIENCE))
              .withMessageContaining("inside a completion handler of the same queue");
          // Another queue's entries can come.
          assertThat(endpoint.receiveQueue().readBlocking(Duration.ZERO)).isNull();
        },
        1,
        PATIENCE);

    read.add(queue.readBlocking(PATIENCE).context());
    assertThat(read).containsExactly("first", "second");
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldAnswerAtOnceWhenEverythingHasClosed(ProgressMode mode) {
    Domain domain = fabric.openDomain("one", mode);
    Endpoint endpoint = domain.openEndpoint("e");
    exchange(endpoint, domain);
    Endpoint.Closed report = Await.get(endpoint.close(Duration.ZERO));
    assertThat(Await.get(endpoint.futures().cancel("nothing")))
        .isEqualTo(new TagMatcher.TooLate("nothing"));

    domain.close(Duration.ZERO);

    assertThat(Await.get(endpoint.futures().cancel("nothing")))
        .isEqualTo(new TagMatcher.TooLate("nothing"));
    assertThat(Await.get(endpoint.close(Duration.ZERO))).isEqualTo(report);
    Await.until("nobody answers any more", () -> isUnanswered(endpoint));
  }

  private static boolean isUnanswered(Endpoint endpoint) {
    return Await.get(
        endpoint
            .futures()
            .fixPeers("why")
            .handle(
                (answer, failure) ->
                    failure instanceof FabricException refused
                        && refused.error() == FabricError.SHUTDOWN));
  }

  @Test
  void shouldNotLetADomainWaitForAnotherWhenAllEnd() {
    fabric.openDomain("one", ProgressMode.AUTO);
    fabric.openDomain("two", ProgressMode.MANUAL);
    CyclicBarrier both = new CyclicBarrier(2);
    List<String> met = Collections.synchronizedList(new ArrayList<>());

    Await.get(
        fabric.forEachDomain(
            "test",
            domain -> {
              try {
                both.await(60, TimeUnit.SECONDS);
                met.add(domain.name());
              } catch (Exception alone) {
                met.add(domain.name() + " was alone");
              }
            }));

    assertThat(met).containsExactlyInAnyOrder("one", "two");
  }
}
