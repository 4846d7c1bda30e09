package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwedToPeerTest {
  private static final long MS = 1_000_000L;
  private static final int CREDIT_BYTES = 4 << 20;
  private static final int BUDGET_BYTES = 64 << 20;

  /** An eighth of the credit. */
  private static final int IDLE_BYTES = CREDIT_BYTES / 8;

  private static final FlowSettings SETTINGS =
      new FlowSettings(
          new SizeClasses(1_000, 0, 128 * 1024, 8),
          Map.of(),
          CREDIT_BYTES,
          BUDGET_BYTES,
          64,
          16,
          1 << 20,
          8,
          MS,
          100 * MS,
          8,
          30_000 * MS,
          20_000 * MS);

  private final UnexpectedBudget budget = new UnexpectedBudget(BUDGET_BYTES);
  private final OwedToPeer owed = new OwedToPeer(SETTINGS, budget, new ReceiveWindow(8), 0);

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
}
