package io.tagfabric.exit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.CodePolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one of three ranks does as elector, candidate, follower and leader, step by step. */
class ExitRolesTest {
  private static final long T = 800;
  private static final long HOOKS = 10 * T;
  private static final long AGAIN = T / 10;
  private static final Verdict OWN = new Verdict(42, 1, 1);
  private static final Verdict OTHER = new Verdict(99, 2, 2);
  private static final long NOTHING_ACCEPTED = ExitOrders.LAST_RESORT - 1;

  private final List<Sent> sent = new ArrayList<>();
  private final List<ExitResult> ends = new ArrayList<>();

  private record Sent(int to, ExitMessage message) {}

  /** A rank that knows rank 0 only. */
  private ExitProtocol unformed(int number) {
    ExitOutput output =
        new ExitOutput() {
          @Override
          public void send(int to, ExitMessage message) {
            sent.add(new Sent(to, message));
          }

          @Override
          public void runHooks(ExitNotice notice) {}

          @Override
          public void end(ExitResult result) {
            ends.add(result);
          }
        };
    return new ExitProtocol(new ExitPlan(number, 3, CodePolicy.MAX, T, HOOKS, AGAIN, true), output);
  }

  private ExitProtocol rank(int number) {
    ExitProtocol protocol = unformed(number);
    protocol.onFormed();
    return protocol;
  }

  /** Rank 2, which rank 0 has named in epoch 3 at a time, so it asks the others first. */
  private ExitProtocol preparing(long atNs) {
    ExitProtocol leader = rank(2);
    leader.exit(ExitKind.NOW, OWN, 0);
    leader.onMessage(0, named(3, 2), atNs);
    assertThat(leader.phase()).isEqualTo(ExitPhase.PREPARING);
    sent.clear();
    return leader;
  }

  /** Rank 1, the leader of the first epoch. */
  private ExitProtocol leading() {
    ExitProtocol leader = rank(1);
    leader.exit(ExitKind.NOW, OWN, 0);
    leader.onMessage(0, named(0, 1), 1);
    assertThat(leader.phase()).isEqualTo(ExitPhase.LEADING);
    sent.clear();
    return leader;
  }

  /** Rank 0, which has named rank 2 and now wants to end itself. */
  private ExitProtocol following() {
    ExitProtocol elector = rank(0);
    elector.onMessage(2, request(OTHER), 0);
    elector.exit(ExitKind.NOW, OWN, 1);
    assertThat(elector.phase()).isEqualTo(ExitPhase.FOLLOWING);
    sent.clear();
    return elector;
  }

  private static ExitMessage.ElectRequest request(Verdict verdict) {
    return new ExitMessage.ElectRequest(true, verdict);
  }

  private static ExitMessage.ElectReply named(long epoch, int leader) {
    return new ExitMessage.ElectReply(epoch, leader);
  }

  private static ExitMessage.ExitRequest order(long epoch, Verdict verdict) {
    return new ExitMessage.ExitRequest(epoch, verdict);
  }

  private static ExitMessage.Promise promise(long epoch) {
    return new ExitMessage.Promise(epoch, NOTHING_ACCEPTED, OTHER);
  }

  @Test
  void shouldSayWhoseCodeCounts() {
    ExitProtocol one = rank(1);
    assertThat(one.exit(ExitKind.SIGNAL, OTHER, 0)).isTrue();
    assertThat(one.exit(ExitKind.NOW, OWN, 1)).as("a hook's choice").isTrue();
    assertThat(one.exit(ExitKind.SIGNAL, OTHER, 2)).as("a second signal").isFalse();
    one.onHooksDone(3);
    assertThat(one.exit(ExitKind.NOW, OTHER, 4)).as("comes too late").isFalse();

    assertThat(sent).containsExactly(new Sent(0, request(OWN)));
  }

  @Test
  void shouldAskTheSameElectorAgainUntilItAnswers() {
    ExitProtocol one = rank(2);
    one.exit(ExitKind.NOW, OWN, 0);
    one.onTime(AGAIN);

    assertThat(sent).containsExactly(new Sent(0, request(OWN)), new Sent(0, request(OWN)));
    assertThat(one.counters()).isEqualTo(new ExitCounters(0, 1, 0, 0, 0, 0, 0, 1));
    one.onMessage(1, named(1, 2), AGAIN + 1);
    assertThat(one.phase()).as("not the one asked").isEqualTo(ExitPhase.ELECTING);
    one.onMessage(0, named(0, 1), AGAIN + 2);
    assertThat(one.phase()).isEqualTo(ExitPhase.FOLLOWING);
    one.onTime(3 * AGAIN);
    assertThat(sent).as("a follower asks nobody").hasSize(2);
  }

