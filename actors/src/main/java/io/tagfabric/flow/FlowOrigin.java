package io.tagfabric.flow;

import io.tagfabric.flow.window.OwedToPeer;
import io.tagfabric.trace.InboundTrace;
import io.tagfabric.wire.Announced;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.Packet;

/** A flow as the services see it that take its frames. Single threaded: the domain's loop. */
final class FlowOrigin implements FrameOrigin {
  private final Flow flow;
  private final OwedToPeer owed;
  private final Announced announced;
  private final Limits limits;
  private final long maxMessageBytes;
  private final long maxUnaskedBytes;
  private final InboundTrace inbound;
  private boolean awaitsRest;

  /**
   * The origin of a flow's frames.
   *
   * @param limits what this side has said that it takes
   * @param inbound names its messages in traces
   */
  FlowOrigin(Flow flow, OwedToPeer owed, Announced announced, Limits limits, InboundTrace inbound) {
    this.flow = flow;
    this.owed = owed;
    this.announced = announced;
    this.limits = limits;
    this.maxMessageBytes = limits.maxMessageBytes();
    this.maxUnaskedBytes = limits.maxUnaskedBytes();
    this.inbound = inbound;
  }

  Limits limits() {
    return limits;
  }

  @Override
  public int peer() {
    return flow.source();
  }

  @Override
  public String name() {
    return flow.address().toString();
  }

  @Override
  public InboundTrace inbound() {
    return inbound;
  }

  @Override
  public boolean isOwn() {
    return flow.isOwn();
  }

  @Override
  public boolean admitRequest() {
    if (!owed.arrived(0)) {
      breach(owed.overdraft(0));
      return false;
    }
    return true;
  }

  @Override
  public int maxFrameBytes() {
    return flow.maxFrameBytes();
  }

  @Override
  public Packet prepare(int frameBytes) {
    return flow.prepare(frameBytes);
  }

  @Override
  public void answer(Answer answer) {
    flow.submit(answer);
  }

  @Override
  public boolean admit(long heldBytes, long messageBytes) {
    if (heldBytes > maxUnaskedBytes || messageBytes > maxMessageBytes) {
      breach(tooLong(heldBytes, messageBytes));
      return false;
    }
    if (!owed.arrived(heldBytes)) {
      breach(owed.overdraft(heldBytes));
      return false;
    }
    return true;
  }

  private String tooLong(long heldBytes, long messageBytes) {
    return "a message is longer than this side has said that it takes: messageBytes="
        + messageBytes
        + " of maxMessageBytes="
        + maxMessageBytes
        + ", unasked bytes="
        + heldBytes
        + " of maxUnaskedBytes="
        + maxUnaskedBytes;
  }

  @Override
  public void datagramDropped() {
    flow.datagramDropped();
  }

  @Override
  public boolean admitReply() {
    if (!owed.replyArrived()) {
      breach(owed.replyOverdraft());
      return false;
    }
    return true;
  }

  @Override
  public boolean admitActive() {
    if (!owed.activeArrived()) {
      breach(owed.activeOverdraft());
      return false;
    }
    return true;
  }

  @Override
  public void consumedActive() {
    owed.consumedActive();
    flow.gate().flushIfOwed();
  }

  @Override
  public void consumed(int heldBytes) {
    owed.consumedBytes(heldBytes);
    consumed();
  }

  @Override
  public void consumed() {
    owed.consumedMessage();
    flow.gate().flushIfOwedForMessages();
  }

  @Override
  public void consumedReply() {
    owed.consumedReply();
    flow.gate().flushIfOwed();
  }

  @Override
  public void awaitsRest(boolean awaits) {
    awaitsRest = awaits;
  }

  boolean awaitsRest() {
    return awaitsRest;
  }

  @Override
  public Announced announced() {
    return announced;
  }

  @Override
  public boolean isLost() {
    return flow.isLost();
  }

  @Override
  public void breach(String rule) {
    flow.end().breach(rule);
  }
}
