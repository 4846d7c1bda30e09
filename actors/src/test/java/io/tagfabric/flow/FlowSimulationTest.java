package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.flow.window.FlowPace;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.PacketBudget;
import io.tagfabric.flow.window.SizeClasses;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random programs over random faults; a failure prints the seed. First chaos, then the wires heal
 * and everything must come to its end.
 */
@InternalApi
public class FlowSimulationTest {
  private static final List<CompletionLevel> LEVELS = List.of(CompletionLevel.values());

  private static final int MESSAGES = 60;
  private static final long HEALED_LIMIT_NS = 120_000_000_000L;

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void shouldDeliverAllOnceInOrderWhenPacketsAreLostAndReordered(@ForAll long seed) {
    Random random = new Random(seed);
    FlowPair pair = pair(random, false);
    pair.establish();
    pair.faults(
        new Faults(
            random.nextDouble() * 0.3,
            random.nextDouble() * 0.3,
            1 + random.nextLong(3_000_000),
            random.nextBoolean() ? 0 : 0.3));

    run(pair, random);

    pair.end();
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void shouldDeliverAllOnceInOrderWhenTheChannelIsReliable(@ForAll long seed) {
    Random random = new Random(seed);
    FlowPair pair = pair(random, true);
    pair.establish();
    pair.faults(new Faults(0, 0, 0, random.nextBoolean() ? 0 : 0.3));

    run(pair, random);

    assertThat(pair.a.out.replays() + pair.b.out.replays()).isZero();
    assertThat(pair.a.out.pings() + pair.b.out.pings()).isZero();
    pair.end();
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void shouldReplayNothingWhenPacketsAreOnlyLate(@ForAll long seed) {
    Random random = new Random(seed);
    FlowPair pair = pair(random, false);
    pair.establish();

    run(pair, random);

    assertThat(pair.a.out.replays() + pair.b.out.replays()).isZero();
    pair.end();
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void shouldEndEverySendOnceWhenASideIsLostAtAnyMoment(@ForAll long seed) {
    Random random = new Random(seed);
    boolean reliable = random.nextBoolean();
    FlowPair pair = pair(random, reliable);
    pair.establish();
    pair.faults(reliable ? Faults.NONE : new Faults(0.1, 0.1, 500_000, 0));
    chaos(pair, random, random.nextInt(400));

    pair.end();

    assertThat(pair.a.sends).allMatch(send -> send.ends() == 1);
    assertThat(pair.b.sends).allMatch(send -> send.ends() == 1);
    assertThat(pair.a.flow.hasUnfinishedSends()).isFalse();
    assertThat(pair.a.flow.timer().isNeeded()).isFalse();
  }

  private static void run(FlowPair pair, Random random) {
    int steps = 0;
    while (pair.a.sends.size() < MESSAGES || pair.b.sends.size() < MESSAGES) {
      chaos(pair, random, 10);
      assertThat(++steps).isLessThan(10_000);
    }
    pair.faults(Faults.NONE);
    pair.until(
        () -> {
          receiveAll(pair, random);
          return pair.a.isDone() && pair.b.isDone();
        },
        200_000,
        HEALED_LIMIT_NS);
    pair.until(pair::isQuiet, 200_000, HEALED_LIMIT_NS);
  }

  static void chaos(FlowPair pair, Random random, int steps) {
    for (int i = 0; i < steps; i++) {
      FlowSide side = random.nextBoolean() ? pair.a : pair.b;
      switch (random.nextInt(6)) {
        case 0, 1 -> sendSome(side, random);
        case 2 -> side.receive(capacity(random));
        case 3 -> {
          side.flushIfNeeded();
          if (!side.sends.isEmpty() && random.nextInt(4) == 0) {
            side.cancel(random.nextInt(side.sends.size()));
          }
        }
        default -> pair.pass(random.nextInt(400_000));
      }
    }
  }

  private static void sendSome(FlowSide side, Random random) {
    int count = random.nextInt(5);
    for (int i = 0; i < count && side.sends.size() < MESSAGES; i++) {
      side.send(length(random), LEVELS.get(random.nextInt(LEVELS.size())));
    }
  }

  static void receiveAll(FlowPair pair, Random random) {
    while (pair.a.receive(capacity(random))) {}
    while (pair.b.receive(capacity(random))) {}
  }

  private static int length(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> random.nextInt(64);
      case 2, 3 -> random.nextInt(3_000);
      default -> random.nextInt(60_000);
    };
  }

  private static int capacity(Random random) {
    return random.nextInt(4) == 0 ? random.nextInt(2_000) : 1 << 20;
  }

  private static FlowPair pair(Random random, boolean reliable) {
    return pair(random, reliable, new PacketBudget(0), new PacketBudget(0));
  }

  /** A pair of which each side shares the packets under way with others. */
  static FlowPair pair(
      Random random, boolean reliable, PacketBudget packetsOfA, PacketBudget packetsOfB) {
    int packet = 2_048 + 8 * random.nextInt(800);
    int eagerLimit = new int[] {0, 64, 700, packet / 2}[random.nextInt(4)];
    int window = 2 + random.nextInt(14);
    int multiEagerLimit = new int[] {0, 5_000, 30_000}[random.nextInt(3)];
    long credit = (long) eagerLimit + random.nextInt(random.nextBoolean() ? 8_000 : 80_000);
    FlowSettings settings =
        new FlowSettings(
            new SizeClasses(
                eagerLimit, multiEagerLimit, 1 + random.nextInt(20_000), 1 + random.nextInt(4)),
            Map.of(),
            credit,
            random.nextInt(4) == 0 ? random.nextLong(2 + credit) : credit + 1,
            new int[] {1, 2, 4, 16, 100}[random.nextInt(5)],
            window,
            1 + random.nextInt(40_000),
            1 + random.nextInt(window - 1),
            500_000,
            20_000_000,
            1 + random.nextInt(8),
            3_600_000_000_000L,
            1_000_000_000L,
            FlowPace.DEFAULT);
    FlowPair pair =
        new FlowPair(
            random,
            settings,
            packet,
            reliable,
            random.nextBoolean(),
            Long.MAX_VALUE,
            packetsOfA,
            packetsOfB);
    if (random.nextBoolean()) {
      pair.letMatchersLag();
    }
    return pair;
  }
}
