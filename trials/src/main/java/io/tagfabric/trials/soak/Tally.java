package io.tagfabric.trials.soak;

import io.tagfabric.cluster.control.ControlCodec;

/**
 * What has come of the messages.
 *
 * @param sent sends that completed
 * @param received messages received, each counted once
 * @param lost messages sent that did not come
 * @param duplicated messages that came again
 * @param outOfOrder messages in a receive that another one should have got
 * @param corrupted messages whose bytes, length or tag are wrong
 * @param peakUnexpectedBytes most bytes of unexpected messages at one rank
 * @param packetsReplayed packets sent again
 * @param cuts connections that were cut on purpose
 */
record Tally(
    long sent,
    long received,
    long lost,
    long duplicated,
    long outOfOrder,
    long corrupted,
    long peakUnexpectedBytes,
    long packetsReplayed,
    long cuts) {
  private static final ControlCodec CODEC =
      ControlCodec.of("the tally of a rank").message(1, Tally.class).build();

  Tally plus(Tally other) {
    return new Tally(
        sent + other.sent,
        received + other.received,
        lost + other.lost,
        duplicated + other.duplicated,
        outOfOrder + other.outOfOrder,
        corrupted + other.corrupted,
        Math.max(peakUnexpectedBytes, other.peakUnexpectedBytes),
        packetsReplayed + other.packetsReplayed,
        cuts + other.cuts);
  }

  /** Whether this side has received what it should. */
  boolean isClean() {
    return lost + duplicated + outOfOrder + corrupted == 0;
  }

  /** The same with so many cuts. */
  Tally withCuts(long made) {
    return new Tally(
        sent,
        received,
        lost,
        duplicated,
        outOfOrder,
        corrupted,
        peakUnexpectedBytes,
        packetsReplayed,
        made);
  }

  byte[] encode() {
    return CODEC.encode(this);
  }

  static Tally decode(byte[] bytes) {
    return (Tally) CODEC.decode(bytes, 0);
  }
}
