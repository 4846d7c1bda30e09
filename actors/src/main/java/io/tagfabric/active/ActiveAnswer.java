package io.tagfabric.active;

import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.sbe.ActiveReplyEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;

/** The reply to a peer's active request; the request's credit goes back when it has left. */
final class ActiveAnswer extends Answer {
  private final FrameOrigin asker;
  private final long request;
  private final int errorCode;
  private final ActiveBody body;
  private int position;
  private boolean begun;

  /** Where its payload lies, in a packet; null if it lies elsewhere. */
  private final ActivePlace place;

  ActiveAnswer(FrameOrigin asker, long request, int errorCode, ActiveBody body) {
    this(asker, request, errorCode, body, null);
  }

  ActiveAnswer(FrameOrigin asker, long request, int errorCode, ActiveBody body, ActivePlace place) {
    this.asker = asker;
    this.request = request;
    this.errorCode = errorCode;
    this.body = body;
    this.place = place;
  }

  @Override
  public int overheadBytes() {
    return begun ? ActiveFrames.NEXT_OVERHEAD : ActiveFrames.REPLY_OVERHEAD + body.argumentBytes();
  }

  @Override
  public int leftBytes() {
    return body.total() - position;
  }

  @Override
  public boolean isOver() {
    return begun && leftBytes() == 0;
  }

  @Override
  public Packet prepared() {
    return place == null ? null : place.packet();
  }

  @Override
  public void write(AccessWriter writer, Packet packet, int bytes) {
    if (begun) {
      ActiveFrames.next(packet, request, ActiveFrames.OF_REPLY, body, position, bytes);
    } else {
      int at = packet.length();
      int overhead = overheadBytes();
      new ActiveReplyEncoder()
          .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
          .request(request)
          .errorCode(errorCode)
          .arguments(body.count())
          .total(body.total());
      body.writeArguments(packet, at + ActiveFrames.REPLY_OVERHEAD);
      if (place == null || !place.isIn(packet)) {
        body.writePayload(packet, at + overhead, 0, bytes);
      }
      packet.append(overhead + bytes);
      if (place != null) {
        place.written(packet);
      }
      begun = true;
    }
    position += bytes;
  }

  @Override
  public void onEnd() {
    if (place != null) {
      place.free();
    }
    asker.consumedActive();
  }
}
