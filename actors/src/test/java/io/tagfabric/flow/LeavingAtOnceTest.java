package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.OutgoingActive;
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
import io.tagfabric.trace.Recorder;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What leaves within the call that submits it, and what waits for the end of the pass. */
class LeavingAtOnceTest {
  private static final long MS = 1_000_000L;
  private static final short KIND = 250;
  private static final int FRAME_HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
  private static final int LARGEST_PACKET = 1_024;
  private static final int CREDITS = 4;
  private static final int MESSAGES = 6;
  private static final FlowSettings SETTINGS = SmallFlows.SETTINGS;

  /** Takes frames with and without a header, as long as it has room for them. */
  private static final class BareChannel implements Channel {
    final List<String> taken = new ArrayList<>();
    boolean takesFrames = true;
    boolean full;

    @Override
    public boolean offer(Packet packet) {
      if (!full) {
        taken.add("packet " + (packet.length() - Packet.HEADER_LENGTH));
      }
      return !full;
    }

    @Override
    public boolean offerFrames(long flow, Packet packet) {
      boolean takes = takesFrames && !full;
      if (takes) {
        taken.add("frames " + (packet.length() - Packet.HEADER_LENGTH));
      }
      return takes;
    }

    @Override
    public String closedBecause() {
      return null;
    }
  }

  private static final class Flushes implements FlowEvents {
    int needed;

    @Override
    public void onSendCompleted(PendingSend send) {}

    @Override
    public void onSendFailed(PendingSend send, FabricError error, String detail) {}

    @Override
    public void onLost(Flow flow, FabricError error, String detail) {}

    @Override
    public void onChannelClosed(Flow flow, String detail) {}

    @Override
    public void onGoodbyeUnsaid(Flow flow, FabricError error) {}

    @Override
    public void onFlushNeeded(Flow flow) {
      needed++;
    }
  }

  /** A request of one frame. */
  private static final class Request extends OutgoingActive {
    private final int bytes;
    private boolean left;
    private boolean failed;

    Request(int bytes) {
      this.bytes = bytes;
    }

    @Override
    protected int overheadBytes() {
      return FRAME_HEADER;
    }

    @Override
    protected int leftBytes() {
      return left ? 0 : bytes - FRAME_HEADER;
    }

    @Override
    protected void write(Packet packet, int part) {
      assertThat(part).as("all of it in one frame").isEqualTo(bytes - FRAME_HEADER);
      append(packet, bytes);
      left = true;
    }

    @Override
    protected boolean wantsReply() {
      return true;
    }

    @Override
    protected void onLeft() {
      assertThat(left).isTrue();
    }

    @Override
    public void onFailed(FabricError error, String detail) {
      failed = true;
    }
  }

  /** An answer of one frame. */
  private static final class Reply extends Answer {
    private final int payload;
    private boolean written;

    Reply(int payload) {
      this.payload = payload;
    }

    @Override
    public int overheadBytes() {
      return FRAME_HEADER;
    }

    @Override
    public int leftBytes() {
      return written ? 0 : payload;
    }

    @Override
    public boolean isOver() {
      return written;
    }

    @Override
    public void write(AccessWriter writer, Packet packet, int bytes) {
      append(packet, FRAME_HEADER + bytes);
      written = true;
    }

    @Override
    public void onEnd() {}
  }

  private static void append(Packet packet, int bytes) {
    new MessageHeaderEncoder()
        .wrap(packet.buffer(), packet.length())
        .blockLength((short) 0)
        .templateId(KIND)
        .schemaId(PacketHeaderDecoder.SCHEMA_ID)
        .version(PacketHeaderDecoder.SCHEMA_VERSION)
        .frameLength(bytes);
    packet.append(bytes);
  }

  private final BareChannel channel = new BareChannel();
  private final Flushes flushes = new Flushes();
  private final PassCount passes = new PassCount();
  private final List<Reply> replies = new ArrayList<>();
  private final Flow flow = open(false);

  private Flow open(boolean gathers) {
    EndpointAddress address = new EndpointAddress(77, 0, "peer", "akka://x", "vm", Map.of());
    FrameServices services = new FrameServices();
    services.add(KIND, (origin, frame) -> replies.forEach(origin::answer));
    List<Arrival> arrived = new ArrayList<>();
    FlowContext context =
        new FlowContext(
            76,
            1,
            5,
            Long.MAX_VALUE,
            () -> 7 * MS,
            passes,
            new PacketPool(512, LARGEST_PACKET),
            new FrameWriter(),
            new UnexpectedBudget(1 << 20),
            new PacketBudget(0),
            services,
            Arrival.copying(arrived::add),
            Recorder.OFF,
            new ActiveShare(new ActiveSettings(CREDITS, 0, 1, 1024, 512, 1_000)));
    Flow opened =
        new Flow(
            context,
            flushes,
            SETTINGS,
            0,
            3,
            new PeerLink(address, "bare", "", channel, true, gathers, LARGEST_PACKET));
    opened.established(0, Limits.NONE);
    opened.credits(header(packet(0), 0));
    endPass(opened);
    // A greeting has paid what was owed.
    Packet greeting = packet(0);
    opened.setUp().seal(greeting);
    opened.setUp().offer(greeting);
    channel.taken.clear();
    flushes.needed = 0;
    return opened;
  }

