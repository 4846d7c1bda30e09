package io.tagfabric.trials.fuzz;

import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.wire.FlowKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;
import java.util.ArrayList;
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

  /**
   * Frames as they go into a ring without a packet's header.
   *
   * @param flow key of the flow they claim to be of
   * @param packet the frames, with room for a header before them
   */
  record BareFrames(long flow, Packet packet) {}

  /** What is done to frames that leave without a packet's header, one as often as another. */
  private static final List<Mutator.Mutation> OF_FRAMES =
      List.of(
          Mutator.Mutation.EDGE_IN_FRAME,
          Mutator.Mutation.EDGES_IN_FRAME,
          Mutator.Mutation.BIT_ANYWHERE,
          Mutator.Mutation.PAYLOAD,
          Mutator.Mutation.RESIZE,
          Mutator.Mutation.SWAP_FRAMES,
          Mutator.Mutation.DOUBLE_FRAME,
          Mutator.Mutation.DROP_FRAME,
          Mutator.Mutation.SPLICE,
          Mutator.Mutation.TRUNCATE,
          Mutator.Mutation.TWICE);

  /** Of so many sets of frames one is mutated, and one has the key of another flow. */
  private static final int WRONG_FRAMES_SHARE = 4;

  private static final int KEPT = 16;
  private static final int ATTACKERS_SHARE = 12;
  private static final int LONGEST_RECORD = 8 * 1024;

  /** Of so many set-up frames one keeps the proof it had before it was mutated. */
  private static final int STALE_PROOFS = 8;

  /** The victim's first flows, that with the friend among them, have numbers below this. */
  private static final int FIRST_FLOWS = 4;

  private final SplittableRandom random;
  private final Mutator mutator;
  private final FuzzCounts counts;
  private final ArrayDeque<byte[]> seen = new ArrayDeque<>();
  private final MessageView message = new MessageView();
  private final MessageView strangers = new MessageView();
  private final UnsafeBuffer junk = new UnsafeBuffer(new byte[LONGEST_RECORD]);
  private KeyProof proofs;
  private long lastFlow;
  private long byAttackers;
  private long byStranger;

  Attack(SplittableRandom random, int maxPacketBytes, FuzzCounts counts) {
    this.random = random;
    this.counts = counts;
    mutator = new Mutator(random.split(), maxPacketBytes);
    random.nextBytes(junk.byteArray());
  }

  /** Attackers can prove what they say when they set a flow up. */
  void hasKey(KeyProof newProofs) {
    proofs = newProofs;
  }

  /** What attackers prove the set-up of a flow with; null before one has opened its wire. */
  KeyProof key() {
    return proofs;
  }

  /** What goes out instead of a packet. */
  List<byte[]> packets(byte[] packet) {
    if (seen.size() == KEPT) {
      seen.pollFirst();
    }
    seen.addLast(packet);
    List<byte[]> mutated = mutator.mutate(packet);
    for (byte[] made : mutated) {
      if (proofs != null && random.nextInt(STALE_PROOFS) != 0) {
        PacketMap.prove(new UnsafeBuffer(made), made.length, proofs);
      }
    }
    return mutated;
  }

  /** A packet that an attacker had to send of late, null if there was none. */
  byte[] anySeen(SplittableRandom chooser) {
    return seen.isEmpty()
        ? null
        : seen.stream().skip(chooser.nextInt(seen.size())).findFirst().orElseThrow();
  }

  /** What goes out instead of a short message. */
  RingRecord record(long flow, MessageView given) {
    lastFlow = flow;
    switch (random.nextInt(12)) {
      case 0 -> {
        long other = FlowKey.number(EdgeValues.near(random, flow, Integer.BYTES));
        return new RingRecord((flow & ~(long) Integer.MAX_VALUE) | other, given);
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

  /** What goes out instead of frames without a packet's header; may be nothing. */
  List<BareFrames> frames(long flow, byte[] packet) {
    lastFlow = flow;
    switch (random.nextInt(WRONG_FRAMES_SHARE)) {
      case 0 -> {
        List<BareFrames> made = new ArrayList<>();
        for (byte[] each :
            mutator.mutate(packet, OF_FRAMES.get(random.nextInt(OF_FRAMES.size())))) {
          if (each.length >= Packet.HEADER_LENGTH) {
            made.add(bare(flow, each));
          }
        }
        return made;
      }
      case 1 -> {
        long other = FlowKey.number(EdgeValues.near(random, flow, Integer.BYTES));
        long wrong = (flow & ~(long) Integer.MAX_VALUE) | other;
        return List.of(bare(wrong, packet), bare(flow, packet));
      }
      default -> {
        return List.of(bare(flow, packet));
      }
    }
  }

  private static BareFrames bare(long flow, byte[] packet) {
    return new BareFrames(flow, Packet.received(packet));
  }

  /**
   * A record of which no flow has the key: the number is the friend's or an attacker's, the check
   * is wrong. Were it taken for the friend's, the victim would get a message that the friend has
   * not sent.
   */
  RingRecord strangersRecord(SplittableRandom chooser) {
    long wrongBit = 1L << chooser.nextInt(Integer.SIZE, Long.SIZE);
    long check = (chooser.nextBoolean() ? lastFlow : chooser.nextLong()) ^ wrongBit;
    int number = chooser.nextInt(3) == 0 ? FlowKey.number(lastFlow) : chooser.nextInt(FIRST_FLOWS);
    strangers.show(
        FriendMessages.tag(chooser.nextLong()),
        junk,
        0,
        EdgeValues.small(chooser) % LONGEST_RECORD);
    return new RingRecord(check >>> Integer.SIZE << Integer.SIZE | number, strangers);
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
