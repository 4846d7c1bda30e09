package io.tagfabric.active;

import io.tagfabric.flow.Flow;
import io.tagfabric.wire.Packet;

/**
 * What a claim holds until its message is in packets: a packet in which the payload lies, and the
 * credit of the request. Single threaded, one after the other: the program's until the commit, the
 * loop's from then on.
 */
final class ActivePlace {
  private final Flow flow;
  private final boolean hasCredit;
  private final Runnable onFree;
  private Packet packet;

  private ActivePlace(Flow flow, boolean hasCredit, Packet packet, Runnable onFree) {
    this.flow = flow;
    this.hasCredit = hasCredit;
    this.packet = packet;
    this.onFree = onFree;
  }

  /** Of a request. */
  static ActivePlace of(Flow flow, boolean hasCredit, Packet packet) {
    return new ActivePlace(flow, hasCredit, packet, null);
  }

  /** Of a reply. */
  static ActivePlace of(Packet packet) {
    return new ActivePlace(null, false, packet, null);
  }

  /** Of a reply whose bytes lie in a buffer of the program, which hears when that is free. */
  static ActivePlace of(Runnable onFree) {
    return new ActivePlace(null, false, null, onFree);
  }

  /** The flow that a request goes by. */
  Flow flow() {
    return flow;
  }

  /** Whether it brings a credit. */
  boolean hasCredit() {
    return hasCredit;
  }

  /** The packet; null if the payload lies elsewhere, or has been handed over. */
  Packet packet() {
    return packet;
  }

  boolean isIn(Packet other) {
    return packet == other;
  }

  /** A packet has the frame: if it is this one, it is the flow's now, else this one is free. */
  void written(Packet other) {
    if (packet != other) {
      releasePacket();
    }
    packet = null;
  }

  void releasePacket() {
    if (packet != null) {
      packet.release();
      packet = null;
    }
  }

  /** Nothing is read from it any more. */
  void free() {
    releasePacket();
    if (onFree != null) {
      onFree.run();
    }
  }

  /** The claim was given up: credit and room go back. Thread: the loop. */
  void giveUp() {
    if (hasCredit) {
      flow.actives().giveUp();
    }
    free();
  }
}
