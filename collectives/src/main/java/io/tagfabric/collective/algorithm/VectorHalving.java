package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * The first half of Rabenseifner's algorithms, and what its second half must undo: each rank that
 * {@link FoldedRanks} leaves ends with a part of the reduced vector.
 *
 * <p>In step k a rank exchanges with the one whose new number differs in bit k: each sends the half
 * that the other keeps. A rank that has done k steps stands for {@code 2^k} ranks side by side, so
 * combining keeps rank order.
 */
final class VectorHalving {
  private final Shape shape;
  private final ScheduleBuilder builder;
  private final FoldedRanks folded;
  private final Slice vector;
  private final int[] from;
  private final int[] to;

  /**
   * Prepares the phases.
   *
   * @param vector the accumulator, in OUTPUT or SCRATCH
   */
  VectorHalving(Shape shape, ScheduleBuilder builder, Slice vector) {
    this.shape = shape;
    this.builder = builder;
    this.folded = FoldedRanks.of(shape.size());
    this.vector = vector;
    int steps = PowersOfTwo.ceilingLog(folded.power());
    from = new int[steps + 1];
    to = new int[steps + 1];
    to[0] = shape.count();
    for (int step = 0; step < steps; step++) {
      int middle = from[step] + (to[step] - from[step]) / 2;
      boolean low = (folded.newRank(shape.rank()) >> step & 1) == 0;
      from[step + 1] = low ? from[step] : middle;
      to[step + 1] = low ? middle : to[step];
    }
  }

  FoldedRanks folded() {
    return folded;
  }

  int steps() {
    return from.length - 1;
  }

  /** The part of the vector this rank has after some steps. */
  Slice kept(int steps) {
    return vector.part(from[steps], to[steps] - from[steps]);
  }

  /** The half of it that the partner of the next step keeps. */
  Slice given(int step) {
    int begin = from[step + 1] == from[step] ? to[step + 1] : from[step];
    int end = from[step + 1] == from[step] ? to[step] : from[step + 1];
    return vector.part(begin, end - begin);
  }

  /** The rank to exchange with in a step. */
  int partner(int step) {
    return folded.oldRank(folded.newRank(shape.rank()) ^ 1 << step);
  }

  /** Folds and halves; false if this rank has given its vector away and is done with that. */
  boolean reduceScatter() {
    Slice input = Memory.INPUT.slice(0, shape.count());
    if (folded.isAway(shape.rank())) {
      builder.send(shape.rank() + 1, input).nextRound();
      return false;
    }
    Slice received = builder.scratch(shape.count());
    if (folded.isPaired(shape.rank())) {
      builder.receive(shape.rank() - 1, received).reduce(received, input, vector);
    } else {
      builder.copy(input, vector);
    }
    for (int step = 0; step < steps(); step++) {
      Slice kept = kept(step + 1);
      Slice other = received.part(from[step + 1], kept.length());
      int partner = partner(step);
      builder.send(partner, given(step)).receive(partner, other);
      if (partner < shape.rank()) {
        builder.reduce(other, kept, kept);
      } else {
        builder.reduce(kept, other, kept);
      }
      builder.nextRound();
    }
    return true;
  }
}
