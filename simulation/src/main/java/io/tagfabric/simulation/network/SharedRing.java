package io.tagfabric.simulation.network;

import io.tagfabric.provider.WireListener;
import io.tagfabric.provider.shm.ring.LaneLayout;
import io.tagfabric.provider.shm.ring.LaneWriter;
import io.tagfabric.provider.shm.ring.RecordWriter;
import io.tagfabric.provider.shm.ring.RingReader;
import io.tagfabric.provider.shm.ring.ShmEntry;
import io.tagfabric.provider.shm.ring.ShmLanes;
import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.provider.shm.ring.ShmSenders;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.wire.InjectRecord;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * The memory of one node that the others of its host write into, with the lanes, the ring, their
 * readers and the repair as {@code shm} has them. Time passes only between turns, so a record is
 * open for longer than a turn if its sender is held up or was killed between two stores. Thread:
 * the simulation's.
 */
final class SharedRing implements ShmSenders.Owner {
  static final int PACKET = 1;
  static final int SLOT = 2;
  static final int INJECT = 3;
  static final int FRAMES = 4;
  static final int SLOT_RECORD_BYTES = 12;

  private static final long CHECK_NS = 1_000_000L;

  /** A peer that writes no more; gone when all it wrote before is read. */
  private record Leaving(SharedRing peer, long position) {}

  private final SimulatedNetwork network;
  private final SimulatedWire wire;
  private final WireListener listener;
  private final int number;
  private final UnsafeBuffer memory;
  private final ManyToOneRingBuffer ring;
  private final RingReader reader;
  private final ShmLanes lanes;
  private final ShmLayout layout;
  private final int laneBytes;

  /** Who has had each lane last. */
  private final SharedRing[] laneSenders;

  private final ShmSenders<SharedRing> senders;
  private final List<byte[]> slots = new ArrayList<>();
  private final List<Leaving> leaving = new ArrayList<>();
  private final List<SharedChannel> channels = new ArrayList<>();
  private final Packet view = Packet.view();
  private final MessageView injected = new MessageView();
  private long checkNs;
  private boolean broken;
  private final WrittenRecords written = new WrittenRecords();

  SharedRing(SimulatedNetwork network, SimulatedWire wire, WireListener listener) {
    this.network = network;
    this.wire = wire;
    this.listener = listener;
    SharedHost host = network.host();
    layout = new ShmLayout(host.ringBytes(), host.lanes(), host.laneBytes(), 0, 0);
    laneBytes = host.laneBytes();
    laneSenders = new SharedRing[host.lanes()];
    memory = new UnsafeBuffer(ByteBuffer.allocateDirect((int) layout.fileBytes));
    ring =
        new ManyToOneRingBuffer(
            new UnsafeBuffer(memory, ShmLayout.RING_AT, layout.ringTotalBytes()));
    reader = new RingReader(ring, this::onRingRecord);
    lanes = new ShmLanes(memory, layout, this::onLaneRecord);
    senders =
        new ShmSenders<>(
            memory,
            ring,
            lanes,
            host.repairNs(),
            path -> network.ringOf(path.toString()),
            network::mayHaveTaken);
    number = network.opened(this);
  }

  /** The name of the file that it would be. */
  String path() {
    return "domain-" + number;
  }

  SimulatedWire wire() {
    return wire;
  }

  @Override
  public boolean isOwnerAlive() {
    return wire.isOpen();
  }

  /** Whether this node takes entries with such a state. */
  boolean hasTaken(int state) {
    return ShmEntry.takenBy(path().getBytes(StandardCharsets.UTF_8)) == state;
  }

  /** The way of another node into this ring; null if all entries are taken. */
  ShmEntry enter(SharedRing from, Mortal.Life life) {
    int ringBytes = ring.buffer().capacity();
    ShmEntry entry =
        ShmEntry.take(
            new Mortal(life, memory, 0, memory.capacity()),
            layout,
            new ManyToOneRingBuffer(new Mortal(life, memory, ShmLayout.RING_AT, ringBytes)),
            lane -> lane(lane, from, life),
            from.path().getBytes(StandardCharsets.UTF_8),
            longestLaneRecord());
    if (laneSenders.length > 0 && entry != null && !(entry.writer() instanceof LaneWriter)) {
      noteLane(NetworkWatcher.Lane.NONE_FREE, from.wire.node());
    }
    return entry;
  }

