package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.match.core.ScriptedAnnounced.Clear;
import io.tagfabric.match.core.ScriptedAnnounced.Finish;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Messages whose bytes wait at their sender: asked for window by window, written by the sender, or
 * read from its memory.
 */
class LongMessageTest {
  private static final int TAG = 5;
  private static final int TOTAL = 300;
  private static final long MESSAGE = 9;
  private static final MemoryKey SOURCE = new MemoryKey(71, 40, 2);
  private static final MemoryKey TARGET = new MemoryKey(72, 8, 3);

  /** Bytes read in one pass. */
  private static final int PULL_BYTES = 256 * 1024;

  private final List<CompletionEntry> entries = new ArrayList<>();
  private final ScriptedOrigin origin = new ScriptedOrigin(3);
  private final ScriptedAnnounced told = origin.announced;
  private final UnsafeBuffer payload = new UnsafeBuffer(new byte[TOTAL]);
  private final ReceiveCore receives =
      new ReceiveCore(
          4,
          () -> {
            CompletionEntry entry = new CompletionEntry();
            entries.add(entry);
            return entry;
          });

  LongMessageTest() {
    new Random(1).nextBytes(payload.byteArray());
  }

  private byte[] post(int capacity) {
    byte[] buffer = new byte[capacity];
    receives.post(
        PostedReceive.into(
            TaggedReceive.of(TagSelector.exact(TAG)).into(new UnsafeBuffer(buffer), 0, capacity),
            "receive",
            null));
    return buffer;
  }

  private void announce(long length, boolean wantsFinish, MemoryKey memory) {
    receives.announced(
        origin, MessageViews.of(TAG, null, new byte[0]), MESSAGE, length, wantsFinish, memory);
  }

  private void data(int position, int length) {
    receives.data(origin, 1, position, payload, position, length);
  }

  private Completion completion() {
    assertThat(entries).hasSize(1);
    return entries.get(0).toCompletion();
  }

  private Completion.Failed failure() {
    return (Completion.Failed) completion();
  }

  private static Clear clear(long receive, long wanted, long clearedTo, long more) {
    return new Clear(MESSAGE, receive, wanted, clearedTo, more, null);
  }

  @Test
  void shouldAskWindowByWindowAsBytesCome() {
    byte[] buffer = post(TOTAL);
    announce(TOTAL, false, null);
    assertThat(told.clears).containsExactly(clear(1, 300, 128, 128));
    assertThat(origin.consumedMessages).as("the request is taken").isEqualTo(1);

    data(0, 63);
    assertThat(told.clears).as("whole windows only").hasSize(1);
    data(63, 1);
    assertThat(told.clears).last().isEqualTo(clear(1, 300, 192, 64));
    data(64, 128);
    assertThat(told.clears).last().isEqualTo(clear(1, 300, 300, 108));
    data(192, 107);
    assertThat(entries).isEmpty();
    data(299, 1);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(payload.byteArray());
    assertThat(told.settledBytes).isEqualTo(told.askedBytes).isEqualTo(300);
    assertThat(told.finishes).isEmpty();
  }

