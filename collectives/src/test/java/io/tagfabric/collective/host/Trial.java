package io.tagfabric.collective.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.schedule.Blocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** One collective of all members on random longs, and what it must give by its definition. */
final class Trial {
  private final Collective collective;
  private final int size;
  private final int root;
  private final int count;
  private final ReduceOp operator;
  private final List<Elements> inputs = new ArrayList<>();
  private final List<Elements> outputs = new ArrayList<>();
  private final List<long[]> given = new ArrayList<>();

  Trial(
      Collective collective,
      int size,
      int root,
      int count,
      ReduceOp operator,
      boolean inPlace,
      Random random) {
    this.collective = collective;
    this.size = size;
    this.root = collective.rooted() ? root : 0;
    this.count = count;
    this.operator = operator;
    for (int rank = 0; rank < size; rank++) {
      long[] values = random.longs(inputCount(), 0, 1L << 33).toArray();
      Elements input = Elements.of(values);
      boolean same =
          inPlace && (collective == Collective.ALLREDUCE || collective == Collective.SCAN);
      given.add(values);
      inputs.add(input);
      outputs.add(
          same
              ? input
              : collective == Collective.BROADCAST
                  ? Elements.of(values)
                  : Elements.allocate(ElementKind.INT64, outputCount()));
    }
  }

  private int inputCount() {
    return switch (collective) {
      case BARRIER -> 0;
      case SCATTER, ALLTOALL, REDUCE_SCATTER -> count * size;
      default -> count;
    };
  }

  private int outputCount() {
    return switch (collective) {
      case BARRIER -> 0;
      case GATHER, ALLGATHER, ALLTOALL -> count * size;
      default -> count;
    };
  }

  SharedCall call(int rank) {
    Shape shape =
        switch (collective) {
          case GATHER -> Shape.gather(rank, size, root, count);
          case SCATTER -> Shape.scatter(rank, size, root, count);
          case ALLGATHER -> Shape.allgather(rank, size, count);
          case ALLTOALL -> Shape.alltoall(rank, size, count);
          case REDUCE_SCATTER -> Shape.reduceScatter(rank, size, Blocks.equal(size, count));
          default -> Shape.vector(rank, size, root, collective == Collective.BARRIER ? 0 : count);
        };
    return new SharedCall(
        Objects.hash(collective, root, count),
        collective,
        shape,
        inputs.get(rank),
        outputs.get(rank),
        collective.reduces() ? operator : null);
  }

  void check() {
    for (int rank = 0; rank < size; rank++) {
      long[] wanted = wanted(rank);
      if (wanted != null) {
        assertThat(outputs.get(rank).longs())
            .as("%s count=%s root=%s at rank %s of %s", collective, count, root, rank, size)
            .isEqualTo(wanted);
      }
    }
  }

  /** Null where the output is not touched. */
  private long[] wanted(int rank) {
    return switch (collective) {
      case BARRIER -> new long[0];
      case BROADCAST -> given.get(root);
      case REDUCE -> rank == root ? fold(0, size, 0, count) : null;
      case ALLREDUCE -> fold(0, size, 0, count);
      case SCAN -> fold(0, rank + 1, 0, count);
      case EXSCAN -> rank == 0 ? null : fold(0, rank, 0, count);
      case REDUCE_SCATTER -> fold(0, size, rank * count, count);
      case GATHER -> rank == root ? joined(0, count) : null;
      case ALLGATHER -> joined(0, count);
      case ALLTOALL -> joined(rank * count, count);
      case SCATTER -> part(given.get(root), rank * count);
      case NEIGHBOUR_EXCHANGE -> throw new IllegalStateException("not here");
    };
  }

  private long[] fold(int first, int end, int from, int length) {
    long[] result = new long[length];
    for (int i = 0; i < length; i++) {
      Elements value = Elements.of(given.get(first)[from + i]);
      for (int rank = first + 1; rank < end; rank++) {
        Elements right = Elements.of(given.get(rank)[from + i]);
        operator.combine(
            ElementKind.INT64, value.buffer(), 0, right.buffer(), 0, value.buffer(), 0, 1);
      }
      result[i] = value.longs()[0];
    }
    return result;
  }

  private long[] joined(int from, int length) {
    long[] all = new long[length * size];
    for (int rank = 0; rank < size; rank++) {
      System.arraycopy(given.get(rank), from, all, rank * length, length);
    }
    return all;
  }

  private long[] part(long[] values, int from) {
    long[] part = new long[count];
    System.arraycopy(values, from, part, 0, count);
    return part;
  }
}