  /** Flushes, and begins the next pass. */
  private void endPass(Flow which) {
    which.flush();
    passes.begin();
  }

  private static Packet packet(int frameBytes) {
    return new PacketPool(512, LARGEST_PACKET).acquire(frameBytes);
  }

  private static PacketHeaderDecoder header(Packet packet, int sequence) {
    new FrameWriter()
        .seal(packet)
        .incarnation(77)
        .sequence(sequence)
        .acknowledged(0)
        .grantedBytes(10_000)
        .grantedMessages(MESSAGES)
        .grantedReplies(64)
        .grantedActive((short) CREDITS)
        .isolation(5)
        .flow(0)
        .flags((short) 0);
    return new PacketHeaderDecoder()
        .wrap(
            packet.buffer(),
            FRAME_HEADER,
            PacketHeaderEncoder.BLOCK_LENGTH,
            PacketHeaderEncoder.SCHEMA_VERSION);
  }

  /** A frame comes without a packet's header. */
  private void hearBare() {
    Packet frames = packet(32);
    append(frames, FRAME_HEADER);
    byte[] bytes = new byte[FRAME_HEADER];
    frames.buffer().getBytes(Packet.HEADER_LENGTH, bytes);
    FrameCursor cursor = new FrameCursor();
    cursor.wrapFrames(Packet.received(bytes));
    flow.onFrames(cursor, bytes.length);
  }

  /** A frame comes in a packet. */
  private void hearInPacket(int sequence) {
    Packet packet = packet(32);
    append(packet, FRAME_HEADER);
    assertThat(header(packet, sequence).sequence()).isEqualTo(sequence);
    FrameCursor cursor = new FrameCursor();
    assertThat(cursor.wrap(packet)).isTrue();
    flow.onPacket(packet, cursor);
  }

  @Test
  void shouldLeaveNothingToFlushWhenAllHasLeft() {
    flow.actives().submit(new Request(40));

    assertThat(channel.taken).containsExactly("frames 40");
    assertThat(flushes.needed).isZero();
    assertThat(flow.isForgotten()).isFalse();
  }

  @Test
  void shouldGatherWhatFollowsInThePass() {
    flow.actives().submit(new Request(40));
    flow.actives().submit(new Request(48));
    flow.actives().submit(new Request(56));

    assertThat(channel.taken).containsExactly("frames 40");
    assertThat(flushes.needed).isEqualTo(1);
    endPass(flow);
    assertThat(channel.taken).containsExactly("frames 40", "frames 104");

    flow.actives().submit(new Request(64));
    assertThat(channel.taken).as("the first of the next pass").endsWith("frames 64");
    assertThat(flushes.needed).isEqualTo(1);
  }

  @Test
  void shouldLetTheFirstOfAPassLeaveInAPacketIfItNeedsOne() {
    channel.takesFrames = false;
    flow.actives().submit(new Request(40));
    assertThat(channel.taken).containsExactly("packet 40");
    assertThat(flushes.needed).as("nothing is left to flush").isZero();
    flow.actives().submit(new Request(48));
    flow.actives().submit(new Request(56));
    assertThat(channel.taken).as("what follows in the same pass is gathered").hasSize(1);
    assertThat(flushes.needed).isEqualTo(1);
    endPass(flow);
    assertThat(channel.taken).containsExactly("packet 40", "packet 104");

    channel.takesFrames = true;
    flow.actives().submit(new Request(800));
    assertThat(channel.taken).as("too long for less than a packet").endsWith("packet 800");
    assertThat(flushes.needed).isEqualTo(1);
  }

  /** Over a wire that gathers packets something else must flush it. */
  @Test
  void shouldLeaveAPacketToTheFlushWhereItsWireGathers() {
    channel.takesFrames = false;
    Flow gathering = open(true);

    gathering.actives().submit(new Request(800));

    assertThat(channel.taken).isEmpty();
    assertThat(flushes.needed).isEqualTo(1);
    endPass(gathering);
    assertThat(channel.taken).containsExactly("packet 800");
  }

  @Test
  void shouldFlushAPacketThatTheChannelRefuses() {
    channel.takesFrames = false;
    channel.full = true;
    flow.actives().submit(new Request(800));
    assertThat(channel.taken).isEmpty();
    assertThat(flushes.needed).isEqualTo(1);

    channel.full = false;
    endPass(flow);
    assertThat(channel.taken).containsExactly("packet 800");
  }

  @Test
  void shouldForgetNobodyWhoWaitsForCredit() {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i <= CREDITS; i++) {
      passes.begin();
      requests.add(new Request(40));
      flow.actives().submit(requests.get(i));
    }
    assertThat(channel.taken).hasSize(CREDITS);
    assertThat(requests.get(CREDITS).left).isFalse();
    endPass(flow);

