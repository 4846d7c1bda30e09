package io.tagfabric.provider.shm;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting;

/**
 * Answers for the endpoints that a living domain has no more: who asks one of them for a flow hears
 * at once that it is closed. Whatever else is sent to them is dropped. Thread: the domain's loop.
 */
final class AbsentEndpoints {
  /** Brings an answer to an endpoint. */
  @FunctionalInterface
  interface Way {
    /** Offers a packet; one for which there is no way or no room is dropped. */
    void offer(EndpointAddress asker, FrameBatch packet);
  }

  private final long incarnation;
  private final Way way;
  private final FrameCursor cursor = new FrameCursor();
  private final FrameWriter writer = new FrameWriter();

  /**
   * @param incarnation uid of the ActorSystem that the endpoints belonged to
   */
  AbsentEndpoints(long incarnation, Way way) {
    this.incarnation = incarnation;
    this.way = way;
  }

  /** Takes a packet for an endpoint that is not here. */
  void onPacket(FrameBatch packet) {
    if (cursor.wrap(packet)
        && cursor.packet().sequence() == 0
        && cursor.nextFrame() == FrameCursor.HELLO) {
      refuse(cursor.greeting(), cursor.packet().isolation());
    }
  }

  private void refuse(Greeting greeting, int isolation) {
    EndpointAddress asker;
    try {
      asker = EndpointAddress.parse(greeting.address());
    } catch (IllegalArgumentException stranger) {
      return;
    }
    FrameBatch answer = FrameBatch.received(new byte[256]);
    answer.received(FrameBatch.HEADER_LENGTH);
    writer.refuse(
        answer,
        greeting.flow(),
        FabricError.SHUTDOWN.code(),
        "endpoint=" + greeting.endpoint() + " is closed");
    writer.sealUncounted(answer, incarnation, isolation);
    way.offer(asker, answer);
  }
}
