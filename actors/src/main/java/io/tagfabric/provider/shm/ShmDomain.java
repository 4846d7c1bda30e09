package io.tagfabric.provider.shm;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.AbsentEndpoints;
import io.tagfabric.provider.ProviderUnavailableException;
import io.tagfabric.provider.WireListener;
import io.tagfabric.provider.shm.ring.BrokenRingException;
import io.tagfabric.provider.shm.ring.RingReader;
import io.tagfabric.provider.shm.ring.ShmLanes;
import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.provider.shm.ring.ShmSenders;
import io.tagfabric.provider.shm.ring.WholeLineCopy;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PayloadCopy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A domain's side of the shared memory: its own file with the lanes and the ring it reads, the
 * slots it lends, the bell it hears, and the peers it writes to. Polled by the loop; the endpoints
 * of the domain share it. It exists from the first wire of the domain to the last.
 *
 * <p>Thread: the domain's loop.
 */
final class ShmDomain {
  private static final Logger LOG = LoggerFactory.getLogger(ShmDomain.class);

  private static final int RECORDS_PER_POLL = 256;
  private static final long FIRST_RETRY_NS = 20_000L;
  private static final long MAX_RETRY_NS = 1_000_000L;

  private static final ConcurrentMap<ProgressLoop, ShmDomain> DOMAINS = new ConcurrentHashMap<>();

  private final ProgressLoop loop;
  private final ShmSettings settings;
  private final ShmDirectory directory;
  private final ShmFile file;
  private final UnsafeBuffer buffer;
  private final ManyToOneRingBuffer ring;

  /** Null where payloads are never written by whole lines. */
  private final WholeLineCopy copy;

  private final ShmPool pool;
  private final ShmDoorbell bell;
  private final String address;
  private final long token;
  private final ProgressLoop.Step poll = this::poll;
  private final ProgressLoop.Step memoryCheck = this::findCut;
  private final RingReader reader;
  private final ShmLanes lanes;
  private final UnsafeBuffer slotRecord = new UnsafeBuffer(new byte[ShmArrivals.SLOT_RECORD_BYTES]);
  private final ShmPeers peers;
  private final ShmSenders<ShmPeer> senders;
  private final ShmArrivals arrivals;
  private final List<Leaving> leaving = new ArrayList<>();
  private LoopTimers.Timer checkTimer;
  private LoopTimers.Timer retryTimer;
  private long retryNs = FIRST_RETRY_NS;

  /** The last one that was written to, until the next message for it is prepared. */
  private ShmPeer lastWritten;

  private boolean closed;
  private String broken;

  /** A peer that writes no more; gone when all it wrote before is read. */
  private record Leaving(ShmPeer peer, String reason, long position) {}

  private ShmDomain(
      ProgressLoop loop,
      long incarnation,
      KeyProof proofs,
      RandomSource random,
      ShmSettings settings,
      ShmDirectory directory,
      ShmFile file,
      ShmLayout layout)
      throws IOException {
    this.loop = loop;
    this.settings = settings;
    this.directory = directory;
    this.file = file;
    buffer = file.buffer();
    token = random.nextLong();
    address = ShmPeers.address(file.path(), token);
    peers = new ShmPeers(file.path(), settings, loop::wokeAnother);
    ring =
        new ManyToOneRingBuffer(
            new UnsafeBuffer(buffer, ShmLayout.RING_AT, layout.ringTotalBytes()));
    reader = new RingReader(ring, this::onRingRecord);
    lanes = new ShmLanes(buffer, layout, new LaneRecords());
    copy =
        settings.wholeLines()
            ? new WholeLineCopy(file.mapping(), layout.endMarkAt, loop.time())
            : null;
    pool = new ShmPool(buffer, layout, copy == null ? PayloadCopy.PLAIN : copy);
    senders =
        new ShmSenders<>(
            buffer, ring, lanes, settings.repairNs(), peers::find, peers::mayHaveTaken);
    arrivals =
        new ShmArrivals(senders, new AbsentEndpoints(incarnation, proofs, this::answer), this::cut);
    bell = new ShmDoorbell(loop, ShmDirectory.bellOf(file.path()), buffer, this::hasRecord);
    buffer.putLong(ShmLayout.TOKEN_AT, token);
    buffer.putInt(ShmLayout.RING_BYTES_AT, layout.ringBytes);
    buffer.putInt(ShmLayout.LANES_AT, layout.lanes);
    buffer.putInt(ShmLayout.LANE_BYTES_AT, layout.laneBytes);
    buffer.putInt(ShmLayout.SLOTS_AT, layout.slots);
    buffer.putInt(ShmLayout.SLOT_BYTES_AT, layout.slotBytes);
    buffer.putLong(layout.endMarkAt, ShmLayout.END_MARK);
    buffer.putLongOrdered(ShmLayout.MAGIC_AT, ShmLayout.MAGIC);
  }

