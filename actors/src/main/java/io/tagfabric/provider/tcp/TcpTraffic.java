package io.tagfabric.provider.tcp;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.tcp.line.Line;
import io.tagfabric.provider.tcp.line.Poller;
import io.tagfabric.provider.tcp.line.Ready;
import io.tagfabric.provider.tcp.record.RecordWriter;
import io.tagfabric.provider.tcp.record.Records;
import io.tagfabric.provider.tcp.record.SendStream;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.agrona.DirectBuffer;

/**
 * The streams between this node and a peer, in both directions, and the line that they go by at
 * present: what leaves when, what is read, and what is confirmed. The streams outlive the line.
 *
 * <p>Thread: the domain's loop.
 */
final class TcpTraffic implements Ready, Poller.Busy {
  /**
   * Bytes that wait for a confirmation at most, beside one record; {@link #offer} is false then.
   */
  static final long MOST_KEPT_BYTES = 4L * 1024 * 1024;

  /** So much is written at once; the system copies it while the program makes more. */
  private static final int FULL_BYTES = 32 * 1024;

  /** A confirmation goes with whatever leaves next once it is worth so many bytes. */
  private static final int CONFIRMED_BESIDE_BYTES = 64 * 1024;

  /** And by itself once it is worth so many. */
  private static final int CONFIRMED_ALONE_BYTES = 512 * 1024;

  /** After so many flushes in vain the system says when there is room. */
  private static final int FLUSHES_IN_VAIN = 64;

  private final TcpNode node;
  private final TcpPeer peer;
  private final SendStream sending;
  private final RecordWriter writer;
  private final Incoming incoming;
  private final TcpMemory memory;
  private final Runnable readAgain = this::readAgain;

  /** Null while there is none. */
  private Line line;

  /** Position behind the last record that was offered. */
  private long end;

  private long askedAt;
  private boolean due;
  private long leftInPass = -1;
  private int flushesInVain;
  private long confirmedBefore;
  private long silentSinceNs;
  private boolean ticks;
  private int busyReads;
  private long lastWorkPoll;

  /** Whether it reads again in the next poll, though the system has nothing. */
  private boolean readsAgain;

  private String trouble;

  /** Nothing is sent or has come yet. */
  TcpTraffic(TcpNode node, TcpPeer peer) {
    this.node = node;
    this.peer = peer;
    sending = new SendStream(node.chunks(), MOST_KEPT_BYTES);
    writer = new RecordWriter(node.chunks(), sending);
    incoming = new Incoming(node.listeners(), node.places(), sending);
    memory = new TcpMemory(this);
  }

  Incoming incoming() {
    return incoming;
  }

  TcpMemory memory() {
    return memory;
  }

  /** Whether anything was ever sent. */
  boolean hasSent() {
    return sending.written() > 0;
  }

  // ---- sending ----

  /** Hands a packet over; false if too much waits for a confirmation. */
  boolean offer(int endpoint, Packet packet) {
    if (peer.isClosed()) {
      return true;
    }
    if (!sending.hasRoom()) {
      return false;
    }
    writer.packet(endpoint, packet);
    took();
    return true;
  }

  /** Hands a short message over by itself; false if it must travel in a packet. */
  boolean inject(int endpoint, long flow, MessageView message) {
    if (!peer.isOpen() || !sending.hasRoom() || !writer.inject(endpoint, flow, message)) {
      return false;
    }
    took();
    return true;
  }

  /** Hands the frames of a short packet over; false if they must travel in a packet. */
  boolean offerFrames(int endpoint, long flow, Packet packet) {
    if (!peer.isOpen() || !sending.hasRoom()) {
      return false;
    }
    writer.frames(endpoint, flow, packet);
    took();
    return true;
  }

  /** Whether {@link #write} may be called. */
  boolean hasRoom() {
    return peer.isClosed() || sending.hasRoom();
  }

