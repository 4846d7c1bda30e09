package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Calls;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.error.FabricException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Real bytes: every algorithm, element kind and operator against a naive fold. */
class WorkspaceTest {
  private static final int[] SIZES = {1, 2, 3, 5, 8, 13};
  private static final int[] COUNTS = {0, 1, 23};

  /** A matrix product modulo 251: associative, not commutative; two coefficients in an INT64. */
  private static final ReduceOp AFFINE =
      ReduceOp.ofLongs(
          "affine",
          false,
          (f, g) -> {
            long fa = Math.floorMod(f >> 32, 251);
            long fb = Math.floorMod((int) f, 251);
            long ga = Math.floorMod(g >> 32, 251);
            long gb = Math.floorMod((int) g, 251);
            return (fa * ga % 251) << 32 | (ga * fb + gb) % 251;
          });

  static Stream<Arguments> reducing() {
    return Algorithms.all().stream()
        .filter(algorithm -> algorithm.collective().reduces())
        .map(algorithm -> Arguments.of(algorithm.collective(), algorithm.key(), algorithm));
  }

  @Test
  void shouldSayThatAnAlgorithmNeedsTooMuchMemory() {
    assertThatThrownBy(
            () -> new Workspace(ElementKind.INT64, null, Elements.of(1L), Elements.of(1L), 1 << 29))
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith("the algorithm needs 4294967296 bytes of its own > 2147483639");
  }

  static Stream<Arguments> moving() {
    return Algorithms.all().stream()
        .filter(algorithm -> !algorithm.collective().reduces())
        .map(algorithm -> Arguments.of(algorithm.collective(), algorithm.key(), algorithm));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("reducing")
  void shouldEqualANaiveFoldWhenContributionsAreCombined(
      Object collective, String key, Algorithm algorithm) {
    Random random = new Random(7);
    for (Reduction operator : Reduction.values()) {
      for (ElementKind kind : ElementKind.standard()) {
        if (operator.supports(kind)) {
          checkAll(algorithm, kind, operator, random);
        }
      }
    }
    if (algorithm.keepsOrder()) {
      checkAll(algorithm, ElementKind.INT64, AFFINE, random);
    }
  }

  private static void checkAll(
      Algorithm algorithm, ElementKind kind, ReduceOp operator, Random random) {
    for (int size : SIZES) {
      for (int count : COUNTS) {
        int root = random.nextInt(size);
        check(Calls.of(algorithm, size, root, count).get(0), kind, operator, random);
      }
    }
  }

  private static void check(Calls calls, ElementKind kind, ReduceOp operator, Random random) {
    MemoryTeam team = new MemoryTeam(calls, kind, operator, random);
    team.run();
    List<Elements> all = new ArrayList<>();
    for (int rank = 0; rank < calls.size(); rank++) {
      all.add(team.input(rank));
    }
    for (int rank = 0; rank < calls.size(); rank++) {
      Elements expected = expected(calls, rank, operator, all);
      if (expected != null) {
        assertThat(team.output(rank).toByteArray())
            .as("%s rank=%s kind=%s op=%s", calls, rank, kind, operator.name())
            .isEqualTo(expected.toByteArray());
      }
    }
  }

  private static Elements expected(Calls calls, int rank, ReduceOp operator, List<Elements> all) {
    return switch (calls.algorithm().collective()) {
      case REDUCE -> rank == calls.root() ? Samples.fold(operator, all) : null;
      case ALLREDUCE -> Samples.fold(operator, all);
      case SCAN -> Samples.fold(operator, all.subList(0, rank + 1));
      case EXSCAN -> rank == 0 ? null : Samples.fold(operator, all.subList(0, rank));
      default -> Samples.fold(operator, all).part(rank * calls.count(), calls.count());
    };
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("moving")
  void shouldMoveTheBytesOfEveryKindWhole(Object collective, String key, Algorithm algorithm) {
    Random random = new Random(8);
    for (ElementKind kind : List.of(ElementKind.BYTES, ElementKind.INT16, ElementKind.FLOAT64_AT)) {
      for (int size : SIZES) {
        int root = random.nextInt(size);
        Calls calls = Calls.of(algorithm, size, root, 5).get(0);
        MemoryTeam team = new MemoryTeam(calls, kind, null, random);
        team.run();
        for (int rank = 0; rank < size; rank++) {
          assertThat(team.output(rank).toByteArray())
              .as("%s rank=%s kind=%s", calls, rank, kind)
              .isEqualTo(moved(calls, rank, team).toByteArray());
        }
      }
    }
  }

  private static Elements moved(Calls calls, int rank, MemoryTeam team) {
    Elements output = team.output(rank).copy();
    int count = calls.count();
    switch (calls.algorithm().collective()) {
      case BROADCAST -> put(output, 0, team.output(calls.root()));
      case SCATTER -> put(output, 0, team.input(calls.root()).part(rank * count, count));
      case GATHER, ALLGATHER -> {
        for (int from = 0; output.count() > 0 && from < calls.size(); from++) {
          put(output, from * count, team.input(from));
        }
      }
      case ALLTOALL -> {
        for (int from = 0; from < calls.size(); from++) {
          put(output, from * count, team.input(from).part(rank * count, count));
        }
      }
      default -> {} // neighbours meet in the symbolic test; a barrier moves nothing
    }
    return output;
  }

  private static void put(Elements into, int at, Elements from) {
    int bytes = into.kind().bytes();
    into.buffer()
        .putBytes(into.offset() + at * bytes, from.buffer(), from.offset(), from.lengthBytes());
  }
}
