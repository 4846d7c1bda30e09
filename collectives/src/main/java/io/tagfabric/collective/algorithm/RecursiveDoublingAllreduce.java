package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Allreduce of short vectors: in step k a rank exchanges all it has with the one whose number
 * differs in bit k. With {@code P} the greatest power of two up to p, {@code lg P} steps, and 2
 * more if p is none; {@code lg P} messages of n elements a rank. Both partners combine the same two
 * operands in the same order, so all ranks get the same bits.
 *
 * <pre>
 *   p = 5, == is an exchange  rank  0     1     2     3     4
 *   fold                            0 --> 1
 *   bit 0 of the new numbers              1 === 2     3 === 4
 *   bit 1                                 1 ========= 3
 *                                               2 ========= 4
 *   unfold, from 1 to 0             0 --- 1
 * </pre>
 *
 * @source Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 *     MPICH", IJHPCA 19(1), 2005
 */
final class RecursiveDoublingAllreduce implements Algorithm {
  @Override
  public String key() {
    return "recursive-doubling";
  }

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice input = Memory.INPUT.slice(0, shape.count());
    Slice output = Memory.OUTPUT.slice(0, shape.count());
    FoldedRanks folded = FoldedRanks.of(shape.size());
    int rank = shape.rank();
    if (folded.isAway(rank)) {
      return builder.send(rank + 1, input).nextRound().receive(rank + 1, output).build();
    }
    Slice received = builder.scratch(shape.count());
    if (folded.isPaired(rank)) {
      builder.receive(rank - 1, received).reduce(received, input, output);
    } else {
      builder.copy(input, output);
    }
    for (int mask = 1; mask < folded.power(); mask <<= 1) {
      int partner = folded.oldRank(folded.newRank(rank) ^ mask);
      builder.send(partner, output).receive(partner, received);
      if (partner < rank) {
        builder.reduce(received, output, output);
      } else {
        builder.reduce(output, received, output);
      }
      builder.nextRound();
    }
    if (folded.isPaired(rank)) {
      builder.send(rank - 1, output);
    }
    return builder.build();
  }
}
