package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import io.tagfabric.progress.SoleThreadModel.Part;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SoleThreadModelTest {
  private static final int MOST_STATES = 3_000_000;
  private static final Set<Part> GUEST = Set.of(Part.GUEST);
  private static final Set<Part> TAKER = Set.of(Part.TAKER);
  private static final Set<Part> NEXT = Set.of(Part.NEXT);
  private static final Set<Part> CROWD = Set.of(Part.GUEST, Part.TAKER);
  private static final List<Set<Part>> SCENES =
      List.of(GUEST, TAKER, NEXT, CROWD, Set.of(Part.GUEST, Part.NEXT));

  /** The first problem with a safepoint anywhere, or the last exploration without one. */
  private static Exploration explore(Mutant mutant, Set<Part> parts) {
    int places = new SoleThreadModel(Mutant.none(), parts, 0).safepoints();
    Exploration found = null;
    for (int at = 0; at <= places; at++) {
      found = Explorer.explore(new SoleThreadModel(mutant, parts, at).model(), MOST_STATES);
      if (!found.isSound()) {
        break;
      }
    }
    return found;
  }

  static List<Set<Part>> scenes() {
    return SCENES;
  }

  @ParameterizedTest
  @MethodSource("scenes")
  void shouldLetNoTwoInside(Set<Part> parts) {
    Exploration found = explore(Mutant.none(), parts);

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  static Stream<Arguments> mutants() {
    return Stream.of(
        // The holder stores that it is inside, then looks whether it holds still.
        arguments(TAKER, Mutant.never("ProgressLoop.takeAlone", "no longer the holder")),
        arguments(GUEST, Mutant.never("ProgressLoop.take", "driven")),
        // Who takes it makes the holder pass a safepoint, after it has said so.
        arguments(TAKER, Mutant.without("", "it passes a safepoint")),
        // Others wait for that, and look whether the holder is inside.
        arguments(CROWD, Mutant.never("ProgressLoop.takeAlone", "held meanwhile")),
        arguments(CROWD, Mutant.without("SoleThread.end", "put ending")),
        arguments(TAKER, Mutant.never("ProgressLoop.takeAlone", "the holder is inside")),
        // A guest looks again when it has the loop.
        arguments(GUEST, Mutant.never("ProgressLoop.takeAlone", "held meanwhile")),
        // What was done inside is seen before it is left.
        arguments(TAKER, Mutant.plain("ProgressLoop.release", "LONE_DRIVER.setRelease")));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsLeftOut(Set<Part> parts, Mutant mutant) {
    Exploration found = explore(mutant, parts);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  @Test
  void shouldBeWhatTheClassesDo() {
    Map<String, List<String>> listings = new TreeMap<>();
    for (Set<Part> parts : SCENES) {
      listings.putAll(new SoleThreadModel(Mutant.none(), parts, 0).model().listings());
    }

    assertThat(
            Drift.between(
                listings,
                List.of(CodeListing.read(SoleThread.class), CodeListing.read(ProgressLoop.class))))
        .isEmpty();
  }
}
