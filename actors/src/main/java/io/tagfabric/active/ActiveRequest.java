package io.tagfabric.active;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.send.OutgoingActive;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.sbe.ActiveLongEncoder;
import io.tagfabric.wire.sbe.ActiveRequestEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;

/**
 * An active request of this side, until its reply has come, or, if it wants none, until it has
 * left. Ends once.
 */
final class ActiveRequest extends OutgoingActive {
  private final ActiveDesk desk;
  private final int peer;
  private final int handler;
  private final ActiveBody body;
  private final boolean wantsReply;
  private final ActiveListener listener;
  private ActivePlace place;
  private RegionDescriptor region;
  private long regionAt;
  private int regionBytes;
  private long number;
  private FrameOrigin asked;
  private int position;
  private boolean begun;
  private boolean left;

  /** A reply of which a part has come. */
  private ActiveBody coming;

  private int comingCode;

  /**
   * A request.
   *
   * @param wantsReply otherwise it ends with an empty one when it has left
   */
  ActiveRequest(
      ActiveDesk desk,
      int peer,
      int handler,
      ActiveBody body,
      boolean wantsReply,
      ActiveListener listener) {
    this.desk = desk;
    this.peer = peer;
    this.handler = handler;
    this.body = body;
    this.wantsReply = wantsReply;
    this.listener = listener;
  }

  /** Makes it a long one, for bytes of a region that it brings, or that are there already. */
  ActiveRequest into(RegionDescriptor newRegion, long offset, int bytes) {
    region = newRegion;
    regionAt = offset;
    regionBytes = bytes;
    return this;
  }

  /** Its payload lies at a place that a claim has had; what that holds is its own now. */
  ActiveRequest at(ActivePlace itsPlace) {
    place = itsPlace;
    return this;
  }

  /** Where its payload lies, in a packet of a flow; null if it lies elsewhere. */
  ActivePlace place() {
    return place;
  }

  int peer() {
    return peer;
  }

  /** The region of a long request; null of others. */
  RegionDescriptor region() {
    return region;
  }

  long number() {
    return number;
  }

  @Override
  protected boolean wantsReply() {
    return wantsReply;
  }

  /** The desk knows it by a number from now on. */
  void begin(long itsNumber) {
    number = itsNumber;
  }

  /**
   * Which flow it goes by: the reply must come from there.
   *
   * @throws FabricException if it is one frame, and no packet has room for that
   */
  void goesTo(FrameOrigin flow, int maxFrameBytes) {
    asked = flow;
    if (overheadBytes() > maxFrameBytes) {
      throw new FabricException(
          FabricError.MESSAGE_SIZE,
          "frameBytes=" + overheadBytes() + " > largest frame's " + maxFrameBytes + " on this way");
    }
  }

  boolean isAskedOf(FrameOrigin origin) {
    return asked == origin;
  }

  /** Whether a reply to it can come. */
  boolean hasLeft() {
    return left;
  }

  // ---- for the flow ----

  @Override
  protected int overheadBytes() {
    if (region != null) {
      return ActiveFrames.LONG_OVERHEAD + body.argumentBytes() + body.total();
    }
    return begun
        ? ActiveFrames.NEXT_OVERHEAD
        : ActiveFrames.REQUEST_OVERHEAD + body.argumentBytes();
  }

  @Override
  protected int leftBytes() {
    return region == null ? body.total() - position : 0;
  }

  @Override
  protected Packet prepared() {
    return place == null ? null : place.packet();
  }

  @Override
  protected void write(Packet packet, int bytes) {
    if (region != null) {
      writeLong(packet);
    } else if (begun) {
      ActiveFrames.next(packet, number, 0, body, position, bytes);
    } else {
      int at = packet.length();
      int overhead = overheadBytes();
      new ActiveRequestEncoder()
          .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
          .number(number)
          .handler(handler)
          .arguments(body.count())
          .total(body.total())
          .flags(wantsReply ? 0 : ActiveFrames.NO_REPLY);
      body.writeArguments(packet, at + ActiveFrames.REQUEST_OVERHEAD);
      if (place == null || !place.isIn(packet)) {
        body.writePayload(packet, at + overhead, 0, bytes);
      }
      packet.append(overhead + bytes);
      if (place != null) {
        place.written(packet);
      }
    }
    begun = true;
    position += bytes;
  }

  private void writeLong(Packet packet) {
    int at = packet.length();
    boolean packed = body.total() == regionBytes;
    new ActiveLongEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .number(number)
        .handler(handler)
        .arguments(body.count())
        .flags((wantsReply ? 0 : ActiveFrames.NO_REPLY) | (packed ? ActiveFrames.PACKED : 0))
        .length(regionBytes)
        .key(region.key())
        .generation(region.generation())
        .regionAt(regionAt);
    int bodyAt = at + ActiveFrames.LONG_OVERHEAD;
    body.writeArguments(packet, bodyAt);
    body.writePayload(packet, bodyAt + body.argumentBytes(), 0, body.total());
    packet.append(overheadBytes());
  }

  @Override
  protected void onLeft() {
    left = true;
    if (!wantsReply && desk.remove(this)) {
      replied(ActiveBody.EMPTY.reply());
    }
  }

  @Override
  public void onFailed(FabricError error, String detail) {
    if (place != null) {
      place.releasePacket();
    }
    if (desk.remove(this)) {
      refused(new FabricException(error, detail, begun || left));
    }
  }

  // ---- for the desk ----

  /** A reply has begun to come, of which bytes are still to come. */
  void comes(int errorCode, ActiveBody part) {
    comingCode = errorCode;
    coming = part;
  }

  /** What has come of its reply; null if nothing has. */
  ActiveBody coming() {
    return coming;
  }

  int comingCode() {
    return comingCode;
  }

  /** The desk has removed it, and tells how it ended. */
  void replied(ActiveReply reply) {
    try {
      listener.onReply(reply);
    } catch (Throwable e) {
      desk.listenerFailures().caught(listener, e);
    }
  }

  /** The same, for the peer's word that it has failed. */
  void refused(FabricException reason) {
    try {
      listener.onFailed(reason);
    } catch (Throwable e) {
      desk.listenerFailures().caught(listener, e);
    }
  }
}
