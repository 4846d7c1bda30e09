package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.FlowKey;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.ArrayDeque;

/**
 * Gathers frames in an open packet, seals it and hands it to the channel, within the window. Over a
 * channel that may lose packets the window keeps them.
 */
@InternalApi
public final class PacketOutbox {
  /** A frame up to this length is copied sooner than it closes a packet that others may join. */
  private static final int JOINING_BYTES = 256;

  /** Frames up to this length in all leave without a packet's header where they can. */
  public static final int BARE_BYTES = 256;

  private final FlowContext context;
  private final PacketPool pool;
  private final FrameWriter writer;
  private PeerLink link;
  private Channel channel;
  private boolean reliable;
  private boolean gathers;
  private int maxPacketBytes;
  private final SendWindow window;
  private final OwedToPeer owed;
  private final PeerWatch watch;
  private final FlowCounters counters;
  private final ArrayDeque<Packet> refused = new ArrayDeque<>();

  private int isolation;
  private int remoteId = PacketLayout.NO_FLOW;
  private long remoteKey;
  private Packet open;
  private int openFlags;
  private boolean openNeedsHeader;

  public PacketOutbox(
      FlowContext context,
      PeerLink link,
      SendWindow window,
      OwedToPeer owed,
      PeerWatch watch,
      FlowCounters counters) {
    this.context = context;
    isolation = context.isolation();
    this.pool = context.pool();
    this.writer = context.writer();
    link(link);
    this.window = window;
    this.owed = owed;
    this.watch = watch;
    this.counters = counters;
  }

  /** Goes another way from now on; nothing counted has left. */
  public void link(PeerLink link) {
    this.link = link;
    channel = link.channel();
    reliable = link.reliable();
    gathers = link.gathers();
    maxPacketBytes = Math.min(pool.largeCapacity(), link.maxPacketBytes());
  }

  /** The way to the peer. */
  public PeerLink link() {
    return link;
  }

  public int remoteId() {
    return remoteId;
  }

  /** What the peer calls this direction of the flow, once its number is known. */
  public long remoteKey() {
    return remoteKey;
  }

  /** What packets carry from now on. */
  public void isolation(int chosen) {
    isolation = chosen;
  }

  public void remoteId(int id) {
    remoteId = id;
    remoteKey = FlowKey.of(id, isolation, context.incarnation());
  }

  public FrameWriter writer() {
    return writer;
  }

  /** The packet that {@link #room} has made room in; null when nothing is gathered. */
  public Packet open() {
    return open;
  }

  /** Sequence of the open packet. */
  public long openSequence() {
    return window.nextSequence();
  }

  /** The receiver shall acknowledge the open packet at once. */
  public void acknowledgeOpen() {
    openFlags |= PacketLayout.ACKNOWLEDGE;
  }

  /** The open packet must not leave without its header: then the peer pays what it owes sooner. */
  public void giveOpenAHeader() {
    openNeedsHeader = true;
  }

  /** Bytes of the longest frame that a packet has room for. */
  public int maxFrameBytes() {
    return maxPacketBytes - Packet.HEADER_LENGTH;
  }

  /**
   * Hands a short message to the channel by itself, if nothing that must come before it waits here.
   *
   * @return false if it must travel in a packet
   */
  public boolean inject(MessageView message) {
    if (!reliable
        || open != null
        || !refused.isEmpty()
        || message.isUntagged() // such a record has no room to say so
        || !channel.inject(remoteKey, message)) {
      return false;
    }
    counters.messagesInjected++;
    counters.bytesSent += message.length();
    return true;
  }

  /** Makes room for a frame in the open packet, or in a new one; false if the window is closed. */
  public boolean room(int frameBytes) {
    if (open != null && openRemaining() < frameBytes) {
      if (open.length() + frameBytes <= maxPacketBytes) {
        enlargeOpen();
        return true;
      }
      sealOpen();
    }
    if (open == null) {
      if (!refused.isEmpty() || !window.isOpenElseWaits()) {
        return false;
      }
      open = acquire(frameBytes);
    }
    return true;
  }