  private AtomicBuffer lane(int lane, SharedRing from, Mortal.Life life) {
    noteLane(NetworkWatcher.Lane.TAKEN, from.wire.node());
    SharedRing before = laneSenders[lane];
    if (before != null && before.wire.hasCrashed()) {
      noteLane(NetworkWatcher.Lane.INHERITED, from.wire.node());
    }
    laneSenders[lane] = from;
    return new Mortal(life, memory, layout.laneAt(lane), layout.laneMemoryBytes());
  }

  /** The longest record of a sender with a lane, of which longer packets go by slots. */
  private int longestLaneRecord() {
    int longest = network.host().inlineBytes() + InjectRecord.MOST_HEADER_BYTES;
    return Math.min(longest, LaneLayout.longestRecord(laneBytes));
  }

  /** A sender begins to commit a record. */
  void writes(int from, int type, int length) {
    written.writes(from, type, length);
  }

  /** The longest record that a sender may write here. */
  int maxRecordBytes(RecordWriter writer) {
    return writer instanceof LaneWriter ? longestLaneRecord() : ring.maxMsgLength();
  }

  /** The one way from here into the ring of another node. */
  SharedChannel channelTo(SharedRing peer) {
    for (SharedChannel each : channels) {
      if (each.to() == peer) {
        return each;
      }
    }
    SharedChannel channel = new SharedChannel(network, this, peer);
    channels.add(channel);
    return channel;
  }

  // ---- slots that it lends ----

  /** Takes a slot for a packet. */
  int lend(DirectBuffer packet, int length) {
    byte[] bytes = new byte[length];
    packet.getBytes(0, bytes);
    int slot = slots.indexOf(null);
    if (slot < 0) {
      slots.add(bytes);
      return slots.size() - 1;
    }
    slots.set(slot, bytes);
    return slot;
  }

  /** A slot comes back. */
  void giveBack(int slot) {
    slots.set(slot, null);
  }

  /** The node whose ring a way from here still claims a record in; -1 if there is none. */
  int forgottenClaim() {
    for (SharedChannel channel : channels) {
      if (channel.forgetsClaim()) {
        return channel.to().wire.node();
      }
    }
    return -1;
  }

  // ---- reading ----

  /** When a pass finds something here. */
  long nextNs(long nowNs) {
    if (broken) {
      return Long.MAX_VALUE;
    }
    if (hasRecord() || hasLeft()) {
      return nowNs;
    }
    boolean blocked = ring.consumerPosition() != ring.producerPosition();
    return blocked || !leaving.isEmpty() ? Math.max(nowNs, checkNs) : Long.MAX_VALUE;
  }

  private boolean hasRecord() {
    return lanes.hasRecord() || reader.hasRecord();
  }

