package io.tagfabric.exit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.CodePolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one rank answers to one message, by the rules that keep two leaders apart. */
class ExitRulesTest {
  private static final long T = 800;
  private static final Verdict EARLIER = new Verdict(42, 1, 1);
  private static final Verdict LATER = new Verdict(99, 2, 2);
  private static final long NOTHING_ACCEPTED = ExitOrders.LAST_RESORT - 1;

  private final List<Sent> sent = new ArrayList<>();
  private final List<ExitResult> ends = new ArrayList<>();
  private final List<ExitKind> begun = new ArrayList<>();

  private record Sent(int to, ExitMessage message) {}

  private ExitProtocol rank(int number, boolean abortOnLoss) {
    ExitOutput output =
        new ExitOutput() {
          @Override
          public void send(int to, ExitMessage message) {
            sent.add(new Sent(to, message));
          }

          @Override
          public void runHooks(ExitNotice notice) {
            begun.add(notice.kind());
          }

          @Override
          public void end(ExitResult result) {
            ends.add(result);
          }
        };
    ExitProtocol protocol =
        new ExitProtocol(
            new ExitPlan(number, 3, CodePolicy.MAX, T, 10 * T, T / 10, abortOnLoss), output);
    protocol.onFormed();
    return protocol;
  }

  /** Rank 1, the leader that rank 0 has named first. */
  private ExitProtocol firstLeader() {
    ExitProtocol leader = rank(1, true);
    leader.exit(ExitKind.NOW, EARLIER, 0);
    leader.onMessage(0, new ExitMessage.ElectReply(0, 1), 1);
    assertThat(leader.phase()).isEqualTo(ExitPhase.LEADING);
    sent.clear();
    return leader;
  }

  private static ExitMessage.ExitRequest order(long epoch, Verdict verdict) {
    return new ExitMessage.ExitRequest(epoch, verdict);
  }

  @Test
  void shouldLeadWithTheSilentLeadersCodeAfterTWhenItHasNamedIt() {
    ExitProtocol elector = rank(0, true);
    elector.onMessage(2, new ExitMessage.ElectRequest(true, LATER), 5);
    assertThat(elector.phase()).isEqualTo(ExitPhase.RUNNING);
    assertThat(elector.nextNs()).isEqualTo(5 + T);
    sent.clear();

    elector.onTime(5 + T);

    assertThat(elector.phase()).isEqualTo(ExitPhase.PREPARING);
    assertThat(sent)
        .containsExactly(
            new Sent(1, new ExitMessage.Prepare(3, LATER)),
            new Sent(2, new ExitMessage.Prepare(3, LATER)));
  }

  @Test
  void shouldGoOnWhenARankLeavesByItsOwnWill() {
    ExitProtocol other = rank(1, true);
    other.onGone(2, true, 0);

    assertThat(other.nextNs()).isEqualTo(Long.MAX_VALUE);
    other.onTime(100 * T);
    assertThat(other.hasBegun()).isFalse();
  }

  @Test
  void shouldEndAfterTWhenARankIsLost() {
    ExitProtocol other = rank(1, true);
    other.onGone(2, false, 0);

    assertThat(other.nextNs()).isEqualTo(T);
    other.onTime(T);
    assertThat(other.hasBegun()).isTrue();
    assertThat(begun).containsExactly(ExitKind.LOSS);
  }

  @Test
  void shouldNotEndTheJobForALossOnceItLeavesByItself() {
    ExitProtocol other = rank(1, true);
    other.onGone(2, false, 0);

    other.onLeaving();
    other.onGone(0, false, 1);

    assertThat(other.nextNs()).isEqualTo(Long.MAX_VALUE);
    other.onTime(100 * T);
    assertThat(other.hasBegun()).isFalse();
  }

