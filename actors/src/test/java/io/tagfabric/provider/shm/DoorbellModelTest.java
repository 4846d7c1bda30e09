package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
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
  private static final String FENCE = "VarHandle.fullFence";

  private static Exploration explore(Mutant mutant, boolean killable, int... records) {
    return Explorer.explore(new DoorbellModel(mutant, killable, records).model(), MOST_STATES);
  }

  static Stream<Mutant> mutants() {
    return Stream.of(
        Mutant.without(ANNOUNCE, FENCE),
        Mutant.without(RING, FENCE),
        Mutant.without(ANNOUNCE, "buffer.putIntOrdered" + DoorbellModel.ASLEEP),
        Mutant.without(RING, "ShmPeer.ringBell"),
        Mutant.always(ANNOUNCE, "nothing there"),
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
    assertThat(explore(Mutant.none(), false, 2, 1)).as("sound").matches(Exploration::isSound);
  }

  @Test
  void shouldWakeTheSleeperUnlessWhoOughtToRingHasDied() {
    assertThat(explore(Mutant.none(), true, 1, 1)).as("sound").matches(Exploration::isSound);
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldWakeTheSleeperForManyRecords() {
    assertThat(explore(Mutant.none(), false, 2, 1, 1)).as("sound").matches(Exploration::isSound);
    assertThat(explore(Mutant.none(), true, 2, 1)).as("sound").matches(Exploration::isSound);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Mutant mutant) {
    assertThat(explore(mutant, false, 2, 1).problem()).startsWith("read=");
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
    return new DoorbellModel(Mutant.none(), false, 1).model().listings();
  }

  private static List<ClassNode> classes() {
    return List.of(
        CodeListing.read(ShmDoorbell.class),
        CodeListing.read(ShmPeer.class),
        CodeListing.read(RingWriter.class),
        CodeListing.read(RingReader.class));
  }
}
