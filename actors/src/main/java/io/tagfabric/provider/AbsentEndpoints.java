package io.tagfabric.provider;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting.Question;
import io.tagfabric.wire.Greeting.Refusal;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.SetUpFrames;
import io.tagfabric.wire.sbe.HelloDecoder;

/**
 * Answers for the endpoints that a living domain has no more: an endpoint of the job that asks one
 * of them for a flow hears at once that it is closed. Whatever else is sent to them is dropped.
 * Thread: the domain's loop.
 */
@InternalApi
public final class AbsentEndpoints {
  /** Brings an answer to an endpoint. */
  @FunctionalInterface
  public interface Way {
    /** Offers a packet; one for which there is no way or no room is dropped. */
    void offer(EndpointAddress asker, Packet packet);
  }

  private static final int ANSWER_BYTES = 256;

  private final long incarnation;
  private final Way way;
  private final FrameCursor cursor = new FrameCursor();
  private final FrameWriter writer = new FrameWriter();
  private final SetUpFrames frames;

  /**
   * @param incarnation uid of the ActorSystem that the endpoints belonged to
   * @param proofs by the keys of their job
   */
  public AbsentEndpoints(long incarnation, KeyProof proofs, Way way) {
    this.incarnation = incarnation;
    this.frames = new SetUpFrames(proofs);
    this.way = way;
  }

  /** Takes a packet for an endpoint that is not here. */
  public void onPacket(Packet packet) {
    int key =
        cursor.wrapSetUp(packet) == HelloDecoder.TEMPLATE_ID
            ? frames.keyOf(cursor)
            : KeyProof.NO_KEY;
    if (key != KeyProof.NO_KEY) {
      Question question = frames.readQuestion(cursor);
      if (question != null && question.incarnation() == incarnation) {
        refuse(question, cursor.packet().isolation(), key);
      }
    }
  }

  private void refuse(Question question, int isolation, int key) {
    EndpointAddress asker;
    try {
      asker = EndpointAddress.parse(question.address());
    } catch (IllegalArgumentException noAddress) {
      return;
    }
    Packet answer = Packet.received(new byte[ANSWER_BYTES]);
    answer.received(Packet.HEADER_LENGTH);
    frames.refuse(
        answer,
        incarnation,
        new Refusal(
            Protocols.OWN,
            question.flow(),
            question.nonce(),
            FabricError.SHUTDOWN.code(),
            "endpoint=" + question.endpoint() + " is closed"),
        key);
    writer.sealUncounted(answer, incarnation, isolation);
    way.offer(asker, answer);
  }
}
