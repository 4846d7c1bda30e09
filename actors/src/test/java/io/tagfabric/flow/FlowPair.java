package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.PacketBudget;
import io.tagfabric.wire.Packet;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Two flows that are each other's peer, over two wires, under a clock moved by hand. */
@InternalApi
public final class FlowPair {
  final FlowSide a;
  final FlowSide b;
  boolean knownAlive;
  private long nowNs = 1_000_000_000L;
  private final FlowSettings settings;
  private final long[] tickAtNs = {Long.MAX_VALUE, Long.MAX_VALUE};

  FlowPair(
      Random random, FlowSettings settings, int largestPacket, boolean reliable, boolean copies) {
    this(
        random,
        settings,
        largestPacket,
        reliable,
        copies,
        Long.MAX_VALUE,
        new PacketBudget(0),
        new PacketBudget(0));
  }

  /** A pair whose sides share the packets that may be under way with those of other pairs. */
  FlowPair(
      Random random,
      FlowSettings settings,
      int largestPacket,
      boolean reliable,
      boolean copies,
      long maxMessage,
      PacketBudget packetsOfA,
      PacketBudget packetsOfB) {
    this.settings = settings;
    LossyWire ab = new LossyWire(random, () -> nowNs, settings, largestPacket, copies);
    LossyWire ba = new LossyWire(random, () -> nowNs, settings, largestPacket, copies);
    a = new FlowSide(() -> nowNs, settings, largestPacket, ab, reliable, maxMessage, packetsOfA);
    b = new FlowSide(() -> nowNs, settings, largestPacket, ba, reliable, maxMessage, packetsOfB);
    a.other = b;
    b.other = a;
  }

  FlowPair(FlowSettings settings, boolean reliable) {
    this(new Random(1), settings, 4096, reliable, true);
    establish();
  }

  /** A pair whose sides take messages of at most {@code maxMessage} bytes. */
  FlowPair(FlowSettings settings, boolean reliable, long maxMessage) {
    this(
        new Random(1),
        settings,
        4096,
        reliable,
        true,
        maxMessage,
        new PacketBudget(0),
        new PacketBudget(0));
    establish();
  }

  FlowSettings settings() {
    return settings;
  }

  /** A pair of which neither side knows the other's number of the flow yet. */
  static FlowPair notEstablished(FlowSettings settings, boolean reliable) {
    return new FlowPair(new Random(1), settings, 4096, reliable, true);
  }

  void establish() {
    a.establish();
    b.establish();
    pass(100_000);
  }

  void faults(Faults faults) {
    a.out.faults(faults);
    b.out.faults(faults);
  }

  /** Lets time pass: packets arrive, timers fire, both sides flush. Returns what happened. */
  int pass(long stepNs) {
    nowNs += stepNs;
    int work = a.out.deliver(b::hear) + b.out.deliver(a::hear);
    // As in a pass: mailboxes before timers.
    a.runMatcher();
    b.runMatcher();
    work += tick(a, 0) + tick(b, 1);
    return work + flush();
  }

  /** Lets time pass in which nobody does anything. */
  void sleep(long ns) {
    nowNs += ns;
  }

  int flush() {
    int work = a.flushIfNeeded() + b.flushIfNeeded();
    assertThat(a.flow.isForgotten()).as("something of a could leave, and does not").isFalse();
    assertThat(b.flow.isForgotten()).as("something of b could leave, and does not").isFalse();
    return work;
  }

  private int tick(FlowSide side, int index) {
    int work = 0;
    if (side.flow.timer().isNeeded() && nowNs >= tickAtNs[index]) {
      tickAtNs[index] = Long.MAX_VALUE;
      side.flow.timer().tick(nowNs, knownAlive, true);
      work++;
    }
    if (side.flow.timer().isNeeded()) {
      long delayNs = side.flow.timer().delayNs(nowNs);
      assertThat(delayNs).isPositive();
      tickAtNs[index] = Math.min(tickAtNs[index], nowNs + delayNs);
    } else {
      tickAtNs[index] = Long.MAX_VALUE;
    }
    return work;
  }

  /** Passes until the condition holds; fails after so much simulated time. */
  void until(BooleanSupplier condition, long stepNs, long limitNs) {
    long startNs = nowNs;
    while (!condition.getAsBoolean()) {
      pass(stepNs);
      if (nowNs - startNs > limitNs) {
        throw new AssertionError("nothing happens any more: " + a + " / " + b);
      }
    }
  }

  /** Lets the matchers take what comes at the end of a pass only, as by a mailbox. */
  void letMatchersLag() {
    a.matcherLags = true;
    b.matcherLags = true;
  }

  boolean isQuiet() {
    return a.out.isEmpty() && b.out.isEmpty() && !a.isDirty() && !b.isDirty();
  }

  /** Ends both sides and checks that no packet is held by anybody. */
  void end() {
    for (FlowSide side : List.of(a, b)) {
      side.flow.end().lose(io.tagfabric.error.FabricError.CANCELED, "the end");
      assertThat(side.lost).isEqualTo(1);
    }
    nowNs += 1_000_000_000_000L;
    a.out.deliver(b::hear);
    b.out.deliver(a::hear);
    assertThat(Stream.concat(a.out.seen().stream(), b.out.seen().stream()))
        .allMatch(packet -> packet.holders() == 0, "nobody holds it");
  }

  long nowNs() {
    return nowNs;
  }

  static Packet copyOf(Packet packet) {
    return Packet.received(java.util.Arrays.copyOf(packet.array(), packet.length()));
  }
}
