package io.tagfabric.provider.tcp;

import io.tagfabric.error.FabricError;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.provider.WireListener;
import io.tagfabric.provider.tcp.Proof.NodeId;
import io.tagfabric.wire.InjectRecord;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One other node and the connection with it, which all endpoints of both share. It is made for the
 * first packet, and made again when it breaks; the streams of both directions go on then from where
 * the other side has them, so nothing is lost, doubled or out of order.
 *
 * <p>Thread: the domain's loop.
 */
final class TcpPeer implements Ready, Staging.Reader {
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

  /** Bytes of a long message that are copied into one record. */
  private static final int COPIED_BYTES = 48 * 1024;

  private static final long FIRST_RETRY_NS = 50_000_000L;
  private static final long MOST_RETRY_NS = 1_000_000_000L;

  private enum State {
    /** Nothing is to be sent yet, or the connection is being made for the first time. */
    NEW,
    OPEN,
    /** It was open and has no socket now. */
    BROKEN,
    CLOSED
  }

  private final TcpNode node;
  private final NodeId id;
  private long stream;
  private final SendStream sending;
  private final TcpMemory memory;
  private final Packet view = Packet.view();
  private final MessageView injected = new MessageView();
  private TcpAddress address;

  /** Which way it dials: from the rail of that number to the one of the peer, around. */
  private int way;

  /** Ways that have been tried in vain since it was open last, or begun. */
  private int triedWays;

  private State state = State.NEW;
  private long peersStream;
  private Line line;

  /** Whether this side has made the connection. */
  private boolean dialled;

  /** Host from which the peer has dialled; null if it has not. */
  private InetAddress calledFrom;

  /** Whether a dial to its address has ever succeeded. */
  private boolean reached;

  /** Whether the peer may know the number of this side's stream from a connection that serves. */
  private boolean streamTold;

  private Call call;
  private byte[] rest;
  private final Placing placing = new Placing();
  private long received;

  /** Bytes of records that have come and are not confirmed; confirmations are not owed for. */
  private int owed;

  private boolean confirmsNow;
  private long payloadEnd;
  private long askedAt;
  private boolean due;
  private long leftInPass = -1;
  private int flushesInVain;
  private LoopTimers.Timer resumeEnd;
  private LoopTimers.Timer retry;
  private long retryNs;
  private long confirmedBefore;
  private long silentSinceNs;
  private boolean ticks;
  private int busyReads;
  private long lastWorkPoll;
  private final Runnable readAgain = this::readAgain;

  /** Whether it reads again in the next poll, though the system has nothing. */
  private boolean readsAgain;

  private String trouble;
  private String closedBecause;
  private FabricError closedWith = FabricError.SHUTDOWN;

  /**
   * A node that nothing is known of yet.
   *
   * @param stream number of this side's stream
   */
  TcpPeer(TcpNode node, NodeId id, long stream) {
    this.node = node;
    this.id = id;
    this.stream = stream;
    way = TcpAddress.path(id.token());
    sending = new SendStream(node.chunks(), MOST_KEPT_BYTES);
    memory = new TcpMemory(this);
  }

  NodeId id() {
    return id;
  }

  TcpMemory memory() {
    return memory;
  }

  long stream() {
    return stream;
  }

  /**
   * Takes a number for that of its own stream, which the peer has been told before this side began
   * to send.
   *
   * @return false if the peer knows another already
   */
  boolean adopts(long number) {
    if (stream != number && streamTold) {
      return false;
    }
    stream = number;
    return true;
  }

  /** The peer is about to be told that this side agrees; it may then take it for open. */
  void agrees() {
    streamTold = true;
  }

  /** Where it listens; null if it has only called so far. */
  TcpAddress address() {
    return address;
  }

  void address(TcpAddress known) {
    address = known;
  }

  /** Which way it dials. */
  int way() {
    return way;
  }

  /** Where it dials. */
  InetSocketAddress place() {
    return address.places().get(way % address.places().size());
  }

  private void turnToNextWay() {
    way = (way + 1) % TcpAddress.MOST_PLACES;
    triedWays++;
  }

  private boolean hasUntriedWays() {
    return address != null && triedWays < node.ways(address);
  }

  /** What this side says when it dials. */
  Proof.Dial dial() {
    NodeId own = node.ownId(TcpAddress.path(id.token()));
    return new Proof.Dial(own.incarnation(), own.token(), id, stream, peersStream);
  }

