package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of several packets at a receive context: matched early, late, half way, or given up. */
class AssemblyTest {
  private static final int TAG = 5;
  private static final int TOTAL = 300;
  private static final int MESSAGE = 9;

  private final List<CompletionEntry> entries = new ArrayList<>();
  private final ScriptedOrigin origin = new ScriptedOrigin(3);
  private final UnsafeBuffer payload = new UnsafeBuffer(new byte[TOTAL]);
  private final ReceiveCore receives =
      new ReceiveCore(
          4,
          () -> {
            CompletionEntry entry = new CompletionEntry();
            entries.add(entry);
            return entry;
          });
  private final ArrivingPackets packets = new ArrivingPackets(receives);

  AssemblyTest() {
    for (int i = 0; i < TOTAL; i++) {
      payload.putByte(i, (byte) (i * 7 + 1));
    }
  }

  private void first(long number, int length) {
    MessageView message = MessageViews.of(TAG, payload, 0, TOTAL);
    message.showData(77);
    packets.bring(origin, packet -> packets.writer.eagerFirst(packet, message, number, length));
  }

  private void first(int length) {
    first(MESSAGE, length);
  }

  private void next(int position, int length) {
    packets.bring(
        origin,
        packet -> packets.writer.eagerNext(packet, MESSAGE, position, payload, position, length));
  }

  private void announce() {
    MessageView message = MessageViews.of(TAG, payload, 0, TOTAL);
    packets.bring(
        origin, packet -> packets.writer.requestToSend(packet, message, MESSAGE, false, null));
  }

