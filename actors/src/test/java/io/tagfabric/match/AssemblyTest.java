package io.tagfabric.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Messages of several packets at a receive context: matched early, late, half way, or given up. */
class AssemblyTest {
  private static final int TAG = 5;
  private static final int TOTAL = 300;
  private static final int MESSAGE = 9;

  private final FrameBatchPool pool = new FrameBatchPool(1024, 4096);
  private final FrameWriter writer = new FrameWriter();
  private final List<CompletionEntry> entries = new ArrayList<>();
  private final List<String> aborts = new ArrayList<>();
  private final ScriptedOrigin origin = new ScriptedOrigin(3);
  private final UnsafeBuffer payload = new UnsafeBuffer(new byte[TOTAL]);
  private final ReceiveContext receives =
      new ReceiveContext(
          4,
          () -> {
            CompletionEntry entry = new CompletionEntry();
            entries.add(entry);
            return entry;
          },
          new TransferListener() {
            @Override
            public void onMatched(InboundTransfer transfer) {
              throw new AssertionError("nothing is announced here");
            }

            @Override
            public void onAborted(FrameOrigin from, long message, FabricError error) {
              aborts.add(message + " " + error);
            }
          });
  private long sequence;

  AssemblyTest() {
    for (int i = 0; i < TOTAL; i++) {
      payload.putByte(i, (byte) (i * 7 + 1));
    }
  }

  private void packet(Consumer<FrameBatch> frames) {
    FrameBatch batch = pool.acquire(2000);
    frames.accept(batch);
    writer.seal(batch).sequence(++sequence);
    batch.origin(origin);
    receives.arrived(batch);
    assertThat(origin.processed).isEqualTo(sequence);
    Arrays.fill(batch.array(), (byte) 0x33);
    batch.release();
  }

  private void first(int length) {
    MessageView message = MessageViews.of(TAG, payload, 0, TOTAL);
    message.showData(77);
    packet(batch -> writer.eagerFirst(batch, message, MESSAGE, length));
  }

  private void next(int position, int length) {
    packet(batch -> writer.eagerNext(batch, MESSAGE, position, payload, position, length));
  }

  private void abort() {
    packet(batch -> writer.abort(batch, MESSAGE, FabricError.CANCELED.code()));
  }

  private byte[] post(int capacity) {
    byte[] buffer = new byte[capacity];
    receives.post(
        new PostedReceive(
            TagSelector.exact(TAG), new UnsafeBuffer(buffer), 0, capacity, "receive"));
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
    assertThat(receives.unexpectedBytes()).isZero();
    next(100, 150);
    assertThat(entries).isEmpty();
    next(250, 50);

    assertThat(completion()).isEqualTo(new Completion.Received("receive", 3, TAG, TOTAL, true, 77));
    assertThat(buffer).isEqualTo(payload.byteArray());
    assertThat(origin.consumedMessages).isEqualTo(1);
  }

  @Test
  void shouldMoveWhatHasComeWhenAReceiveIsPostedHalfWay() {
    first(100);
    next(100, 10);
    assertThat(receives.unexpectedBytes()).as("room for all of it").isEqualTo(TOTAL);
    assertThat(origin.consumedBytes).isZero();

    byte[] buffer = post(TOTAL);
    assertThat(receives.unexpectedBytes()).isZero();
    assertThat(origin.consumedBytes).isEqualTo(TOTAL);
    assertThat(entries).isEmpty();
    next(110, 190);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(payload.byteArray());
    assertThat(receives.unexpectedCount()).isZero();
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
    assertThat(failed.data()).isEqualTo(77);
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
    next(100, 200);
    assertThat(entries).as("bytes that come late are dropped").hasSize(1);
  }

  @Test
  void shouldForgetTheMessageWhenItIsGivenUpBeforeAReceive() {
    first(100);
    abort();

    assertThat(receives.unexpectedCount()).isZero();
    assertThat(receives.unexpectedBytes()).isZero();
    assertThat(origin.consumedBytes).as("the credit comes back").isEqualTo(TOTAL);
    post(TOTAL);
    assertThat(receives.postedCount()).isEqualTo(1);
    assertThat(aborts).isEmpty();
  }

  @Test
  void shouldForgetAnAnnouncementWhenItIsGivenUp() {
    MessageView message = MessageViews.of(TAG, payload, 0, TOTAL);
    packet(batch -> writer.requestToSend(batch, message, MESSAGE, false, null));
    assertThat(receives.unexpectedCount()).isEqualTo(1);
    abort();

    assertThat(receives.unexpectedCount()).isZero();
    assertThat(origin.consumedMessages).isEqualTo(1);
    assertThat(aborts).isEmpty();
  }

  @Test
  void shouldPassTheAbortOnWhenAReceiveHasTakenTheMessage() {
    abort();

    assertThat(aborts).containsExactly("9 CANCELED");
  }

  @Test
  void shouldEndWhatIsHalfWayWhenThePeerIsLost() {
    post(TOTAL);
    first(100);
    receives.peerLost(3, FabricError.TIMED_OUT, "silent");

    Completion.Failed failed = (Completion.Failed) completion();
    assertThat(failed.error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(failed.detail()).isEqualTo("silent");
  }

  @Test
  void shouldFreeTheMemoryWhenThePeerOfAHalfMessageIsLost() {
    first(100);
    receives.peerLost(3, FabricError.TIMED_OUT, "silent");

    assertThat(receives.unexpectedCount()).isZero();
    assertThat(receives.unexpectedBytes()).isZero();
    assertThat(origin.consumedBytes).isEqualTo(TOTAL);
  }

  @Test
  void shouldEndAMessageWithAnErrorWhenItsSenderBeginsAnother() {
    post(TOTAL);
    first(100);
    MessageView another = MessageViews.of(TAG, payload, 0, TOTAL);
    packet(batch -> writer.eagerFirst(batch, another, 10, 50));

    assertThat(((Completion.Failed) completion()).error()).isEqualTo(FabricError.IO);
    assertThat(receives.unexpectedCount()).isEqualTo(1);
  }

  @Test
  void shouldIgnoreBytesWhenTheyAreNotTheNextOnes() {
    byte[] buffer = post(TOTAL);
    first(100);
    next(150, 50);
    next(100, 200);

    assertThat(completion()).isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(payload.byteArray());
  }
}
