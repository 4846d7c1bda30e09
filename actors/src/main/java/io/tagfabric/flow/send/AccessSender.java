package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.provider.DirectMemory;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.AccessEndDecoder;
import io.tagfabric.wire.sbe.ReadDataDecoder;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * This side of accesses to the peer's memory: writes their requests, when it is their turn among
 * messages, and takes the answers. Numbers of the peer's are compared with what was asked for.
 */
@InternalApi
public final class AccessSender {
  private static final int MIN_PART_BYTES = 512;

  private final SendEvents events;
  private final PacketOutbox outbox;
  private final PeerLink peer;
  private final boolean own;
  private final DirectMemory memory;
  private final Long2ObjectHashMap<PendingAccess> open = new Long2ObjectHashMap<>();
  private final ReadDataDecoder data = new ReadDataDecoder();
  private final AccessEndDecoder end = new AccessEndDecoder();

  /** The bytes of a request that is packed when it leaves. */
  private UnsafeBuffer packed = new UnsafeBuffer(new byte[0]);

  private PendingAccess first;
  private PendingAccess last;
  private PendingAccess begun;
  private long operations;
  private boolean used;

  /** The last operation that a flush must wait for, and that up to which one has. */
  private long lastAsked;

  private long flushed;

  /** What the peer has refused that had ended here before; told by the next flush. */
  private FabricError refusedWith;

  private String refusal;

  /**
   * A sender.
   *
   * @param own whether the peer is the endpoint itself
   */
  AccessSender(SendEvents events, PacketOutbox outbox, PeerLink peer, boolean own) {
    this.events = events;
    this.outbox = outbox;
    this.peer = peer;
    this.own = own;
    memory = peer.channel().directMemory();
  }

  /** Whether it was ever given one. */
  public boolean isUsed() {
    return used;
  }

  // ---- what this side does itself ----

  /** A region that this side reaches; null if the peer is to be asked. */
  public DirectRegion region(long key, long generation) {
    return memory == null || generation == 0 ? null : memory.find(key, generation);
  }

  /**
   * Does an access without the peer, as far as that can be: of a write with a signal, the signal
   * remains to be sent.
   *
   * @return whether it has ended
   */
  boolean reach(PendingAccess access) {
    if (access.isFlush()) {
      boolean over = lastAsked <= flushed && refusedWith == null;
      if (over) {
        events.onSendCompleted(access);
      }
      return over;
    }
    DirectRegion region = access.placed ? null : region(access.key(), access.generation());
    if (region == null) {
      return false;
    }
    FabricError error = access.reach(region, own);
    if (error != null) {
      events.onSendFailed(access, error, refusal(access, region, error));
      return true;
    }
    if (access.signals()) {
      access.placed = true;
      return false;
    }
    events.onSendCompleted(access);
    return true;
  }

  private String refusal(PendingAccess access, DirectRegion region, FabricError error) {
    if (error == FabricError.INVALID) {
      return access.lostItsRoom();
    }
    long offset = access.regionOffset();
    long length = access.accessedBytes();
    long bytes = region.pass().length();
    boolean outside = offset < 0 || offset > bytes || length > bytes - offset;
    return PendingAccess.refusal(
        error, outside ? bytes : -1, access.key(), offset, length, peer.address().toString());
  }

  /** Sends the signal of a write that is placed. There must be room for it in a packet. */
  void signal(long key, long generation, long offset, int bytes, long data, int flags) {
    if (!outbox.room(PacketLayout.aligned(AccessWriter.WRITE_OVERHEAD))) {
      throw new IllegalStateException("no room for a signal where there was some");
    }
    lastAsked = ++operations;
    outbox
        .writer()
        .accesses()
        .writePlaced(outbox.open(), operations, key, generation, offset, bytes, data, flags);
  }

  // ---- requests ----

  /** An access is submitted. */
  public void submitted() {
    used = true;
  }

  /** A request has to wait: what is free when its bytes are elsewhere may end at once. */
  void mustWait(PendingAccess access) {
    if (access.level() == CompletionLevel.INJECT
        && !access.awaitsAnswer()
        && !access.aborted
        && !access.placed
        && access.bounce()) {
      events.onSendCompleted(access);
      access.bounced = true;
    }
  }

  /** Begins with a request if there is room for its first frame. */
  boolean begin(PendingAccess access) {
    if (roomFor(access) < 0) {
      return false;
    }
    access.operation = ++operations;
    if (!access.isFlush()) {
      lastAsked = operations;
    }
    begun = access;
    pack(access);
    if (access.awaitsAnswer()) {
      link(access);
    }
    return true;
  }

  /** One request leaves at a time, so one buffer is enough. */
  private void pack(PendingAccess access) {
    int bytes = access.packedBytes();
    if (bytes > 0) {
      if (packed.capacity() < bytes) {
        packed = new UnsafeBuffer(new byte[bytes]);
      }
      access.packInto(packed);
    }
  }

  /** Goes on with a request that has begun; whether all of it is in packets. */
  boolean goOn(PendingAccess access) {
    int bytes = access.requestBytes();
    boolean anyLeft = true;
    while (anyLeft && !access.aborted) {
      if (!access.hasItsBytes()) {
        abort(access, FabricError.INVALID, access.lostItsBytes());
        break;
      }
      int part = roomFor(access);
      if (part < 0) {
        return false;
      }
      write(access, part, false);
      access.sent += part;
      anyLeft = access.sent < bytes;
    }
    if (access.aborted) {
      if (access.sent > 0 && !outbox.room(PacketLayout.aligned(access.overheadBytes(1)))) {
        return false;
      }
      if (access.sent > 0) {
        write(access, 0, true);
      }
    }
    begun = null;
    return true;
  }

