package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import io.tagfabric.provider.shm.DoorbellModel.Again;
import io.tagfabric.provider.shm.ring.RingReader;
import io.tagfabric.provider.shm.ring.RingWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.tree.ClassNode;

class DoorbellModelTest {
  private static final int MOST_STATES = 2_000_000;
  private static final String ANNOUNCE = "ShmDoorbell.announce";
  private static final String RING = "ShmPeer.ringIfAsleep";
  private static final String AFTER_ALL = "ShmPeer.ringAfterAll";
  private static final String FENCE = "VarHandle.fullFence";

  private static Exploration explore(Mutant mutant, Again again, boolean killable, int... records) {
    return Explorer.explore(
        new DoorbellModel(mutant, again, killable, records).model(), MOST_STATES);
  }

  static Stream<Mutant> mutants() {
    return Stream.of(
        Mutant.without(ANNOUNCE, FENCE),
        Mutant.without("", "a short sleep in the selector begins"),
        Mutant.without("", "a short sleep in the selector"),
        Mutant.never("", "there is work after all"),
        Mutant.without(ANNOUNCE, "buffer.putIntOrdered" + DoorbellModel.ASLEEP),
        Mutant.without(RING, "ShmPeer.ringBell"),
        Mutant.always(RING, "nobody sleeps"),
        Mutant.swapped(
            ANNOUNCE,
            "buffer.putIntOrdered" + DoorbellModel.ASLEEP,
            "RingReader.hasRecord",
            "buffer.getIntVolatile computed"),
        Mutant.swapped(
            "RingWriter.commit",
            "ring.commit index",
            RING,
            "buffer.getInt" + DoorbellModel.ASLEEP));
  }

  @Test
  void shouldWakeTheSleeperForEveryRecord() {
    assertThat(explore(Mutant.none(), Again.SLEEPER, false, 2, 1))
        .as("sound")
        .matches(Exploration::isSound);
  }

  @Test
  void shouldWakeTheSleeperUnlessWhoOughtToRingHasDied() {
    assertThat(explore(Mutant.none(), Again.SLEEPER, true, 1, 1))
        .as("sound")
        .matches(Exploration::isSound);
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldWakeTheSleeperForManyRecords() {
    assertThat(explore(Mutant.none(), Again.SLEEPER, false, 2, 1, 1))
        .as("sound")
        .matches(Exploration::isSound);
    assertThat(explore(Mutant.none(), Again.SLEEPER, true, 2, 1))
        .as("sound")
        .matches(Exploration::isSound);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Mutant mutant) {
    assertThat(explore(mutant, Again.SLEEPER, false, 2, 1).problem()).startsWith("read=");
  }

  @Test
  void shouldWakeTheSleeperAtOnceIfWritersLookAgain() {
    assertThat(explore(Mutant.none(), Again.WRITERS, false, 2, 1))
        .as("sound")
        .matches(Exploration::isSound);
  }

  static Stream<Mutant> mutantsOfWriters() {
    return Stream.of(
        Mutant.without(AFTER_ALL, FENCE),
        Mutant.without(ANNOUNCE, FENCE),
        Mutant.always(ANNOUNCE, "nothing there"),
        Mutant.swapped(ANNOUNCE, "ShmDoorbell.readBells", ANNOUNCE, "says that it sleeps"),
        Mutant.always(RING, "nobody sleeps"));
  }

  @ParameterizedTest
  @MethodSource("mutantsOfWriters")
  void shouldFindWhatIsMissingWhereWritersLookAgain(Mutant mutant) {
    assertThat(explore(mutant, Again.WRITERS, false, 2, 1).problem()).startsWith("read=");
  }

  @Test
  void shouldBeWhatTheClassesDo() {
    assertThat(Drift.between(listings(), classes())).isEmpty();
  }

  @Test
  void shouldNoticeWhenTheClassesLoseAFence() {
    assertThat(Drift.unnoticed(listings(), classes(), FENCE)).isEmpty();
  }

  private static Map<String, List<String>> listings() {
    Map<String, List<String>> all = new HashMap<>();
    for (Again again : Again.values()) {
      all.putAll(new DoorbellModel(Mutant.none(), again, false, 1).model().listings());
      all.putAll(new DoorbellModel(Mutant.none(), again, false, 1, 1).model().listings());
    }
    return all;
  }

  private static List<ClassNode> classes() {
    return List.of(
        CodeListing.read(ShmDoorbell.class),
        CodeListing.read(ShmPeer.class),
        CodeListing.read(RingWriter.class),
        CodeListing.read(RingReader.class));
  }
}
