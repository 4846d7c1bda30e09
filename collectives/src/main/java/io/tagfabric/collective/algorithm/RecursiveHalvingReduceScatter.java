package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Reduce-scatter by halving: in each step a rank exchanges with one half as far away as before, and
 * each sends the blocks that the other half of the ranks wants. With {@code P} the greatest power
 * of two up to p, {@code lg P} steps, and 2 more if p is none. Far ranks are combined first, so the
 * operator must be commutative.
 *
 * @source Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 *     MPICH", IJHPCA 19(1), 2005
 */
final class RecursiveHalvingReduceScatter implements Algorithm {
  @Override
  public String key() {
    return "recursive-halving";
  }

  @Override
  public Collective collective() {
    return Collective.REDUCE_SCATTER;
  }

  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    FoldedRanks folded = FoldedRanks.of(shape.size());
    Blocks packed = packed(shape);
    int total = packed.extent();
    Slice output = Memory.OUTPUT.slice(0, shape.count());
    Slice sum = builder.scratch(total);
    pack(shape, packed, sum, builder);
    int rank = shape.rank();
    if (folded.isAway(rank)) {
      return builder.nextRound().send(rank + 1, sum).nextRound().receive(rank + 1, output).build();
    }
    Slice received = builder.scratch(total);
    if (folded.isPaired(rank)) {
      builder.nextRound().receive(rank - 1, received).reduce(received, sum, sum);
    }
    halve(folded, rank, packed, sum, received, builder);
    if (folded.isPaired(rank)) {
      builder.nextRound().send(rank - 1, part(sum, packed, rank - 1, rank));
    }
    return builder.copy(part(sum, packed, rank, rank + 1), output).build();
  }

  private static void halve(
      FoldedRanks folded,
      int rank,
      Blocks packed,
      Slice sum,
      Slice received,
      ScheduleBuilder builder) {
    int newRank = folded.newRank(rank);
    int low = 0;
    int high = folded.power();
    for (int mask = folded.power() / 2; mask > 0; mask /= 2) {
      int partner = folded.oldRank(newRank ^ mask);
      int middle = low + mask;
      boolean keepsLow = newRank < middle;
      Slice lower = part(sum, packed, firstBlock(folded, low), firstBlock(folded, middle));
      Slice upper = part(sum, packed, firstBlock(folded, middle), firstBlock(folded, high));
      Slice kept = keepsLow ? lower : upper;
      Slice theirs = received.part(0, kept.length());
      builder.nextRound().send(partner, keepsLow ? upper : lower).receive(partner, theirs);
      if (partner < rank) {
        builder.reduce(theirs, kept, kept);
      } else {
        builder.reduce(kept, theirs, kept);
      }
      low = keepsLow ? low : middle;
      high = keepsLow ? middle : high;
    }
  }

  /** The first block that the rank with a new number stands for. */
  private static int firstBlock(FoldedRanks folded, int newRank) {
    return newRank < folded.extra() ? 2 * newRank : newRank + folded.extra();
  }

  private static Slice part(Slice vector, Blocks blocks, int from, int to) {
    Slice range = blocks.range(Memory.SCRATCH, from, to);
    return vector.part(range.offset(), range.length());
  }

  private static Blocks packed(Shape shape) {
    int[] lengths = new int[shape.size()];
    for (int block = 0; block < lengths.length; block++) {
      lengths[block] = shape.inputs().length(block);
    }
    return Blocks.packed(lengths);
  }

  private static void pack(Shape shape, Blocks packed, Slice sum, ScheduleBuilder builder) {
    for (int block = 0; block < shape.size(); block++) {
      builder.copy(shape.inputs().of(Memory.INPUT, block), part(sum, packed, block, block + 1));
    }
  }
}
