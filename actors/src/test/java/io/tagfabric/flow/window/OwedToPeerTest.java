package io.tagfabric.flow.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.flow.SmallFlows;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import org.junit.jupiter.api.Test;

class OwedToPeerTest {
  private static final long MS = 1_000_000L;
  private static final int CREDIT_BYTES = 4 << 20;
  private static final int BUDGET_BYTES = 64 << 20;

  /** An eighth of the credit. */
  private static final int IDLE_BYTES = CREDIT_BYTES / 8;

  private static final FlowSettings SETTINGS =
      RecordCopy.with(
          SmallFlows.SETTINGS.withCredit(CREDIT_BYTES, 64), "unexpectedBudgetBytes", BUDGET_BYTES);

  private final UnexpectedBudget budget = new UnexpectedBudget(BUDGET_BYTES);
  private final ReceiveWindow arrivals = new ReceiveWindow(8);
  private static final ActiveSettings ACTIVES = new ActiveSettings(4, 0, 1, 1024, 512, 1_000);
  private final OwedToPeer owed = new OwedToPeer(SETTINGS, ACTIVES, budget, arrivals, 0);

  private long grantedBytes() {
    Packet packet = new PacketPool(512, 4096).acquire(0);
    owed.pay(new FrameWriter().seal(packet));
    long granted =
        new PacketHeaderDecoder()
            .wrap(packet.buffer(), 8, PacketHeaderDecoder.BLOCK_LENGTH, 2)
            .grantedBytes();
    packet.release();
    return granted;
  }

  @Test
  void shouldPromiseAllOfTheCreditWhileTheBudgetIsPlentiful() {
    assertThat(grantedBytes()).isEqualTo(CREDIT_BYTES);
    assertThat(budget.freeBytes()).isEqualTo(BUDGET_BYTES - CREDIT_BYTES);
    assertThat(grantedBytes()).as("once").isEqualTo(CREDIT_BYTES);
  }

  @Test
  void shouldPromiseAnIdlePeerAPartWhenHalfOfTheBudgetIsGone() {
    budget.take(BUDGET_BYTES / 2);
    assertThat(grantedBytes()).isEqualTo(IDLE_BYTES);

    assertThat(owed.arrived(1)).isTrue();
    assertThat(grantedBytes()).as("one that sends gets all").isEqualTo(CREDIT_BYTES);
  }

  @Test
  void shouldPromiseNoMoreThanIsFree() {
    budget.take(BUDGET_BYTES - 1_000);

    assertThat(grantedBytes()).isEqualTo(1_000);
    assertThat(budget.freeBytes()).isZero();
    assertThat(owed.arrived(1_001)).isFalse();
    assertThat(owed.arrived(1_000)).isTrue();
  }

  @Test
  void shouldGiveBackWhatWasNotUsedAtTheEndAndTheRestWhenItIsTaken() {
    grantedBytes();
    owed.arrived(3_000);
    owed.end();
    assertThat(budget.freeBytes()).isEqualTo(BUDGET_BYTES - 3_000);

    owed.consumedBytes(3_000);
    assertThat(budget.freeBytes()).isEqualTo(BUDGET_BYTES);
    grantedBytes();
    assertThat(budget.freeBytes()).as("nothing more is promised").isEqualTo(BUDGET_BYTES);
  }

  // ---- acknowledgements ----

  private void comes(long sequence, long nowNs) {
    owed.packetComes(nowNs);
    Packet packet = new PacketPool(512, 512).acquire(0);
    arrivals.offer(packet, sequence);
    packet.release();
  }

  @Test
  void shouldAcknowledgeAPacketAfterFourPingsAtTheLatest() {
    grantedBytes();
    assertThat(owed.owesPackets()).isFalse();
    assertThat(owed.tick(100 * MS, MS)).isFalse();
    comes(1, 100 * MS);
    comes(2, 103 * MS);

    assertThat(owed.owesPackets()).isTrue();
    assertThat(owed.acknowledgeAtNs()).as("from the first one on").isEqualTo(104 * MS);
    assertThat(owed.tick(104 * MS - 1, MS)).isFalse();
    assertThat(owed.mustAcknowledgeNow()).isFalse();
    assertThat(owed.tick(104 * MS, MS)).isTrue();
    assertThat(owed.mustAcknowledgeNow()).isTrue();
    assertThat(owed.owesAcknowledgement()).isTrue();

    grantedBytes();
    assertThat(owed.owesPackets()).as("the header has said it").isFalse();
    assertThat(owed.mustAcknowledgeNow()).isFalse();
    assertThat(owed.tick(200 * MS, MS)).isFalse();
    comes(3, 200 * MS);
    assertThat(owed.acknowledgeAtNs()).isEqualTo(204 * MS);
  }