  @Test
  void shouldAskTheNextElectorWhenTheOneAskedIsLost() {
    ExitProtocol one = rank(2);
    one.exit(ExitKind.NOW, OWN, 0);
    sent.clear();
    one.onGone(0, false, 1);
    assertThat(sent).containsExactly(new Sent(1, request(OWN)));
    one.onGone(1, false, 2);

    assertThat(one.phase()).as("it is alone").isEqualTo(ExitPhase.DECIDED);
  }

  @Test
  void shouldNotMindTheLossOfARankItHasNotAsked() {
    ExitProtocol one = rank(2);
    one.exit(ExitKind.NOW, OWN, 0);
    sent.clear();
    one.onGone(1, false, 1);
    one.onGone(2, false, 1);

    assertThat(sent).isEmpty();
    one.onMessage(0, named(0, 1), 2);
    assertThat(one.phase()).as("rank 1 is lost and leads nobody").isEqualTo(ExitPhase.ELECTING);
  }

  @Test
  void shouldWaitForRank0LongerThanForOthersBeforeAllHaveMet() {
    ExitProtocol one = unformed(1);
    one.exit(ExitKind.NOW, OWN, 0);
    one.onTime(T / 8);
    one.onTime(T / 2 - 1);
    ExitMessage.ElectRequest unsure = new ExitMessage.ElectRequest(false, OWN);
    assertThat(sent).containsOnly(new Sent(0, unsure)).hasSizeGreaterThan(1);

    one.onTime(T / 2);
    assertThat(sent).last().isEqualTo(new Sent(0, new ExitMessage.Prepare(1, OWN)));
  }

  @Test
  void shouldTellThoseItKnowsAndThoseThatComeWhenItLeadsForOneThatKnowsNobody() {
    ExitProtocol zero = unformed(0);
    zero.onMessage(2, new ExitMessage.ElectRequest(false, OTHER), 5);
    assertThat(sent).containsExactly(new Sent(2, named(0, 0)), new Sent(2, order(0, OTHER)));
    sent.clear();

    zero.onKnown(1);
    assertThat(sent).containsExactly(new Sent(1, order(0, OTHER)));
    zero.onMessage(2, new ExitMessage.ExitReply(0), 6);
    zero.onTime(5 + T - 1);
    assertThat(zero.phase()).isEqualTo(ExitPhase.LEADING);
    zero.onTime(5 + T);
    zero.onHooksDone(5 + T);
    assertThat(ends).extracting(ExitResult::graceful).containsExactly(false);
    assertThat(ends).flatExtracting(ExitResult::unanswered).containsExactly(1);
    assertThat(ends).extracting(ExitResult::hooksOverran).containsExactly(false);
    sent.clear();

    zero.onKnown(1);
    assertThat(sent).as("comes after the end").containsExactly(new Sent(1, order(0, OTHER)));
  }

  @Test
  void shouldKeepTheTimeOfItsOwnEndWhenAnotherMakesItLead() {
    ExitProtocol zero = rank(0);
    zero.exit(ExitKind.TOGETHER, OWN, 0);
    zero.onMessage(2, new ExitMessage.ElectRequest(false, OTHER), T - 1);
    zero.onTime(T - 1 + T / 2);
    assertThat(zero.phase()).isEqualTo(ExitPhase.LEADING);
    zero.onTime(2 * T);
    zero.onHooksDone(2 * T);

    assertThat(ends).extracting(ExitResult::code).containsExactly(42);
  }

  @Test
  void shouldAskOneThatComesWhileItPrepares() {
    ExitProtocol one = unformed(1);
    one.exit(ExitKind.NOW, OWN, 0);
    one.onTime(T / 2);
    assertThat(one.phase()).isEqualTo(ExitPhase.PREPARING);
    sent.clear();
    one.onKnown(2);

    assertThat(sent).containsExactly(new Sent(2, new ExitMessage.Prepare(1, OWN)));
    one.onMessage(0, promise(1), T / 2 + 1);
    assertThat(one.phase()).as("rank 2 is silent").isEqualTo(ExitPhase.PREPARING);
  }

  @Test
  void shouldNotFollowALostLeaderThatItHasNamed() {
    ExitProtocol elector = rank(0);
    elector.exit(ExitKind.SIGNAL, OWN, 0);
    elector.onMessage(2, request(OTHER), 1);
    elector.onGone(2, false, 2);
    elector.onHooksDone(3);

    assertThat(elector.phase()).isEqualTo(ExitPhase.PREPARING);
    assertThat(sent).last().isEqualTo(new Sent(1, new ExitMessage.Prepare(3, OWN)));
  }

