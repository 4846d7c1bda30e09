package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.wire.PacketLayout;
import java.util.ArrayDeque;

/** Frames of services that wait for credit and for room in a packet; replies go before requests. */
@InternalApi
public final class FrameQueue {
  private final PacketOutbox outbox;
  private final SendCredit credit;
  private final ArrayDeque<OutgoingFrame> replies = new ArrayDeque<>();
  private final ArrayDeque<OutgoingFrame> requests = new ArrayDeque<>();

  public FrameQueue(PacketOutbox outbox, SendCredit credit) {
    this.outbox = outbox;
    this.credit = credit;
  }

  /** Accepts a frame; it leaves with a flush. */
  public void submit(OutgoingFrame frame) {
    int most = outbox.maxFrameBytes();
    if (PacketLayout.aligned(frame.frameBytes()) > most) {
      frame.onFailed(
          FabricError.MESSAGE_SIZE,
          "frameBytes=" + frame.frameBytes() + " > largest frame's " + most + " on this way");
    } else {
      (frame.credit() == OutgoingFrame.Credit.REPLY ? replies : requests).addLast(frame);
    }
  }

  /** Puts them into packets, as far as credit and window allow. */
  public void pump() {
    while (!replies.isEmpty() && credit.hasReply() && write(replies)) {
      credit.useReply();
    }
    while (!requests.isEmpty() && credit.hasMessage() && write(requests)) {
      credit.useMessage(0);
    }
  }

  private boolean write(ArrayDeque<OutgoingFrame> frames) {
    OutgoingFrame frame = frames.peekFirst();
    if (!outbox.room(PacketLayout.aligned(frame.frameBytes()))) {
      return false;
    }
    frames.pollFirst();
    frame.write(outbox.open());
    frame.onLeft();
    return true;
  }

  boolean hasWaiting() {
    return !replies.isEmpty() || !requests.isEmpty();
  }

  /** Whether one that waits could leave now, were there room in a packet. */
  boolean isReady() {
    return (!replies.isEmpty() && credit.hasReply())
        || (!requests.isEmpty() && credit.hasMessage());
  }

  /** Gives up what is not in a packet. */
  void failAll(FabricError error, String detail) {
    failAll(replies, error, detail);
    failAll(requests, error, detail);
  }

  private static void failAll(ArrayDeque<OutgoingFrame> frames, FabricError error, String detail) {
    OutgoingFrame frame;
    while ((frame = frames.pollFirst()) != null) {
      frame.onFailed(error, detail);
    }
  }
}