  private void write(PendingAccess access, int bytes, boolean abort) {
    access.write(
        outbox.writer().accesses(), outbox.open(), access.operation, access.sent, bytes, abort);
  }

  /** Payload bytes that fit into a frame now; -1 if the window is closed. */
  private int roomFor(PendingAccess access) {
    int left = access.requestBytes() - access.sent;
    int overhead = access.overheadBytes(access.sent);
    if (left == 0 || !access.isDivisible()) {
      return outbox.room(PacketLayout.aligned(overhead + left)) ? left : -1;
    }
    int part = outbox.roomForPart(left, MIN_PART_BYTES, overhead);
    return part == 0 ? -1 : part;
  }

  /** Whether an access whose request has left has ended, or ends with an answer. */
  boolean isSettled(PendingAccess access) {
    return access.aborted || access.awaitsAnswer();
  }

  /** Ends an access of which bytes are left, and which the peer must be told of. */
  private void abort(PendingAccess access, FabricError error, String detail) {
    access.aborted = true;
    if (access.bounced) {
      remember(error, detail);
      access.unbounce();
      return;
    }
    unlink(access);
    events.onSendFailed(access, error, detail);
  }

  /** Whether the rest of a request is given up, and the peer does not know it. */
  public boolean isAborting() {
    return begun != null && begun.aborted;
  }

  // ---- answers ----

  /** Takes bytes that were read; what is wrong with them, or null. */
  public String onReadData(FrameCursor frame) {
    if (!frame.hasBlock(ReadDataDecoder.BLOCK_LENGTH)) {
      return null;
    }
    data.wrap(frame.buffer(), frame.blockAt(), ReadDataDecoder.BLOCK_LENGTH, frame.version());
    long number = data.operation();
    int length = frame.payloadLength();
    PendingAccess access = open.get(number);
    if (access == null) {
      return number > 0 && number <= operations ? null : neverAsked(number);
    }
    if (data.position() != access.answered
        || length == 0
        || length > access.answerBytes() - access.answered) {
      return "it answers operation="
          + number
          + " with position="
          + data.position()
          + " payloadBytes="
          + length
          + " where position="
          + access.answered
          + " of answerBytes="
          + access.answerBytes()
          + " is due";
    }
    if (!access.take(access.answered, frame.buffer(), frame.payloadAt(), length)) {
      unlink(access);
      events.onSendFailed(access, FabricError.INVALID, access.lostItsRoom());
      return null;
    }
    access.answered += length;
    if (access.answered == access.answerBytes()) {
      unlink(access);
      events.onSendCompleted(access);
    }
    return null;
  }

  /** Takes the end of an access; what is wrong with it, or null. */
  public String onEnd(FrameCursor frame) {
    if (!frame.hasOnlyBlock(AccessEndDecoder.BLOCK_LENGTH)) {
      return null;
    }
    end.wrap(frame.buffer(), frame.blockAt(), AccessEndDecoder.BLOCK_LENGTH, frame.version());
    long number = end.operation();
    if (number <= 0 || number > operations) {
      return neverAsked(number);
    }
    return end.errorCode() == 0 ? onDone(number) : onRefused(number);
  }

  private String onDone(long number) {
    PendingAccess access = open.get(number);
    if (access == null) {
      return null;
    }
    if (access == begun || access.answerBytes() > 0) {
      return "it has done operation="
          + number
          + " of which bytes are left: sent="
          + access.sent
          + " of requestBytes="
          + access.requestBytes()
          + ", answered="
          + access.answered
          + " of answerBytes="
          + access.answerBytes();
    }
    unlink(access);
    if (access.isFlush()) {
      flushed = Math.max(flushed, number);
    }
    if (access.isFlush() && refusedWith != null) {
      events.onSendFailed(access, refusedWith, refusal);
      refusedWith = null;
    } else {
      events.onSendCompleted(access);
    }
    return null;
  }

  private String onRefused(long number) {
    FabricError error = FabricError.find(end.errorCode()).orElse(FabricError.OTHER);
    String text =
        PendingAccess.refusal(
            error,
            end.regionBytes(),
            end.key(),
            end.regionAt(),
            end.length(),
            peer.address().toString());
    if (begun != null && begun.operation == number) {
      if (!begun.aborted) {
        abort(begun, error, text);
      }
      return null;
    }
    PendingAccess access = open.get(number);
    if (access != null) {
      unlink(access);
      events.onSendFailed(access, error, text);
    } else {
      remember(error, text);
    }
    return null;
  }

  /** The next flush tells the first of what was refused after it had ended here. */
  private void remember(FabricError error, String text) {
    if (refusedWith == null) {
      refusedWith = error;
      refusal = text;
    }
  }

  private String neverAsked(long number) {
    return "it answers operation=" + number + ", which was not asked for: asked=" + operations;
  }

  // ---- those that wait for an answer ----

  private void link(PendingAccess access) {
    open.put(access.operation, access);
    access.before = last;
    if (last == null) {
      first = access;
    } else {
      last.after = access;
    }
    last = access;
  }

  private void unlink(PendingAccess access) {
    if (open.remove(access.operation) == null) {
      return;
    }
    if (access.before == null) {
      first = access.after;
    } else {
      access.before.after = access.after;
    }
    if (access.after == null) {
      last = access.before;
    } else {
      access.after.before = access.before;
    }
    access.before = null;
    access.after = null;
  }

  /** Whether some wait for an answer. */
  boolean hasOpen() {
    return first != null;
  }

  /** Gives all of them up, in the order begun. */
  void failAll(FabricError error, String detail) {
    begun = null;
    while (first != null) {
      PendingAccess access = first;
      unlink(access);
      events.onSendFailed(access, error, detail);
    }
  }
}
