package io.tagfabric.collective.choose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Hosts;
import java.util.ArrayList;
import java.util.Collections;
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
  private static AlgorithmChooser chooser(Hosts hosts) {
    return new AlgorithmChooser(Map.of(), DecisionTable.STANDARD, hosts);
  }

  private static AlgorithmChooser chooser(int size) {
    return chooser(Hosts.apart(size));
  }

  private static AlgorithmChooser forcing(Map<Collective, String> forced, int size) {
    return new AlgorithmChooser(forced, DecisionTable.STANDARD, Hosts.apart(size));
  }

  @Property
  void shouldFindAnAlgorithmThatCanDoItForEveryCall(
      @ForAll Collective collective,
      @ForAll @IntRange(min = 1, max = 5000) int size,
      @ForAll @LongRange(min = -1, max = 1L << 31) long bytes,
      @ForAll boolean ordered,
      @ForAll boolean irregular) {
    Algorithm algorithm = chooser(size).choose(collective, bytes, ordered, irregular);

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
    assertThat(chooser(size).choose(collective, bytes, false, false).key()).isEqualTo(expected);
  }

  @Test
  void shouldTakeOtherAlgorithmsForOrderedOperatorsAndUnequalBlocks() {
    assertThat(chooser(5).choose(Collective.REDUCE, 1 << 20, true, false).key())
        .isEqualTo("rabenseifner");
    assertThat(chooser(5).choose(Collective.ALLGATHER, 100, false, true).key())
        .isEqualTo("circulant");
  }

  @Test
  void shouldTakeTheForcedAlgorithmWhateverTheTableSays() {
    AlgorithmChooser forced = forcing(Map.of(Collective.ALLREDUCE, "ring"), 2);

    assertThat(forced.choose(Collective.ALLREDUCE, 8, false, false).key()).isEqualTo("ring");
    assertThat(forced.choose(Collective.BARRIER, 0, false, false).key()).isEqualTo("dissemination");
  }

  @Test
  void shouldRefuseAForcedAlgorithmThatCannotDoTheCall() {
    AlgorithmChooser forced =
        forcing(Map.of(Collective.ALLREDUCE, "ring", Collective.ALLGATHER, "bruck"), 4);

    assertThatThrownBy(() -> forced.choose(Collective.ALLREDUCE, 8, true, false))
        .hasMessageContaining("does not keep rank order, but the operator is not commutative");
    assertThatThrownBy(() -> forced.choose(Collective.ALLGATHER, 8, false, true))
        .hasMessage(
            "algorithm=[bruck] of allgather cannot do blocks of different lengths, force another"
                + " one or none");
  }

  @ParameterizedTest
  @CsvSource({"BARRIER, dissemination", "BROADCAST, linear", "REDUCE, linear"})
  void shouldTakeTwoLevelsWhenMembersShareSomeOfSeveralHosts(
      Collective collective, String between) {
    AlgorithmChooser nested = chooser(Hosts.of(List.of(0, 0, 1, 1, 1)));

    Algorithm algorithm = nested.choose(collective, 8, true, false);

    assertThat(algorithm.key()).isEqualTo("two-level");
    assertThat(algorithm.label()).isEqualTo("two-level/" + between);
    assertThat(algorithm.keepsOrder()).isTrue();
  }

  @Test
  void shouldNotTakeTwoLevelsWhenRankOrderWouldBeLost() {
    AlgorithmChooser mixed = chooser(Hosts.of(List.of(0, 1, 0, 1, 1)));

    assertThat(mixed.choose(Collective.ALLREDUCE, 8, true, false).key())
        .isEqualTo("recursive-doubling");
    assertThat(mixed.choose(Collective.ALLREDUCE, 8, false, false).label())
        .isEqualTo("two-level/recursive-doubling");
    AlgorithmChooser forced =
        new AlgorithmChooser(
            Map.of(Collective.ALLREDUCE, "two-level"),
            DecisionTable.STANDARD,
            Hosts.of(List.of(0, 1, 0, 1, 1)));
    assertThatThrownBy(() -> forced.choose(Collective.ALLREDUCE, 8, true, false))
        .hasMessageContaining("does not keep rank order");
  }

  @Test
  void shouldTryRulesForNestedTeamsFirst() {
    DecisionTable table =
        DecisionTable.parse(
                List.of(
                    "allreduce any 64 ring nested",
                    "allreduce any 64 rabenseifner",
                    "alltoall any any linear"))
            .before(DecisionTable.STANDARD);
    AlgorithmChooser nested = new AlgorithmChooser(Map.of(), table, Hosts.of(List.of(0, 0, 1)));
    AlgorithmChooser flat = new AlgorithmChooser(Map.of(), table, Hosts.of(List.of(0, 0, 0)));

    assertThat(nested.choose(Collective.ALLREDUCE, 64, false, false).key()).isEqualTo("ring");
    assertThat(nested.choose(Collective.ALLREDUCE, 65, false, false).key()).isEqualTo("two-level");
    assertThat(nested.choose(Collective.ALLTOALL, 65, false, false).key()).isEqualTo("linear");
    assertThat(flat.choose(Collective.ALLREDUCE, 64, false, false).key()).isEqualTo("rabenseifner");
    assertThatThrownBy(() -> DecisionTable.parse(List.of("allreduce 4 any ring flat")))
        .hasMessageContaining("is not a collective, ranks, bytes and an algorithm");
  }

  @Test
  void shouldTakeTreesWhenMembersOfAHostAreACrowd() {
    AlgorithmChooser few = chooser(Hosts.of(Collections.nCopies(64, 0)));
    AlgorithmChooser crowd = chooser(Hosts.of(Collections.nCopies(65, 0)));
    AlgorithmChooser apart = chooser(Hosts.apart(65));

    assertThat(few.choose(Collective.BARRIER, 0, false, false).key()).isEqualTo("dissemination");
    assertThat(apart.choose(Collective.BARRIER, 0, false, false).key()).isEqualTo("dissemination");
    assertThat(crowd.choose(Collective.BARRIER, 0, false, false).key()).isEqualTo("binomial");
    assertThat(crowd.choose(Collective.ALLREDUCE, 16384, true, false).key()).isEqualTo("binomial");
    assertThat(crowd.choose(Collective.ALLREDUCE, 16385, true, false).key())
        .isEqualTo("rabenseifner");
    assertThat(few.choose(Collective.ALLREDUCE, 8, true, false).key())
        .isEqualTo("recursive-doubling");
  }

  @Test
  void shouldTryRulesForCrowdedTeamsAfterThoseForNestedOnesAndBeforeAllOthers() {
    DecisionTable table =
        DecisionTable.parse(
                List.of(
                    "allreduce any any recursive-doubling",
                    "allreduce any 64 ring crowded",
                    "allreduce any 8 rabenseifner nested"))
            .before(DecisionTable.STANDARD);
    List<Integer> hosts = new ArrayList<>(Collections.nCopies(65, 0));
    AlgorithmChooser crowd = new AlgorithmChooser(Map.of(), table, Hosts.of(hosts));
    hosts.add(1);
    AlgorithmChooser nestedCrowd = new AlgorithmChooser(Map.of(), table, Hosts.of(hosts));

    assertThat(crowd.choose(Collective.ALLREDUCE, 64, false, false).key()).isEqualTo("ring");
    assertThat(crowd.choose(Collective.ALLREDUCE, 65, false, false).key()).isEqualTo("binomial");
    assertThat(crowd.choose(Collective.ALLREDUCE, 1 << 20, false, false).key())
        .isEqualTo("recursive-doubling");
    assertThat(nestedCrowd.choose(Collective.ALLREDUCE, 8, false, false).key())
        .isEqualTo("rabenseifner");
    assertThat(nestedCrowd.choose(Collective.ALLREDUCE, 9, false, false).key())
        .isEqualTo("two-level");
  }

  @Test
  void shouldChooseAnewWhenACallDiffersFromTheOneBefore() {
    AlgorithmChooser chooser = chooser(5);

    assertThat(chooser.choose(Collective.REDUCE, 16384, false, false).key()).isEqualTo("binomial");
    assertThat(chooser.choose(Collective.REDUCE, 16384, true, false).key())
        .isEqualTo("binomial-in-order");
    assertThat(chooser.choose(Collective.REDUCE, 1 << 18, true, false).key())
        .isEqualTo("rabenseifner");
    assertThat(chooser.choose(Collective.ALLREDUCE, 8, true, false).key())
        .isEqualTo("recursive-doubling");
    assertThat(chooser.choose(Collective.ALLGATHER, 100, false, false).key()).isEqualTo("bruck");
    assertThat(chooser.choose(Collective.ALLGATHER, 100, false, true).key()).isEqualTo("circulant");
  }

  @Test
  void shouldTryItsOwnRulesBeforeTheStandardOnes() {
    AlgorithmChooser tuned =
        new AlgorithmChooser(
            Map.of(),
            DecisionTable.parse(List.of("allreduce 4 1024 ring")).before(DecisionTable.STANDARD),
            Hosts.apart(4));

    assertThat(tuned.choose(Collective.ALLREDUCE, 1024, false, false).key()).isEqualTo("ring");
    assertThat(tuned.choose(Collective.ALLREDUCE, 1025, false, false).key())
        .isEqualTo("recursive-doubling");
    assertThat(tuned.choose(Collective.ALLREDUCE, 1024, true, false).key())
        .isEqualTo("recursive-doubling");
  }
}