  /** Whether the connection has been made, and has not ended. */
  boolean isOpen() {
    return state == State.OPEN || state == State.BROKEN;
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  boolean isCalled() {
    return call != null;
  }

  String closedBecause() {
    return closedBecause;
  }

  FabricError closedWith() {
    return closedWith;
  }

  // ---- sending ----

  /** Hands a packet over; false if too much waits for a confirmation. */
  boolean offer(int endpoint, Packet packet) {
    if (state == State.CLOSED) {
      return true;
    }
    if (!sending.hasRoom()) {
      return false;
    }
    int length = packet.length();
    int recordBytes = Records.length(length);
    Chunk lent = node.chunks().lent(packet);
    if (lent == null) {
      sending.open(recordBytes);
      int at = sending.at();
      Records.header(sending.buffer(), at, Records.PACKET, endpoint, length);
      sending.buffer().putBytes(at + Records.HEADER_BYTES, packet.buffer(), 0, length);
      sending.close(recordBytes);
    } else {
      Records.header(lent.buffer(), 0, Records.PACKET, endpoint, length);
      sending.append(lent, recordBytes);
    }
    took();
    return true;
  }

  /** Hands a short message over by itself; false if it must travel in a packet. */
  boolean inject(int endpoint, long flow, MessageView message) {
    if (!isOpen() || !sending.hasRoom()) {
      return false;
    }
    int length = InjectRecord.length(message);
    if (length > Chunks.SMALL_BYTES - Records.HEADER_BYTES) {
      return false;
    }
    int recordBytes = Records.length(length);
    sending.open(recordBytes);
    int at = sending.at();
    Records.header(sending.buffer(), at, Records.INJECT, endpoint, length);
    InjectRecord.write(sending.buffer(), at + Records.HEADER_BYTES, flow, message);
    sending.close(recordBytes);
    took();
    return true;
  }

  /** Hands the frames of a short packet over; false if they must travel in a packet. */
  boolean offerFrames(int endpoint, long flow, Packet packet) {
    if (!isOpen() || !sending.hasRoom()) {
      return false;
    }
    int frames = packet.length() - Packet.HEADER_LENGTH;
    int recordBytes = Records.length(Long.BYTES + frames);
    sending.open(recordBytes);
    int at = sending.at();
    Records.header(sending.buffer(), at, Records.FRAMES, endpoint, Long.BYTES + frames);
    int body = at + Records.HEADER_BYTES;
    sending.buffer().putLong(body, flow, Records.ORDER);
    sending.buffer().putBytes(body + Long.BYTES, packet.buffer(), Packet.HEADER_LENGTH, frames);
    sending.close(recordBytes);
    took();
    return true;
  }

  /** Whether {@link #write} may be called. */
  boolean hasRoom() {
    return state == State.CLOSED || sending.hasRoom();
  }

  /**
   * Writes bytes of a long message to the place that the peer has named.
   *
   * @return false if this is no key of the peer's node
   */
  boolean write(MemoryKey key, long position, DirectBuffer source, int offset, int length) {
    if (!isOpen() || key.epoch() != peersStream) {
      return false;
    }
    boolean lent = length >= TcpMemory.LEAST_BYTES && NioViews.has(source);
    int most = lent ? Records.MOST_PLACED_BYTES : COPIED_BYTES;
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, most);
      write(key.segment(), position + done, source, offset + done, part, lent);
      done += part;
    }
    took();
    return true;
  }

  private void write(
      long place, long position, DirectBuffer source, int offset, int part, boolean lent) {
    int head = Records.HEADER_BYTES + Records.PLACE_BYTES;
    int padding = Records.padding(Records.PLACE_BYTES + part);
    if (lent) {
      sending.openShort(head);
      Records.place(sending.buffer(), sending.at(), place, position, part);
      sending.close(head);
      sending.lend(NioViews.of(source, offset, part));
      if (padding > 0) {
        sending.openShort(padding);
        sending.close(padding);
      }
    } else {
      sending.open(head + part + padding);
      int at = sending.at();
      Records.place(sending.buffer(), at, place, position, part);
      sending.buffer().putBytes(at + head, source, offset, part);
      sending.close(head + part + padding);
    }
  }

  /** The program may change what it has lent. */
  void copyLent() {
    if (!sending.copyLent()) {
      close("the memory of a message that was on its way is gone", FabricError.IO);
    }
  }

  /** The first of a pass leaves at once, what follows it is gathered up to a limit. */
  private void took() {
    payloadEnd = sending.written();
    if (line == null) {
      if (state == State.NEW && call == null) {
        node.dial(this);
      }
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

  /** Sends what has been gathered. Returns the work done. */
  int flush() {
    due = false;
    if (line == null) {
      return 0;
    }
    if (confirmsNow
        || owed >= CONFIRMED_ALONE_BYTES
        || (owed >= CONFIRMED_BESIDE_BYTES && sending.waitingBytes() > 0)) {
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
    confirmsNow = false;
    owed = 0;
    control(Records.CONFIRM, received);
  }

  private void control(int kind, long value) {
    int recordBytes = Records.length(Long.BYTES);
    sending.openShort(recordBytes);
    int at = sending.at();
    Records.header(sending.buffer(), at, kind, 0, Long.BYTES);
    sending.buffer().putLong(at + Records.HEADER_BYTES, value, Records.ORDER);
    sending.close(recordBytes);
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
          node.register(line.socket(), SelectionKey.OP_READ | SelectionKey.OP_WRITE, this);
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
      node.register(line.socket(), SelectionKey.OP_READ, this);
    }
    flushesInVain = 0;
  }

  /** Position behind the last record that was offered. */
  long end() {
    return payloadEnd;
  }

  /** Whether the peer has confirmed all up to a position; if not, it is asked to. */
  boolean isDrained(long position) {
    if (!isOpen() || sending.confirmed() >= position) {
      return true;
    }
    if (askedAt < position) {
      askedAt = payloadEnd;
      control(Records.ASK, 0);
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
  int read() {
    if (line == null || trouble != null) {
      return 0;
    }
    Line read = line;
    int bytes;
    try {
      bytes = node.staging().read(this, read);
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
    received += bytes;
    if (!node.staging().parse()) {
      broken("something that is no record has come");
      return 1;
    }
    if (state == State.OPEN) {
      if (read.holds()) {
        readSoon();
      }
      if (owed >= CONFIRMED_ALONE_BYTES || confirmsNow) {
        flushLater();
      }
      if (owed > 0) {
        tickLater();
      }
      node.hasWorked(this, read.socket());
    }
    return 1;
  }

  private void readSoon() {
    if (!readsAgain) {
      readsAgain = true;
      node.soon(readAgain);
    }
  }

  private void readAgain() {
    readsAgain = false;
    read();
  }

  @Override
  public boolean onRecord(UnsafeBuffer buffer, int at) {
    int bodyBytes = Records.bodyBytes(buffer, at);
    int body = at + Records.HEADER_BYTES;
    int kind = Records.kind(buffer, at);
    if (kind != Records.CONFIRM) {
      owed += Records.length(bodyBytes);
    }
    switch (kind) {
      case Records.INJECT -> {
        WireListener listener = node.listener(Records.endpoint(buffer, at));
        if (listener != null && InjectRecord.read(buffer, body, bodyBytes, injected)) {
          listener.onInjected(InjectRecord.flow(buffer, body), injected);
        }
      }
      case Records.FRAMES -> {
        WireListener listener = node.listener(Records.endpoint(buffer, at));
        if (bodyBytes < Long.BYTES) {
          broken("frames without a key have come");
        } else if (listener != null) {
          view.show(buffer, body + Long.BYTES, bodyBytes - Long.BYTES);
          listener.onFrames(buffer.getLong(body, Records.ORDER), view);
        }
      }
      case Records.PACKET -> onPacket(buffer, at, bodyBytes);
      case Records.CONFIRM -> {
        if (bodyBytes != Long.BYTES || !sending.confirm(buffer.getLong(body, Records.ORDER))) {
          broken("it has confirmed what was not sent");
        }
      }
      case Records.ASK -> confirmsNow = true;
      case Records.BYE -> close("the peer's domain has closed", FabricError.SHUTDOWN);
      default -> broken("a record of an unknown kind has come");
    }
    return state == State.OPEN;
  }

  private void onPacket(UnsafeBuffer buffer, int at, int bodyBytes) {
    view.show(buffer, at + Records.HEADER_BYTES, bodyBytes);
    WireListener listener = node.listener(Records.endpoint(buffer, at));
    if (listener == null) {
      node.absent().onPacket(view);
    } else {
      listener.onPacket(view);
    }
  }

  /**
   * Names memory of this side for the peer to write, until it is released.
   *
   * @return null if the peer cannot
   */
  MemoryKey place(DirectBuffer buffer, int offset, int length) {
    return isOpen() ? node.places().add(this, stream, buffer, offset, length) : null;
  }

  /** Names it no longer. Returns whether all that came for it could be put there. */
  boolean release(MemoryKey own) {
    Place gone = node.places().remove(own);
    if (gone == null) {
      return false;
    }
    placing.forget(gone);
    return gone.isWhole();
  }

  @Override
  public void onPlace(UnsafeBuffer buffer, int at) {
    int bodyBytes = Records.bodyBytes(buffer, at);
    int bytes = bodyBytes - Records.PLACE_BYTES;
    long position = Records.position(buffer, at);
    owed += Records.length(bodyBytes);
    Place place = node.places().find(this, Records.place(buffer, at));
    if (place != null && !place.contains(position, bytes)) {
      place = null; // what it says of them later will be a breach of its flow
    }
    placing.begin(place, (int) position, bytes, Records.padding(bodyBytes));
  }

  @Override
  public Placing placing() {
    return placing;
  }

  @Override
  public byte[] rest() {
    return rest;
  }

  @Override
  public void rest(byte[] part) {
    rest = part;
  }

  // ---- which connections are read in every look ----

  /** Counts a read that has brought something; true each so many. */
  boolean isBusy(int reads, long poll) {
    lastWorkPoll = poll;
    busyReads++;
    if (busyReads < reads) {
      return false;
    }
    busyReads = 0;
    return true;
  }

  /** Number of the poll that has brought something last. */
  long lastWorkPoll() {
    return lastWorkPoll;
  }

  SocketChannel socket() {
    return line.socket();
  }

  // ---- the connection ----

  /** A call is under way. */
  void calls(Call begun) {
    call = begun;
  }

  /** Whether the peer's stream of that number may be the one that comes here. */
  boolean mayGoOn(long number) {
    return peersStream == 0 || peersStream == number;
  }

  /**
   * Another socket is about to serve; the present one is closed.
   *
   * @return position up to which the peer's stream has come
   */
  long leave() {
    if (state == State.OPEN) {
      lostSocket();
    }
    return received;
  }

  private void lostSocket() {
    closeSocket();
    trouble = null;
    waitForNext();
  }

  private void waitForNext() {
    state = State.BROKEN;
    retryNs = FIRST_RETRY_NS;
    resumeEnd =
        node.later(
            node.settings().resumeNs(),
            () ->
                giveUp(
                    "its connection has broken, and was not made again within "
                        + TcpSettings.RESUME.fullKey()
                        + "="
                        + node.settings().resumeNs() / 1_000_000
                        + " ms"));
    retryLater();
  }

  private void giveUp(String reason) {
    fail(reason, FabricError.TIMED_OUT);
  }

  /** Ends it; if nothing has ever come by it, its endpoints are reached otherwise. */
  private void fail(String reason, FabricError error) {
    if (peersStream == 0) {
      node.remember(this, reason);
    }
    close(reason, error);
  }

  /**
   * A socket serves from now on.
   *
   * @param peerHas position up to which the peer has this side's stream
   * @param number of the peer's stream
   * @param own whether this side has dialled
   */
  void attach(Line proved, long peerHas, long number, boolean own) {
    if (state == State.CLOSED) {
      node.close(proved);
      return;
    }
    Call other = call;
    call = null;
    if (other != null && !own) {
      other.close();
    }
    cancelTimers();
    peersStream = number;
    streamTold = true;
    line = proved;
    dialled = own;
    reached |= own;
    calledFrom = own ? calledFrom : Sockets.remoteHost(proved.socket());
    boolean first = state == State.NEW;
    state = State.OPEN;
    flushesInVain = 0;
    busyReads = 0;
    proved.trust();
    node.register(proved.socket(), SelectionKey.OP_READ, this);
    node.settled(this);
    if (!sending.resume(peerHas)) {
      broken("it has more of this side's stream than was sent");
      return;
    }
    if (!first) {
      node.log("connection with [" + where() + "] made again");
    }
    if (proved.holds()) {
      readSoon();
    }
    silentSinceNs = node.nanoTime();
    triedWays = 0;
    owed = 0; // the peer has just been told
    flushLater();
    tickLater();
  }

  /** Something has gone wrong with the socket; what follows of that comes with the next poll. */
  private void trouble(String what) {
    if (trouble == null) {
      trouble = what;
      node.inTrouble(this);
    }
  }

  /** What was wrong is dealt with. */
  void endTrouble() {
    String what = trouble;
    if (state != State.OPEN || what == null) {
      return;
    }
    node.log("connection with [" + where() + "] broken: " + what);
    lostSocket();
    redial();
  }

  private void redial() {
    if (state == State.BROKEN && call == null && mayDial()) {
      node.dial(this);
    }
  }

  private boolean mayDial() {
    return address != null && address.dialled() && !node.isHost(id);
  }

  private void retryLater() {
    retry = node.later(retryNs, this::onRetry);
    retryNs = Math.min(2 * retryNs, MOST_RETRY_NS);
  }

  private void onRetry() {
    retry = null;
    if (state == State.BROKEN) {
      redial();
      retryLater();
    }
  }

  /**
   * A call has brought no connection.
   *
   * @param failed null if it could not even begin
   */
  void onCallFailed(Call failed, Failure failure) {
    if (call != failed) {
      return;
    }
    call = null;
    boolean guests = node.guestGoesOn(this);
    turnToNextWay();
    String told = "no connection with [" + where() + "]: " + failure.reason();
    switch (state) {
      case NEW -> {
        if (streamTold) {
          waitForNext(); // the peer may have sent something by it already
        } else if (!guests && hasUntriedWays() && failure.kind() != Failure.Kind.DENIED) {
          node.dial(this);
        } else if (!guests) {
          node.remember(this, failure.reason());
          close(told, FabricError.HOST_UNREACHABLE);
        }
      }
      case BROKEN -> {
        if (!guests && isProofOfDeath(failure)) {
          fail("its connection has broken, and " + failure.reason(), FabricError.CONNECTION_RESET);
        }
      }
      case OPEN, CLOSED -> {
        // The socket that there is may still serve.
      }
    }
  }

  /**
   * Whether a failed call says that the peer has ended. That a host refuses says so only if the
   * peer's own host does: what answers may be in between where nothing shows that it is not.
   */
  private boolean isProofOfDeath(Failure failure) {
    return switch (failure.kind()) {
      case DENIED -> true;
      case REFUSED -> reached || address.isAt(calledFrom);
      case UNKNOWN -> false;
    };
  }

  /** A guest that was to become the connection of a peer that is new has gone. */
  void onGuestGone() {
    if (state == State.NEW && call == null && sending.written() > 0) {
      node.remember(this, "neither side's dial has brought a connection");
      close("neither side's dial has brought a connection", FabricError.HOST_UNREACHABLE);
    }
  }

  /** What other side has broken the rules of. */
  private void broken(String how) {
    node.log("connection with [" + where() + "] closed: " + how);
    close("the peer's node has broken the rules of a connection: " + how, FabricError.PROTOCOL);
  }

  private String where() {
    return address == null ? "a node that has dialled" : address.place();
  }

  /** Ends it for good. */
  void close(String reason, FabricError error) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    closedBecause = reason;
    closedWith = error;
    if (call != null) {
      call.close();
      call = null;
    }
    cancelTimers();
    closeSocket();
    sending.clear();
    rest = null;
    node.places().removeAll(this);
    node.ended(this);
  }

  private void cancelTimers() {
    if (resumeEnd != null) {
      resumeEnd.cancel();
      resumeEnd = null;
    }
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
  }

  private void closeSocket() {
    if (line != null) {
      node.cool(this);
      node.close(line);
      line = null;
    }
  }

  /** The domain closes: says so if the socket takes it. */
  void sayBye() {
    if (state == State.OPEN && trouble == null) {
      control(Records.BYE, 0);
      while (write() > 0 && waits()) {
        // more fits
      }
    }
    close("the domain is closed", FabricError.SHUTDOWN);
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
    if (state == State.OPEN) {
      if (owed > 0) {
        confirm();
        write();
        flushIfWaiting();
      }
      if (sending.confirmed() != confirmedBefore || sending.confirmed() >= payloadEnd) {
        confirmedBefore = sending.confirmed();
        silentSinceNs = nowNs;
      } else if (nowNs - silentSinceNs >= TcpNode.SILENCE_NS) {
        silentSinceNs = nowNs;
        if (dialled && call == null && mayDial()) {
          turnToNextWay();
          node.dial(this); // a firewall may have forgotten the connection, or an interface be down
        }
      }
    }
    ticks = isOpen() && sending.confirmed() < payloadEnd;
    return ticks;
  }

  private void flushIfWaiting() {
    if (waits()) {
      flushLater();
    }
  }
}
