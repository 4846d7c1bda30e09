package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.PacketBudget;
import io.tagfabric.flow.window.SendWindow;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Packets that several flows of one endpoint have under way together. */
class PacketBudgetTest {
  private static final int MESSAGES = 25;
  private static final long STEP_NS = 200_000;
  private static final long HEALED_STEPS = 1_500_000;

  private final List<String> told = new ArrayList<>();

  private SendWindow window(PacketBudget budget, boolean keepsPackets, String name) {
    return new SendWindow(8, 1_000, keepsPackets, budget, () -> told.add(name));
  }

  private static void add(SendWindow window, int packets) {
    for (int i = 0; i < packets; i++) {
      assertThat(window.isOpenElseWaits()).isTrue();
      window.add(Packet.received(new byte[10]));
    }
  }

  @Example
  void shouldLetOnePacketGoForEachFlowAndOtherwiseKeepToTheLimit() {
    PacketBudget budget = new PacketBudget(3);
    SendWindow a = window(budget, true, "a");
    SendWindow b = window(budget, true, "b");
    add(a, 3);
    assertThat(a.isOpenElseWaits()).isFalse();
    add(b, 1);
    assertThat(b.isOpenElseWaits()).isFalse();
    assertThat(budget.underWay()).isEqualTo(4);

    a.acknowledge(1);
    assertThat(told).as("no room yet").isEmpty();
    a.acknowledge(2);
    assertThat(told).as("the first that waits").containsExactly("a");
    assertThat(a.isOpenElseWaits()).isTrue();
    b.acknowledge(1);
    assertThat(told).containsExactly("a", "b");
  }

  @Example
  void shouldTellAWindowOnceHoweverOftenItAsked() {
    PacketBudget budget = new PacketBudget(1);
    SendWindow a = window(budget, true, "a");
    add(a, 1);
    for (int i = 0; i < 3; i++) {
      assertThat(a.isOpenElseWaits()).isFalse();
    }

    a.acknowledge(1);
    add(a, 1);
    a.acknowledge(2);

    assertThat(told).containsExactly("a");
  }

  @Example
  void shouldTakeBackWhatALostFlowHadUnderWay() {
    PacketBudget budget = new PacketBudget(4);
    SendWindow a = window(budget, true, "a");
    SendWindow b = window(budget, true, "b");
    add(b, 1);
    add(a, 3);
    assertThat(b.isOpenElseWaits()).isFalse();

    a.clear();

    assertThat(told).containsExactly("b");
    assertThat(budget.underWay()).isEqualTo(1);
    a.clear();
    assertThat(budget.underWay()).isEqualTo(1);
  }

  @Example
  void shouldCountNoPacketsThatAreNotKept() {
    PacketBudget budget = new PacketBudget(1);
    SendWindow reliable = window(budget, false, "reliable");
    add(reliable, 5);

    assertThat(budget.underWay()).isZero();
    reliable.acknowledge(5);
    reliable.clear();
    assertThat(budget.underWay()).isZero();
    assertThat(reliable.needsWord()).isFalse();
  }

  @Example
  void shouldAskForWordFromHalfOfTheLimitOn() {
    PacketBudget budget = new PacketBudget(5);
    SendWindow a = window(budget, true, "a");
    add(a, 2);
    assertThat(a.needsWord()).isFalse();
    add(a, 1);
    assertThat(a.needsWord()).isTrue();
    SendWindow free = window(new PacketBudget(0), true, "free");
    add(free, 7);
    assertThat(free.needsWord()).isFalse();
  }

  /** Everything comes to its end, and nobody is left out, while the sum stays within its bound. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void shouldKeepTheSumAndBringEverythingToItsEnd(@ForAll long seed) {
    Random random = new Random(seed);
    int total = 1 + random.nextInt(12);
    PacketBudget ofA = new PacketBudget(total);
    PacketBudget ofB = new PacketBudget(total);
    List<FlowPair> pairs = new ArrayList<>();
    int flows = 2 + random.nextInt(5);
    for (int i = 0; i < flows; i++) {
      FlowPair pair = FlowSimulationTest.pair(random, false, ofA, ofB);
      pair.establish();
      pair.faults(new Faults(random.nextDouble() * 0.3, 0.1, 1 + random.nextLong(2_000_000), 0.1));
      pairs.add(pair);
    }

    while (pairs.stream().anyMatch(pair -> sends(pair) < 2 * MESSAGES)) {
      FlowPair pair = pairs.get(random.nextInt(flows));
      FlowSimulationTest.chaos(pair, random, 5);
      check(pairs, total, ofA, ofB);
    }
    pairs.forEach(pair -> pair.faults(Faults.NONE));
    long steps = 0;
    while (!pairs.stream().allMatch(pair -> pair.a.isDone() && pair.b.isDone())) {
      for (FlowPair pair : pairs) {
        pair.pass(STEP_NS);
        FlowSimulationTest.receiveAll(pair, random);
      }
      check(pairs, total, ofA, ofB);
      assertThat(++steps)
          .as(
              "nothing happens any more: %s",
              pairs.stream().map(p -> "\n" + p.a + "\n" + p.b).toList())
          .isLessThan(HEALED_STEPS);
    }
    pairs.forEach(FlowPair::end);
    assertThat(ofA.underWay()).isZero();
    assertThat(ofB.underWay()).isZero();
  }

  private static int sends(FlowPair pair) {
    return pair.a.sends.size() + pair.b.sends.size();
  }

  private static void check(List<FlowPair> pairs, int total, PacketBudget ofA, PacketBudget ofB) {
    assertThat(sum(pairs, pair -> pair.a.out.unacknowledged()))
        .isLessThanOrEqualTo(ofA.underWay())
        .isLessThanOrEqualTo(total + pairs.size());
    assertThat(sum(pairs, pair -> pair.b.out.unacknowledged()))
        .isLessThanOrEqualTo(ofB.underWay())
        .isLessThanOrEqualTo(total + pairs.size());
    assertThat(ofA.underWay()).isLessThanOrEqualTo(total + pairs.size());
    assertThat(ofB.underWay()).isLessThanOrEqualTo(total + pairs.size());
  }

  private static long sum(List<FlowPair> pairs, ToLongFunction<FlowPair> of) {
    return pairs.stream().mapToLong(of).sum();
  }

  /** A peer that never answers holds its packets until it is lost; the others go on. */
  @Example
  void shouldLetOthersGoOnBesideAPeerThatIsSilent() {
    Random random = new Random(4);
    PacketBudget packets = new PacketBudget(2);
    FlowPair silent = FlowSimulationTest.pair(random, false, packets, new PacketBudget(0));
    FlowPair other = FlowSimulationTest.pair(random, false, packets, new PacketBudget(0));
    silent.establish();
    other.establish();
    silent.faults(new Faults(1, 0, 0, 0));
    for (int i = 0; i < 4; i++) {
      silent.a.send(3_000, CompletionLevel.INJECT);
      silent.pass(STEP_NS);
    }
    assertThat(packets.underWay()).isPositive();

    for (int i = 0; i < 20; i++) {
      other.a.send(40, CompletionLevel.TRANSMIT);
    }
    other.until(
        () -> {
          FlowSimulationTest.receiveAll(other, random);
          return other.a.isDone();
        },
        STEP_NS,
        60_000_000_000L);

    silent.a.flow.end().lose(FabricError.TIMED_OUT, "silent");
    assertThat(packets.underWay()).isZero();
  }
}