  @Test
  void shouldAskForWhatTheBufferTakesAndSayTheRest() {
    byte[] buffer = post(100);
    announce(Long.MAX_VALUE, true, null);
    assertThat(told.clears).containsExactly(clear(1, 100, 100, 100));
    data(0, 100);

    assertThat(failure().error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(failure().length()).isEqualTo(100);
    assertThat(failure().overflowLength()).isEqualTo(Long.MAX_VALUE - 100);
    assertThat(buffer).isEqualTo(Arrays.copyOf(payload.byteArray(), 100));
    assertThat(told.finishes).containsExactly(new Finish(MESSAGE, 0));
  }

  @Test
  void shouldSayThatItWantsNothingWhenTheBufferIsEmpty() {
    post(0);
    announce(TOTAL, true, SOURCE);

    assertThat(told.clears).containsExactly(clear(1, 0, 0, 0));
    assertThat(failure().error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(receives.pull()).as("nothing is left to read").isZero();
  }

  @Test
  void shouldTellTheSenderTheEndWhenItWaitsForIt() {
    post(TOTAL);
    announce(64, true, null);
    data(0, 64);

    assertThat(told.finishes).containsExactly(new Finish(MESSAGE, 0));
    assertThat(completion()).isInstanceOf(Completion.Received.class);
  }

  @ParameterizedTest
  @CsvSource({"11, 5", "9, 5", "-1, 5", "10, 119", "4294967306, 5"})
  void shouldEndTheFlowWhenBytesAreNotThoseAskedForNext(long position, int length) {
    byte[] buffer = post(TOTAL);
    announce(TOTAL, false, null);
    data(0, 10);
    receives.data(origin, 1, position, new UnsafeBuffer(new byte[length]), 0, length);

    assertThat(origin.breaches)
        .containsExactly(
            "bytes at position="
                + position
                + " of message=9 are not those that come next, arrived=10 of clearedTo=128");
    assertThat(entries).as("the loss of the peer ends it").isEmpty();
    assertThat(Arrays.copyOf(buffer, 10)).isEqualTo(Arrays.copyOf(payload.byteArray(), 10));
    receives.peerLost(3, FabricError.PROTOCOL, "rude", true);
    assertThat(failure().error()).isEqualTo(FabricError.PROTOCOL);
  }

  @Test
  void shouldTakeNoBytesOfAnotherPeer() {
    byte[] buffer = post(TOTAL);
    announce(64, false, null);
    receives.data(new ScriptedOrigin(4), 1, 0, new UnsafeBuffer(new byte[64]), 0, 64);
    assertThat(entries).isEmpty();
    data(0, 64);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(Arrays.copyOf(buffer, 64)).isEqualTo(Arrays.copyOf(payload.byteArray(), 64));
  }

  @Test
  void shouldCountWhatTheSenderHasWrittenItself() {
    told.writable = TARGET;
    post(TOTAL);
    announce(TOTAL, true, null);
    assertThat(told.clears)
        .as("all at once")
        .containsExactly(new Clear(MESSAGE, 1, 300, 300, 300, TARGET));
    receives.placed(origin, 1, 0, 200);
    assertThat(entries).isEmpty();
    receives.placed(origin, 1, 200, 100);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(told.settledBytes).isEqualTo(300);
    assertThat(told.clears).hasSize(1);
    assertThat(told.finishes).containsExactly(new Finish(MESSAGE, 0));
    assertThat(told.released).containsExactly(TARGET);
  }

  @Test
  void shouldFailBothSidesWhenWhatTheSenderHasWrittenIsNotThere() {
    told.writable = TARGET;
    told.unwritable = true;
    post(TOTAL);
    announce(TOTAL, true, null);
    receives.placed(origin, 1, 0, 300);

    assertThat(completion())
        .isInstanceOfSatisfying(
            Completion.Failed.class,
            failed -> assertThat(failed.error()).isEqualTo(FabricError.IO));
    assertThat(told.finishes).containsExactly(new Finish(MESSAGE, FabricError.IO.code()));
    assertThat(told.settledBytes).isEqualTo(300);
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "0, 301"})
  void shouldEndTheFlowWhenTheSenderSaysThatItHasWrittenOtherBytes(long position, int length) {
    told.writable = TARGET;
    post(TOTAL);
    announce(TOTAL, false, null);
    receives.placed(origin, 1, position, length);

    assertThat(origin.breaches).hasSize(1);
    assertThat(entries).isEmpty();
  }

  @Test
  void shouldLetALostSenderWriteNoMore() {
    told.writable = TARGET;
    post(TOTAL);
    announce(TOTAL, false, null);
    receives.placed(origin, 1, 0, 200);
    assertThat(told.revoked).isEmpty();
    origin.lost = true;
    receives.peerLost(3, FabricError.TIMED_OUT, "silent", true);

    assertThat(completion()).isInstanceOf(Completion.Failed.class);
    assertThat(told.revoked).containsExactly(TARGET);
  }

  @Test
  void shouldTakePacketsWhenTheSenderCouldNotWrite() {
    told.writable = TARGET;
    byte[] buffer = post(TOTAL);
    announce(TOTAL, false, null);
    data(0, 120);
    data(120, 180);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(payload.byteArray());
  }

  @Test
  void shouldReadTheSendersMemoryPartByPart() {
    byte[] bytes = new byte[40 + 2 * PULL_BYTES + 7];
    new Random(2).nextBytes(bytes);
    told.readable = bytes;
    byte[] buffer = post(2 * PULL_BYTES + 7);
    announce(2 * PULL_BYTES + 7, true, SOURCE);
    assertThat(entries).isEmpty();
    assertThat(receives.pull()).isEqualTo(1);
    assertThat(receives.pull()).isEqualTo(1);
    assertThat(told.finishes).isEmpty();
    assertThat(receives.pull()).isEqualTo(1);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(Arrays.copyOfRange(bytes, 40, bytes.length));
    assertThat(told.finishes).containsExactly(new Finish(MESSAGE, 0));
    assertThat(told.clears).isEmpty();
    assertThat(receives.pull()).isZero();
  }

  @Test
  void shouldAskForAllBytesWhenTheMemoryCannotBeReadAnyMore() {
    told.readable = new byte[40 + 2 * PULL_BYTES];
    told.windowBytes = 2 * PULL_BYTES;
    byte[] buffer = post(2 * PULL_BYTES);
    announce(2 * PULL_BYTES, true, SOURCE);
    receives.pull();
    told.readable = null;
    assertThat(receives.pull()).isEqualTo(1);
    assertThat(told.clears)
        .as("from the beginning: what was read may be another message")
        .containsExactly(clear(1, 2 * PULL_BYTES, 2 * PULL_BYTES, 2 * PULL_BYTES));
    byte[] bytes = new byte[2 * PULL_BYTES];
    new Random(3).nextBytes(bytes);
    receives.data(origin, 1, 0, new UnsafeBuffer(bytes), 0, bytes.length);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(bytes);
    assertThat(told.finishes).containsExactly(new Finish(MESSAGE, 0));
  }

  @Test
  void shouldTakeTurnsWhenTwoMessagesAreRead() {
    told.readable = new byte[40 + 2 * PULL_BYTES];
    post(2 * PULL_BYTES);
    post(10);
    announce(2 * PULL_BYTES, true, SOURCE);
    receives.announced(
        origin, MessageViews.of(TAG, null, new byte[0]), MESSAGE + 1, 10, true, SOURCE);
    receives.pull();
    receives.pull();

    assertThat(told.finishes).containsExactly(new Finish(MESSAGE + 1, 0));
    assertThat(((Completion.Received) completion()).length()).isEqualTo(10);
  }

  @Test
  void shouldReadNoMoreWhenTheSenderGivesTheMessageUp() {
    told.readable = new byte[40 + 2 * PULL_BYTES];
    post(2 * PULL_BYTES);
    announce(2 * PULL_BYTES, true, SOURCE);
    receives.pull();
    receives.aborted(origin, MESSAGE, FabricError.CANCELED.code());

    assertThat(failure().error()).isEqualTo(FabricError.CANCELED);
    assertThat(receives.pull()).isZero();
    assertThat(told.settledBytes).as("nothing was asked for").isZero();
  }

  @Test
  void shouldEndAtOnceWhenTheSenderIsGone() {
    announce(TOTAL, true, null);
    origin.lost = true;
    post(TOTAL);

    assertThat(failure().error()).isEqualTo(FabricError.CONNECTION_RESET);
    assertThat(failure().detail()).isEqualTo("the sender is gone");
    assertThat(told.clears).isEmpty();
  }

  @Test
  void shouldEndWhatALostPeerWasBringingAndNothingElse() {
    ScriptedOrigin other = new ScriptedOrigin(4);
    post(TOTAL);
    post(TOTAL);
    announce(TOTAL, false, null);
    receives.announced(other, MessageViews.of(TAG, null, new byte[0]), MESSAGE, 64, false, null);
    origin.lost = true;
    receives.peerLost(3, FabricError.TIMED_OUT, "silent", true);

    assertThat(failure().error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(failure().peer()).isEqualTo(3);
    assertThat(failure().detail()).isEqualTo("silent");
    assertThat(told.settledBytes).isEqualTo(told.askedBytes);
    assertThat(other.announced.settledBytes).isZero();
    receives.data(other, 2, 0, payload, 0, 64);
    assertThat(entries).hasSize(2);
  }

  @Test
  void shouldFinishWhatHasMatchedWhenTheEndpointCloses() {
    byte[] buffer = post(64);
    announce(64, true, null);
    receives.close();
    data(0, 64);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(Arrays.copyOf(payload.byteArray(), 64));
  }

  @Test
  void shouldFailWhenTheProgramHasTakenTheBuffersRoomAway() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    receives.post(
        PostedReceive.into(
            TaggedReceive.of(TagSelector.exact(TAG)).into(buffer, 0, 64), "receive", null));
    announce(64, true, null);
    data(0, 10);
    byte[] others = new byte[4];
    buffer.wrap(others);
    data(10, 54);

    assertThat(failure().error()).isEqualTo(FabricError.INVALID);
    assertThat(others).containsOnly(0);
  }
}