  @Test
  void shouldTakeUpASilentLeaderAlsoWhileItLeaves() {
    ExitProtocol elector = rank(0, true);
    elector.onGone(1, false, 0);
    elector.onMessage(2, new ExitMessage.ElectRequest(true, LATER), 5);

    elector.onLeaving();

    assertThat(elector.nextNs()).isEqualTo(5 + T);
    elector.onTime(5 + T);
    assertThat(begun).containsExactly(ExitKind.NOW);
  }

  @Test
  void shouldStepBackWhenAFollowerKnowsAHigherEpoch() {
    ExitProtocol leader = firstLeader();
    leader.onMessage(0, new ExitMessage.ExitReply(4), 2);
    assertThat(leader.phase()).isEqualTo(ExitPhase.FOLLOWING);

    leader.onMessage(2, order(4, LATER), 3);
    leader.onHooksDone(4);
    assertThat(ends).extracting(ExitResult::code).containsExactly(99);
  }

  @Test
  void shouldRefuseTheOrderOfALowerEpochWhenItLeads() {
    ExitProtocol leader = rank(2, true);
    leader.exit(ExitKind.NOW, LATER, 0);
    leader.onMessage(0, new ExitMessage.ElectReply(3, 2), 1);
    leader.onMessage(0, new ExitMessage.Promise(3, NOTHING_ACCEPTED, LATER), 2);
    leader.onMessage(1, new ExitMessage.Promise(3, NOTHING_ACCEPTED, LATER), 2);
    assertThat(leader.phase()).isEqualTo(ExitPhase.LEADING);
    sent.clear();

    leader.onMessage(1, order(0, EARLIER), 3);

    assertThat(leader.phase()).isEqualTo(ExitPhase.LEADING);
    assertThat(sent).containsExactly(new Sent(1, new ExitMessage.ExitReply(3)));
    leader.onMessage(0, new ExitMessage.ExitReply(3), 4);
    leader.onMessage(1, new ExitMessage.ExitReply(3), 4);
    leader.onHooksDone(5);
    assertThat(ends).extracting(ExitResult::code).containsExactly(99);
  }

  @Test
  void shouldRefuseTheOrderOfALowerEpochWhenItHasPromised() {
    ExitProtocol other = rank(0, true);
    other.onMessage(2, new ExitMessage.Prepare(4, LATER), 1);
    other.onMessage(1, order(0, EARLIER), 2);

    assertThat(other.phase()).isEqualTo(ExitPhase.RUNNING);
    assertThat(sent)
        .containsExactly(
            new Sent(2, new ExitMessage.Promise(4, NOTHING_ACCEPTED, LATER)),
            new Sent(1, new ExitMessage.ExitReply(4)));
    other.onTime(1 + T);
    assertThat(other.hasBegun()).as("takes it up when the leader stays silent").isTrue();
  }

  @Test
  void shouldOrderWhatAnotherEndsByAlready() {
    ExitProtocol leader = rank(2, true);
    leader.exit(ExitKind.NOW, LATER, 0);
    leader.onMessage(0, new ExitMessage.ElectReply(3, 2), 1);
    assertThat(leader.phase()).isEqualTo(ExitPhase.PREPARING);
    leader.onMessage(1, new ExitMessage.Promise(3, NOTHING_ACCEPTED, LATER), 2);
    assertThat(leader.phase()).isEqualTo(ExitPhase.PREPARING);
    sent.clear();

    leader.onMessage(0, new ExitMessage.Promise(3, 0, EARLIER), 3);

    assertThat(sent)
        .containsExactly(new Sent(0, order(3, EARLIER)), new Sent(1, order(3, EARLIER)));
  }

  @Test
  void shouldAskFirstWhenItHasReducedAndOthersMayHaveAgreed() {
    ExitProtocol first = rank(0, true);
    first.exit(ExitKind.TOGETHER, EARLIER, 0);
    first.onTime(T);

    assertThat(first.phase()).isEqualTo(ExitPhase.PREPARING);
    assertThat(sent).last().isEqualTo(new Sent(2, new ExitMessage.Prepare(0, EARLIER)));
  }

