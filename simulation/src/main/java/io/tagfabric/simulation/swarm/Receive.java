package io.tagfabric.simulation.swarm;

import io.tagfabric.error.FabricError;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;

/** One receive of a run, and what has become of it. */
final class Receive {
  static final byte POISON = 0x5A;

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

  /** It takes messages without a tag. */
  boolean untagged;

  /** What it has taken if it takes many messages; else null. */
  ManyParts many;

  /** Its place among all that was begun; negative for one that waits for a counter. */
  long order = -1;

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
        && message.untagged == untagged
        && (source == null || source == message.from)
        && ((message.tag() ^ tag) & ~ignore) == 0;
  }

  /** The number that the bytes of a message with an exact tag begin with. */
  int numberInBytes(int position) {
    int found = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      found |= (buffer.getByte(offset + position + i) & 0xFF) << (8 * i);
    }
    return found;
  }

  void poison() {
    buffer.setMemory(offset, capacity, POISON);
  }

  /** The first position whose byte is not what it must be; -1 if all are. */
  int firstWrongByte() {
    int taken = matched == null ? 0 : placed;
    byte[] found = new byte[capacity];
    buffer.getBytes(offset, found, 0, capacity);
    int wrong = taken == 0 ? -1 : Arrays.mismatch(found, 0, taken, matched.bytes(), 0, taken);
    if (wrong >= 0) {
      return wrong;
    }
    for (int i = taken; i < capacity; i++) {
      if (found[i] != POISON) {
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
        + (untagged
            ? " untagged"
            : " tag " + Long.toHexString(tag) + " ignoring " + Long.toHexString(ignore))
        + (many == null ? " into " : " and many into ")
        + capacity
        + " bytes";
  }
}
