package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.runtime.Mail;
import io.tagfabric.runtime.Membership.Status;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.MembershipNotice.News;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names of a node that is on its way into its cluster, or out of it. */
class NameJoinTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Node SELF = Places.node(0);
  private static final Node PEER = Places.node(1);
  private static final Node PLAIN = Places.node(2);
  private static final EndpointAddress OURS = Places.endpoint(SELF, 1);
  private static final EndpointAddress THEIRS = Places.endpoint(PEER, 2);

  private record Letter(String node, Object message) {}

  private final ActorTestKit kit = ActorTestKit.create();
  private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
  private final TestProbe<NameService.RegisterOutcome> registered = kit.createTestProbe();
  private final TestProbe<NameService.ResolveOutcome> resolved = kit.createTestProbe();
  private final TestProbe<NameService.Command> other = kit.createTestProbe();
  private final StubMembership membership = new StubMembership(SELF, Status.OUTSIDE);
  private NameService service;

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private void start(Duration connectTimeout) {
    Mail mail =
        new Mail() {
          @Override
          public void tell(String node, String actor, Object message) {
            letters.add(new Letter(node, message));
          }

          @Override
          public String write(ActorRef<?> ref) {
            return ActorRefResolver.get(kit.system()).toSerializationFormat(ref);
          }

          @Override
          public ActorRef<?> read(String text) {
            return ActorRefResolver.get(kit.system()).resolveActorRef(text);
          }
        };
    service =
        NameService.start(
            kit.system(),
            membership,
            mail,
            new NameSettings(LONG, connectTimeout, 7),
            PLAIN.address()::equals);
  }

  private void notice(Node node, News news) {
    service
        .ref()
        .tell(
            new NameService.NodeNoticed(
                new MembershipNotice(new NodeId(node.address(), node.incarnation()), news)));
  }

  private void isUp() {
    membership.status(Status.MEMBER);
    notice(SELF, News.UP);
  }

  private void register(String name) {
    service.ref().tell(new NameService.Register(name, OURS, registered.ref()));
  }

  private <T> T letter(Class<T> type) throws InterruptedException {
    Letter letter = letters.poll(60, TimeUnit.SECONDS);
    assertThat(letter).as("a letter").isNotNull();
    return type.cast(letter.message());
  }

  /** Whatever was told to the service before has been done. */
  private void requireDone() {
    TestProbe<NameService.Unregistered> probe = kit.createTestProbe();
    service.ref().tell(new NameService.Unregister("none", probe.ref()));
    probe.receiveMessage(LONG);
  }

  private NameService.Registered held(String name) throws InterruptedException {
    register(name);
    NameService.Claim claim = letter(NameService.Claim.class);
    service.ref().tell(new NameService.Vote(name, claim.stamp(), PEER, null));
    return registered.expectMessageClass(NameService.Registered.class, LONG);
  }

  @ParameterizedTest
  @EnumSource(names = {"OUTSIDE", "JOINING", "MEMBER"}) // a member that has not heard of itself
  void shouldClaimNothingBeforeTheNodeIsUp(Status status) throws InterruptedException {
    membership.status(status);
    start(LONG);
    register("leader");
    requireDone();
    registered.expectNoMessage(Duration.ZERO);

    notice(PEER, News.UP);
    isUp();
    NameService.Claim claim = letter(NameService.Claim.class);
    assertThat(claim.address()).isEqualTo(OURS);
    service.ref().tell(new NameService.Vote("leader", claim.stamp(), PEER, THEIRS));

    registered.expectMessage(LONG, new NameService.Taken("leader", THEIRS));
  }

  @Test
  void shouldNotAskAMemberWithoutAFabric() throws InterruptedException {
    membership.status(Status.JOINING);
    start(LONG);
    notice(PLAIN, News.UP);
    notice(PEER, News.UP);
    isUp();
    register("leader");

    assertThat(letters.poll(60, TimeUnit.SECONDS))
        .matches(letter -> letter.node().equals(PEER.address()))
        .satisfies(
            letter -> {
              NameService.Claim claim = (NameService.Claim) letter.message();
              service.ref().tell(new NameService.Vote("leader", claim.stamp(), PEER, null));
            });
    registered.expectMessageClass(NameService.Registered.class, LONG);
    assertThat(letters).as("a letter to it").isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"OUTSIDE", "JOINING"})
  void shouldNameTheStateWhenAClaimHasWaitedTooLong(Status status) {
    membership.status(status);
    start(SHORT);
    register("leader");

    NameService.Refused refused = registered.expectMessageClass(NameService.Refused.class, LONG);
    assertThat(refused.error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(refused.why())
        .startsWith("name [leader] is not claimed: this node has not joined its cluster yet")
        .contains("status=" + status)
        .endsWith("raise tagfabric.flow.connect-timeout=50 ms");
  }

  @Test
  void shouldRefuseAClaimOfANodeThatIsNoLongerAMember() {
    membership.status(Status.GONE);
    start(LONG);
    register("leader");

    NameService.Refused refused = registered.expectMessageClass(NameService.Refused.class, LONG);
    assertThat(refused.error()).isEqualTo(FabricError.SHUTDOWN);
    assertThat(refused.why()).contains("no longer a member of its cluster");
  }

  @Test
  void shouldNotTakeTheSilenceOfTheOthersForTheirConsentWhenThisNodeHasGone()
      throws InterruptedException {
    start(LONG);
    notice(PEER, News.UP);
    isUp();
    register("leader");
    letter(NameService.Claim.class);
    membership.status(Status.GONE);
    notice(PEER, News.REMOVED);

    assertThat(registered.expectMessageClass(NameService.Refused.class, LONG).error())
        .isEqualTo(FabricError.SHUTDOWN);
  }

  @Test
  void shouldRefuseWhatWaitsWhenThisNodeIsDowned() {
    membership.status(Status.JOINING);
    start(LONG);
    register("leader");
    notice(SELF, News.DOWNED);

    assertThat(registered.expectMessageClass(NameService.Refused.class, LONG).error())
        .isEqualTo(FabricError.SHUTDOWN);
  }

  @Test
  void shouldWithdrawAClaimThatWaitsWhenItsEndpointCloses() {
    start(LONG);
    register("leader");
    service.ref().tell(new NameService.UnregisterAll(OURS));
    registered.expectMessage(LONG, new NameService.Withdrawn("leader"));
    isUp();
    requireDone();

    service.ref().tell(new NameService.Resolve("leader", Duration.ZERO, resolved.ref()));
    resolved.expectMessageClass(NameService.NotFound.class, LONG);
  }

  @Test
  void shouldGiveANameOfThisPlaceBeforeTheNodeIsUpAndWithoutAVote() {
    start(LONG);
    notice(PEER, News.UP);
    service.ref().tell(new NameService.RegisterHere("here", OURS, registered.ref()));

    registered.expectMessageClass(NameService.Registered.class, LONG);
    assertThat(letters).isEmpty();
    service
        .ref()
        .tell(new NameService.RegisterHere("here", Places.endpoint(SELF, 9), registered.ref()));
    registered.expectMessage(LONG, new NameService.Taken("here", OURS));
  }

  @Test
  void shouldNameTheStateWhenASearchHasAskedNobody() {
    membership.status(Status.JOINING);
    start(LONG);
    service.ref().tell(new NameService.Resolve("leader", SHORT, resolved.ref()));

    NameService.Refused refused = resolved.expectMessageClass(NameService.Refused.class, LONG);
    assertThat(refused.error()).isEqualTo(FabricError.NO_ENTRY);
    assertThat(refused.why())
        .startsWith("no endpoint had the name [leader] within 50 ms: this node has not joined")
        .contains("status=JOINING");
  }

  @Test
  void shouldTellWhoHasLostItsNameToAnEarlierClaim() throws InterruptedException {
    start(LONG);
    notice(PEER, News.UP);
    isUp();
    NameService.Registered first = held("first");
    NameService.Registered leader = held("leader");
    NameTable.Holding earlier = new NameTable.Holding("leader", THEIRS, new Stamp(1, PEER));
    service.ref().tell(new NameService.Holdings(List.of(earlier), other.ref()));

    assertThat(Await.get(leader.lost())).isEqualTo(THEIRS);
    assertThat(first.lost().toCompletableFuture()).isNotDone();
    service.ref().tell(new NameService.Resolve("leader", SHORT, resolved.ref()));
    resolved.expectMessageClass(NameService.NotFound.class, LONG);
  }

  @Test
  void shouldNotAskAPlaceWhoseNodeHasGoneUntilItJoinsAgain() throws InterruptedException {
    String place = PEER.address().substring("akka://".length()) + "/far";
    start(LONG);
    notice(PEER, News.UP);
    isUp();
    notice(PEER, News.LEFT);
    service.ref().tell(new NameService.Resolve(place, LONG, resolved.ref()));
    requireDone();
    assertThat(letters).isEmpty();

    notice(new Node(PEER.address(), PEER.incarnation() + 1), News.SEEN);

    assertThat(letter(NameService.Enquiry.class).name()).isEqualTo("far");
  }
}