  /**
   * The shared memory of the loop's domain, made for its first endpoint.
   *
   * @param incarnation uid of the domain's ActorSystem
   * @param proofs that it is of its job
   * @param random makes the token of the domain
   * @throws ProviderUnavailableException if there is no room for it, saying how much it takes
   */
  static ShmDomain enter(
      ProgressLoop loop,
      long incarnation,
      KeyProof proofs,
      RandomSource random,
      Settings settings) {
    return DOMAINS.computeIfAbsent(loop, key -> create(key, incarnation, proofs, random, settings));
  }

  private static ShmDomain create(
      ProgressLoop loop, long incarnation, KeyProof proofs, RandomSource random, Settings all) {
    ShmSettings settings = ShmSettings.of(all);
    ShmLayout layout = settings.layout();
    ShmDirectory directory;
    try {
      directory = ShmDirectory.enter(all);
    } catch (RuntimeException e) {
      throw new ProviderUnavailableException(e.getMessage(), e);
    }
    ShmFile file = null;
    try {
      file = directory.createDomainFile(layout);
      ShmDomain domain =
          new ShmDomain(loop, incarnation, proofs, random, settings, directory, file, layout);
      domain.start();
      return domain;
    } catch (IOException e) {
      if (file != null) {
        file.close();
      }
      directory.close();
      throw new ProviderUnavailableException(e.getMessage(), e);
    }
  }

  private void start() {
    loop.addPoll(poll);
    loop.addMemoryCheck(memoryCheck);
    bell.hang();
    scheduleCheck();
  }

  // ---- endpoints ----

  String address() {
    return address;
  }

  void add(int endpoint, WireListener listener) {
    arrivals.add(endpoint, listener);
  }

  /** An endpoint is closed; with the last one goes the domain's memory, once nobody reads it. */
  void remove(int endpoint) {
    arrivals.remove(endpoint);
    if (arrivals.isEmpty()) {
      loop.afterPolls(this::closeIfUnused);
    }
  }

  private void closeIfUnused() {
    if (arrivals.isEmpty() && !closed) {
      close();
    }
  }

  private void close() {
    closed = true;
    DOMAINS.remove(loop, this);
    loop.removePoll(poll);
    loop.removeMemoryCheck(memoryCheck);
    checkTimer.cancel();
    if (retryTimer != null) {
      retryTimer.cancel();
    }
    failIfCut();
    if (broken == null) {
      buffer.putIntVolatile(ShmLayout.CLOSED_AT, ShmLayout.CLOSED);
    }
    bell.close();
    peers.close();
    if (copy != null) {
      copy.close();
    }
    file.close();
    directory.close();
  }

  /** Why this domain's memory serves nobody any more, null while it does. */
  String broken() {
    return broken;
  }

  /**
   * Somebody has written into the ring what no sender writes, or cut the file: nothing that was on
   * its way can be trusted. All peers that talk over this memory hear of it.
   */
  private void fail(String detail) {
    if (broken != null) {
      return;
    }
    broken =
        "the shared memory of this domain, "
            + file.path()
            + ", is broken ("
            + detail
            + "); close the domain and open it again";
    outlive(this::markBroken);
    outlive(() -> LOG.error(broken));
    outlive(checkTimer::cancel);
    outlive(bell::close);
    arrivals.listeners().forEach(each -> outlive(each::onChannelClosed));
  }

  /** Tells the peers, which read it in the memory if there is any. */
  private void markBroken() {
    try {
      file.restore();
      buffer.putIntVolatile(ShmLayout.CLOSED_AT, ShmLayout.BROKEN);
    } catch (IOException gone) {
      LOG.error("peers find it out by themselves", gone);
    }
  }

  /**
   * Takes a step although the JVM may throw in it what it has put off, of memory touched before.
   * The file is whole again by then, so there is no more to come.
   */
  private static void outlive(Runnable step) {
    try {
      step.run();
    } catch (InternalError putOff) {
      step.run();
    }
  }

  /** Memory was touched that has no file below it any more: this domain's own, or a peer's. */
  private void cut(ShmPeer peer, InternalError error) {
    boolean own;
    try {
      own = file.restore();
    } catch (IOException gone) {
      own = true;
    }
    if (own) {
      fail("its file was cut: " + error.getMessage());
    } else if (brokenPeers() == 0) {
      if (peer == null) {
        fail("its file was cut: " + error.getMessage());
      } else {
        peer.cut();
        noteLeaving(peer);
      }
    }
  }

