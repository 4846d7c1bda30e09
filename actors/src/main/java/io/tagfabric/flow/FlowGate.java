package io.tagfabric.flow;

import io.tagfabric.flow.send.SendScheduler;
import io.tagfabric.flow.window.OwedToPeer;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.progress.PassCount;

/**
 * How far a flow is, and so whether anything leaves by it: at once, which the first frames of a
 * pass do, or with the flush at the end of the pass. Single threaded: the domain's loop.
 */
final class FlowGate {
  private final PacketOutbox outbox;
  private final OwedToPeer owed;
  private final SendScheduler sends;
  private final PassCount passes;
  private final Runnable onFlushNeeded;

  private FlowState state = FlowState.CONNECTING;
  private boolean goodbyeSaid;

  /** Whether the channel has closed, or the peer has said goodbye: only what has begun leaves. */
  private boolean channelClosed;

  private boolean goodbyeHeld;
  private boolean flushQueued;

  /** The pass in which frames have left at once; what follows them in it is gathered. */
  private long leftInPass = -1;

  /**
   * A gate of a flow that is not set up.
   *
   * @param onFlushNeeded runs when a flush is needed that none has asked for since the last one
   */
  FlowGate(
      PacketOutbox outbox,
      OwedToPeer owed,
      SendScheduler sends,
      PassCount passes,
      Runnable onFlushNeeded) {
    this.outbox = outbox;
    this.owed = owed;
    this.sends = sends;
    this.passes = passes;
    this.onFlushNeeded = onFlushNeeded;
  }

  FlowState state() {
    return state;
  }

  boolean isOpen() {
    return state == FlowState.OPEN;
  }

  boolean isLost() {
    return state == FlowState.LOST;
  }

  void state(FlowState next) {
    state = next;
  }

  /** Whether this side has said that it sends nothing more. */
  boolean hasSaidGoodbye() {
    return goodbyeSaid;
  }

  void goodbyeSaid() {
    goodbyeSaid = true;
  }

  /** Whether the peer has said goodbye, and what has begun to leave has not left yet. */
  boolean holdsGoodbye() {
    return goodbyeHeld;
  }

  void goodbyeHeld() {
    goodbyeHeld = true;
  }

  boolean isChannelClosed() {
    return channelClosed;
  }

  void channelClosed(boolean closed) {
    channelClosed = closed;
  }

  /** Whether something may be submitted. */
  boolean takes() {
    return state != FlowState.LOST && !goodbyeSaid;
  }

  /** Whether what is submitted now may leave before the flush. */
  boolean mayLeaveNow() {
    return state == FlowState.OPEN && !goodbyeSaid && !ends();
  }

  /** The same, and no flush is to come that would take it along. */
  boolean leavesUnflushed() {
    return !flushQueued && mayLeaveNow();
  }

  /** Whether nothing that is submitted now leaves. */
  boolean ends() {
    return channelClosed || goodbyeHeld;
  }

  /**
   * The first frames of a pass leave at once where packets are not lost, and then nothing is left
   * to flush; what follows in the same pass is gathered.
   */
  void leaveOrGather() {
    if (!mayBeFirst() || !leavesAtOnce()) {
      queueFlush();
    }
  }

  /** Whether nothing has left in this pass, and nothing is gathered. */
  boolean mayBeFirst() {
    return !flushQueued && state == FlowState.OPEN && !ends() && leftInPass != passes.begun();
  }

  /** Sends what is gathered, where no timer has to know; whether nothing is left then. */
  private boolean leavesAtOnce() {
    if (outbox.open() == null || !outbox.sealFirst()) {
      return false;
    }
    leftInPass = passes.begun();
    return !couldSend() && !owed.owesAcknowledgement();
  }

  private boolean couldSend() {
    return outbox.open() != null || outbox.hasRefused() || (!goodbyeSaid && sends.isReady());
  }

  /** Whether something could leave, and no flush is to come that would send it. */
  boolean isForgotten() {
    return state == FlowState.OPEN && !flushQueued && !ends() && couldSend();
  }

  void queueFlush() {
    if (!flushQueued) {
      flushQueued = true;
      onFlushNeeded.run();
    }
  }

  /** The flush has come. */
  void flushed() {
    flushQueued = false;
  }

  /** Asks for a flush if the peer waits for what is owed. */
  void flushIfOwed() {
    if (!flushQueued && state == FlowState.OPEN && owed.owesAcknowledgement()) {
      queueFlush();
    }
  }

  /** As {@link #flushIfOwed} where nothing has happened but that a message was taken. */
  void flushIfOwedForMessages() {
    if (owed.owesForMessages() && !flushQueued && state == FlowState.OPEN) {
      queueFlush();
    }
  }
}
