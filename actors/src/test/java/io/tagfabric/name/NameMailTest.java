package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.error.FabricError;
import io.tagfabric.runtime.Mail;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a name service tells others and takes from them, without a network between. */
class NameMailTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int PARTITION = 7;
  private static final Node SELF = Places.node(0);
  private static final Node PEER = Places.node(1);
  private static final String FAR = "127.0.0.1:25520/far";
  private static final EndpointAddress ADDRESS = Places.endpoint(PEER, 3);

  private record Letter(String node, Object message) {}

  private final ActorTestKit kit = ActorTestKit.create();
  private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
  private final TestProbe<NameService.Command> other = kit.createTestProbe();
  private final TestProbe<NameService.ResolveOutcome> resolved = kit.createTestProbe();
  private final NameService service =
      NameService.start(
          kit.system(),
          new StubMembership(SELF, Membership.Status.ALONE),
          new Box(),
          new NameSettings(Duration.ofSeconds(3), LONG, PARTITION),
          node -> false);

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  /** Mail that stays here. */
  private final class Box implements Mail {
    @Override
    public void tell(String node, String actor, Object message) {
      assertThat(actor).isEqualTo(NameService.ACTOR);
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
  }

  private void tell(NameService.Command command) {
    service.ref().tell(command);
  }

  private void resolve(String name, Duration timeout) {
    tell(new NameService.Resolve(name, timeout, resolved.ref()));
  }

  private void notice(Node node, MembershipNotice.News news) {
    tell(
        new NameService.NodeNoticed(
            new MembershipNotice(new NodeId(node.address(), node.incarnation()), news)));
  }

  private Letter letter() throws InterruptedException {
    Letter letter = letters.poll(60, TimeUnit.SECONDS);
    assertThat(letter).as("a letter").isNotNull();
    return letter;
  }

  private NameService.Enquiry enquiry() throws InterruptedException {
    Letter letter = letter();
    assertThat(letter.node()).isEqualTo("akka://test@127.0.0.1:25520");
    return (NameService.Enquiry) letter.message();
  }

  private static NameService.Finding none(long number, String... held) {
    return new NameService.Finding(number, true, null, List.of(held));
  }

  private void hold(String name) {
    TestProbe<NameService.RegisterOutcome> registered = kit.createTestProbe();
    tell(new NameService.Register(name, Places.endpoint(SELF, 1), registered.ref()));
    registered.expectMessageClass(NameService.Registered.class);
  }

  @Test
  void shouldAskThePlaceAloneAndAskAgain() throws InterruptedException {
    notice(PEER, MembershipNotice.News.UP);
    resolve(FAR, LONG);

    NameService.Enquiry first = enquiry();
    assertThat(first.partitionKey()).isEqualTo(PARTITION);
    assertThat(first.name()).isEqualTo("far");
    assertThat(first.replyTo()).isEqualTo(service.ref());
    assertThat(enquiry()).isEqualTo(first);
    tell(new NameService.Finding(first.number(), true, ADDRESS, List.of("far")));
    resolved.expectMessage(new NameService.Resolved(FAR, ADDRESS));
  }

  @Test
  void shouldTakeNoAnswerToASearchThatIsOver() throws InterruptedException {
    resolve(FAR, Duration.ofMillis(1));
    long before = enquiry().number();
    assertThat(resolved.expectMessageClass(NameService.Refused.class).error())
        .isEqualTo(FabricError.HOST_UNREACHABLE);
    letters.clear();

    resolve(FAR, LONG);
    long now = enquiry().number();
    tell(new NameService.Finding(before, true, ADDRESS, List.of("far")));
    tell(none(now));
    tell(new NameService.Finding(now, true, Places.endpoint(PEER, 4), List.of("far")));

    assertThat(now).isNotEqualTo(before);
    resolved.expectMessage(new NameService.Resolved(FAR, Places.endpoint(PEER, 4)));
  }

  @Test
  void shouldEndASearchWithWhatThePlaceHasLastTold() throws InterruptedException {
    resolve(FAR, Duration.ofMillis(500));
    long number = enquiry().number();
    tell(none(number, "a", "b"));
    tell(none(number, "b", "c"));

    resolved.expectMessage(new NameService.NotFound(FAR, List.of("b", "c")));
  }

  @Test
  void shouldTellEveryOneWhoWaitsEvenIfItHasAskedTwice() {
    resolve(FAR, Duration.ofMillis(20));
    resolve(FAR, Duration.ofMillis(20));
    resolve("near", Duration.ofMillis(20));
    resolve("near", Duration.ofMillis(20));

    List<NameService.ResolveOutcome> outcomes =
        List.of(
            resolved.receiveMessage(),
            resolved.receiveMessage(),
            resolved.receiveMessage(),
            resolved.receiveMessage());
    assertThat(outcomes)
        .filteredOn(NameService.NotFound.class::isInstance)
        .hasSize(2)
        .containsOnly(new NameService.NotFound("near", List.of()));
    assertThat(outcomes).filteredOn(NameService.Refused.class::isInstance).hasSize(2);
  }

  @Test
  void shouldAnswerAnEnquiryNowAndWhenTheNameIsHeld() {
    tell(new NameService.Enquiry(5, PARTITION, "bob", other.ref()));
    tell(new NameService.Enquiry(5, PARTITION, "bob", other.ref()));
    other.expectMessage(none(5));
    other.expectMessage(none(5));
    hold("bob");

    EndpointAddress bob = Places.endpoint(SELF, 1);
    other.expectMessage(new NameService.Finding(5, true, bob, List.of("bob")));
    tell(new NameService.Enquiry(6, PARTITION, "bob", other.ref()));
    other.expectMessage(new NameService.Finding(6, true, bob, List.of("bob")));
  }

  @Test
  void shouldTellAnEnquiryOfAnotherPartitionNothingNowOrLater() {
    hold("bob");
    tell(new NameService.Enquiry(5, PARTITION + 1, "bob", other.ref()));
    tell(new NameService.Enquiry(6, PARTITION + 1, "eve", other.ref()));
    hold("eve");
    tell(new NameService.Enquiry(7, PARTITION, "eve", other.ref()));

    other.expectMessage(new NameService.Finding(5, false, null, List.of()));
    other.expectMessage(new NameService.Finding(6, false, null, List.of()));
    other.expectMessage(
        new NameService.Finding(7, true, Places.endpoint(SELF, 1), List.of("bob", "eve")));
  }

  @Test
  void shouldTakeAnswersOfMembersAlone() throws InterruptedException {
    notice(PEER, MembershipNotice.News.UP);
    resolve("bob", Duration.ofMillis(500));
    assertThat(letter().message()).isEqualTo(new NameService.Ask("bob", service.ref()));
    Node stranger = Places.node(9);
    tell(new NameService.Answer("bob", ADDRESS, stranger, List.of("bob", "strange")));
    tell(new NameService.Answer("bob", null, PEER, List.of("eve")));

    resolved.expectMessage(new NameService.NotFound("bob", List.of("eve")));
  }

  @Test
  void shouldRefuseAQuestionThatItCannotRead() {
    tell(new NameService.Unreadable(new Protocols(8, 9), 5, other.ref()));

    NameService.Refusal refusal = other.expectMessageClass(NameService.Refusal.class);
    assertThat(refusal.protocols()).isEqualTo(Protocols.OWN);
    assertThat(refusal.number()).isEqualTo(5);
    assertThat(refusal.node()).isEqualTo(SELF);
    assertThat(refusal.why())
        .isEqualTo(
            "node [%s] speaks protocol=7, the node that asks it speaks protocol=8..9, they have"
                + " none in common: run builds of Tagfabric on both that do",
            SELF.address());
  }

  private static NameService.Refusal refusal(long number, Node node) {
    return new NameService.Refusal(new Protocols(8, 8), number, node, "protocol=8 is not 7");
  }

  @Test
  void shouldEndASearchAtOnceThatThePlaceCannotRead() throws InterruptedException {
    resolve(FAR, LONG);
    long number = enquiry().number();
    resolve("127.0.0.1:25521/far", LONG);
    tell(refusal(number + 9, PEER));
    tell(refusal(number, PEER));

    resolved.expectMessage(
        new NameService.Refused(FAR, FabricError.INVALID, "protocol=8 is not 7"));
    resolved.expectNoMessage(Duration.ofMillis(50));
  }

  @Test
  void shouldHoldANameAsSoonAsMembersThatCannotReadTheClaimHaveRefusedIt()
      throws InterruptedException {
    notice(PEER, MembershipNotice.News.UP);
    TestProbe<NameService.RegisterOutcome> registered = kit.createTestProbe();
    tell(new NameService.Register("bob", Places.endpoint(SELF, 1), registered.ref()));
    assertThat(letter().message()).isInstanceOf(NameService.Claim.class);
    tell(refusal(0, PEER));

    registered.expectMessageClass(NameService.Registered.class); // long before claim-timeout
  }

  @Test
  void shouldNotAskMembersThatHaveRefusedAndNameThemWhenTheTimeIsOver()
      throws InterruptedException {
    Node third = Places.node(2);
    notice(PEER, MembershipNotice.News.UP);
    notice(third, MembershipNotice.News.UP);
    tell(refusal(0, PEER));
    tell(refusal(0, Places.node(3))); // no member
    notice(PEER, MembershipNotice.News.UP);
    resolve("bob", Duration.ofMillis(700));

    assertThat(letter().node()).isEqualTo(third.address());
    assertThat(letter().node()).as("asked again").isEqualTo(third.address());
    NameService.Refused refused = resolved.expectMessageClass(NameService.Refused.class);
    assertThat(refused.error()).isEqualTo(FabricError.NO_ENTRY);
    assertThat(refused.why())
        .isEqualTo(
            "no endpoint had the name [bob] within 700 ms, the names known are []; members were"
                + " not asked that have no protocol in common with this node, which speaks"
                + " protocol=7: [%s] speaks protocol=8",
            PEER.address());

    notice(PEER, MembershipNotice.News.REMOVED);
    resolve("bob", Duration.ZERO);
    resolved.expectMessage(new NameService.NotFound("bob", List.of()));
  }

  @Test
  void shouldTellManyHoldingsInParts() throws InterruptedException {
    for (int i = 0; i < 250; i++) {
      hold("name-" + i);
    }
    notice(PEER, MembershipNotice.News.UP);

    int told = 0;
    for (int part = 0; part < 3; part++) {
      NameService.Holdings holdings = (NameService.Holdings) letter().message();
      assertThat(holdings.holdings()).hasSizeLessThanOrEqualTo(100);
      told += holdings.holdings().size();
    }
    assertThat(told).isEqualTo(250);
  }
}
