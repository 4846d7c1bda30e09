package io.tagfabric.match.core;

import io.tagfabric.trace.InboundTrace;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameOrigin;
import java.util.ArrayList;
import java.util.List;

/**
 * A peer of a receive context under test: counts the credit it uses and gets back, and records what
 * it does wrong, which makes it lost.
 */
public final class ScriptedOrigin implements FrameOrigin {
  final ScriptedAnnounced announced = new ScriptedAnnounced();
  final List<String> breaches = new ArrayList<>();
  boolean lost;
  int droppedDatagrams;

  /** Whether it was told that a message lacks bytes. */
  boolean awaitsRest;

  /** Whether the next message is beyond the credit. */
  boolean hasNoCredit;

  /** Runs when a message with bytes is taken. */
  Runnable onConsumed = () -> {};

  int admittedMessages;
  long admittedBytes;
  int admittedReplies;
  int consumedMessages;
  long consumedBytes;
  int consumedReplies;
  private final int peer;

  public ScriptedOrigin(int peer) {
    this.peer = peer;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public String name() {
    return "peer " + peer;
  }

  @Override
  public boolean admit(long heldBytes, long messageBytes) {
    if (hasNoCredit) {
      breach("no credit for messageBytes=" + messageBytes);
      return false;
    }
    admittedMessages++;
    admittedBytes += heldBytes;
    return true;
  }

  @Override
  public InboundTrace inbound() {
    return new InboundTrace(0, 0, 0);
  }

  @Override
  public boolean isOwn() {
    return false;
  }

  @Override
  public boolean admitRequest() {
    return admit(0, 0);
  }

  @Override
  public boolean admitActive() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void consumedActive() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void answer(Answer answer) {
    answer.onEnd();
  }

  @Override
  public void datagramDropped() {
    droppedDatagrams++;
  }

  @Override
  public boolean admitReply() {
    admittedReplies++;
    return true;
  }

  @Override
  public void consumed(int heldBytes) {
    onConsumed.run();
    consumedBytes += heldBytes;
    consumed();
  }

  @Override
  public void consumed() {
    consumedMessages++;
  }

  @Override
  public void consumedReply() {
    consumedReplies++;
  }

  @Override
  public void awaitsRest(boolean awaits) {
    awaitsRest = awaits;
  }

  @Override
  public ScriptedAnnounced announced() {
    return announced;
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  @Override
  public void breach(String rule) {
    if (!lost) {
      breaches.add(rule);
      lost = true;
    }
  }
}
