package io.tagfabric.simulation.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.TraceHash;
import io.tagfabric.simulation.world.SimulatedSystems;
import io.tagfabric.trace.Recording;
import io.tagfabric.trace.TraceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepTest {
  @TempDir Path directory;

  private static Sweep.Totals sweep(SwarmOptions options, long first, long last) {
    return new Sweep(options, first, last, 2, totals -> {}).run();
  }

  private static void requireAllHold(Sweep.Totals totals, long seeds) {
    Outcome failure = totals.failure();
    assertThat(failure == null ? "" : "seed " + failure.seed() + ": " + failure.violation())
        .isEmpty();
    assertThat(totals.seeds()).isEqualTo(seeds);
    assertThat(totals.events()).isGreaterThan(seeds);
  }

  @Test
  void shouldKeepAllPromisesWhateverTheSeedDraws() {
    Sweep.Totals totals = sweep(SwarmOptions.DEFAULT, 1, 400);

    requireAllHold(totals, 400);
    assertThat(totals.twice()).isEqualTo(400 / Sweep.TWICE_EVERY);
  }

  @Test
  void shouldHaveOneHashForTheSameSeedsWhoeverRunsThem() {
    long hash = sweep(SwarmOptions.DEFAULT, 1, 30).hash();

    assertThat(new Sweep(SwarmOptions.DEFAULT, 1, 30, 1, totals -> {}).run().hash())
        .isEqualTo(hash);
    assertThat(sweep(SwarmOptions.DEFAULT, 2, 31).hash()).isNotEqualTo(hash);
  }

  @Test
  void shouldDoTheSameHoweverManyRunsItsSystemsHaveServed() {
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      TraceHash first = Sweep.run(200, SwarmOptions.DEFAULT, systems).hash();
      for (int run = 2; run <= 110; run++) { // more than 9, and than 99
        TraceHash next = Sweep.run(200, SwarmOptions.DEFAULT, systems).hash();
        assertThat(TraceHash.firstDifference(first, next)).as("in run %d", run).isEqualTo(-1);
      }
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldKeepAllPromisesWhateverManySeedsDraw() {
    Sweep.Totals totals = sweep(SwarmOptions.DEFAULT, 401, 2_400);

    requireAllHold(totals, 2_000);
    assertThat(totals.probes().missed()).isEmpty();
  }

  /**
   * Seeds that find what was mended, were it not: receives that overtook a buffer for many without
   * a slot, deferred operations that ended in the order of a hash, and requests that counted as
   * held although their time was over.
   */
  @ParameterizedTest
  @ValueSource(longs = {16, 550, 5_693_411, 6_221_328_243L, 7_358_421_667L})
  void shouldKeepAllPromisesWithSeedsThatOnceFailed(long seed) {
    requireAllHold(sweep(SwarmOptions.DEFAULT, seed, seed), 1);
  }

  @Test
  void shouldEndAllRanksOfAJob() {
    SwarmOptions alone = new SwarmOptions(1, 0, SwarmOptions.Scheduling.BOTH, Map.of(), List.of());

    requireAllHold(sweep(alone, 900, 1_000), 101);
  }

  @Test
  void shouldMeetWhatIsRareAtTheEndOfAJob() {
    SwarmOptions alone = new SwarmOptions(1, 0, SwarmOptions.Scheduling.BOTH, Map.of(), List.of());
    Sweep.Totals totals = sweep(alone, 1, 400);

    requireAllHold(totals, 400);
    assertThat(totals.probes().missed())
        .doesNotContain(
            Probe.EXIT_LEADER_HIT,
            Probe.EXIT_TWO_ASKED,
            Probe.EXIT_HELD,
            Probe.EXIT_CUT,
            Probe.EXIT_TWO_LEADERS);
  }

  @Test
  void shouldKeepAllPromisesWhenARankCrashesForCertain() {
    SwarmOptions options =
        new SwarmOptions(
            4,
            60,
            SwarmOptions.Scheduling.PCT,
            Map.of(Site.DROP, 10, Site.RESTART, 0),
            List.of(new SwarmOptions.Event(Site.CRASH, List.of(1), 300_000)));

    requireAllHold(sweep(options, 1, 20), 20);
  }

  private static Set<TraceKind> kinds(Path files) throws IOException {
    Set<TraceKind> kinds = EnumSet.noneOf(TraceKind.class);
    try (Stream<Path> all = Files.walk(files)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Recording.read(file).events().forEach(event -> kinds.add(event.kind()));
      }
    }
    return kinds;
  }

  @Test
  void shouldDoTheSameTwiceRecordedOrNot() throws IOException {
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      for (long seed = 1; seed <= 10; seed++) {
        Outcome one = Sweep.run(seed, SwarmOptions.DEFAULT, systems);
        Path files = Files.createDirectory(directory.resolve("seed-" + seed));
        Outcome other = Sweep.record(seed, SwarmOptions.DEFAULT, files);

        assertThat(TraceHash.firstDifference(one.hash(), other.hash())).isEqualTo(-1);
        assertThat(other.choices().numbers()).isEqualTo(one.choices().numbers());
        assertThat(kinds(files))
            .contains(TraceKind.NOTE, TraceKind.PACKET, TraceKind.SENT, TraceKind.MATCHED);
      }
    }
  }

  @Test
  void shouldDoTheSameFromARecordAsFromASeed() {
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      Outcome drawn = Sweep.run(3, SwarmOptions.DEFAULT, systems);
      Outcome replayed =
          new SeedRun(
                  3,
                  Choices.replaying(drawn.choices().numbers()),
                  SwarmOptions.DEFAULT,
                  systems,
                  null)
              .run();

      assertThat(replayed.hash().hash()).isEqualTo(drawn.hash().hash());
    }
  }
}