    flow.credits(granting(CREDITS + 1));
    endPass(flow);
    assertThat(requests.get(CREDITS).left).isTrue();
    assertThat(channel.taken).hasSize(CREDITS + 1);
  }

  /** A header carries the low half of a total that outgrows it. */
  @Test
  void shouldGoOnWhereTheTotalOfActiveCreditsLeavesSixteenBits() {
    int requests = (1 << 16) + 1000;
    for (int i = 0; i < requests; i++) {
      passes.begin();
      Request request = new Request(40);
      flow.actives().submit(request);
      assertThat(request.left).as("request %d", i).isTrue();
      channel.taken.clear();
      flow.credits(granting(CREDITS + i + 1));
      flow.credits(granting(CREDITS + i)); // late
      endPass(flow);
    }
  }

  private static PacketHeaderDecoder granting(int active) {
    Packet packet = packet(0);
    PacketHeaderDecoder header = header(packet, 0);
    new PacketHeaderEncoder().wrap(packet.buffer(), FRAME_HEADER).grantedActive((short) active);
    return header;
  }

  @Test
  void shouldAnswerAtOnceWhatCameWithoutAPacket() {
    replies.add(new Reply(0));
    hearBare();
    assertThat(channel.taken).containsExactly("frames " + FRAME_HEADER);
    assertThat(flushes.needed).isZero();

    hearBare();
    assertThat(channel.taken).as("the second of the pass is gathered").hasSize(1);
    assertThat(flushes.needed).isEqualTo(1);
    endPass(flow);
    assertThat(channel.taken).hasSize(2);

    replies.set(0, new Reply(24));
    hearBare();
    assertThat(channel.taken).as("one with payload").endsWith("frames " + (FRAME_HEADER + 24));
    assertThat(flushes.needed).isEqualTo(1);
  }

  @Test
  void shouldAnswerWithTheFlushWhatIsLongOrCameInAPacket() {
    replies.add(new Reply(0));
    hearInPacket(1);
    assertThat(channel.taken).isEmpty();
    assertThat(flushes.needed).isEqualTo(1);
    endPass(flow);
    assertThat(channel.taken).hasSize(1);

    replies.set(0, new Reply(400));
    hearBare();
    assertThat(channel.taken).as("one longer than frames without a packet").hasSize(1);
    assertThat(replies.get(0).isOver()).as("it has its turn in the flush").isFalse();
    assertThat(flushes.needed).isEqualTo(2);
    endPass(flow);
    assertThat(channel.taken).endsWith("packet " + (FRAME_HEADER + 400));

    replies.set(0, new Reply(0));
    hearInPacket(2);
    assertThat(channel.taken).as("a packet behind frames without one").hasSize(2);
  }

  @Test
  void shouldKeepTheOrderOfAnswersThatBeginAtOnce() {
    replies.add(new Reply(400));
    replies.add(new Reply(0));
    hearBare();
    assertThat(channel.taken).isEmpty();
    assertThat(flushes.needed).isEqualTo(1);
    endPass(flow);
    assertThat(replies).allMatch(Reply::isOver);
  }

  @Test
  void shouldRefuseWhatMustLeaveNowIfThePacketBeforeItIsRefused() {
    channel.takesFrames = false;
    flow.actives().submit(new Request(40)); // the first of a pass leaves
    flow.actives().submit(new Request(800));
    channel.full = true;

    Request now = new Request(400);
    assertThat(flow.actives().submitNow(now)).isFalse();
    assertThat(now.left || now.failed).as("nothing has happened").isFalse();
    assertThat(flow.actives().submitNow(now)).isFalse();

    channel.full = false;
    endPass(flow);
    assertThat(channel.taken)
        .as("only what was accepted")
        .containsExactly("packet 40", "packet 800");
    assertThat(flow.actives().submitNow(now)).isTrue();
    assertThat(now.left).isTrue();
    endPass(flow);
    assertThat(channel.taken).containsExactly("packet 40", "packet 800", "packet 400");
  }

  private void signal() {
    flow.accesses().signal(1, 1, 0, 8, 5, AccessWriter.SIGNAL);
    passes.begin();
  }

  @Test
  void shouldSignalNoMoreThanThePeerHasCreditFor() {
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(flow.accesses().maySignal()).as("signal %d", i).isTrue();
      signal();
    }
    assertThat(channel.taken).hasSize(MESSAGES);
    assertThat(flow.accesses().maySignal()).isFalse();

    Packet more = packet(0);
    PacketHeaderDecoder header = header(more, 0);
    new PacketHeaderEncoder().wrap(more.buffer(), FRAME_HEADER).grantedMessages(MESSAGES + 1);
    flow.credits(header);
    assertThat(flow.accesses().maySignal()).isTrue();
    signal();
    assertThat(flow.accesses().maySignal()).isFalse();
  }

  @Test
  void shouldNotSignalBeforeWhatIsGathered() {
    flow.actives().submit(new Request(40));
    assertThat(flow.accesses().maySignal()).isTrue();
    flow.actives().submit(new Request(48));
    assertThat(flow.accesses().maySignal()).as("a request waits for the flush").isFalse();

    endPass(flow);
    assertThat(flow.accesses().maySignal()).isTrue();
  }
}
