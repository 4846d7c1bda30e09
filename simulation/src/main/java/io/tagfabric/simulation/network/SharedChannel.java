package io.tagfabric.simulation.network;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.DirectMemory;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.provider.shm.ring.LaneWriter;
import io.tagfabric.provider.shm.ring.RecordWriter;
import io.tagfabric.provider.shm.ring.ShmEntry;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.wire.InjectRecord;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The way from one node into the memory of another on the same host, by a lane of its own or the
 * ring of all, with the real writers. The sender may be killed before any of its stores there, and
 * may be held up between a claim and its commit; then it offers nothing more until that is over.
 * Thread: the simulation's.
 */
final class SharedChannel implements Channel {
  /** A claim, a record and its commit are no more stores than this, save for long payloads. */
  private static final int MOST_STORES = 9;

  /** After a full ring a sender takes ways that it seldom takes: it is killed there sooner. */
  private static final int ONE_OF_AFTER_FULL = 6;

  private static final int RETRY_NS = 20_000;
  private static final int MOST_HELD_US = 30_000;

  private final SimulatedNetwork network;
  private final SharedRing own;
  private final SharedRing to;
  private final SharedMemory memory;
  private final DirectMemory direct;
  private final Mortal.Life life = new Mortal.Life();
  private final ShmEntry entry;
  private final UnsafeBuffer slotRecord = new UnsafeBuffer(new byte[SharedRing.SLOT_RECORD_BYTES]);
  private final int maxRecordBytes;
  private int held = -1;
  private int heldType;
  private int heldLength;

  /** Where the last record of a lane was claimed. */
  private int lastIndex;

  private int lent;
  private boolean wasFull;
  private boolean gone;

  SharedChannel(SimulatedNetwork network, SharedRing own, SharedRing to) {
    this.network = network;
    this.own = own;
    this.to = to;
    memory = new SimulatedSharedMemory(network, own.wire().node());
    direct = new SimulatedDirectMemory(network, own.wire(), to.wire());
    gone = !to.isOwnerAlive();
    entry = to.enter(own, life);
    if (entry == null) {
      throw new IllegalStateException("all senders' entries of " + to.path() + " are taken");
    }
    maxRecordBytes = to.maxRecordBytes(entry.writer());
  }

  SharedRing to() {
    return to;
  }

  private boolean isShut() {
    return gone || !own.isOwnerAlive();
  }

  @Override
  public boolean offer(Packet packet) {
    if (isShut()) {
      return true;
    }
    int length = packet.length();
    boolean taken = !isHeldUp() && !network.fires(Site.REFUSE) && write(packet, length);
    network
        .watcher()
        .on(
            taken ? NetworkWatcher.What.SENT : NetworkWatcher.What.REFUSED,
            own.wire().node(),
            to.wire().node(),
            length,
            packet.sequence());
    if (taken) {
      network.watcher().offered(own.wire().node(), to.wire().node(), packet);
    } else {
      long nowNs = network.scheduler().clock().nanoTime();
      own.wire().retryAt(nowNs + 1 + network.scheduler().choices().below(RETRY_NS));
    }
    return taken;
  }

  private boolean isHeldUp() {
    return held >= 0;
  }

  private boolean write(Packet packet, int length) {
    if (length <= Math.min(network.host().inlineBytes(), maxRecordBytes)) {
      return put(
          SharedRing.PACKET, length, (to, at) -> to.putBytes(at, packet.buffer(), 0, length));
    }
    if (lent >= network.host().slots()) {
      return false;
    }
    int slot = own.lend(packet.buffer(), length);
    slotRecord.putInt(0, entry.number());
    slotRecord.putInt(4, slot);
    slotRecord.putInt(8, length);
    boolean taken =
        put(
            SharedRing.SLOT,
            SharedRing.SLOT_RECORD_BYTES,
            (to, at) -> to.putBytes(at, slotRecord, 0, SharedRing.SLOT_RECORD_BYTES));
    if (taken) {
      lent++;
    } else {
      own.giveBack(slot);
    }
    return taken;
  }

  @Override
  public boolean inject(long flow, MessageView message) {
    int length = InjectRecord.length(message);
    boolean taken =
        !isShut()
            && !isHeldUp()
            && message.length() <= network.host().inlineBytes()
            && length <= maxRecordBytes
            && !network.fires(Site.REFUSE_INJECT)
            && put(
                SharedRing.INJECT, length, (to, at) -> InjectRecord.write(to, at, flow, message));
    if (taken) {
      note(NetworkWatcher.What.INJECTED, message.length());
    }
    return taken;
  }

