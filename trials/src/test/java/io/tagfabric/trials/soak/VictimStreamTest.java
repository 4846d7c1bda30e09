package io.tagfabric.trials.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VictimStreamTest {
  private static final int PEER = 3;

  private final MessageStream messages = new MessageStream(5, 100, true);
  private final List<Long> kills = new ArrayList<>();
  private final VictimStream stream = new VictimStream(null, PEER, messages, 2, kills::add);

  private VictimStream.Slot slot(long number) {
    return new VictimStream.Slot(
        stream, number, new UnsafeBuffer(new byte[messages.length(number)]));
  }

  private void comes(long number, VictimStream.Slot slot, int peer) {
    messages.fill(number, slot.buffer(), Math.min(slot.buffer().capacity(), length(number)));
    stream.onEnded(
        new CompletionEntry().setReceived(slot, peer, messages.tag(number), length(number)), slot);
  }

  private int length(long number) {
    return messages.length(number);
  }

  private void fails(FabricError error) {
    VictimStream.Slot slot = slot(9);
    stream.onEnded(
        new CompletionEntry().setFailed(slot, error, PEER, 0, 0, 0, Direction.RECEIVE, "gone"),
        slot);
  }

  @Test
  void shouldHaveTheSenderKilledOnceWhenEnoughHasCome() {
    for (long number = 0; number < 5; number++) {
      comes(number, slot(number), PEER);
    }

    assertThat(kills).containsExactly(2L);
    assertThat(stream.received()).isEqualTo(5);
    assertThat(stream.corrupted()).isZero();
    assertThat(stream.isLost()).isFalse();
  }

  @Test
  void shouldFindAMessageThatIsNotTheNext() {
    long other = 1;
    while (length(other) != length(0)) {
      other++;
    }
    comes(other, slot(0), PEER);

    assertThat(stream.corrupted()).isEqualTo(1);
  }

  @Test
  void shouldFindAByteThatIsWrong() {
    long number = 0;
    while (length(number) == 0) {
      number++;
    }
    VictimStream.Slot slot = slot(number);
    messages.fill(number, slot.buffer(), length(number));
    slot.buffer().putByte(0, (byte) ~slot.buffer().getByte(0));
    stream.onEnded(
        new CompletionEntry().setReceived(slot, PEER, messages.tag(number), length(number)), slot);

    assertThat(stream.corrupted()).isEqualTo(1);
  }

  @Test
  void shouldFindAMessageOfSomebodyElse() {
    comes(0, slot(0), PEER + 1);

    assertThat(stream.corrupted()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"CONNECTION_RESET", "SHUTDOWN"})
  void shouldTakeTheLossOfAKilledSenderForWhatItIs(FabricError loss) {
    comes(0, slot(0), PEER);
    comes(1, slot(1), PEER);
    fails(loss);

    assertThat(stream.isLost()).isTrue();
    assertThat(stream.cutOff()).isEqualTo(1);
    assertThat(stream.trouble()).isEmpty();
  }

  private void isKilled() {
    comes(0, slot(0), PEER);
    comes(1, slot(1), PEER);
    assertThat(kills).hasSize(1);
  }

  private VictimStream.Slot roomy(long number) {
    return new VictimStream.Slot(stream, number, new UnsafeBuffer(new byte[1 << 16]));
  }

  /** A message behind the third that is longer than that or not. */
  private long later(boolean longer) {
    long number = 4;
    while (length(number) > length(2) != longer) {
      number++;
    }
    return number;
  }

  private void isTruncated(long number) {
    VictimStream.Slot slot = slot(2);
    UnsafeBuffer all = new UnsafeBuffer(new byte[length(number)]);
    messages.fill(number, all, length(number));
    int placed = slot.buffer().capacity();
    slot.buffer().putBytes(0, all, 0, placed);
    int overflow = length(number) - placed;
    stream.onEnded(
        new CompletionEntry()
            .setFailed(
                slot,
                FabricError.TRUNCATED,
                PEER,
                messages.tag(number),
                placed,
                overflow,
                Direction.RECEIVE,
                "long"),
        slot);
  }

  @Test
  void shouldTakeWhatHadComeBehindWhatAKilledSenderAnnounced() {
    isKilled();
    long later = later(false);
    comes(later, slot(2), PEER);
    comes(later + 1, roomy(3), PEER); // so many are forgotten from then on

    assertThat(stream.corrupted()).isZero();
    assertThat(stream.received()).isEqualTo(4);
    comes(later, roomy(4), PEER);
    assertThat(stream.corrupted()).as("one that has come before").isEqualTo(1);
  }

  @Test
  void shouldTakeTheBeginningOfWhatHadComeBehindIt() {
    isKilled();
    isTruncated(later(true));

    assertThat(stream.isLost()).isFalse();
    assertThat(stream.trouble()).isEmpty();
    assertThat(stream.corrupted()).isZero();
    assertThat(stream.received()).isEqualTo(3);
  }

  @Test
  void shouldTellOfAMessageThatIsTooLongForNoReason() {
    isTruncated(later(true));

    assertThat(stream.trouble()).isEqualTo("rank 3: a receive ended with TRUNCATED: long");
  }

  @Test
  void shouldTellOfALossThatNobodyMade() {
    fails(FabricError.CONNECTION_RESET);

    assertThat(stream.trouble()).isEqualTo("rank 3: a receive ended with CONNECTION_RESET: gone");
  }

  @Test
  void shouldTellOfAnotherReasonThanTheLoss() {
    comes(0, slot(0), PEER);
    comes(1, slot(1), PEER);
    fails(FabricError.PROTOCOL);

    assertThat(stream.trouble()).isEqualTo("rank 3: a receive ended with PROTOCOL: gone");
  }
}
