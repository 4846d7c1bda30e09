package io.tagfabric.endpoint;

import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.sbe.ActiveReplyEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;

/** The reply to a peer's active request; the request's credit goes back when it has left. */
final class ActiveAnswer extends Answer {
  private static final int OVERHEAD =
      MessageHeaderEncoder.ENCODED_LENGTH + ActiveReplyEncoder.BLOCK_LENGTH;

  private final FrameOrigin asker;
  private final long request;
  private final int errorCode;
  private final ActiveBody body;

  ActiveAnswer(FrameOrigin asker, long request, int errorCode, ActiveBody body) {
    this.asker = asker;
    this.request = request;
    this.errorCode = errorCode;
    this.body = body;
  }

  @Override
  public int overheadBytes() {
    return OVERHEAD + body.bytes();
  }

  @Override
  public int leftBytes() {
    return 0; // it is one word, however long
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public void write(AccessWriter writer, Packet packet, int bytes) {
    int at = packet.length();
    new ActiveReplyEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .request(request)
        .errorCode(errorCode)
        .arguments(body.count());
    body.write(packet, at + OVERHEAD);
    packet.append(OVERHEAD + body.bytes());
  }

  @Override
  public void onEnd() {
    asker.consumed();
  }
}
