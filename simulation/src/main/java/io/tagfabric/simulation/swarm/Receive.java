package io.tagfabric.simulation.swarm;

import io.tagfabric.error.FabricError;
import org.agrona.MutableDirectBuffer;

/** One receive of a run, and what has become of it. */
final class Receive {
  static final byte POISON = 0x5A;

  /** Behind a message all bytes are compared, further on some. */
  private static final int CANARY_BYTES = 64;

  private static final int CANARY_STEP = 61;

  final Node at;
  final int number;
  final Node source;
  final long tag;
  final long ignore;
  final int capacity;
  final long postedNs;
  MutableDirectBuffer buffer;
  int offset;
  int ends;
  boolean failed;
  FabricError error;
  boolean cancelRequested;
  Message matched;
  int placed;
  boolean drain;

  Receive(Node at, int number, Node source, long tag, long ignore, int capacity, long postedNs) {
    this.at = at;
    this.number = number;
    this.source = source;
    this.tag = tag;
    this.ignore = ignore;
    this.capacity = capacity;
    this.postedNs = postedNs;
  }

  boolean hasEnded() {
    return ends > 0;
  }

  boolean accepts(Message message) {
    return message.to == at
        && (source == null || source == message.from)
        && ((message.tag() ^ tag) & ~ignore) == 0;
  }

  /** The number that the bytes of a message with an exact tag begin with. */
  int numberInBytes() {
    int found = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      found |= (buffer.getByte(offset + i) & 0xFF) << (8 * i);
    }
    return found;
  }

  void poison() {
    buffer.setMemory(offset, capacity, POISON);
  }

  /** The first position whose byte is not what it must be; -1 if all are. */
  int firstWrongByte() {
    int taken = matched == null ? 0 : placed;
    for (int i = 0; i < taken; i++) {
      if (buffer.getByte(offset + i) != matched.byteAt(i)) {
        return i;
      }
    }
    int end = Math.min(capacity, taken + CANARY_BYTES);
    for (int i = taken; i < capacity; i += i < end ? 1 : CANARY_STEP) {
      if (buffer.getByte(offset + i) != POISON) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return "receive "
        + number
        + " at "
        + at.name()
        + (source == null ? " of any source" : " of " + source.name())
        + String.format(" tag %x ignoring %x", tag, ignore)
        + " into "
        + capacity
        + " bytes";
  }
}
