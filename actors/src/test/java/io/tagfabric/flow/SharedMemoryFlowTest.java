package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.PendingSend;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.flow.window.ActiveShare;
import io.tagfabric.flow.window.FlowContext;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.PacketBudget;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.flow.window.UnexpectedBudget;
import io.tagfabric.match.Arrival;
import io.tagfabric.progress.PassCount;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.trace.Recorder;
import io.tagfabric.wire.Announced;
import io.tagfabric.wire.FlowKey;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.PayloadCopy;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * A flow over a channel that takes short messages by themselves and shares memory with the peer.
 */
class SharedMemoryFlowTest {
  private static final long MS = 1_000_000L;
  private static final FlowSettings SETTINGS = SmallFlows.SETTINGS;

  /** Takes all while it has room, and exports every buffer under the next number. */
  private static final class SharingChannel implements Channel, SharedMemory {
    final List<String> taken = new ArrayList<>();
    final List<MemoryKey> exported = new ArrayList<>();
    final List<MemoryKey> revoked = new ArrayList<>();
    final List<String> written = new ArrayList<>();
    final List<String> read = new ArrayList<>();
    boolean full;
    boolean reaches;
    boolean exports = true;
    int leastBytes = Integer.MAX_VALUE;
    int lendsFrom = Integer.MAX_VALUE;
    boolean hasRoom = true;
    int copied;
    Packet lends;

    @Override
    public boolean offer(Packet packet) {
      if (!full) {
        taken.add(packet == lends ? "lent packet" : "packet");
      }
      return !full;
    }

    @Override
    public Packet largePacket() {
      return lends;
    }

    @Override
    public boolean inject(long flow, MessageView message) {
      taken.add("tag " + message.tag());
      return true;
    }

    @Override
    public SharedMemory sharedMemory() {
      return this;
    }

    @Override
    public String closedBecause() {
      return null;
    }

    @Override
    public int leastBytes() {
      return leastBytes;
    }

    @Override
    public MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
      if (!exports) {
        return null;
      }
      MemoryKey key = new MemoryKey(1, exported.size(), 1);
      exported.add(key);
      return key;
    }

    @Override
    public void revoke(MemoryKey own) {
      revoked.add(own);
    }

    @Override
    public boolean read(MemoryKey key, long at, MutableDirectBuffer to, int offset, int length) {
      read.add(at + "+" + length);
      return reaches;
    }

    @Override
    public boolean write(MemoryKey key, long at, DirectBuffer from, int offset, int length) {
      written.add(at + "+" + length + " from " + offset);
      return reaches;
    }

    @Override
    public boolean hasRoom() {
      return hasRoom;
    }

    @Override
    public boolean lends(DirectBuffer buffer, int length) {
      return length >= lendsFrom;
    }