  /** Looks for files that were cut; the number of those found here so far. */
  private int findCut() {
    failIfCut();
    return brokenPeers() + (broken == null ? 0 : 1);
  }

  /** Peers whose memory has gone: the JVM may tell of it when it is at another's. */
  private int brokenPeers() {
    int count = 0;
    for (ShmPeer peer : peers.all()) {
      noteLeaving(peer);
      count += peer.isBroken() ? 1 : 0;
    }
    return count;
  }

  private void failIfCut() {
    try {
      if (file.restore()) {
        fail("its file was cut");
      }
    } catch (IOException gone) {
      fail("its file is gone: " + gone.getMessage());
    }
  }

  /** Peers ask for each access to memory, by whichever endpoint: one of them may not do all. */
  void askForAccesses() {
    if (!closed && broken == null) {
      buffer.putIntVolatile(ShmLayout.ASKS_AT, 1);
    }
  }

  /** The regions of a peer's JVM; null if there are none that this domain accesses itself. */
  ShmDirectMemory directMemory(ShmPeer peer) {
    return peer.directMemory(file.path(), token);
  }

  /** The domains that this one writes to. */
  ShmPeers peers() {
    return peers;
  }

  // ---- sending ----

  /** Hands a packet to a peer; false if its ring or this domain's slots are full. */
  boolean offer(ShmPeer peer, int type, Packet packet) {
    if (peer.gone() != null || peer.isBroken() || broken != null) {
      return true;
    }
    boolean taken;
    try {
      if (peer.isClosed()) {
        noteLeaving(peer);
      }
      int length = packet.length();
      taken =
          length <= settings.inlineBytes()
              ? peer.offer(type, packet.buffer(), length)
              : offerSlot(peer, type, packet);
    } catch (InternalError e) {
      cut(peer, e);
      return peer.isBroken() || broken != null || peer.hasWritten();
    }
    if (taken) {
      wrote(peer);
      retryNs = FIRST_RETRY_NS;
    } else {
      retryLater();
    }
    return taken;
  }

  private boolean offerSlot(ShmPeer peer, int type, Packet packet) {
    int own = pool.slotOf(packet);
    int slot = own >= 0 ? own : pool.fill(packet.buffer(), packet.length());
    if (slot < 0) {
      return false;
    }
    slotRecord.putInt(0, peer.sender());
    slotRecord.putInt(4, slot);
    slotRecord.putInt(8, packet.length());
    if (peer.offer(type | ShmArrivals.SLOT_FLAG, slotRecord, ShmArrivals.SLOT_RECORD_BYTES)) {
      pool.sent(slot, peer, packet.length());
      return true;
    }
    if (own < 0) {
      pool.giveBack(slot);
    }
    return false;
  }

  /** An empty packet in a slot for a peer, null if none is free. */
  Packet largePacket(ShmPeer peer) {
    try {
      return peer.gone() == null && broken == null ? pool.packet() : null;
    } catch (InternalError e) {
      cut(null, e);
      return null;
    }
  }

  /** Payloads that were written into slots by whole lines. */
  long copiedByLines() {
    return copy == null ? 0 : copy.copiedByLines();
  }

  /** Nobody says when there is room again: a sleep must not be longer than that may take. */
  private void retryLater() {
    if (retryTimer == null) {
      retryTimer = loop.timers().schedule(loop.time().nanoTime() + retryNs, this::retried);
      retryNs = Math.min(2 * retryNs, MAX_RETRY_NS);
    }
  }

  private void retried() {
    retryTimer = null;
  }

  /** Writes a short message into a peer's ring; false if it must travel in a packet. */
  boolean inject(ShmPeer peer, int type, long flow, MessageView message) {
    boolean written;
    try {
      written =
          mayWrite(peer, message.length())
              && peer.inject(type | ShmArrivals.INJECT_FLAG, flow, message);
    } catch (InternalError e) {
      cut(peer, e);
      return peer.hasWritten();
    }
    if (written) {
      wrote(peer);
    }
    return written;
  }

  /** Writes frames into a peer's ring; false if they must travel in a packet. */
  boolean offerFrames(ShmPeer peer, int type, long flow, Packet packet) {
    boolean written;
    try {
      written =
          mayWrite(peer, packet.length())
              && peer.offerFrames(type | ShmArrivals.FRAMES_FLAG, flow, packet);
    } catch (InternalError e) {
      cut(peer, e);
      return peer.hasWritten();
    }
    if (written) {
      wrote(peer);
    }
    return written;
  }

  /** Whether a peer is there, and takes so many bytes without a packet. */
  private boolean mayWrite(ShmPeer peer, int length) {
    return peer.gone() == null
        && !peer.isBroken()
        && broken == null
        && length <= settings.inlineBytes()
        && !peer.isClosed();
  }

