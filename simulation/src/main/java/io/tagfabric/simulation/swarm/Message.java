package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.send.TaggedSend;
import org.agrona.MutableDirectBuffer;

/** One send of a run, and what has become of it. */
final class Message {
  /** Tags of messages whose number is not in the tag, so that receives ask for the whole tag. */
  static final long EXACT = 1L << 48;

  private static final int NUMBER_SHIFT = 8;
  private static final int TAGS = 4;
  static final long NUMBER_BITS = 0x0000_FFFF_FFFF_FF00L;
  static final long TAG_BITS = TAGS - 1;

  final Node from;
  final Node to;
  final int number;
  final boolean exact;
  final int tagClass;
  final int length;
  final CompletionLevel level;
  final long postedNs;
  MutableDirectBuffer buffer;
  int offset;

  /** Its success leaves no entry. */
  boolean silent;

  /** It was told to the actor, and ends with a listener. */
  boolean listened;

  int ends;
  boolean failed;
  FabricError error;
  boolean mayHaveArrived;
  boolean cancelRequested;
  Receive matched;

  /** Where in the buffer of its receive it lies. */
  int matchedAt;

  /** Its receive had no room for all of it. */
  boolean cut;

  /** Its number comes with it as immediate data. */
  boolean hasData;

  /** It has no tag. */
  boolean untagged;

  /** It, and what follows, waits for all before it. */
  boolean fenced;

  /** Its place among all that was begun; negative for one that waits for a counter. */
  long order = -1;

  private boolean counted;

  Message(
      Node from,
      Node to,
      int number,
      boolean exact,
      int tagClass,
      int length,
      CompletionLevel level,
      long postedNs) {
    this.from = from;
    this.to = to;
    this.number = number;
    this.exact = exact;
    this.tagClass = tagClass;
    this.length = length;
    this.level = level;
    this.postedNs = postedNs;
  }

  static int tagClass(int drawn) {
    return drawn % TAGS;
  }

  /** The tag it is sent with; 0 if it has none. */
  long tag() {
    return untagged ? 0 : exact ? EXACT | tagClass : (long) number << NUMBER_SHIFT | tagClass;
  }

  static int numberOf(long tag) {
    return (int) ((tag & NUMBER_BITS) >>> NUMBER_SHIFT);
  }

  static boolean isExact(long tag) {
    return (tag & EXACT) != 0;
  }

  void count() {
    counted = true;
    to.expect(untagged, 1);
  }

  /** Nobody need wait for it any more. */
  void uncount() {
    if (counted) {
      to.expect(untagged, -1);
    }
    counted = false;
  }

  /** Whether it waits for a counter. */
  boolean isDeferred() {
    return order < 0;
  }

  /** Whether another one, of the same sender, was matched after this one. */
  boolean isMatchedAfter(Message other) {
    return matched == other.matched
        ? matchedAt > other.matchedAt
        : matched.order > other.matched.order;
  }

  /** Whether its receiver takes none of this length. */
  boolean isTooLong() {
    return length > to.maxMessageBytes;
  }

  boolean hasEnded() {
    return ends > 0;
  }

  /** Whether no receive can have it any more. */
  boolean isGone() {
    return failed;
  }

  /** It, to a peer. */
  TaggedSend send(int peer) {
    return TaggedSend.of(peer, buffer, offset, length, tag());
  }

  void fill() {
    buffer.putBytes(offset, bytes(), 0, length);
  }

  /** All of its bytes. */
  byte[] bytes() {
    byte[] bytes = new byte[length];
    byte first = (byte) (number * 31 + from.number() * 17);
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (first + i * 7 + (i >>> 8));
    }
    for (int i = 0; exact && i < Integer.BYTES; i++) {
      bytes[i] = (byte) (number >>> (8 * i));
    }
    return bytes;
  }

  /** The program uses the buffer for something else. */
  void spoil() {
    buffer.setMemory(offset, length, (byte) 0xEE);
  }

  @Override
  public String toString() {
    return "message "
        + number
        + " of "
        + from.name()
        + " to "
        + to.name()
        + (untagged ? " untagged" : (exact ? " exact tag " : " tag ") + tagClass)
        + (fenced ? " fenced" : "")
        + " of "
        + length
        + " bytes at level "
        + level;
  }
}
