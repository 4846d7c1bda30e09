package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.Claim;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.EndpointBindings.Direction;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Endpoints that do not do all, and that do not take everybody. */
class EndpointLimitsTest {
  private static final ActorTestKit KIT = ActorTestKit.create("limits", ConfigFactory.load());
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final List<Domain> domains = new ArrayList<>();
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[10]);

  private Domain domain(ProgressMode mode) {
    Domain domain = Fabric.get(KIT.system()).openDomain("lim-" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    return domain;
  }

  private static EndpointBindings bindings(Domain domain) {
    return EndpointBindings.to(domain.openCompletionQueue(8), domain.openCompletionQueue(8));
  }

  @AfterEach
  void close() {
    domains.forEach(domain -> domain.close(Duration.ZERO));
    domains.clear();
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static void refused(String why, ThrowingCallable call) {
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(call)
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED));
  }

  private static FabricException failure(CompletionStage<?> stage) {
    try {
      Object result = stage.toCompletableFuture().join();
      throw new AssertionError("did not fail: " + result);
    } catch (CompletionException e) {
      return (FabricException) e.getCause();
    }
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldRefuseReceivesAndTellPeersIfItOnlySends(ProgressMode mode) {
    Domain domain = domain(mode);
    Endpoint sender = domain.openEndpoint("sender", bindings(domain).only(Direction.SEND));
    Endpoint other = domain.openEndpoint("other");
    int toOther = domain.addressVector().insert(other.address());
    int toSender = domain.addressVector().insert(sender.address());
    String why = "send only";
    TagSelector any = TagSelector.any();
    refused(why, () -> sender.postReceive(bytes, 0, 10, 1, 0, -1, null));
    refused(why, () -> sender.post(TaggedReceive.untagged(-1).into(bytes, 0, 10), null));
    refused(why, () -> sender.post(TaggedReceive.of(any).into(bytes, 0, 10).many(1), null));
    refused(why, () -> sender.post(TaggedReceive.untagged(-1).into(bytes, 0, 10).many(1), null));
    refused(why, () -> sender.post(Probe.peek(TagSelector.exact(1)), null));
    refused(why, () -> sender.futures().receiveTagged(any));
    refused(why, () -> sender.futures().receive(TaggedReceive.untagged(-1)));
    refused(why, () -> sender.post(Probe.peekUntagged(-1), null));
    refused(why, () -> sender.futures().start(Probe.claimUntagged(-1, new Claim())));
    refused(why, () -> sender.futures().start(Probe.peek(any)));
    TestInbox<TagMatcher.ReceiveOutcome> probe = TestInbox.create();
    sender
        .matcher()
        .tell(new TagMatcher.PostReceive(TaggedReceive.of(any).atMost(10), "told", probe.getRef()));
    assertThat(domain.await(probe::hasMessages, PATIENCE)).isTrue();
    assertThat(((TagMatcher.NotReceived) probe.receiveMessage()).failure().error())
        .isEqualTo(FabricError.OPERATION_NOT_SUPPORTED);

    var received = other.futures().receiveTagged(TagSelector.exact(1));
    sender.futures().sendTagged(toOther, new byte[5], 1).toCompletableFuture().join();
    assertThat(received.toCompletableFuture().join().payload().length()).isEqualTo(5);
    for (int length : new int[] {0, 5, 100_000}) {
      FabricException failure = failure(other.futures().sendTagged(toSender, new byte[length], 1));
      assertThat(failure.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED);
      assertThat(failure).hasMessageContaining("receives nothing");
    }
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldRefuseSendsIfItOnlyReceives(ProgressMode mode) {
    Domain domain = domain(mode);
    Endpoint receiver = domain.openEndpoint("receiver", bindings(domain).only(Direction.RECEIVE));
    Endpoint other = domain.openEndpoint("other");
    int toOther = domain.addressVector().insert(other.address());
    int toReceiver = domain.addressVector().insert(receiver.address());
    String why = "receive only";
    refused(why, () -> receiver.sendTagged(toOther, bytes, 0, 10, 1, null));
    refused(why, () -> receiver.injectTagged(toOther, bytes, 0, 5, 1));
    refused(why, () -> receiver.post(TaggedSend.untagged(toOther, bytes, 0, 5), null));
    refused(why, () -> receiver.inject(TaggedSend.untagged(toOther, bytes, 0, 5)));
    refused(why, () -> receiver.futures().sendTagged(toOther, new byte[5], 1));
    TestInbox<Completion> probe = TestInbox.create();
    receiver
        .ref()
        .tell(
            new Endpoint.SendTagged(
                TaggedSend.of(toOther, bytes, 0, 1, 1), "told", probe.getRef()));
    assertThat(domain.await(probe::hasMessages, PATIENCE)).isTrue();
    assertThat(((Completion.Failed) probe.receiveMessage()).error())
        .isEqualTo(FabricError.OPERATION_NOT_SUPPORTED);

    var received = receiver.futures().receiveTagged(TagSelector.exact(1));
    other.futures().sendTagged(toReceiver, new byte[5], 1).toCompletableFuture().join();
    assertThat(received.toCompletableFuture().join().payload().length()).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldTakeWhomItsProgramAccepts(ProgressMode mode) {
    Domain domain = domain(mode);
    List<String> asked = new ArrayList<>();
    Endpoint choosy =
        domain.openEndpoint("choosy", bindings(domain).onConnect(peer -> decide(asked, peer)));
    int toChoosy = domain.addressVector().insert(choosy.address());
    Endpoint friend = domain.openEndpoint("friend");
    Endpoint stranger = domain.openEndpoint("stranger");
    Endpoint broken = domain.openEndpoint("broken");
    Endpoint invited = domain.openEndpoint("invited");

    friend.futures().sendTagged(toChoosy, new byte[1], 1).toCompletableFuture().join();
    FabricException refused = failure(stranger.futures().sendTagged(toChoosy, new byte[1], 2));
    assertThat(refused.error()).isEqualTo(FabricError.CONNECTION_REFUSED);
    assertThat(refused).hasMessageContaining("not on the list");
    FabricException undecided = failure(broken.futures().sendTagged(toChoosy, new byte[1], 3));
    assertThat(undecided.error()).isEqualTo(FabricError.CONNECTION_REFUSED);
    assertThat(undecided).hasMessageContaining("could not decide");

    int toInvited = domain.addressVector().insert(invited.address());
    choosy.futures().connect(toInvited).toCompletableFuture().join();
    invited.futures().sendTagged(toChoosy, new byte[1], 4).toCompletableFuture().join();
    assertThat(asked).contains("friend", "stranger", "broken").doesNotContain("invited");
    assertThat(
            choosy
                .futures()
                .receiveTagged(TagSelector.exact(4))
                .toCompletableFuture()
                .join()
                .payload()
                .length())
        .isEqualTo(1);
  }

  private static Optional<String> decide(List<String> asked, EndpointAddress peer) {
    asked.add(peer.name());
    if (peer.name().equals("broken")) {
      throw new IllegalStateException("no list");
    }
    return peer.name().equals("friend") ? Optional.empty() : Optional.of("not on the list");
  }
}
