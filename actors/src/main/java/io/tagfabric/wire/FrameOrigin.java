package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.trace.InboundTrace;

/**
 * Where received frames come from: what a service may ask of their sender's flow, and what it tells
 * it. Single threaded: used on the receiving domain's loop only.
 */
public interface FrameOrigin {
  /**
   * Index of the sender in the receiving domain's address vector; of a context of a scalable
   * endpoint, the index of that.
   */
  int peer();

  /** The sender for people. */
  String name();

  /** Names the messages that come by it in traces. */
  @InternalApi
  InboundTrace inbound();

  /** Whether the sender is the endpoint itself that receives. */
  boolean isOwn();

  /**
   * Takes the sender's credit for one message, which the flow has granted.
   *
   * @param heldBytes payload bytes that this side holds from now on until {@link #consumed}; 0 if
   *     they wait at the sender
   * @param messageBytes bytes of the whole message
   * @return false if the message is beyond what was granted, or longer than what this side has said
   *     that it takes: then the flow has ended, and nothing of the message may be kept
   */
  boolean admit(long heldBytes, long messageBytes);

  /**
   * Takes the sender's credit for one request of which nothing is held, whatever lengths of
   * messages this side takes. It goes back with {@link #consumed()}.
   *
   * @return false if it is beyond what was granted: then the flow has ended
   */
  boolean admitRequest();

  /** Bytes of the longest frame that {@link #prepare} has a packet for. */
  @InternalApi
  default int maxFrameBytes() {
    return 0;
  }

  /**
   * Takes an empty packet for an answer to the sender, so that the answer can be written in place.
   * The caller owns the packet: it must either hand it over with the answer ({@link
   * Answer#prepared}) or release it.
   *
   * @param frameBytes bytes of the answer's only frame, at most {@link #maxFrameBytes}
   */
  @InternalApi
  default Packet prepare(int frameBytes) {
    throw new IllegalStateException("no packet for frameBytes=" + frameBytes + " can be had here");
  }

  /** Answers a request of the sender's; ends the answer at once if the sender is gone. */
  void answer(Answer answer);

  /**
   * Takes the sender's credit for one reply, which the flow has granted. Replies have a credit of
   * their own, so that they never wait for room that requests have filled.
   *
   * @return false if it is beyond what was granted: then the flow has ended
   */
  boolean admitReply();

  /**
   * Takes the sender's credit for one active request, which the flow has granted. It has one of its
   * own, so that messages which nobody receives keep no request back.
   *
   * @return false if it is beyond what was granted: then the flow has ended
   */
  boolean admitActive();

  /** Gives the credit of an active request back: it has been answered, or nobody asks any more. */
  void consumedActive();

  /**
   * Gives credit back to the sender: a message of which bytes were held has been matched, or will
   * never be.
   *
   * @param heldBytes as admitted
   */
  void consumed(int heldBytes);

  /** Gives the credit of a message back of which nothing was held. */
  void consumed();

  /** Gives the credit of a reply back: it has been handled. */
  void consumedReply();

  /**
   * Says whether some bytes of a message have come and others have not. As long as this is so, a
   * sender that falls silent is asked, and given up like one that owes an acknowledgement.
   */
  void awaitsRest(boolean awaits);

  /** No receive was there for a datagram, which is gone. */
  void datagramDropped();

  /** The bytes of messages that the sender has announced. */
  Announced announced();

  /**
   * Whether the sender was given up, so that nothing more can be asked of it. One whose flow is not
   * set up yet is not lost: what it is asked for waits until it can be told.
   */
  boolean isLost();

  /**
   * The sender has done what the rules forbid: ends its flow with PROTOCOL.
   *
   * @param rule what it has done, compared with what was allowed
   */
  void breach(String rule);
}
