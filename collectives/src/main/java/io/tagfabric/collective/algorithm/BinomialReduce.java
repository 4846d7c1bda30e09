package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Reduce along a binomial tree, {@link BinomialBroadcast} backwards: {@code ceil(lg p)} steps,
 * {@code p - 1} messages of n elements.
 *
 * <p>The tree's root is the call's root, so contributions are combined beginning with the root's,
 * around the end: the operator must be commutative. In order, the tree's root is rank 0, and if it
 * is another one that wants the result it is sent there: one step and one message more.
 *
 * @source Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 *     MPICH", IJHPCA 19(1), 2005
 */
final class BinomialReduce implements Algorithm {
  private final boolean inOrder;

  BinomialReduce(boolean inOrder) {
    this.inOrder = inOrder;
  }

  @Override
  public String key() {
    return inOrder ? "binomial-in-order" : "binomial";
  }

  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public boolean keepsOrder() {
    return inOrder;
  }

  @Override
  public boolean pipelined() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice output = Memory.OUTPUT.slice(0, shape.count());
    if (!inOrder || shape.root() == 0) {
      tree(shape, shape.relative() == 0 ? output : null, builder);
      return builder.build();
    }
    Slice result = tree(Shape.vector(shape.rank(), shape.size(), 0, shape.count()), null, builder);
    if (shape.rank() == 0) {
      builder.send(shape.root(), result);
    } else if (shape.rank() == shape.root()) {
      builder.nextRound().receive(0, output);
    }
    return builder.build();
  }

  /**
   * Adds the rank's part; returns where its subtree's result is.
   *
   * @param output where to combine, and where the root wants the result; null for scratch memory
   */
  static Slice tree(Shape shape, Slice output, ScheduleBuilder builder) {
    Slice input = Memory.INPUT.slice(0, shape.count());
    int place = shape.relative();
    Slice result = input;
    Slice sum = output;
    Slice received = null;
    for (int mask = 1; mask < shape.size(); mask <<= 1) {
      if ((place & mask) != 0) {
        builder.send(shape.absolute(place - mask), result).nextRound();
        return result;
      }
      if (place + mask < shape.size()) {
        received = received == null ? builder.scratch(shape.count()) : received;
        sum = sum == null ? builder.scratch(shape.count()) : sum;
        builder.receive(shape.absolute(place + mask), received).reduce(result, received, sum);
        result = sum;
      }
    }
    if (output != null) {
      builder.copy(result, output);
    }
    return result;
  }
}