  @Test
  void shouldElectAgainWhenTheLeaderItFollowsIsLost() {
    ExitProtocol elector = following();
    elector.onGone(1, false, 2);
    assertThat(elector.phase()).as("another is lost").isEqualTo(ExitPhase.FOLLOWING);
    elector.onGone(2, false, 3);

    assertThat(elector.phase()).as("it is alone").isEqualTo(ExitPhase.DECIDED);
  }

  @Test
  void shouldElectItselfWhenTheLeaderItFollowsIsSilent() {
    ExitProtocol elector = following();
    elector.onTime(T / 2);
    assertThat(elector.phase()).isEqualTo(ExitPhase.FOLLOWING);
    elector.onTime(1 + T / 2);

    assertThat(sent)
        .containsExactly(
            new Sent(1, new ExitMessage.Prepare(3, OWN)),
            new Sent(2, new ExitMessage.Prepare(3, OWN)));
  }

  @Test
  void shouldLeaveTheReductionForTheLeaderItIsAskedToName() {
    ExitProtocol elector = rank(0);
    elector.exit(ExitKind.TOGETHER, OWN, 0);
    elector.onMessage(2, request(OTHER), 1);

    assertThat(elector.phase()).isEqualTo(ExitPhase.FOLLOWING);
    assertThat(sent).last().isEqualTo(new Sent(2, named(0, 2)));
  }

