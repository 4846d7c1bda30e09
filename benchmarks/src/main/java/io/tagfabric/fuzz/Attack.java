package io.tagfabric.fuzz;

import io.tagfabric.wire.MessageView;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/** What attackers send instead of what their flows hand over. Thread: one. */
final class Attack {
  /**
   * A short message as it goes into a ring.
   *
   * @param flow key of the flow it claims to be of
   */
  record RingRecord(long flow, MessageView message) {}

  private static final int KEPT = 16;
  private static final int ATTACKERS_SHARE = 12;
  private static final int LONGEST_RECORD = 8 * 1024;

  private final SplittableRandom random;
  private final Mutator mutator;
  private final FuzzCounts counts;
  private final ArrayDeque<byte[]> seen = new ArrayDeque<>();
  private final MessageView message = new MessageView();
  private final UnsafeBuffer junk = new UnsafeBuffer(new byte[LONGEST_RECORD]);
  private long byAttackers;
  private long byStranger;

  Attack(SplittableRandom random, int maxPacketBytes, FuzzCounts counts) {
    this.random = random;
    this.counts = counts;
    mutator = new Mutator(random.split(), maxPacketBytes);
    random.nextBytes(junk.byteArray());
  }

  /** What goes out instead of a packet. */
  List<byte[]> packets(byte[] packet) {
    if (seen.size() == KEPT) {
      seen.pollFirst();
    }
    seen.addLast(packet);
    return mutator.mutate(packet);
  }

  /** A packet that an attacker had to send of late, null if there was none. */
  byte[] anySeen(SplittableRandom chooser) {
    return seen.isEmpty()
        ? null
        : seen.stream().skip(chooser.nextInt(seen.size())).findFirst().orElseThrow();
  }

  /** What goes out instead of a short message. */
  RingRecord record(long flow, MessageView given) {
    switch (random.nextInt(12)) {
      case 0 -> {
        return new RingRecord(otherFlow(flow), given);
      }
      case 1 -> {
        message.show(EdgeValues.near(random, given.tag(), Long.BYTES), junk, 0, given.length());
        return new RingRecord(flow, message);
      }
      case 2 -> {
        message.show(given.tag(), junk, 0, random.nextInt(LONGEST_RECORD));
        return new RingRecord(flow, message);
      }
      case 3 -> {
        message.show(given.tag(), junk, 0, 0);
        message.showData(random.nextLong());
        return new RingRecord(flow, message);
      }
      default -> {
        return new RingRecord(flow, given);
      }
    }
  }

  /** Another flow, or its own with a check that is not. */
  private long otherFlow(long flow) {
    return random.nextBoolean()
        ? (flow & 0xFFFFFFFF00000000L)
            | (EdgeValues.near(random, flow & 0x7FFFFFFFL, Integer.BYTES) & 0x7FFFFFFFL)
        : flow ^ ((1 + random.nextLong(Integer.MAX_VALUE)) << 32);
  }

  /** One of these has been taken by a channel. */
  void sent() {
    counts.sent++;
    byAttackers++;
  }

  /** A packet of the stranger has been taken. */
  void sentByStranger() {
    counts.sent++;
    byStranger++;
  }

  /** Whether it is the stranger's turn. */
  boolean isForStranger() {
    return byStranger * ATTACKERS_SHARE <= byAttackers;
  }
}
