package io.tagfabric.flow;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.SendScheduler;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.wire.PacketLayout;

/**
 * How a flow ends: by a Goodbye of either side, because the peer is given up, or because it has
 * broken a rule. Single threaded: the domain's loop.
 */
@InternalApi
public final class FlowEnd {
  private static final String BY_PEER = "the peer has given this flow up";

  private final Flow flow;
  private final FlowEvents events;
  private final FlowGate gate;
  private final SendScheduler sends;
  private final PacketOutbox outbox;
  private boolean givenUp;
  private boolean goodbyeHeard;

  /** The error of a Goodbye that waits until what the channel has refused has left. */
  private int goodbyeHeld;

  /** What to tell a peer that is not known yet as soon as it is, null if nothing. */
  private FabricError goodbyeToSay;

  FlowEnd(Flow flow, FlowEvents events, FlowGate gate, SendScheduler sends, PacketOutbox outbox) {
    this.flow = flow;
    this.events = events;
    this.gate = gate;
    this.sends = sends;
    this.outbox = outbox;
  }

  /** Whether the peer has said that its side has ended. */
  public boolean hasHeardGoodbye() {
    return goodbyeHeard;
  }

  /** Whether a Goodbye waits until the peer's number of the flow is known. */
  boolean isGoodbyeToSay() {
    return goodbyeToSay != null;
  }

  /**
   * Tells the peer that this endpoint closes. What was submitted before and is in a packet travels
   * first; the rest fails with {@code ownError}, and nothing can be submitted any more. A peer that
   * has not answered the greeting yet hears of it when it answers.
   */
  public void sayGoodbye(FabricError peersError, FabricError ownError, String detail) {
    if (!gate.takes()) {
      return;
    }
    gate.goodbyeSaid();
    sends.failUnsent(ownError, detail);
    goodbyeToSay = peersError;
    if (gate.isOpen()) {
      sayWhatIsToSay();
      gate.queueFlush();
    }
  }

  /** The peer can be told from now on. */
  void sayWhatIsToSay() {
    if (goodbyeToSay != null) {
      outbox.sayGoodbye(goodbyeToSay.code());
      goodbyeToSay = null;
    }
  }

  /**
   * Answers a packet that came after the end of this flow, so that its sender knows.
   *
   * @return false if the channel has no room for the answer
   */
  public boolean repeatGoodbye(FabricError peersError) {
    return !gate.isLost()
        || flow.remoteId() == PacketLayout.NO_FLOW
        || outbox.repeatGoodbye(peersError.code());
  }

  /**
   * The peer has answered after the end of this flow, and has opened its side. Its number is what
   * {@link #repeatGoodbye} needs; it is kept if it was not known.
   */
  public void answeredLate(int peersFlowId) {
    if (gate.isLost() && flow.remoteId() == PacketLayout.NO_FLOW) {
      outbox.remoteId(peersFlowId);
    }
  }

  void onCountedGoodbye(int error) {
    outbox.sealOpen();
    if (flow.link().reliable() && outbox.hasRefused()) {
      goodbyeHeld = error;
      gate.goodbyeHeld();
      gate.queueFlush();
    } else {
      endByGoodbye(error);
    }
  }

  /**
   * The peer has said goodbye, and reads what is sent until it has an answer.
   *
   * @param isClosed whether the channel takes nothing more
   */
  void flushTheRest(boolean isClosed) {
    if (gate.isLost()) {
      return;
    }
    outbox.offerRefused();
    if (isClosed || !outbox.hasRefused()) {
      endByGoodbye(goodbyeHeld);
    } else {
      gate.queueFlush();
    }
  }

  private void endByGoodbye(int error) {
    // The peer may wait for it, and this flow says nothing more.
    outbox.offerUncounted(outbox.uncounted(0), 0);
    onGoodbye(error);
  }

  /** The peer says that its side of the flow has ended. */
  public void onGoodbye(int error) {
    goodbyeHeard = true;
    FabricError reason = FabricError.find(error).orElse(FabricError.CONNECTION_RESET);
    if (reason == FabricError.CONNECTION_RESET) {
      givenUpByPeer();
    } else {
      lose(reason, reason == FabricError.SHUTDOWN ? "the peer's endpoint closed" : BY_PEER);
    }
  }

  /** The peer has given this flow up, and may begin another. */
  public void givenUpByPeer() {
    giveUp(FabricError.CONNECTION_RESET, BY_PEER);
  }

  /** The peer has broken a rule: takes nothing more from it, and says so in a Goodbye. */
  void breach(String rule) {
    if (!gate.isLost()) {
      lose(FabricError.PROTOCOL, rule);
      if (flow.remoteId() == PacketLayout.NO_FLOW || !repeatGoodbye(FabricError.PROTOCOL)) {
        events.onGoodbyeUnsaid(flow, FabricError.PROTOCOL);
      }
    }
  }

  /**
   * Gives this flow up, but not the peer: nothing is known against it except its silence, and
   * another flow may begin where the cluster says that its node lives. Ends as {@link #lose} does.
   */
  public void giveUp(FabricError error, String detail) {
    givenUp |= !gate.isLost();
    lose(error, detail);
  }

  /** Whether it was {@linkplain #giveUp given up} by either side. */
  public boolean isGivenUp() {
    return givenUp;
  }

  /**
   * Ends this flow and its peer: every unfinished send fails with {@code error} and a text that
   * names the peer. CANCELED means that this side ends the flow by its own will. Idempotent.
   */
  public void lose(FabricError error, String detail) {
    if (gate.isLost()) {
      return;
    }
    gate.state(FlowState.LOST);
    boolean ownWill = error == FabricError.CANCELED;
    String text = ownWill ? detail : "peer [" + flow.address() + "] lost: " + detail;
    flow.failAll(error, text);
    events.onLost(flow, error, text);
  }
}
