package io.tagfabric.collective.choose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Collective;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlgorithmChooserTest {
  private final AlgorithmChooser chooser = new AlgorithmChooser(Map.of());

  @Property
  void shouldFindAnAlgorithmThatCanDoItForEveryCall(
      @ForAll Collective collective,
      @ForAll @IntRange(min = 1, max = 5000) int size,
      @ForAll @LongRange(min = -1, max = 1L << 31) long bytes,
      @ForAll boolean ordered,
      @ForAll boolean irregular) {
    Algorithm algorithm = chooser.choose(collective, size, bytes, ordered, irregular);

    assertThat(algorithm.collective()).isEqualTo(collective);
    assertThat(algorithm.keepsOrder() || !ordered).isTrue();
    assertThat(algorithm.irregular() || !irregular).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "BROADCAST, 3, 8, linear",
    "BROADCAST, 5, 65536, binomial",
    "BROADCAST, 4, 65537, chain",
    "BROADCAST, 5, 65537, circulant",
    "REDUCE, 5, 262144, rabenseifner",
    "REDUCE, 5, 262145, circulant",
    "ALLREDUCE, 5, 16384, recursive-doubling",
    "ALLREDUCE, 5, 16385, rabenseifner",
    "ALLGATHER, 5, 100, bruck",
    "ALLGATHER, 5, -1, ring",
    "ALLTOALL, 64, 256, bruck",
    "ALLTOALL, 64, 257, pairwise"
  })
  void shouldFollowTheTable(Collective collective, int size, long bytes, String expected) {
    assertThat(chooser.choose(collective, size, bytes, false, false).key()).isEqualTo(expected);
  }

  @Test
  void shouldTakeOtherAlgorithmsForOrderedOperatorsAndUnequalBlocks() {
    assertThat(chooser.choose(Collective.REDUCE, 5, 1 << 20, true, false).key())
        .isEqualTo("rabenseifner");
    assertThat(chooser.choose(Collective.ALLGATHER, 5, 100, false, true).key())
        .isEqualTo("circulant");
  }

  @Test
  void shouldTakeTheForcedAlgorithmWhateverTheTableSays() {
    AlgorithmChooser forced = new AlgorithmChooser(Map.of(Collective.ALLREDUCE, "ring"));

    assertThat(forced.choose(Collective.ALLREDUCE, 2, 8, false, false).key()).isEqualTo("ring");
    assertThat(forced.choose(Collective.BARRIER, 2, 0, false, false).key())
        .isEqualTo("dissemination");
  }

  @Test
  void shouldRefuseAForcedAlgorithmThatCannotDoTheCall() {
    AlgorithmChooser forced =
        new AlgorithmChooser(Map.of(Collective.ALLREDUCE, "ring", Collective.ALLGATHER, "bruck"));

    assertThatThrownBy(() -> forced.choose(Collective.ALLREDUCE, 4, 8, true, false))
        .hasMessageContaining("does not keep rank order, but the operator is not commutative");
    assertThatThrownBy(() -> forced.choose(Collective.ALLGATHER, 4, 8, false, true))
        .hasMessage(
            "algorithm=[bruck] of allgather cannot do blocks of different lengths, force another"
                + " one or none");
  }

  @Test
  void shouldTryItsOwnRulesBeforeTheStandardOnes() {
    AlgorithmChooser tuned =
        new AlgorithmChooser(
            Map.of(),
            DecisionTable.parse(List.of("allreduce 4 1024 ring")).before(DecisionTable.STANDARD));

    assertThat(tuned.choose(Collective.ALLREDUCE, 4, 1024, false, false).key()).isEqualTo("ring");
    assertThat(tuned.choose(Collective.ALLREDUCE, 4, 1025, false, false).key())
        .isEqualTo("recursive-doubling");
    assertThat(tuned.choose(Collective.ALLREDUCE, 4, 1024, true, false).key())
        .isEqualTo("recursive-doubling");
  }
}