  @Test
  void shouldNeitherNameNorObeyARankThatIsLost() {
    ExitProtocol elector = rank(0);
    elector.onGone(2, true, 0);
    elector.onMessage(2, request(OTHER), 1);
    elector.onMessage(2, new ExitMessage.Prepare(5, OTHER), 1);

    assertThat(sent).isEmpty();
    assertThat(elector.nextNs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldNameItselfToOneThatAsksALeader() {
    ExitProtocol leader = leading();
    leader.onMessage(2, request(OTHER), 2);
    assertThat(sent).containsExactly(new Sent(2, named(0, 1)));
    sent.clear();

    leader.onMessage(0, new ExitMessage.ExitReply(0), 3);
    leader.onMessage(2, new ExitMessage.ExitReply(0), 3);
    assertThat(leader.phase()).isEqualTo(ExitPhase.DECIDED);
    leader.onMessage(2, request(OTHER), 4);
    assertThat(sent).as("it is over").containsExactly(new Sent(2, order(0, OWN)));
  }

  @Test
  void shouldNameItselfToOneThatAsksWhileItPrepares() {
    ExitProtocol leader = preparing(1);
    leader.onMessage(0, request(OTHER), 2);

    assertThat(sent).containsExactly(new Sent(0, named(3, 2)));
  }

  @Test
  void shouldCountEachMessageByItsKind() {
    ExitProtocol leader = preparing(1);
    leader.onMessage(0, request(OTHER), 2);
    leader.onTime(1 + AGAIN);
    leader.onMessage(0, promise(3), 3 + AGAIN);
    leader.onMessage(1, promise(3), 3 + AGAIN);
    leader.onMessage(1, new ExitMessage.Prepare(4, OTHER), 4 + AGAIN);
    leader.onMessage(1, order(4, OTHER), 5 + AGAIN);

    ExitCounters counters = leader.counters();
    assertThat(counters).isEqualTo(new ExitCounters(0, 1, 1, 2, 1, 2, 1, 2));
    assertThat(counters.ofElection()).isEqualTo(8);
  }

  @Test
  void shouldGiveTheOrderAQuarterOfTAtLeast() {
    ExitProtocol leader = preparing(3 * T / 8);
    leader.onTime(3 * T / 4 - 1);
    assertThat(leader.phase()).isEqualTo(ExitPhase.PREPARING);
    leader.onTime(3 * T / 4);
    assertThat(leader.phase()).isEqualTo(ExitPhase.LEADING);
  }

  @Test
  void shouldGiveThePreparationAnEighthOfTAtLeast() {
    ExitProtocol leader = preparing(3 * T / 4 - 10);
    leader.onTime(7 * T / 8 - 11);
    assertThat(leader.phase()).isEqualTo(ExitPhase.PREPARING);
    leader.onTime(7 * T / 8 - 10);
    assertThat(leader.phase()).isEqualTo(ExitPhase.LEADING);
  }

  @Test
  void shouldOrderByItsEpochWhenItsTimeEndsWhileItPrepares() {
    ExitProtocol leader = preparing(T - 1);
    leader.onTime(T);

    assertThat(sent).containsExactly(new Sent(0, order(3, OWN)), new Sent(1, order(3, OWN)));
    leader.onHooksDone(T);
    assertThat(ends).extracting(ExitResult::graceful).containsExactly(false);
  }

  @Test
  void shouldOrderWhenTheLastSilentRankIsLost() {
    ExitProtocol leader = preparing(1);
    leader.onMessage(1, promise(3), 2);
    leader.onGone(0, false, 3);

    assertThat(sent).containsExactly(new Sent(1, order(3, OWN)));
    leader.onGone(1, false, 4);
    leader.onHooksDone(5);
    assertThat(ends).extracting(ExitResult::graceful).containsExactly(true);
  }

  @Test
  void shouldStepBackForTheHigherEpochOfAPromise() {
    ExitProtocol leader = preparing(1);
    leader.onMessage(1, promise(2), 2);
    assertThat(leader.phase()).as("an old one").isEqualTo(ExitPhase.PREPARING);
    leader.onMessage(1, promise(7), 3);
    assertThat(leader.phase()).isEqualTo(ExitPhase.FOLLOWING);
    leader.onMessage(0, order(4, OTHER), 4);
    assertThat(sent).containsExactly(new Sent(0, new ExitMessage.ExitReply(7)));
    assertThat(leader.phase()).as("refuses a lower one").isEqualTo(ExitPhase.FOLLOWING);

    leader.onMessage(1, new ExitMessage.Prepare(7, OTHER), 5);
    leader.onGone(1, false, 6);
    assertThat(leader.phase()).as("it has followed rank 1").isEqualTo(ExitPhase.ELECTING);
  }

  @Test
  void shouldAskAllAgainWhenItIsNamedASecondTime() {
    ExitProtocol leader = preparing(1);
    leader.onMessage(0, promise(3), 2);
    leader.onMessage(1, new ExitMessage.Prepare(4, OTHER), 3);
    leader.onGone(1, false, 4);
    sent.clear();
    leader.onMessage(0, named(6, 2), 5);

    assertThat(sent).containsExactly(new Sent(0, new ExitMessage.Prepare(6, OWN)));
    assertThat(leader.phase()).isEqualTo(ExitPhase.PREPARING);
  }

  @Test
  void shouldNotLeadInAnEpochLowerThanOneItHasPromised() {
    ExitProtocol one = rank(2);
    one.onMessage(1, new ExitMessage.Prepare(4, OTHER), 0);
    one.exit(ExitKind.NOW, OWN, 1);
    one.onMessage(0, named(3, 2), 2);

    assertThat(one.phase()).isEqualTo(ExitPhase.FOLLOWING);
  }

  @Test
  void shouldEndWithTheCodeOfASilentLeaderThatHasPrepared() {
    ExitProtocol zero = rank(0);
    zero.onMessage(2, new ExitMessage.Prepare(5, OTHER), 1);
    zero.onTime(1 + T);

    assertThat(sent).last().isEqualTo(new Sent(2, new ExitMessage.Prepare(6, OTHER)));
  }

  @Test
  void shouldTakeItsOwnOrderFromAnotherForAnAnswer() {
    ExitProtocol leader = leading();
    leader.onMessage(0, order(0, OWN), 2);
    leader.onTime(1 + AGAIN);
    assertThat(sent)
        .containsExactly(new Sent(0, new ExitMessage.ExitReply(0)), new Sent(2, order(0, OWN)));
    leader.onMessage(2, order(0, OWN), 3 + AGAIN);

    leader.onHooksDone(4 + AGAIN);
    assertThat(ends).extracting(ExitResult::graceful).containsExactly(true);
    assertThat(ends).flatExtracting(ExitResult::unanswered).isEmpty();
  }

  @Test
  void shouldAnswerOrdersAfterTheEnd() {
    ExitProtocol zero = rank(0);
    zero.onMessage(1, order(4, OTHER), 1);
    zero.onHooksDone(2);
    sent.clear();
    zero.onMessage(1, order(4, OTHER), 3);
    assertThat(sent).containsExactly(new Sent(1, new ExitMessage.ExitReply(4)));
    sent.clear();

    zero.onMessage(2, order(2, OWN), 4);
    assertThat(sent)
        .as("the sender ends by an earlier one")
        .containsExactly(new Sent(2, new ExitMessage.ExitReply(4)), new Sent(2, order(4, OTHER)));
    sent.clear();
    zero.onMessage(2, order(8, OWN), 5);
    assertThat(sent).containsExactly(new Sent(2, new ExitMessage.ExitReply(8)));
    assertThat(ends).extracting(ExitResult::code).containsExactly(99);
  }
}