  /** An empty packet, in the channel's memory if it is large and there is room. */
  private Packet acquire(int frameBytes) {
    Packet lent = pool.isLarge(frameBytes) ? channel.largePacket() : null;
    return lent == null ? pool.acquire(frameBytes) : lent;
  }

  /**
   * Makes room for a frame whose payload lies in a packet already. This becomes the open one; but a
   * short frame goes into the one that is open, so that it takes no packet for itself.
   *
   * @return false if the window is closed
   */
  public boolean roomFor(Packet prepared, int frameBytes) {
    if (open != null && frameBytes <= JOINING_BYTES && frameBytes <= openRemaining()) {
      return true;
    }
    sealOpen();
    if (!refused.isEmpty() || !window.isOpenElseWaits()) {
      return false;
    }
    open = prepared;
    return true;
  }

  /** An empty packet with room for a frame that will be handed to {@link #roomFor}. */
  public Packet prepare(int frameBytes) {
    return pool.acquire(frameBytes);
  }

  /** Whether there is room for a frame, as {@link #room} would find without asking for it. */
  public boolean hasRoom() {
    return refused.isEmpty() && window.isOpen();
  }

  /** Whether a frame would find room now, by itself, in one packet. */
  public boolean hasRoomFor(int frameBytes) {
    return refused.isEmpty()
        && frameBytes <= maxFrameBytes()
        && (window.isOpen() || (open != null && open.length() + frameBytes <= maxPacketBytes));
  }

  /**
   * Makes room for a part of a payload.
   *
   * @param leftBytes what is left of the payload
   * @param leastBytes fewer are not worth a frame in this packet, unless no more are left
   * @param overheadBytes of the frame
   * @return payload bytes that fit into one frame, 0 if the window is closed
   */
  public int roomForPart(int leftBytes, int leastBytes, int overheadBytes) {
    int least = Math.min(leftBytes, leastBytes);
    if (!room(PacketLayout.aligned(overheadBytes + least))) {
      return 0;
    }
    if (openRemaining() < PacketLayout.aligned(overheadBytes + leftBytes)
        && open.length() < maxPacketBytes) {
      growOpen();
    }
    int fits = (openRemaining() & -PacketLayout.ALIGNMENT) - overheadBytes;
    return Math.min(leftBytes, fits);
  }

  /** Bytes that still fit into the open packet, which the channel must take whole. */
  private int openRemaining() {
    return Math.min(open.remaining(), maxPacketBytes - open.length());
  }

  private void growOpen() {
    int wanted = maxPacketBytes - Packet.HEADER_LENGTH;
    if (open.length() + open.remaining() < wanted) {
      enlargeOpen();
    }
  }

  private void enlargeOpen() {
    Packet larger = channel.largePacket();
    open = larger == null ? pool.grow(open) : PacketPool.grow(open, larger);
  }

  /** Sends the last frame of the flow, beyond the window if need be. */
  public void sayGoodbye(int error) {
    if (open != null && openRemaining() < FrameWriter.goodbyeLength()) {
      sealOpen();
    }
    if (open == null) {
      // It must not wait for a peer that is busy.
      open = pool.acquire(FrameWriter.goodbyeLength());
    }
    writer.goodbye(open, error);
    acknowledgeOpen();
    sealOpen();
  }

  /** Sends it once more, not counted; false if the channel has no room. */
  public boolean repeatGoodbye(int error) {
    Packet packet = uncounted(FrameWriter.goodbyeLength());
    writer.goodbye(packet, error);
    return offerUncounted(packet, 0);
  }

  /** Sends the open packet, if there is one. */
  public void sealOpen() {
    if (open == null) {
      return;
    }
    if (sealBare()) {
      return;
    }
    Packet packet = open;
    open = null;
    window.add(packet);
    PacketHeaderEncoder header = seal(packet, packet.sequence());
    // The receiver counts packets; a window may be full of bytes before it has counted enough.
    header.flags((short) (window.needsWord() ? openFlags | PacketLayout.ACKNOWLEDGE : openFlags));
    openFlags = 0;
    openNeedsHeader = false;
    counters.packetsSent++;
    counters.bytesSent += packet.length();
    if (refused.isEmpty() && channel.offer(packet)) {
      sent(packet);
    } else {
      refused.addLast(packet);
    }
  }