  private boolean hasLeft() {
    for (int i = 0; i < leaving.size(); i++) {
      if (isReadToTheEnd(leaving.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether all is read that a peer wrote, which writes no more. */
  private boolean isReadToTheEnd(Leaving each) {
    return reader.position() >= each.position && senders.isDrained(each.peer);
  }

  /** Nothing more is read after what no sender writes, or what nobody can take. */
  private int read(int limit) {
    try {
      return lanes.read(limit) + reader.read(limit);
    } catch (RuntimeException e) {
      broken = true;
      throw e;
    }
  }

  /** Takes some of the records that are there: those of lanes first, as {@code shm} does. */
  int poll(long nowNs) {
    if (broken) {
      return 0;
    }
    int read = 0;
    if (hasRecord() && !network.fires(Site.READ_LATE)) {
      int limit = network.scheduler().choices().of(16, 1, 3);
      read = read(limit);
    }
    if (nowNs >= checkNs) {
      checkNs = nowNs + CHECK_NS;
      boolean hadRecord = reader.hasRecord();
      senders.check(nowNs);
      if (!hadRecord && reader.hasRecord()) {
        note(NetworkWatcher.What.REPAIRED, wire.node(), 0);
      }
    }
    finishLeaving();
    return read;
  }

  private void onRingRecord(int type, int index, int length) {
    onRecord(reader.buffer(), type, index, length);
  }

  private void onLaneRecord(DirectBuffer records, int type, int index, int length) {
    noteLane(NetworkWatcher.Lane.ARRIVED, type & 0xffff);
    onRecord(records, type, index, length);
  }

  private void onRecord(DirectBuffer records, int type, int index, int length) {
    int kind = type >>> 16;
    int from = type & 0xffff;
    written.arrived(from, type, length);
    if (!wire.isOpen()) {
      return;
    }
    switch (kind) {
      case PACKET -> {
        note(NetworkWatcher.What.ARRIVED, from, length);
        view.show(records, index, length);
        listener.onPacket(view);
      }
      case SLOT -> onSlot(from, records.getInt(index), records.getInt(index + 4));
      case INJECT -> {
        if (!InjectRecord.read(records, index, length, injected)) {
          throw new IllegalStateException("a torn record of " + length + " bytes from " + from);
        }
        note(NetworkWatcher.What.INJECTED_ARRIVED, from, injected.length());
        listener.onInjected(InjectRecord.flow(records, index), injected);
      }
      case FRAMES -> {
        note(NetworkWatcher.What.BARE_ARRIVED, from, length);
        view.show(records, index + Long.BYTES, length - Long.BYTES);
        listener.onFrames(records.getLong(index), view);
      }
      default -> throw new IllegalStateException("a record of type " + type);
    }
    if (network.fires(Site.LONG_PASS)) {
      wire.runBetweenArrivals();
    }
  }

  private void onSlot(int from, int sender, int slot) {
    SharedRing peer = senders.peer(sender);
    if (peer == null || peer.wire.node() != from || peer.slots.get(slot) == null) {
      throw new IllegalStateException(
          "node " + from + " lends slot " + slot + " as sender " + sender + ", which is none");
    }
    Packet packet = Packet.received(peer.slots.get(slot));
    note(NetworkWatcher.What.ARRIVED, from, packet.length());
    listener.onPacket(packet);
    peer.giveBack(slot);
    peer.freed(this);
  }

  private void freed(SharedRing by) {
    for (SharedChannel channel : channels) {
      if (channel.to() == by) {
        channel.freed();
        return;
      }
    }
  }

  private void note(NetworkWatcher.What what, int from, int length) {
    network.watcher().on(what, from, wire.node(), length, 0);
  }

  private void noteLane(NetworkWatcher.Lane what, int from) {
    network.watcher().onLane(what, from, wire.node());
  }

  // ---- the dead ----

  /** Whether either of the two writes to the other. */
  boolean isFor(SharedRing peer) {
    return channels.stream().anyMatch(each -> each.to() == peer)
        || peer.channels.stream().anyMatch(each -> each.to() == this);
  }

  /** A peer has closed or is dead. */
  void peerClosed(SharedRing peer) {
    senders.findAll();
    leaving.add(new Leaving(peer, ring.producerPosition()));
  }

  private void finishLeaving() {
    boolean gone = false;
    for (int i = leaving.size() - 1; i >= 0; i--) {
      if (isReadToTheEnd(leaving.get(i))) {
        SharedRing peer = leaving.remove(i).peer;
        written.gone(peer.wire.node(), peer.wire.hasCrashed());
        senders.forget(peer);
        channels.stream().filter(each -> each.to() == peer).forEach(SharedChannel::gone);
        gone = true;
      }
    }
    if (gone) {
      listener.onChannelClosed();
    }
  }

  /** The node closes by its own will. */
  void close() {
    channels.forEach(SharedChannel::leave);
  }
}
