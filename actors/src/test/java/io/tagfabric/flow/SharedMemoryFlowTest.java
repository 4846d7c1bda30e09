package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.Arrival;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * A flow over a channel that takes short messages by themselves and shares memory with the peer.
 */
class SharedMemoryFlowTest {
  private static final long MS = 1_000_000L;
  private static final FlowSettings SETTINGS =
      new FlowSettings(
          new SizeClasses(1_000, 0, 128 * 1024, 8),
          Map.of(),
          10_000,
          1 << 20,
          64,
          16,
          1 << 20,
          8,
          MS,
          100 * MS,
          8,
          30_000 * MS,
          20_000 * MS);

  /** Takes all while it has room, and exports every buffer under the next number. */
  private static final class SharingChannel implements Channel, SharedMemory {
    final List<String> taken = new ArrayList<>();
    final List<MemoryKey> exported = new ArrayList<>();
    final List<MemoryKey> revoked = new ArrayList<>();
    boolean full;

    @Override
    public boolean offer(Packet packet) {
      if (!full) {
        taken.add("packet");
      }
      return !full;
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
    public MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
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
      return false;
    }

    @Override
    public boolean write(MemoryKey key, long at, DirectBuffer from, int offset, int length) {
      return false;
    }
  }

  /** Counts how sends end. */
  private static final class Ends implements FlowEvents {
    int completed;
    int failed;

    @Override
    public void onSendCompleted(PendingSend send) {
      completed++;
    }

    @Override
    public void onSendFailed(PendingSend send, FabricError error, String detail) {
      failed++;
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
  private final Flow flow = open();

  private Flow open() {
    EndpointAddress address = new EndpointAddress(77, 0, "peer", "akka://x", "vm", Map.of());
    FlowContext context =
        new FlowContext(
            76,
            5,
            Long.MAX_VALUE,
            () -> 7 * MS,
            new PacketPool(512, 4096),
            new FrameWriter(),
            new UnexpectedBudget(1 << 20),
            new FrameServices(),
            Arrival.copying(arrival -> {}),
            ends);
    Flow opened =
        new Flow(context, SETTINGS, 0, 3, new PeerLink(address, "sharing", channel, true, 4096));
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
    return flow.inject(new UnsafeBuffer(new byte[8]), 0, 8, tag);
  }

  @Test
  void shouldRevokeTheKeysOfAllMessagesThatWereAnnouncedWhenThePeerIsLost() {
    send(1, 5_000, CompletionLevel.INJECT);
    send(2, 5_000, CompletionLevel.MATCH);
    flow.flush();
    assertThat(channel.exported).hasSize(2);
    assertThat(channel.revoked).isEmpty();

    flow.lose(FabricError.TIMED_OUT, "silent");

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
    assertThat(inject(2)).as("into the same packet").isTrue();
    assertThat(channel.taken).isEmpty();

    flow.flush();
    assertThat(channel.taken).containsExactly("packet");
  }
}