  private void wrote(ShmPeer peer) {
    if (lastWritten != peer) {
      if (lastWritten != null) {
        ringAfterAll(lastWritten);
      }
      lastWritten = peer;
    }
  }

  /** One that cannot be rung is found to be cut elsewhere, and not by who writes to another. */
  private void ringAfterAll(ShmPeer peer) {
    try {
      peer.ringAfterAll();
    } catch (InternalError e) {
      cut(peer, e);
    }
  }

  /**
   * Nothing has come: so there is time for what the last message to a peer has left, and what the
   * next one will need. That its file is cut, the loop's check of memory finds.
   */
  private void prepareNext() {
    ShmPeer peer = lastWritten;
    lastWritten = null;
    peer.prepare();
  }

  // ---- receiving ----

  private int poll() {
    if (closed || broken != null) {
      return 0;
    }
    int read = read();
    if (read == 0 && lastWritten != null) {
      prepareNext();
    }
    return read;
  }

  private int read() {
    try {
      // What comes while the loop looks on comes alone. To look for one more would cost a cache
      // line of its sender's, and the program would wait for that.
      int read = loop.isLookingOn() ? lanes.read(1) : lanes.read();
      read += reader.read(RECORDS_PER_POLL);
      if (!leaving.isEmpty()) {
        finishLeaving();
      }
      return read;
    } catch (BrokenRingException e) {
      fail(e.getMessage());
      return 1;
    } catch (InternalError e) {
      cut(null, e);
      return 1;
    }
  }

  /** Whether something waits that a peer has written. Thread: any. */
  private boolean hasRecord() {
    return lanes.hasRecord() || reader.hasRecord();
  }

  private void onRingRecord(int type, int index, int length) {
    onRecord(reader.buffer(), type, index, length);
  }

  /** What comes by lanes. */
  private final class LaneRecords implements ShmLanes.RecordHandler {
    @Override
    public void onRecord(AtomicBuffer memory, int type, int index, int length) {
      ShmDomain.this.onRecord(memory, type, index, length);
    }

    /** Its sender loses this domain, and nobody else does. */
    @Override
    public void onBroken(int lane, String detail) {
      ShmPeer peer = senders.cutOff(lane);
      String reason =
          "the peer's domain"
              + (peer == null ? "" : ", " + peer.path() + ",")
              + " has written what no sender writes ("
              + detail
              + ")";
      LOG.warn("nothing more is read of a lane of {}: {}", file.path(), reason);
      if (peer != null) {
        peer.broken(reason, FabricError.PROTOCOL);
        noteLeaving(peer);
      }
    }
  }

  private void onRecord(DirectBuffer memory, int type, int index, int length) {
    if (broken == null) {
      arrivals.onRecord(memory, type, index, length);
    }
  }

  /**
   * Sends a refusal to a peer that asked for an endpoint that is not here; the peer asks again if
   * it is lost.
   */
  private void answer(EndpointAddress asker, Packet packet) {
    String peerAddress = asker.providers().get(ShmSettings.NAME);
    if (peerAddress != null && peers.unreachableBecause(peerAddress).isEmpty()) {
      offer(peers.at(peerAddress), ShmArrivals.typeOf(asker.endpoint()), packet);
    }
  }

  // ---- the dead ----

  private void scheduleCheck() {
    checkTimer = loop.timers().schedule(loop.time().nanoTime() + settings.checkNs(), this::check);
  }

  private void check() {
    // First: whatever is wrong now, the dead must still be found later.
    scheduleCheck();
    failIfCut();
    if (broken != null) {
      return;
    }
    try {
      senders.check(loop.time().nanoTime());
      peers.all().forEach(this::noteLeaving);
    } catch (InternalError e) {
      cut(null, e);
    }
  }

  private void noteLeaving(ShmPeer peer) {
    for (Leaving each : leaving) {
      if (each.peer == peer) {
        return;
      }
    }
    String reason = peer.findLeaving();
    if (reason != null) {
      senders.findAll();
      leaving.add(new Leaving(peer, reason, ring.producerPosition()));
    }
  }

  private void finishLeaving() {
    int before = leaving.size();
    for (int i = before - 1; i >= 0; i--) {
      Leaving each = leaving.get(i);
      if (reader.position() >= each.position
          && (each.peer.isBroken() || senders.isDrained(each.peer))) {
        leaving.remove(i);
        peers.remove(each.peer);
        if (each.peer.mayWriteOn()) {
          senders.giveUp(each.peer);
        } else {
          senders.forget(each.peer);
        }
        pool.reclaim(each.peer);
        each.peer.leave(each.reason);
      }
    }
    if (leaving.size() < before) {
      arrivals.listeners().forEach(WireListener::onChannelClosed);
    }
  }
}