  @Test
  void shouldAcknowledgeEveryEighthPacketAtOnce() {
    grantedBytes();
    for (int sequence = 1; sequence <= 7; sequence++) {
      comes(sequence, 0);
    }
    assertThat(owed.owesAcknowledgement()).isFalse();

    comes(8, 0);
    assertThat(owed.owesAcknowledgement()).isTrue();
    grantedBytes();
    assertThat(owed.owesAcknowledgement()).isFalse();
  }

  @Test
  void shouldBeWorthPayingAtHalfOfWhatMakesAPacketLeave() {
    grantedBytes();
    comes(1, 0);
    comes(2, 0);
    comes(3, 0);
    assertThat(owed.isWorthPaying()).as("three packets").isFalse();
    comes(4, 0);
    assertThat(owed.isWorthPaying()).as("four of eight").isTrue();
    grantedBytes();
    assertThat(owed.isWorthPaying()).as("paid").isFalse();

    owed.acknowledgeNow();
    assertThat(owed.isWorthPaying()).as("asked for").isTrue();
    grantedBytes();

    owed.arrived(CREDIT_BYTES / 8 + 1);
    owed.consumedBytes(CREDIT_BYTES / 8);
    assertThat(owed.isWorthPaying()).as("an eighth of the bytes").isFalse();
    owed.consumedBytes(1);
    assertThat(owed.isWorthPaying()).as("more than that").isTrue();
    assertThat(owed.owesAcknowledgement()).as("a quarter").isFalse();
    grantedBytes();
  }

  @Test
  void shouldBeWorthPayingWhenMessagesRepliesOrRequestsAreTaken() {
    grantedBytes();
    for (int i = 0; i < 8; i++) {
      owed.consumedMessage();
      owed.consumedReply();
    }
    assertThat(owed.isWorthPaying()).as("an eighth of 64").isFalse();
    owed.consumedMessage();
    assertThat(owed.isWorthPaying()).as("one message more").isTrue();
    grantedBytes();
    owed.consumedReply();
    assertThat(owed.isWorthPaying()).as("one reply since").isFalse();
    for (int i = 0; i < 8; i++) {
      owed.consumedReply();
    }
    assertThat(owed.isWorthPaying()).as("nine replies").isTrue();
    grantedBytes();

    owed.consumedActive();
    assertThat(owed.isWorthPaying()).as("a request, with slack=1").isTrue();
  }

  private static OwedToPeer withSlack(int credits, int slack) {
    return new OwedToPeer(
        SETTINGS,
        new ActiveSettings(credits, 0, slack, 1024, 512, 1_000),
        new UnexpectedBudget(BUDGET_BYTES),
        new ReceiveWindow(8),
        0);
  }

  private static void pay(OwedToPeer owed) {
    Packet packet = new PacketPool(512, 4096).acquire(0);
    owed.pay(new FrameWriter().seal(packet));
    packet.release();
  }

  @Test
  void shouldPayForRequestsThatCameInAPacketAtOnceAndForOthersWithHalfOfTheSlack() {
    OwedToPeer debts = withSlack(16, 4);
    pay(debts);
    debts.comesBare(true);
    for (int i = 0; i < 3; i++) {
      debts.activeArrived();
      debts.consumedActive();
      assertThat(debts.isWorthPaying()).as("%d of slack=4", i + 1).isEqualTo(i == 2);
    }
    pay(debts);

    debts.comesBare(false);
    debts.activeArrived();
    assertThat(debts.isWorthPaying()).as("before its end").isFalse();
    debts.consumedActive();
    assertThat(debts.isWorthPaying()).as("after it").isTrue();
    pay(debts);
    debts.comesBare(true);
    debts.activeArrived();
    debts.consumedActive();
    assertThat(debts.isWorthPaying()).as("all before are paid").isFalse();
  }

  @Test
  void shouldPayForRequestsWhenHalfOfTheirCreditIsUsed() {
    OwedToPeer debts = withSlack(4, 3);
    pay(debts);
    debts.comesBare(true);
    debts.activeArrived();
    debts.consumedActive();
    assertThat(debts.isWorthPaying()).as("one of four").isFalse();
    debts.activeArrived();
    assertThat(debts.isWorthPaying()).as("two of four").isTrue();
  }

  @Test
  void shouldBeWorthPayingWhenThePeerIsAboutToStall() {
    grantedBytes();
    for (int i = 0; i < 32; i++) {
      owed.arrived(0);
    }
    assertThat(owed.isWorthPaying()).as("nothing is owed").isFalse();
    owed.consumedMessage();
    assertThat(owed.isWorthPaying()).as("half of the credit is left").isTrue();
  }

