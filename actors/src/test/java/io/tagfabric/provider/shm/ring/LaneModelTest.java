package io.tagfabric.provider.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LaneModelTest {
  private static final int MOST_STATES = 2_000_000;
  private static final String COMMIT = "LaneWriter.commit";
  private static final String CLEAR = "LaneWriter.clearTo";
  private static final String ZERO = "memory.putLong at";
  private static final String PUBLISH = "memory.putLongOrdered at";
  private static final String REPORT = "memory.putLongOrdered " + LaneLayout.HEAD_AT;

  private static Exploration explore(Mutant mutant, boolean killable, int first, int second) {
    return Explorer.explore(new LaneModel(mutant, killable, first, second).model(), MOST_STATES);
  }

  @Test
  void shouldBringEachRecordInItsOrder() {
    assertThat(explore(Mutant.none(), false, 5, 2)).matches(Exploration::isSound);
  }

  @Test
  void shouldServeTheNextSenderWhenTheFirstIsKilledAnywhere() {
    assertThat(explore(Mutant.none(), true, 3, 3)).matches(Exploration::isSound);
  }

  static Stream<Mutant> mutants() {
    return Stream.of(
        Mutant.without(CLEAR, ZERO),
        Mutant.swapped(CLEAR, ZERO, COMMIT, PUBLISH),
        Mutant.without(COMMIT, "behind this record"),
        Mutant.without("LaneWriter.prepare", "nothing that is not read"),
        Mutant.plain(COMMIT, PUBLISH),
        Mutant.swapped("", "write the payload", COMMIT, PUBLISH),
        Mutant.always("LaneWriter.claim", "there is room"),
        Mutant.never("LaneWriter.claim", "there is none"),
        Mutant.swapped("", "read the payload", "LaneReader.report", REPORT),
        Mutant.without("LaneReader.report", REPORT),
        Mutant.never("LaneReader.isDrained", "not drained"));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Mutant mutant) {
    boolean isSound =
        explore(mutant, false, 6, 1).isSound() && explore(mutant, true, 3, 3).isSound();

    assertThat(isSound).isFalse();
  }

  @Test
  void shouldBeWhatTheClassesDo() {
    assertThat(
            Drift.between(
                new LaneModel(Mutant.none(), true, 1, 1).model().listings(),
                List.of(
                    CodeListing.read(LaneWriter.class),
                    CodeListing.read(LaneReader.class),
                    CodeListing.read(ShmLanes.class))))
        .isEmpty();
  }
}