  /**
   * Sends the open packet if no flush has to see to it: the channel loses none, and what it takes
   * is gone.
   *
   * @return false if nothing has happened
   */
  public boolean sealFirst() {
    if (!reliable || gathers) {
      return false;
    }
    sealOpen();
    return true;
  }

  /**
   * Sends the frames of the open packet by themselves, if they need no header and the channel has a
   * way for them.
   *
   * @return false if nothing has happened
   */
  private boolean sealBare() {
    Packet packet = open;
    if (!isBare(packet) || !channel.offerFrames(remoteKey, packet)) {
      return false;
    }
    open = null;
    counters.bareSent++;
    counters.bytesSent += packet.length() - Packet.HEADER_LENGTH;
    packet.release();
    return true;
  }

  /**
   * Whether a packet needs no header: nobody waits for its number, and nothing to speak of is owed.
   */
  private boolean isBare(Packet packet) {
    return reliable
        && openFlags == 0
        && !openNeedsHeader
        && packet.length() - Packet.HEADER_LENGTH <= BARE_BYTES
        && refused.isEmpty()
        && !owed.isWorthPaying();
  }

  private void sent(Packet packet) {
    if (reliable) {
      packet.release();
    } else {
      watch.sent(packet.sequence(), window.acknowledged() + 1 == packet.sequence());
    }
  }

  private PacketHeaderEncoder seal(Packet packet, long sequence) {
    return owed.pay(writer.seal(packet))
        .incarnation(context.incarnation())
        .sequence(sequence)
        .isolation(isolation)
        .flow(remoteId);
  }

  /** An empty packet with room for frames of so many bytes, for {@link #offerUncounted}. */
  public Packet uncounted(int frameBytes) {
    return pool.acquire(frameBytes);
  }

  /** Makes a packet ready that is not counted. */
  public void sealUncounted(Packet packet, int flags) {
    seal(packet, -window.highestSent()).flags((short) flags);
  }

  /** Sends a packet that is not counted: set-up, acknowledgement, ping; takes the reference. */
  public boolean offerUncounted(Packet packet, int flags) {
    sealUncounted(packet, flags);
    boolean accepted = channel.offer(packet);
    packet.release();
    return accepted;
  }

  /**
   * Sends a packet that only acknowledges.
   *
   * @param report whether it also says that packets are missing
   */
  public void acknowledge(boolean report) {
    if (offerUncounted(uncounted(0), report ? PacketLayout.MISSING : 0)) {
      counters.acknowledgementsSent++;
      owed.acknowledged(report, context.nanoTime());
    } else {
      owed.acknowledgeNow();
    }
  }

  /** Offers again what the channel had no room for. */
  public void offerRefused() {
    while (!refused.isEmpty() && channel.offer(refused.peekFirst())) {
      sent(refused.pollFirst());
    }
  }

  public boolean hasRefused() {
    return !refused.isEmpty();
  }

  /** Sends the oldest unacknowledged packets again, but none before its first time. */
  public void replay(int limit) {
    // One that waits for room must not be acknowledged: it would go back to its pool, and out again
    // as something else.
    int withChannel = window.unacknowledgedPackets() - refused.size();
    counters.packetsReplayed += window.replay(Math.min(limit, withChannel), channel::offer);
  }

  /** The peer has all counted packets up to this one. */
  public void acknowledged(long sequence) {
    channel.acknowledged(sequence);
  }

  /** Whether packets are not with the channel yet, or may have to be sent again. */
  public boolean hasPacketsOnTheWay() {
    return open != null
        || !refused.isEmpty()
        || (reliable ? !channel.isDrained() : window.hasUnacknowledged());
  }

  public boolean hasUnacknowledged() {
    return open != null || window.hasUnacknowledged();
  }

  /** Gives everything up. */
  public void clear() {
    if (open != null) {
      open.release();
      open = null;
    }
    if (reliable) {
      refused.forEach(Packet::release);
    }
    refused.clear();
    window.clear();
  }
}