  /**
   * Writes bytes of a long message to the place that the peer has named.
   *
   * @return false if this is no key of the peer's node
   */
  boolean write(MemoryKey key, long position, DirectBuffer source, int offset, int length) {
    if (!peer.isOpen() || key.epoch() != peer.peersStream()) {
      return false;
    }
    writer.bytes(key.segment(), position, source, offset, length);
    took();
    return true;
  }

  /** The program may change what it has lent. */
  void copyLent() {
    if (!sending.copyLent()) {
      peer.close("the memory of a message that was on its way is gone", FabricError.IO);
    }
  }

  /** The first of a pass leaves at once, what follows it is gathered up to a limit. */
  private void took() {
    end = sending.written();
    if (line == null) {
      peer.callIfNew();
      return;
    }
    long pass = node.pass();
    if (flushesInVain == 0 && (leftInPass != pass || sending.waitingBytes() >= FULL_BYTES)) {
      leftInPass = pass;
      write();
    }
    flushIfWaiting();
    tickLater();
  }

  /** Whether there is something that the system has not taken. */
  private boolean waits() {
    return sending.waitingBytes() > 0 || (line != null && line.owes());
  }

  private void flushLater() {
    if (!due) {
      due = true;
      node.flushLater(this);
    }
  }

  private void flushIfWaiting() {
    if (waits()) {
      flushLater();
    }
  }

  /** Sends what has been gathered. Returns the work done. */
  int flush() {
    due = false;
    if (line == null) {
      return 0;
    }
    if (incoming.isAsked()
        || incoming.owed() >= CONFIRMED_ALONE_BYTES
        || (incoming.owed() >= CONFIRMED_BESIDE_BYTES && sending.waitingBytes() > 0)) {
      confirm();
    }
    int work = write();
    if (waits() && flushesInVain < FLUSHES_IN_VAIN) {
      flushLater();
      return 1; // room comes within microseconds, mostly
    }
    return work;
  }

  private void confirm() {
    incoming.settle();
    writer.control(Records.CONFIRM, incoming.received());
  }

