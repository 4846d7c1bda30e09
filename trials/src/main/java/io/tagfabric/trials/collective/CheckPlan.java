package io.tagfabric.trials.collective;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.RecordKind;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The calls that are checked of one team.
 *
 * @param whole whether all of them; if not, a sample
 */
record CheckPlan(boolean whole, long seed) {
  /** x -> a*x + b in one INT64, as two INT32: the order of ranks shows. */
  static final ReduceOp AFFINE =
      ReduceOp.ofLongs(
          "affine",
          false,
          (f, g) ->
              ((f >> 32) * (g >> 32) << 32) | (((g >> 32) * (int) f + (int) g) & 0xFFFFFFFFL));

  /** Two numbers, the second of which counts; longer than any standard kind. */
  private static final RecordKind<long[]> PAIR =
      RecordKind.of(
          "pair-of-longs",
          24,
          (pair, buffer, at) -> {
            buffer.putLong(at, pair[0]);
            buffer.putLong(at + 8, pair[1]);
            buffer.putLong(at + 16, pair[2]);
          },
          (buffer, at) ->
              new long[] {buffer.getLong(at), buffer.getLong(at + 8), buffer.getLong(at + 16)});

  private static final ReduceOp LAST_AND_SUM =
      PAIR.operator(
          "last-and-sum",
          false,
          (left, right) -> new long[] {left[0], right[1], left[2] + right[2]});

  private static final int[] SIZES = {1, 2, 3, 5, 7, 8, 13};
  private static final int[] FEW_SIZES = {1, 2, 5, 8};
  private static final int[] COUNTS = {0, 1, 7, 1_000, 100_000};
  private static final int[] FEW_COUNTS = {0, 7, 1_000};

  /** From so many elements on, one operator and one kind stand for all. */
  private static final int LONG = 10_000;

  private record Combination(ElementKind kind, ReduceOp operator) {}

  int[] sizes() {
    return (whole ? SIZES : FEW_SIZES).clone();
  }

  /** Calls with every call of a team of so many members, one after the other. */
  void forEach(int size, Consumer<CheckedCall> check) {
    SplittableRandom random = new SplittableRandom(seed + size);
    for (Collective collective : Collective.values()) {
      for (int root : roots(collective, size)) {
        for (int count : collective == Collective.BARRIER ? new int[] {0} : counts()) {
          int each = count >= LONG && CheckedCall.hasBlocks(collective) ? count / size : count;
          for (Combination one : combinations(collective, count)) {
            check.accept(call(collective, one, size, root, each, false, random));
            if (CheckedCall.hasBlocks(collective)) {
              check.accept(call(collective, one, size, root, each, true, random));
            }
          }
        }
      }
    }
  }

  private static CheckedCall call(
      Collective collective,
      Combination one,
      int size,
      int root,
      int count,
      boolean irregular,
      SplittableRandom random) {
    return new CheckedCall(
        collective, one.kind(), one.operator(), size, root, count, irregular, random);
  }

  private int[] counts() {
    return whole ? COUNTS : FEW_COUNTS;
  }

  private static int[] roots(Collective collective, int size) {
    return collective.rooted() && size > 1 ? new int[] {0, size - 1} : new int[] {0};
  }

  private List<Combination> combinations(Collective collective, int count) {
    List<Combination> all = new ArrayList<>();
    if (!collective.reduces()) {
      all.add(new Combination(ElementKind.INT64, null));
      all.add(new Combination(PAIR, null));
      if (whole && count < LONG) {
        all.add(new Combination(ElementKind.INT8, null));
        all.add(new Combination(ElementKind.FLOAT64_AT, null));
      }
      return all;
    }
    all.add(new Combination(ElementKind.INT64, AFFINE));
    all.add(new Combination(ElementKind.FLOAT64, Reduction.SUM));
    all.add(new Combination(PAIR, LAST_AND_SUM));
    if (whole && count < LONG) {
      for (ElementKind kind : ElementKind.standard()) {
        for (Reduction operator : Reduction.values()) {
          if (operator.supports(kind)) {
            all.add(new Combination(kind, operator));
          }
        }
      }
    }
    return all;
  }
}