    @Override
    public void copyLent() {
      copied++;
    }
  }

  /** Counts how sends end. */
  private static final class Ends implements FlowEvents {
    int completed;
    int failed;
    String detail;

    @Override
    public void onSendCompleted(PendingSend send) {
      completed++;
    }

    @Override
    public void onSendFailed(PendingSend send, FabricError error, String detail) {
      failed++;
      this.detail = detail;
    }

    @Override
    public void onLost(Flow flow, FabricError error, String detail) {}

    @Override
    public void onChannelClosed(Flow flow, String detail) {}

    @Override
    public void onGoodbyeUnsaid(Flow flow, FabricError error) {}

    @Override
    public void onFlushNeeded(Flow flow) {}
  }

  private final SharingChannel channel = new SharingChannel();
  private final Ends ends = new Ends();
  private final List<Arrival> arrived = new ArrayList<>();
  private Flow flow = open();

  private Flow open() {
    EndpointAddress address = new EndpointAddress(77, 0, "peer", "akka://x", "vm", Map.of());
    FlowContext context =
        new FlowContext(
            76,
            1,
            5,
            Long.MAX_VALUE,
            () -> 7 * MS,
            new PassCount(),
            new PacketPool(512, 4096),
            new FrameWriter(),
            new UnexpectedBudget(1 << 20),
            new PacketBudget(0),
            new FrameServices(),
            Arrival.copying(arrived::add),
            Recorder.OFF,
            new ActiveShare(new ActiveSettings(4, 0, 1, 1024, 512, 1_000)));
    Flow opened =
        new Flow(
            context,
            ends,
            SETTINGS,
            0,
            3,
            new PeerLink(address, "sharing", "", channel, true, false, 4096));
    opened.established(0, Limits.NONE);
    opened.credits(credits());
    opened.flush();
    channel.taken.clear();
    return opened;
  }

  /** What the peer grants at the beginning. */
  private static PacketHeaderDecoder credits() {
    Packet packet = new PacketPool(512, 4096).acquire(0);
    new FrameWriter()
        .seal(packet)
        .acknowledged(0)
        .grantedBytes(10_000)
        .grantedMessages(64)
        .grantedReplies(64);
    return new PacketHeaderDecoder()
        .wrap(
            packet.buffer(),
            8,
            PacketHeaderEncoder.BLOCK_LENGTH,
            PacketHeaderEncoder.SCHEMA_VERSION);
  }

  private SimulatedSend send(int number, int length, CompletionLevel level) {
    SimulatedSend send = SimulatedSend.of(number, length, level);
    flow.submit(send);
    return send;
  }

  private boolean inject(long tag) {
    return flow.inject(MessageViews.of(tag, new UnsafeBuffer(new byte[8]), 0, 8));
  }

  @Test
  void shouldRevokeTheKeysOfAllMessagesThatWereAnnouncedWhenThePeerIsLost() {
    send(1, 5_000, CompletionLevel.INJECT);
    send(2, 5_000, CompletionLevel.MATCH);
    flow.flush();
    assertThat(channel.exported).hasSize(2);
    assertThat(channel.revoked).isEmpty();

    flow.end().lose(FabricError.TIMED_OUT, "silent");

    assertThat(channel.revoked).containsExactlyInAnyOrderElementsOf(channel.exported);
    assertThat(ends.failed).isEqualTo(2);
  }

  @Test
  void shouldRevokeTheKeyOfAMessageThatIsCancelledAndNoOther() {
    SimulatedSend first = send(1, 5_000, CompletionLevel.INJECT);
    send(2, 5_000, CompletionLevel.INJECT);

    assertThat(flow.withdraw(each -> each == first)).isSameAs(first);

    assertThat(channel.revoked).containsExactly(channel.exported.get(0));
  }

  @Test
  void shouldHandOverAShortMessageByItselfWhenNothingIsBeforeIt() {
    assertThat(inject(4)).isTrue();
    send(5, 10, CompletionLevel.INJECT);

    assertThat(channel.taken).containsExactly("tag 4", "tag 5");
    assertThat(ends.completed).isEqualTo(1);
  }

  @Test
  void shouldLetNoShortMessageOvertakePacketsThatHadNoRoom() {
    channel.full = true;
    send(1, 10, CompletionLevel.TRANSMIT);
    flow.flush();

    assertThat(inject(2)).as("neither by itself nor in a packet").isFalse();
    send(3, 10, CompletionLevel.INJECT);
    assertThat(channel.taken).isEmpty();

    channel.full = false;
    flow.flush();
    assertThat(channel.taken).containsExactly("packet", "tag 3");
  }

  @Test
  void shouldLetNoShortMessageOvertakeTheOpenPacket() {
    send(1, 10, CompletionLevel.TRANSMIT);
    assertThat(channel.taken).as("the first of a pass leaves at once").containsExactly("packet");
    send(2, 10, CompletionLevel.TRANSMIT);
    assertThat(inject(3)).as("into the same packet").isTrue();
    assertThat(channel.taken).hasSize(1);

    flow.flush();
    assertThat(channel.taken).containsExactly("packet", "packet");
  }

  @Test
  void shouldAskFirstFromTheLengthOnThatThePeerReadsInPlace() {
    channel.leastBytes = 500;
    flow = open();
    send(1, 499, CompletionLevel.TRANSMIT);
    assertThat(flow.counters().snapshot().requestsSent()).isZero();

    SimulatedSend read = send(2, 500, CompletionLevel.INJECT);
    assertThat(flow.counters().snapshot().requestsSent()).isEqualTo(1);
    assertThat(ends.completed).as("the peer has not read it yet").isZero();

    channel.exports = false;
    send(3, 500, CompletionLevel.INJECT);
    assertThat(flow.counters().snapshot().requestsSent())
        .as("it lies where the peer reads nothing")
        .isEqualTo(1);

    hear(packet -> writer.finish(packet, read.message, 0));
    assertThat(ends.completed)
        .as("it, what was copied, and what has been acknowledged")
        .isEqualTo(3);
  }

  // ---- packets in the channel's memory ----

  /** Lends a packet that notes the lengths of payloads that it writes in its own way. */
  private List<Integer> lend() {
    List<Integer> copied = new ArrayList<>();
    channel.lends =
        Packet.lent(
            new UnsafeBuffer(new byte[4096]),
            0,
            4096,
            (from, fromIndex, to, toIndex, length) -> {
              copied.add(length);
              PayloadCopy.PLAIN.copy(from, fromIndex, to, toIndex, length);
            },
            back -> {});
    return copied;
  }

  @Test
  void shouldBeginALargeFrameInThePacketThatTheChannelLends() {
    List<Integer> copied = lend();

    send(1, 900, CompletionLevel.TRANSMIT);
    flow.flush();

    assertThat(channel.taken).containsExactly("lent packet");
    assertThat(copied).containsExactly(900);
  }

  @Test
  void shouldTakeAPacketOfItsOwnForASmallFrameAndWhereNoneIsLent() {
    send(1, 900, CompletionLevel.TRANSMIT);
    flow.flush();
    List<Integer> copied = lend();
    send(2, 100, CompletionLevel.TRANSMIT);
    flow.flush();

    assertThat(channel.taken).containsExactly("packet", "packet");
    assertThat(copied).isEmpty();
  }

  @Test
  void shouldPutPartsOfALongMessageIntoThePacketThatTheChannelLends() {
    channel.exports = false;
    SimulatedSend send = announced(3_000);
    List<Integer> copied = lend();
    clear(send, 3_000, 3_000, null);

    flow.flush();

    assertThat(channel.taken).containsExactly("lent packet");
    assertThat(copied).containsExactly(3_000);
  }

  // ---- long messages ----

  private static final int PART = 256 * 1024;
  private final FrameWriter writer = new FrameWriter();
  private final MemoryKey theirs = new MemoryKey(9, 9, 9);
  private long sequence;

  /** The peer asks for bytes of the message that was announced last. */
  private void clear(PendingSend send, int wanted, int clearedTo, MemoryKey target) {
    hear(packet -> writer.clearToSend(packet, send.message, 70, wanted, clearedTo, target));
  }

  private void hear(Consumer<Packet> frames) {
    Packet packet = new PacketPool(1024, 1024).acquire(300);
    frames.accept(packet);
    sequence++;
    writer
        .seal(packet)
        .incarnation(77)
        .sequence(sequence)
        .acknowledged(flow.counters().snapshot().packetsSent())
        .grantedBytes(10_000)
        .grantedMessages(64)
        .grantedReplies(64)
        .isolation(5)
        .flow(0)
        .flags((short) 0);
    FrameCursor cursor = new FrameCursor();
    assertThat(cursor.wrap(packet)).isTrue();
    flow.onPacket(packet, cursor);
    packet.release();
  }

  private SimulatedSend announced(int length) {
    SimulatedSend send = send(1, length, CompletionLevel.TRANSMIT);
    flow.flush();
    channel.taken.clear();
    return send;
  }

  @Test
  void shouldWriteInPartsWhereThePeerWantsTheBytes() {
    channel.reaches = true;
    channel.exports = false;
    SimulatedSend send = announced(2 * PART + 10);
    clear(send, 2 * PART + 10, 2 * PART + 10, theirs);

    flow.flush();
    assertThat(channel.written).containsExactly("0+" + PART + " from 1");
    assertThat(flow.hasUnfinishedSends()).isTrue();
    flow.flush();
    flow.flush();
    assertThat(channel.written)
        .containsExactly(
            "0+" + PART + " from 1",
            PART + "+" + PART + " from " + (PART + 1),
            2 * PART + "+10 from " + (2 * PART + 1));
    assertThat(channel.taken).as("each part is told").hasSize(3);
    assertThat(flow.counters().snapshot().directBytes()).isEqualTo(2 * PART + 10);
    assertThat(flow.counters().snapshot().dataBytesSent()).isZero();

    hear(packet -> {});
    assertThat(ends.completed).isEqualTo(1);
    assertThat(flow.hasUnfinishedSends()).isFalse();
  }

  @Test
  void shouldSendTheBytesInPacketsWhenItCannotWriteThem() {
    channel.exports = false;
    SimulatedSend send = announced(3_000);
    clear(send, 3_000, 3_000, theirs);

    flow.flush();

    assertThat(channel.written).containsExactly("0+3000 from 1");
    assertThat(channel.taken).hasSize(1);
    assertThat(flow.counters().snapshot().directBytes()).isZero();
    assertThat(flow.counters().snapshot().dataBytesSent()).isEqualTo(3_000);
  }

  @Test
  void shouldWaitForTheEndOfTheReceiveWhenThePeerCanReadTheBytes() {
    SimulatedSend send = announced(3_000);
    assertThat(send.mayHaveArrived()).isTrue();
    hear(packet -> {});
    assertThat(ends.completed).isZero();

    hear(packet -> writer.finish(packet, send.message, 0));
    assertThat(ends.completed).isEqualTo(1);
    assertThat(flow.hasUnfinishedSends()).isFalse();
  }

  @Test
  void shouldFailWhenTheReceiveOfWhatThePeerCouldReadHasFailed() {
    SimulatedSend send = announced(3_000);
    hear(packet -> writer.finish(packet, send.message, FabricError.TRUNCATED.code()));

    assertThat(ends.failed).isEqualTo(1);
    assertThat(send.mayHaveArrived()).isFalse();
  }

  // ---- bytes that are lent ----

  private SimulatedSend lent(int cleared) {
    channel.exports = false;
    channel.reaches = true;
    channel.lendsFrom = 2_000;
    SimulatedSend send = announced(3_000);
    clear(send, 3_000, cleared, theirs);
    flow.flush();
    return send;
  }

  @Test
  void shouldCompleteASendOfLentBytesWhenThePeerHasThem() {
    SimulatedSend send = lent(3_000);
    hear(packet -> {});
    assertThat(channel.written).containsExactly("0+3000 from 1");
    assertThat(ends.completed).as("the channel still reads them").isZero();
    assertThat(flow.hasUnfinishedSends()).isTrue();

    hear(packet -> writer.finish(packet, send.message, 0));
    assertThat(ends.completed).isEqualTo(1);
    assertThat(channel.copied).isZero();
    assertThat(flow.hasUnfinishedSends()).isFalse();
  }

  @Test
  void shouldCompleteASendOfBytesThatAreNotLentWhenTheyAreWritten() {
    channel.exports = false;
    channel.reaches = true;
    channel.lendsFrom = 3_001;
    SimulatedSend send = announced(3_000);
    clear(send, 3_000, 3_000, theirs);
    flow.flush();
    hear(packet -> {});

    assertThat(ends.completed).isEqualTo(1);
  }

  @Test
  void shouldHaveLentBytesCopiedWhenTheirSendIsCancelled() {
    SimulatedSend send = lent(1_000);

    assertThat(flow.withdraw(each -> each == send)).isSameAs(send);

    assertThat(channel.written).containsExactly("0+1000 from 1");
    assertThat(channel.copied).isEqualTo(1);
  }

  @Test
  void shouldHaveLentBytesCopiedWhenThePeersReceiveHasFailed() {
    SimulatedSend send = lent(1_000);

    hear(packet -> writer.finish(packet, send.message, FabricError.CANCELED.code()));

    assertThat(ends.failed).isEqualTo(1);
    assertThat(channel.copied).isEqualTo(1);
  }

  @Test
  void shouldHaveLentBytesCopiedWhenTheFlowIsLost() {
    lent(3_000);

    flow.end().lose(FabricError.TIMED_OUT, "silent");

    assertThat(ends.failed).isEqualTo(1);
    assertThat(channel.copied).isPositive();
  }

  @Test
  void shouldWaitForRoomBeforeItWrites() {
    channel.hasRoom = false;
    SimulatedSend send = lent(3_000);
    flow.flush();
    assertThat(channel.written).isEmpty();
    assertThat(channel.taken).as("nothing empty leaves meanwhile").isEmpty();

    channel.hasRoom = true;
    flow.flush();
    assertThat(channel.written).containsExactly("0+3000 from 1");
    hear(packet -> writer.finish(packet, send.message, 0));
    assertThat(ends.completed).isEqualTo(1);
  }

  @Test
  void shouldCompleteAtOnceWhenThePeerWantsNoByte() {
    channel.exports = false;
    SimulatedSend send = announced(3_000);
    clear(send, 0, 0, null);

    assertThat(ends.completed).isEqualTo(1);
    assertThat(flow.hasUnfinishedSends()).isFalse();
  }

  @Test
  void shouldFailAMessageWhoseBufferHasShrunkBeforeItsBytesAreWanted() {
    channel.exports = false;
    SimulatedSend send = announced(3_000);
    assertThat(send.hasItsBytes()).isTrue();
    ((UnsafeBuffer) send.buffer()).wrap(new byte[3_001]);
    assertThat(send.hasItsBytes()).as("offset 1 and 3,000 bytes").isTrue();
    ((UnsafeBuffer) send.buffer()).wrap(new byte[3_000]);
    clear(send, 3_000, 3_000, null);

    flow.flush();

    assertThat(ends.failed).isEqualTo(1);
    assertThat(ends.detail)
        .isEqualTo(
            "offset=1 lengthBytes=3000 do not lie in the buffer any more, capacity=3000; leave it"
                + " alone until the completion");
    assertThat(channel.taken).as("the peer hears that none will come").hasSize(1);
    assertThat(flow.hasUnfinishedSends()).isFalse();
  }

  // ---- the other way ----

  @Test
  void shouldReadTheBytesOfAnAnnouncedMessageAndCountThem() {
    Announced announced = flow.origin().announced();
    UnsafeBuffer target = new UnsafeBuffer(new byte[100]);

    assertThat(announced.read(theirs, 40, target, 0, 60)).isFalse();
    assertThat(flow.counters().snapshot().directBytes()).isZero();
    channel.reaches = true;
    assertThat(announced.read(theirs, 40, target, 0, 60)).isTrue();

    assertThat(channel.read).containsExactly("40+60", "40+60");
    assertThat(flow.counters().snapshot().directBytes()).isEqualTo(60);
    assertThat(announced.targetOf(target, 0, 100)).isEqualTo(channel.exported.get(0));
    announced.revoke(channel.exported.get(0));
    assertThat(channel.revoked).containsExactly(channel.exported.get(0));
    assertThat(announced.windowBytes()).isEqualTo(128 * 1024);
    assertThat(announced.bytesUnderWay()).isEqualTo(8L * 128 * 1024);
  }

  @Test
  void shouldTakeAMessageThatCameByItself() {
    MessageView message = new MessageView();
    message.show(5, new UnsafeBuffer(new byte[10]), 0, 10);
    long before = flow.counters().snapshot().bytesReceived();

    flow.onInjected(message);
    assertThat(arrived).hasSize(1);
    assertThat(flow.counters().snapshot().messagesTaken()).isEqualTo(1);
    assertThat(flow.counters().snapshot().bytesReceived()).isEqualTo(before + 10);

    flow.end().lose(FabricError.TIMED_OUT, "silent");
    flow.onInjected(message);
    assertThat(arrived).as("of a lost flow nothing is taken").hasSize(1);
    assertThat(flow.origin().isLost()).isTrue();
  }

  @Test
  void shouldKnowItsPeerByTheKey() {
    long key = FlowKey.of(flow.id(), 5, 77);

    assertThat(flow.hasKey(key)).isTrue();
    assertThat(flow.hasKey(key + 1)).isFalse();
    assertThat(flow.origin().peer()).isEqualTo(3).isEqualTo(flow.peer());
    assertThat(flow.origin().name()).isEqualTo("peer@akka://x");
    assertThat(flow.origin().isLost()).isFalse();
  }
}