  @Test
  void shouldReportAGapOnceAndThenByTheClock() {
    grantedBytes();
    comes(2, 0);
    owed.earlyPacket();
    assertThat(owed.owesReport()).isTrue();
    assertThat(owed.mustAcknowledgeNow()).isTrue();
    grantedBytes();
    owed.acknowledged(true, 50 * MS);
    assertThat(owed.owesReport()).isFalse();

    comes(3, 50 * MS);
    owed.earlyPacket();
    assertThat(owed.owesReport()).as("it is the same gap").isFalse();
    assertThat(owed.tick(53 * MS - 1, 3 * MS)).isFalse();
    assertThat(owed.tick(53 * MS, 3 * MS)).isTrue();
    assertThat(owed.owesReport()).isTrue();
    owed.acknowledged(false, 60 * MS);
    assertThat(owed.tick(60 * MS, 3 * MS)).as("that was no report").isTrue();

    comes(1, 61 * MS);
    Packet parked;
    while ((parked = arrivals.pollNext()) != null) {
      parked.release();
    }
    assertThat(owed.owesReport()).as("nothing is missing any more").isFalse();
    comes(5, 62 * MS);
    owed.earlyPacket();
    assertThat(owed.owesReport()).as("another gap").isTrue();
  }

  @Test
  void shouldReportAGapThatWasThereFromTheBeginning() {
    comes(2, 0);

    assertThat(owed.tick(0, 100 * MS)).as("as if the last report was long ago").isTrue();
  }

  // ---- credit ----

  @Test
  void shouldOweByteCreditWhenMoreThanAQuarterIsTaken() {
    grantedBytes();
    owed.arrived(CREDIT_BYTES);
    owed.consumedBytes(CREDIT_BYTES / 4);
    assertThat(owed.owesAcknowledgement()).isFalse();

    owed.consumedBytes(1);
    assertThat(owed.owesAcknowledgement()).isTrue();
  }

  @Test
  void shouldOweMessageCreditWhenMoreThanAQuarterIsTaken() {
    grantedBytes();
    for (int i = 0; i < 17; i++) {
      assertThat(owed.owesAcknowledgement()).as("after %d", i).isFalse();
      owed.arrived(0);
      owed.consumedMessage();
    }
    assertThat(owed.owesAcknowledgement()).isTrue();
  }

  @Test
  void shouldOweMessageCreditWhenTheSenderIsAboutToStall() {
    grantedBytes();
    for (int i = 0; i < 47; i++) {
      owed.arrived(0);
    }
    owed.consumedMessage();
    assertThat(owed.owesAcknowledgement()).as("17 are left").isFalse();

    owed.arrived(0);
    assertThat(owed.owesAcknowledgement()).as("16 are left").isTrue();
  }

  @Test
  void shouldOweReplyCreditByTheSameRule() {
    grantedBytes();
    for (int i = 0; i < 17; i++) {
      assertThat(owed.owesAcknowledgement()).as("after %d", i).isFalse();
      assertThat(owed.replyArrived()).isTrue();
      owed.consumedReply();
    }
    assertThat(owed.owesAcknowledgement()).isTrue();
    for (int i = 17; i < 64; i++) {
      assertThat(owed.replyArrived()).isTrue();
    }
    assertThat(owed.replyArrived()).isFalse();
    assertThat(owed.replyOverdraft())
        .isEqualTo(
            "a reply is beyond the credit it was given: arrivedReplies=64 of"
                + " grantedReplies=64");
  }

  @Test
  void shouldOweActiveCreditBeyondTheSlack() {
    grantedBytes();
    for (int i = 0; i < 4; i++) {
      assertThat(owed.activeArrived()).isTrue();
    }
    assertThat(owed.activeArrived()).as("a fifth").isFalse();
    assertThat(owed.activeOverdraft()).contains("arrivedActive=4 of grantedActive=4");
    owed.consumedActive();
    assertThat(owed.owesAcknowledgement()).as("one rides in the next packet").isFalse();
    owed.consumedActive();
    assertThat(owed.owesAcknowledgement()).isTrue();

    grantedBytes();

    assertThat(owed.owesAcknowledgement()).isFalse();
    assertThat(owed.activeArrived()).isTrue();
    assertThat(owed.activeArrived()).isTrue();
    assertThat(owed.activeArrived()).isFalse();
  }

  @Test
  void shouldLeaveThePeerACreditWhateverTheSlack() {
    assertThat(new ActiveSettings(3, 0, 99, 0, 0, 0).slack()).isEqualTo(2);
    assertThat(new ActiveSettings(1, 0, 1, 0, 0, 0).slack()).isZero();
  }

  @Test
  void shouldFreeAtTheEndOnlyWhatHasNotCome() {
    grantedBytes();
    owed.arrived(3_000);
    owed.consumedBytes(1_000);
    owed.end();

    assertThat(budget.freeBytes()).isEqualTo(BUDGET_BYTES - 2_000);
  }
}