  @Override
  public boolean offerFrames(long flow, Packet packet) {
    int frames = packet.length() - Packet.HEADER_LENGTH;
    int length = Long.BYTES + frames;
    boolean taken =
        !isShut()
            && !isHeldUp()
            && packet.length() <= network.host().inlineBytes()
            && length <= maxRecordBytes
            && !network.fires(Site.REFUSE_INJECT)
            && put(
                SharedRing.FRAMES,
                length,
                (to, at) -> {
                  to.putLong(at, flow);
                  to.putBytes(at + Long.BYTES, packet.buffer(), Packet.HEADER_LENGTH, frames);
                });
    if (taken) {
      note(NetworkWatcher.What.BARE, length);
    }
    return taken;
  }

  /** Writes a record where it was claimed. */
  private interface Content {
    void write(MutableDirectBuffer to, int at);
  }

  private boolean put(int kind, int length, Content content) {
    RecordWriter writer = entry.writer();
    Choices choices = network.scheduler().choices();
    int node = own.wire().node();
    SharedHost.Killer killer = network.host().killer();
    if (isToDie() && killer.mayKill(node)) {
      life.endAfter(choices.below(MOST_STORES));
    }
    try {
      int type = kind << 16 | node;
      int index = writer.claim(type, length);
      if (index < 0) {
        note(NetworkWatcher.What.FULL, length);
        noteLane(NetworkWatcher.Lane.FULL);
        wasFull = true;
        return false;
      }
      wasFull = false;
      noteWrap(index);
      content.write(writer.buffer(), index);
      if (network.fires(Site.HOLD_CLAIM)) {
        note(NetworkWatcher.What.HELD, length);
        held = index;
        heldType = type;
        heldLength = length;
        long forNs = 1_000L * (1 + choices.below(MOST_HELD_US));
        network.scheduler().after(forNs, this::goOn);
      } else {
        to.writes(node, type, length);
        writer.commit(index);
      }
    } catch (Mortal.Killed dead) {
      note(NetworkWatcher.What.KILLED, length);
      noteLane(NetworkWatcher.Lane.KILLED);
      killer.kill(node);
    } finally {
      life.goOn();
    }
    return true;
  }

  private boolean isToDie() {
    if (network.fires(Site.KILL_CLAIM)) {
      return true;
    }
    return wasFull
        && network.sites().areOn()
        && network.sites().isArmed(Site.KILL_CLAIM)
        && network.scheduler().choices().below(ONE_OF_AFTER_FULL) == ONE_OF_AFTER_FULL - 1;
  }

  /** Commits what was held up, if the sender still lives. */
  private void goOn() {
    if (held >= 0 && !own.wire().hasCrashed()) {
      to.writes(own.wire().node(), heldType, heldLength);
      entry.writer().commit(held);
      held = -1;
    }
  }

  /** Whether the sender is in no record, and its count says that it is. */
  boolean forgetsClaim() {
    return !isHeldUp() && own.isOwnerAlive() && entry.writer().hasClaim();
  }

  /** A slot has come back. */
  void freed() {
    lent--;
  }

  /** The peer reads no more, and all it wrote is read. */
  void gone() {
    gone = true;
  }

  /** The sender leaves by its own will, with nothing open. */
  void leave() {
    goOn();
  }

  private void note(NetworkWatcher.What what, int length) {
    network.watcher().on(what, own.wire().node(), to.wire().node(), length, 0);
  }

  private void noteWrap(int index) {
    if (index < lastIndex) {
      noteLane(NetworkWatcher.Lane.WRAPPED);
    }
    lastIndex = index;
  }

  private void noteLane(NetworkWatcher.Lane what) {
    if (entry.writer() instanceof LaneWriter) {
      network.watcher().onLane(what, own.wire().node(), to.wire().node());
    }
  }

  @Override
  public SharedMemory sharedMemory() {
    return memory;
  }

  @Override
  public DirectMemory directMemory() {
    return direct;
  }

  @Override
  public String closedBecause() {
    return gone ? "the peer's endpoint is gone" : null;
  }

  @Override
  public FabricError closedWith() {
    return to.wire().hasCrashed() ? FabricError.CONNECTION_RESET : FabricError.SHUTDOWN;
  }
}
