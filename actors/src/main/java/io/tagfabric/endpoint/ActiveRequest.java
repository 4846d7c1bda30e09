package io.tagfabric.endpoint;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.OutgoingFrame;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.sbe.ActiveRequestEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import java.util.function.Consumer;

/** An active request of this side, until its reply has come. Ends once. */
final class ActiveRequest extends OutgoingFrame {
  private static final int OVERHEAD =
      MessageHeaderEncoder.ENCODED_LENGTH + ActiveRequestEncoder.BLOCK_LENGTH;

  private final ActiveDesk desk;
  private final int peer;
  private final int handler;
  private final ActiveBody body;
  private final Consumer<ActiveReply> onReply;
  private final Consumer<FabricException> onFailure;
  private long number;
  private FrameOrigin asked;
  private boolean left;

  ActiveRequest(
      ActiveDesk desk,
      int peer,
      int handler,
      ActiveBody body,
      Consumer<ActiveReply> onReply,
      Consumer<FabricException> onFailure) {
    super(Credit.REQUEST, OVERHEAD + body.bytes());
    this.desk = desk;
    this.peer = peer;
    this.handler = handler;
    this.body = body;
    this.onReply = onReply;
    this.onFailure = onFailure;
  }

  int peer() {
    return peer;
  }

  long number() {
    return number;
  }

  /** The desk knows it by a number from now on. */
  void begin(long itsNumber) {
    number = itsNumber;
  }

  /** Which flow it goes by: the reply must come from there. */
  void goesTo(FrameOrigin flow) {
    asked = flow;
  }

  boolean isAskedOf(FrameOrigin origin) {
    return asked == origin;
  }

  /** Whether a reply to it can come. */
  boolean hasLeft() {
    return left;
  }

  @Override
  protected void write(Packet packet) {
    int at = packet.length();
    new ActiveRequestEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .number(number)
        .handler(handler)
        .arguments(body.count());
    body.write(packet, at + OVERHEAD);
    packet.append(OVERHEAD + body.bytes());
  }

  @Override
  protected void onLeft() {
    left = true;
  }

  @Override
  public void onFailed(FabricError error, String detail) {
    if (desk.remove(this)) {
      onFailure.accept(new FabricException(error, detail, left));
    }
  }

  /** The desk has removed it, and tells how it ended. */
  void replied(ActiveReply reply) {
    onReply.accept(reply);
  }

  /** The same, for the peer's word that it has failed. */
  void refused(FabricException reason) {
    onFailure.accept(reason);
  }
}
