package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.EagerDecoder;
import io.tagfabric.wire.sbe.EagerFirstDecoder;
import io.tagfabric.wire.sbe.GoodbyeDecoder;
import io.tagfabric.wire.sbe.RequestToSendDecoder;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One direction between two flows, with seeded faults. Checks what the sender owes whatever
 * happens: that it keeps within window and credit, and replays only what was reported missing.
 */
final class LossyWire implements Channel {
  private record InFlight(long dueNs, long order, Packet packet) implements Comparable<InFlight> {
    @Override
    public int compareTo(InFlight other) {
      int byTime = Long.compare(dueNs, other.dueNs);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private static final long LATENCY_NS = 50_000;

  private final Random random;
  private final LongSupplier clock;
  private final FlowSettings settings;
  private final int largestPacket;
  private final boolean copies;
  private final PriorityQueue<InFlight> inFlight = new PriorityQueue<>();
  private final FrameCursor cursor = new FrameCursor();
  private final Map<Long, Integer> lengths = new HashMap<>();
  private final Set<Packet> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private Faults faults = Faults.NONE;
  private String closedBecause;
  private long order;
  private long highest;
  private long acknowledged;
  private long grantedBytes;
  private long grantedMessages;
  private long eagerBytes;
  private long messages;
  private long missingReports;
  private long replays;
  private long goodbyes;
  private long uncounted;
  private long pings;

  /**
   * A wire without faults yet.
   *
   * @param copies whether the receiver gets bytes of its own, as over a network
   */
  LossyWire(
      Random random, LongSupplier clock, FlowSettings settings, int largestPacket, boolean copies) {
    this.random = random;
    this.clock = clock;
    this.settings = settings;
    this.largestPacket = largestPacket;
    this.copies = copies;
  }

  void faults(Faults newFaults) {
    faults = newFaults;
  }

  void close(String reason) {
    closedBecause = reason;
  }

  @Override
  public String closedBecause() {
    return closedBecause;
  }

  @Override
  public boolean offer(Packet packet) {
    if (random.nextDouble() < faults.refuse()) {
      return false;
    }
    seen.add(packet);
    inspect(packet);
    if (random.nextDouble() >= faults.drop()) {
      send(packet);
      if (random.nextDouble() < faults.duplicate()) {
        send(packet);
      }
    }
    return true;
  }

  private void send(Packet packet) {
    long delayNs = faults.maxDelayNs() == 0 ? 0 : random.nextLong(faults.maxDelayNs());
    Packet travelling = packet;
    if (copies) {
      travelling = Packet.received(Arrays.copyOf(packet.array(), packet.length()));
    } else {
      packet.retain();
    }
    inFlight.add(new InFlight(clock.getAsLong() + LATENCY_NS + delayNs, order++, travelling));
  }

  private void inspect(Packet packet) {
    assertThat(cursor.wrap(packet)).as("packet is well formed").isTrue();
    assertThat(packet.length()).isLessThanOrEqualTo(largestPacket);
    long sequence = cursor.packet().sequence();
    if (!cursor.isCounted()) {
      uncounted++;
      if ((cursor.packet().flags() & PacketLayout.ACKNOWLEDGE) != 0) {
        pings++;
      }
      return;
    }
    if (sequence <= highest) {
      replays++;
      assertThat(replays)
          .as("replays, with missingReports=%d", missingReports)
          .isLessThanOrEqualTo(missingReports * settings.replayPackets());
      return;
    }
    assertThat(sequence).as("sequence of a new packet").isEqualTo(highest + 1);
    highest = sequence;
    lengths.put(sequence, packet.length());
    countFrames();
    checkWindow();
  }

  private void countFrames() {
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      if (template == EagerDecoder.TEMPLATE_ID) {
        eagerBytes += cursor.payloadLength();
        messages++;
      } else if (template == EagerFirstDecoder.TEMPLATE_ID) {
        eagerBytes +=
            cursor
                .buffer()
                .getLong(
                    cursor.blockAt() + EagerFirstDecoder.totalEncodingOffset(),
                    EagerFirstDecoder.BYTE_ORDER);
        messages++;
      } else if (template == RequestToSendDecoder.TEMPLATE_ID) {
        messages++;
      } else if (template == GoodbyeDecoder.TEMPLATE_ID) {
        goodbyes++;
      }
    }
    assertThat(cursor.isMalformed()).isFalse();
    assertThat(eagerBytes).as("eager bytes sent").isLessThanOrEqualTo(grantedBytes);
    assertThat(messages).as("messages sent").isLessThanOrEqualTo(grantedMessages);
  }

  private void checkWindow() {
    long bytes = 0;
    for (long sequence = acknowledged + 1; sequence <= highest; sequence++) {
      bytes += lengths.get(sequence);
    }
    assertThat(highest - acknowledged)
        .as("packets in flight")
        .isLessThanOrEqualTo(settings.windowPackets() + goodbyes);
    assertThat(bytes)
        .as("bytes in flight")
        .isLessThanOrEqualTo(settings.windowBytes() + (1 + goodbyes) * largestPacket);
  }

  /** The sender of this direction is about to get this packet of the other one. */
  void senderHears(Packet packet) {
    assertThat(cursor.wrap(packet)).isTrue();
    acknowledged = Math.max(acknowledged, cursor.packet().acknowledged());
    grantedBytes = Math.max(grantedBytes, cursor.packet().grantedBytes());
    grantedMessages = Math.max(grantedMessages, cursor.packet().grantedMessages());
    if ((cursor.packet().flags() & PacketLayout.MISSING) != 0) {
      missingReports++;
    }
  }

  /** Hands over what is due; returns how many packets. */
  int deliver(Consumer<Packet> receiver) {
    int delivered = 0;
    while (!inFlight.isEmpty() && inFlight.peek().dueNs <= clock.getAsLong()) {
      Packet packet = inFlight.poll().packet;
      receiver.accept(packet);
      packet.release();
      delivered++;
    }
    return delivered;
  }

  /** Counted packets of which the sender has not heard that they have come. */
  long unacknowledged() {
    return highest - acknowledged;
  }

  boolean isEmpty() {
    return inFlight.isEmpty();
  }

  long replays() {
    return replays;
  }

  long pings() {
    return pings;
  }

  /** Packets offered that carry no sequence number. */
  long uncounted() {
    return uncounted;
  }

  /** Packets offered for the first time. */
  long counted() {
    return highest;
  }

  /** All packets ever offered. */
  Set<Packet> seen() {
    return seen;
  }
}
