package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.RegionGate;
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

class GateModelTest {
  private static final int MOST_STATES = 2_000_000;
  private static final String ENTER = "RegionGate.enter";
  private static final String SHUT = "RegionGate.shut";
  private static final String CLEAR = "AccessMark.clear";
  private static final String FENCE = "VarHandle.fullFence";
  private static final String OPEN = "words.getLongVolatile openAt";
  private static final String MARK = "words.putLongOrdered markAt";

  private static Exploration explore(Mutant mutant, boolean killable, int... accesses) {
    return Explorer.explore(new GateModel(mutant, killable, accesses).model(), MOST_STATES);
  }

  static Stream<Mutant> mutants() {
    return Stream.of(
        Mutant.without(ENTER, FENCE),
        Mutant.without(SHUT, FENCE),
        Mutant.without(SHUT, "words.putLongOrdered openAt"),
        Mutant.without("AccessMark.set", MARK),
        Mutant.plain(CLEAR, MARK),
        Mutant.never(ENTER, "closed"),
        Mutant.always("", GateModel.INSIDE),
        Mutant.always("", GateModel.LIVES),
        Mutant.swapped("AccessMark.set", MARK, ENTER, OPEN),
        Mutant.swapped("", "write the bytes", CLEAR, MARK));
  }

  @Test
  void shouldLetNobodyWriteAfterTheClose() {
    assertThat(explore(Mutant.none(), false, 2, 1)).as("sound").matches(Exploration::isSound);
  }

  @Test
  void shouldNotWaitForTheDead() {
    assertThat(explore(Mutant.none(), true, 2, 1)).as("sound").matches(Exploration::isSound);
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldLetNobodyWriteAfterTheCloseOfManyPeers() {
    assertThat(explore(Mutant.none(), true, 2, 2)).as("sound").matches(Exploration::isSound);
    assertThat(explore(Mutant.none(), true, 1, 1, 1)).as("sound").matches(Exploration::isSound);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Mutant mutant) {
    assertThat(explore(mutant, true, 2, 1).problem()).isNotEmpty();
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
    return new GateModel(Mutant.none(), false, 1).model().listings();
  }

  private static List<ClassNode> classes() {
    return List.of(CodeListing.read(RegionGate.class), CodeListing.read(AccessMark.class));
  }
}