  @Test
  void shouldOrderInTimeWhenNobodyAnswers() {
    ExitProtocol leader = rank(2, true);
    leader.exit(ExitKind.NOW, LATER, 0);
    leader.onMessage(0, new ExitMessage.ElectReply(3, 2), 1);
    leader.onTime(1 + T / 2);

    assertThat(leader.phase()).isEqualTo(ExitPhase.LEADING);
    assertThat(sent).contains(new Sent(0, order(3, LATER)), new Sent(1, order(3, LATER)));
  }

  @Test
  void shouldTellALaterLeaderByWhatItEnds() {
    ExitProtocol leader = firstLeader();
    leader.onMessage(2, new ExitMessage.Prepare(4, LATER), 2);

    assertThat(leader.phase()).isEqualTo(ExitPhase.FOLLOWING);
    assertThat(sent).containsExactly(new Sent(2, new ExitMessage.Promise(4, 0, EARLIER)));
  }

  @Test
  void shouldTakeALaterOrderAsLongAsItsHooksRun() {
    ExitProtocol other = rank(0, true);
    other.onMessage(1, order(0, EARLIER), 1);
    other.onMessage(2, order(4, LATER), 2);
    other.onMessage(1, order(0, EARLIER), 3);
    other.onHooksDone(4);

    assertThat(ends).extracting(ExitResult::code).containsExactly(99);
    assertThat(sent).last().isEqualTo(new Sent(1, order(4, LATER)));
    other.onMessage(1, order(7, EARLIER), 5);
    assertThat(ends).hasSize(1);
  }

  @Test
  void shouldReadWhatHasComeBeforeItGivesUpWhenItWasHeldUp() {
    ExitProtocol other = rank(2, true);
    other.exit(ExitKind.TOGETHER, LATER, 0);
    other.onTime(9 * T);
    assertThat(other.phase()).isEqualTo(ExitPhase.REDUCING);
    assertThat(other.nextNs()).isLessThanOrEqualTo(9 * T + T / 8);

    other.onMessage(1, order(0, EARLIER), 9 * T);
    other.onHooksDone(9 * T);
    assertThat(ends).extracting(ExitResult::code).containsExactly(42);
  }

  @Test
  void shouldGiveUpWhenNothingHasComeMeanwhile() {
    ExitProtocol other = rank(2, true);
    other.exit(ExitKind.TOGETHER, LATER, 0);
    other.onTime(9 * T);
    other.onTime(9 * T + T / 8);
    other.onHooksDone(9 * T + T / 8);

    assertThat(ends).extracting(ExitResult::code).containsExactly(99);
    assertThat(ends).extracting(ExitResult::graceful).containsExactly(false);
  }

  @Test
  void shouldNotCallAnEndInTimeWhichNobodyHasLed() {
    ExitProtocol other = rank(0, true);
    other.onMessage(1, order(ExitOrders.LAST_RESORT, EARLIER), 1);
    other.onHooksDone(2);

    assertThat(ends).extracting(ExitResult::code).containsExactly(42);
    assertThat(ends).extracting(ExitResult::graceful).containsExactly(false);
  }

  @Test
  void shouldTellTheOthersWhatItsSenderSaysOnlyOnce() {
    ExitProtocol other = rank(0, true);
    other.onMessage(1, order(ExitOrders.LAST_RESORT, EARLIER), 1);

    assertThat(sent)
        .containsExactlyInAnyOrder(
            new Sent(1, new ExitMessage.ExitReply(ExitOrders.LAST_RESORT)),
            new Sent(2, order(ExitOrders.LAST_RESORT, EARLIER)));
    sent.clear();
    other.onMessage(2, order(ExitOrders.LAST_RESORT, EARLIER), 1);
    assertThat(sent)
        .containsExactly(new Sent(2, new ExitMessage.ExitReply(ExitOrders.LAST_RESORT)));
  }
}