  private void abort() {
    packets.bring(
        origin, packet -> packets.writer.abort(packet, MESSAGE, FabricError.CANCELED.code()));
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

  private Completion completion() {
    assertThat(entries).hasSize(1);
    return entries.get(0).toCompletion();
  }

  @Test
  void shouldPlacePartsAsTheyComeWhenAReceiveWaits() {
    byte[] buffer = post(TOTAL);

    first(100);
    assertThat(origin.consumedBytes).as("no memory is held").isEqualTo(TOTAL);
    assertThat(receives.state().unexpectedBytes()).isZero();
    next(100, 150);
    assertThat(entries).isEmpty();
    assertThat(origin.awaitsRest).as("a silent sender is asked").isTrue();
    next(250, 50);
    assertThat(origin.awaitsRest).isFalse();

    assertThat(completion()).isEqualTo(new Completion.Received("receive", 3, TAG, TOTAL, true, 77));
    assertThat(buffer).isEqualTo(payload.byteArray());
    assertThat(origin.admittedMessages).isEqualTo(1);
    assertThat(origin.admittedBytes).isEqualTo(TOTAL);
    assertThat(origin.consumedMessages).isEqualTo(1);
  }

  @Test
  void shouldMoveWhatHasComeWhenAReceiveIsPostedHalfWay() {
    first(100);
    next(100, 10);
    assertThat(receives.state().unexpectedBytes()).as("room for all of it").isEqualTo(TOTAL);
    assertThat(origin.consumedBytes).isZero();

    byte[] buffer = post(TOTAL);
    assertThat(receives.state().unexpectedBytes()).isZero();
    assertThat(origin.consumedBytes).isEqualTo(TOTAL);
    assertThat(entries).isEmpty();
    next(110, 190);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(payload.byteArray());
    assertThat(receives.state().unexpectedMessages()).isZero();
  }

  @Test
  void shouldWaitAsOneMessageWhenAllCameBeforeAReceive() {
    first(100);
    next(100, 200);
    byte[] buffer = post(TOTAL);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(payload.byteArray());
    assertThat(origin.consumedBytes).isEqualTo(TOTAL);
  }

  @Test
  void shouldFillTheBufferAndSayTheRestWhenItIsTooShort() {
    first(100);
    byte[] buffer = post(120);
    next(100, 100);
    next(200, 100);

    Completion.Failed failed = (Completion.Failed) completion();
    assertThat(failed.error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(failed.length()).isEqualTo(120);
    assertThat(failed.overflowLength()).isEqualTo(180);
    assertThat(buffer).isEqualTo(Arrays.copyOf(payload.byteArray(), 120));
  }

  @Test
  void shouldEndTheReceiveWhenTheSenderGivesTheMessageUp() {
    post(TOTAL);
    first(100);
    abort();

    Completion.Failed failed = (Completion.Failed) completion();
    assertThat(failed.error()).isEqualTo(FabricError.CANCELED);
    assertThat(failed.peer()).isEqualTo(3);
    assertThat(failed.detail()).isEqualTo("the sender has cancelled the message");
    assertThat(origin.breaches).isEmpty();
    next(100, 200);
    assertThat(entries).as("bytes that come late are dropped").hasSize(1);
    assertThat(origin.breaches)
        .containsExactly("bytes come of message=9 that has not begun, or has ended");
  }

  @Test
  void shouldForgetTheMessageWhenItIsGivenUpBeforeAReceive() {
    first(100);
    abort();

    assertThat(receives.state().unexpectedMessages()).isZero();
    assertThat(receives.state().unexpectedBytes()).isZero();
    assertThat(origin.consumedBytes).as("the credit comes back").isEqualTo(TOTAL);
    assertThat(origin.awaitsRest).isFalse();
    post(TOTAL);
    assertThat(receives.state().postedReceives()).isEqualTo(1);
    assertThat(entries).isEmpty();
    first(MESSAGE + 1, TOTAL);
    assertThat(completion()).as("another may begin").isInstanceOf(Completion.Received.class);
  }

  @Test
  void shouldForgetAnAnnouncementWhenItIsGivenUp() {
    announce();
    assertThat(receives.state().unexpectedMessages()).isEqualTo(1);
    assertThat(origin.admittedBytes).as("its bytes wait at the sender").isZero();
    abort();

    assertThat(receives.state().unexpectedMessages()).isZero();
    assertThat(origin.consumedMessages).isEqualTo(1);
    assertThat(origin.announced.clears).isEmpty();
    assertThat(origin.announced.settledBytes).isZero();
  }

  @Test
  void shouldEndTheTransferWhenAReceiveHasTakenTheMessage() {
    post(TOTAL);
    announce();
    assertThat(origin.announced.askedBytes).isEqualTo(128);
    abort();

    Completion.Failed failed = (Completion.Failed) completion();
    assertThat(failed.error()).isEqualTo(FabricError.CANCELED);
    assertThat(failed.detail()).isEqualTo("peer [peer 3] has cancelled the message");
    assertThat(origin.announced.settledBytes).as("they will never come").isEqualTo(128);
  }

  @Test
  void shouldIgnoreAnAbortWhenTheMessageHasEnded() {
    post(TOTAL);
    abort();

    assertThat(receives.state().postedReceives()).isEqualTo(1);
    assertThat(entries).isEmpty();
    assertThat(origin.breaches).isEmpty();
    assertThat(origin.consumedMessages).isZero();
  }

  @Test
  void shouldEndWhatIsHalfWayWhenThePeerIsLost() {
    post(TOTAL);
    first(100);
    origin.lost = true;
    receives.peerLost(3, FabricError.TIMED_OUT, "silent", true);

    Completion.Failed failed = (Completion.Failed) completion();
    assertThat(failed.error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(failed.detail()).isEqualTo("silent");
  }

  @Test
  void shouldFreeTheMemoryWhenThePeerOfAHalfMessageIsLost() {
    first(100);
    origin.lost = true;
    receives.peerLost(3, FabricError.TIMED_OUT, "silent", true);

    assertThat(receives.state().unexpectedMessages()).isZero();
    assertThat(receives.state().unexpectedBytes()).isZero();
    assertThat(origin.consumedBytes).isEqualTo(TOTAL);
  }

  @Test
  void shouldEndTheFlowWhenItsSenderBeginsAnotherBeforeTheFirstIsWhole() {
    post(TOTAL);
    first(100);
    first(10, 50);

    assertThat(origin.breaches)
        .containsExactly("message=10 begins before all bytes of the one before it have come");
    assertThat(receives.state().unexpectedMessages()).as("nothing of it is kept").isZero();
    assertThat(entries).as("the loss of the peer ends the first").isEmpty();
    receives.peerLost(3, FabricError.PROTOCOL, "rude", true);
    assertThat(((Completion.Failed) completion()).error()).isEqualTo(FabricError.PROTOCOL);
  }

  @Test
  void shouldTakeAnotherWhenTheFirstIsWhole() {
    first(100);
    next(100, 200);
    first(MESSAGE + 1, 50);

    assertThat(origin.breaches).isEmpty();
    assertThat(receives.state().unexpectedMessages()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"150, 50", "99, 10", "-1, 1", "100, 201", "4294967396, 10"})
  void shouldEndTheFlowWhenBytesAreNotTheNextOnes(long position, int length) {
    byte[] buffer = post(TOTAL);
    first(100);
    receives.next(origin, MESSAGE, position, new UnsafeBuffer(new byte[length]), 0, length);

    assertThat(origin.breaches)
        .containsExactly(
            "bytes at position="
                + position
                + " of message=9 are not those that come next: lengthBytes="
                + length
                + ", arrived=100 of total=300");
    assertThat(entries).isEmpty();
    assertThat(buffer).as("none is placed").endsWith(new byte[TOTAL - 100]);
  }

  @Test
  void shouldEndTheFlowWhenBytesComeOfAMessageThatHasNotBegun() {
    first(MESSAGE + 1, 100);
    next(100, 50);

    assertThat(origin.breaches)
        .containsExactly("bytes come of message=9 that has not begun, or has ended");
  }

  @Test
  void shouldKeepSendersApartWhenTheirMessagesHaveTheSameNumber() {
    ScriptedOrigin other = new ScriptedOrigin(4);
    UnsafeBuffer others = new UnsafeBuffer(new byte[TOTAL]);
    others.setMemory(0, TOTAL, (byte) 9);
    byte[] buffer = post(TOTAL);
    first(100);
    receives.first(other, MessageViews.of(TAG, others, 0, 50), MESSAGE, TOTAL);
    next(100, 200);
    receives.next(other, MESSAGE, 50, others, 0, 250);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(payload.byteArray());
    byte[] second = post(TOTAL);
    assertThat(entries).hasSize(2);
    assertThat(second).isEqualTo(others.byteArray());
  }

  @Test
  void shouldKeepNothingWhenTheSenderHasNoCredit() {
    post(TOTAL);
    origin.hasNoCredit = true;
    first(100);

    assertThat(origin.breaches).containsExactly("no credit for messageBytes=300");
    assertThat(receives.state().postedReceives()).isEqualTo(1);
    assertThat(receives.state().unexpectedBytes()).isZero();
  }

  @Test
  void shouldLetTheRestPassWhenTheEndpointIsClosed() {
    first(100);
    receives.close();
    next(100, 200);
    first(MESSAGE + 1, 100);
    packets.bring(
        origin, packet -> packets.writer.eagerNext(packet, MESSAGE + 1, 100, payload, 100, 200));

    assertThat(origin.breaches).isEmpty();
    assertThat(receives.state().unexpectedMessages())
        .as("only the one before the close")
        .isEqualTo(1);
    assertThat(receives.state().unexpectedBytes()).isEqualTo(TOTAL);
  }

  @Test
  void shouldTakeNothingWhenTheEndpointHasFailed() {
    post(TOTAL);
    first(100);
    receives.fail(new IllegalStateException("a defect"), null);
    next(100, 200);
    next(0, 1);
    abort();
    announce();

    assertThat(receives.state().unexpectedMessages()).isZero();
    assertThat(origin.breaches).isEmpty();
    assertThat(entries).as("nobody hears that it was delivered").isEmpty();
  }
}