  private int write() {
    if (line == null || trouble != null) {
      return 0;
    }
    try {
      long taken = line.flush() + sending.sendTo(line);
      if (taken > 0 || !waits()) {
        hasRoomAgain();
      } else {
        flushesInVain++;
        if (flushesInVain == FLUSHES_IN_VAIN) {
          watch(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
      }
      return taken > 0 ? 1 : 0;
    } catch (IOException e) {
      copyLent(); // the reason may be that the memory is gone
      trouble("" + e.getMessage());
      return 1;
    }
  }

  private void hasRoomAgain() {
    if (flushesInVain >= FLUSHES_IN_VAIN) {
      watch(SelectionKey.OP_READ);
    }
    flushesInVain = 0;
  }

  private void watch(int operations) {
    node.poller().register(line.socket(), operations, this);
  }

  /** Position behind the last record that was offered. */
  long end() {
    return end;
  }

  /** Whether the peer has confirmed all up to a position; if not, it is asked to. */
  boolean isDrained(long position) {
    if (!peer.isOpen() || sending.confirmed() >= position) {
      return true;
    }
    if (askedAt < position) {
      askedAt = end;
      writer.control(Records.ASK, 0);
      flushLater();
    }
    return false;
  }

  // ---- receiving ----

  @Override
  public int onReady() {
    int work = read();
    if (flushesInVain >= FLUSHES_IN_VAIN && line != null) {
      work += write();
      if (flushesInVain == 0) {
        flushIfWaiting(); // there was room for a part
      }
    }
    return work;
  }

  /** Reads once what has come, and takes it. Returns the work done. */
  @Override
  public int read() {
    if (line == null || trouble != null) {
      return 0;
    }
    Line read = line;
    int bytes;
    try {
      bytes = node.staging().read(incoming, read);
    } catch (IOException e) {
      trouble("" + e.getMessage());
      return 1;
    }
    if (bytes == 0) {
      return 0;
    }
    if (bytes < 0) {
      trouble("its end has come without a word");
      return 1;
    }
    take(bytes);
    if (line != null) {
      if (read.holds()) {
        readSoon();
      }
      if (incoming.owed() >= CONFIRMED_ALONE_BYTES || incoming.isAsked()) {
        flushLater();
      }
      if (incoming.owed() > 0) {
        tickLater();
      }
      node.poller().hasWorked(this, read.socket());
    }
    return 1;
  }

  private void take(int bytes) {
    incoming.count(bytes);
    boolean sound = node.staging().parse();
    if (incoming.breach() != null) {
      peer.broken(incoming.breach());
    } else if (incoming.isOver()) {
      peer.close("the peer's domain has closed", FabricError.SHUTDOWN);
    } else if (!sound) {
      peer.broken("something that is no record has come");
    }
  }

  private void readSoon() {
    if (!readsAgain) {
      readsAgain = true;
      node.poller().soon(readAgain);
    }
  }

  private void readAgain() {
    readsAgain = false;
    read();
  }

  /**
   * Names memory of this side for the peer to write, until it is released.
   *
   * @return null if the peer cannot
   */
  MemoryKey place(DirectBuffer buffer, int offset, int length) {
    return peer.isOpen() ? incoming.place(peer.stream(), buffer, offset, length) : null;
  }

  /** Names it no longer. Returns whether all that came for it could be put there. */
  boolean release(MemoryKey own) {
    return incoming.release(own);
  }

  @Override
  public boolean isBusy(int reads, long poll) {
    lastWorkPoll = poll;
    busyReads++;
    if (busyReads < reads) {
      return false;
    }
    busyReads = 0;
    return true;
  }

  @Override
  public long lastWorkPoll() {
    return lastWorkPoll;
  }

  @Override
  public SocketChannel socket() {
    return line.socket();
  }

  // ---- the line ----

  /** A line serves from now on. */
  void attach(Line proved) {
    line = proved;
    flushesInVain = 0;
    busyReads = 0;
    proved.trust();
    watch(SelectionKey.OP_READ);
  }

  /**
   * What is sent goes on where the peer has it.
   *
   * @return false if it says that it has more than was sent
   */
  boolean resume(long peerHas) {
    if (!sending.resume(peerHas)) {
      return false;
    }
    if (line.holds()) {
      readSoon();
    }
    silentSinceNs = node.nanoTime();
    incoming.settle(); // the peer has just been told
    flushLater();
    tickLater();
    return true;
  }

  /** Closes the line, if there is one. */
  void detach() {
    if (line != null) {
      node.poller().cool(this);
      node.poller().close(line);
      line = null;
    }
    trouble = null;
  }

  /** Something has gone wrong with the line; what follows of that comes with the next poll. */
  private void trouble(String what) {
    if (trouble == null) {
      trouble = what;
      node.poller().soon(peer::onTrouble);
    }
  }

  /** What has gone wrong with the line; null for nothing. */
  String trouble() {
    return trouble;
  }

  /** Tells the peer that the domain closes, if the line takes it. */
  void sayBye() {
    if (line != null && trouble == null) {
      writer.control(Records.BYE, 0);
      while (write() > 0 && waits()) {
        // more fits
      }
    }
  }

  /** Nothing is sent or taken any more. */
  void close() {
    detach();
    sending.clear();
    incoming.end();
  }

  // ---- by the clock ----

  private void tickLater() {
    if (!ticks) {
      ticks = true;
      node.tickLater(this);
    }
  }

  /**
   * Confirms what has come, and looks whether the peer does.
   *
   * @return whether there is to be another look
   */
  boolean tick(long nowNs) {
    if (line != null) {
      if (incoming.owed() > 0) {
        confirm();
        write();
        flushIfWaiting();
      }
      if (sending.confirmed() != confirmedBefore || sending.confirmed() >= end) {
        confirmedBefore = sending.confirmed();
        silentSinceNs = nowNs;
      } else if (nowNs - silentSinceNs >= TcpNode.SILENCE_NS) {
        silentSinceNs = nowNs;
        peer.onSilence();
      }
    }
    ticks = peer.isOpen() && sending.confirmed() < end;
    return ticks;
  }
}
