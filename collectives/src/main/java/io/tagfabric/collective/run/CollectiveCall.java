package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.schedule.Blocks;
import java.util.Arrays;
import java.util.Objects;

/**
 * One member's call of a collective. All members make calls that fit, in the same order.
 *
 * <p>Input and output may be the same memory, or share some; then the input is copied first. A
 * count of 0 is legal everywhere.
 *
 * @param collective what is done
 * @param root the special rank, 0 if there is none
 * @param input what this member contributes
 * @param output where it wants the result
 * @param operator null if nothing is combined
 * @param inputs blocks of the input, null if they are equal or there is one
 * @param outputs blocks of the output, null if they are equal or there is one
 * @param edges neighbours of a neighbour exchange, else null
 * @param irregular whether members may have blocks of different lengths
 * @source MPI-4.1 chapter 6
 */
public record CollectiveCall(
    Collective collective,
    int root,
    Elements input,
    Elements output,
    ReduceOp operator,
    Blocks inputs,
    Blocks outputs,
    Edges edges,
    boolean irregular) {
  private static final CollectiveCall BARRIER = none();

  public CollectiveCall {
    Objects.requireNonNull(collective, "collective");
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(output, "output");
    if (collective.reduces()) {
      Objects.requireNonNull(operator, "operator");
      if (!operator.supports(input.kind())) {
        throw new IllegalArgumentException(
            "operator="
                + operator.name()
                + " does not combine kind="
                + input.kind().key()
                + ", take another kind");
      }
    }
    if (!input.kind().equals(output.kind())) {
      throw new IllegalArgumentException(
          "kind="
              + input.kind().key()
              + " of the input is not kind="
              + output.kind().key()
              + " of the output, make them equal");
    }
  }

  private static CollectiveCall regular(
      Collective collective, int root, Elements input, Elements output, ReduceOp operator) {
    return new CollectiveCall(collective, root, input, output, operator, null, null, null, false);
  }

  private static CollectiveCall irregular(
      Collective collective,
      int root,
      Elements input,
      Elements output,
      Blocks inputs,
      Blocks outputs) {
    return new CollectiveCall(collective, root, input, output, null, inputs, outputs, null, true);
  }

  private static CollectiveCall none() {
    Elements none = Elements.none(ElementKind.BYTES);
    return regular(Collective.BARRIER, 0, none, none, null);
  }

  /** Waits for all members. */
  public static CollectiveCall barrier() {
    return BARRIER;
  }

  /** The root's data to all; elsewhere they are overwritten. */
  public static CollectiveCall broadcast(Elements data, int root) {
    return regular(Collective.BROADCAST, root, Elements.none(data.kind()), data, null);
  }

  /** All inputs combined, to the root's output; other outputs are not touched. */
  public static CollectiveCall reduce(
      Elements input, Elements output, ReduceOp operator, int root) {
    return regular(Collective.REDUCE, root, input, output, operator);
  }

  /** All inputs combined, to all. */
  public static CollectiveCall allreduce(Elements input, Elements output, ReduceOp operator) {
    return regular(Collective.ALLREDUCE, 0, input, output, operator);
  }

  /** Equal inputs, side by side in the root's output; other outputs are not touched. */
  public static CollectiveCall gather(Elements input, Elements output, int root) {
    return regular(Collective.GATHER, root, input, output, null);
  }

  /**
   * Inputs of any lengths to the root.
   *
   * @param outputs where the root wants them; null elsewhere
   */
  public static CollectiveCall gatherv(Elements input, Elements output, Blocks outputs, int root) {
    return irregular(Collective.GATHER, root, input, output, null, outputs);
  }

  /** Equal parts of the root's input, one to each; other inputs are not read. */
  public static CollectiveCall scatter(Elements input, Elements output, int root) {
    return regular(Collective.SCATTER, root, input, output, null);
  }

  /**
   * Parts of any lengths from the root.
   *
   * @param inputs where they are at the root; null elsewhere
   */
  public static CollectiveCall scatterv(Elements input, Blocks inputs, Elements output, int root) {
    return irregular(Collective.SCATTER, root, input, output, inputs, null);
  }

  /** Equal inputs, side by side at all. */
  public static CollectiveCall allgather(Elements input, Elements output) {
    return regular(Collective.ALLGATHER, 0, input, output, null);
  }

  /**
   * Inputs of any lengths to all.
   *
   * @param outputs where they go; the lengths are equal at all members
   */
  public static CollectiveCall allgatherv(Elements input, Elements output, Blocks outputs) {
    return irregular(
        Collective.ALLGATHER, 0, input, output, null, Objects.requireNonNull(outputs, "outputs"));
  }

  /** Equal blocks, the i-th to member i; from member i comes block i. */
  public static CollectiveCall alltoall(Elements input, Elements output) {
    return regular(Collective.ALLTOALL, 0, input, output, null);
  }

  /** Blocks of any lengths; block j of member i is as long as what j expects from i. */
  public static CollectiveCall alltoallv(
      Elements input, Blocks inputs, Elements output, Blocks outputs) {
    return irregular(
        Collective.ALLTOALL,
        0,
        input,
        output,
        Objects.requireNonNull(inputs, "inputs"),
        Objects.requireNonNull(outputs, "outputs"));
  }

  /** All inputs combined; equal blocks of the result, the i-th to member i. */
  public static CollectiveCall reduceScatterBlock(
      Elements input, Elements output, ReduceOp operator) {
    return regular(Collective.REDUCE_SCATTER, 0, input, output, operator);
  }

  /** The same with blocks of any lengths, which are equal at all members. */
  public static CollectiveCall reduceScatter(
      Elements input, Blocks inputs, Elements output, ReduceOp operator) {
    return new CollectiveCall(
        Collective.REDUCE_SCATTER,
        0,
        input,
        output,
        operator,
        Objects.requireNonNull(inputs, "inputs"),
        null,
        null,
        true);
  }

  /** The inputs of all members up to this one combined. */
  public static CollectiveCall scan(Elements input, Elements output, ReduceOp operator) {
    return regular(Collective.SCAN, 0, input, output, operator);
  }

  /** The inputs of all members before this one combined; rank 0's output is not touched. */
  public static CollectiveCall exscan(Elements input, Elements output, ReduceOp operator) {
    return regular(Collective.EXSCAN, 0, input, output, operator);
  }

  /** A block to each destination, and one from each source. */
  public static CollectiveCall neighbourExchange(
      Edges edges, Elements input, Blocks inputs, Elements output, Blocks outputs) {
    return new CollectiveCall(
        Collective.NEIGHBOUR_EXCHANGE, 0, input, output, null, inputs, outputs, edges, true);
  }

  /** The input to each destination, and one from each source, side by side in their order. */
  public static CollectiveCall neighbourAllgather(Edges edges, Elements input, Elements output) {
    int destinations = edges.destinations().size();
    int[] counts = new int[destinations];
    Arrays.fill(counts, input.count());
    Blocks same = Blocks.at(new int[destinations], counts);
    Blocks outputs = Blocks.equal(edges.sources().size(), input.count());
    return neighbourExchange(edges, input, same, output, outputs);
  }

  /** The same with its input copied if it shares memory with the output. */
  CollectiveCall apart() {
    return input.overlaps(output) ? withInput(input.copy()) : this;
  }

  private CollectiveCall withInput(Elements other) {
    return new CollectiveCall(
        collective, root, other, output, operator, inputs, outputs, edges, irregular);
  }

  /**
   * What an algorithm must know of it.
   *
   * @throws IllegalArgumentException if lengths do not fit
   */
  @InternalApi
  public Shape shape(int rank, int size) {
    Shape shape = blocks(rank, size);
    boolean atRoot = !collective.rooted() || rank == root;
    if (collective != Collective.SCATTER || atRoot) {
      requireRoom("input", input, inputNeeds(shape));
    }
    if (atRoot || collective == Collective.BROADCAST || collective == Collective.SCATTER) {
      requireRoom("output", output, outputNeeds(shape));
    }
    return shape;
  }

  private int inputNeeds(Shape shape) {
    return switch (collective) {
      case BARRIER, BROADCAST -> 0;
      default -> shape.inputs() == null ? shape.count() : shape.inputs().extent();
    };
  }

  private static int outputNeeds(Shape shape) {
    return shape.outputs() == null ? shape.count() : shape.outputs().extent();
  }

  private void requireRoom(String name, Elements elements, int needs) {
    if (irregular ? elements.count() < needs : elements.count() != needs) {
      throw new IllegalArgumentException(
          "count="
              + elements.count()
              + " of the "
              + name
              + (irregular ? " < " : " is not ")
              + needs
              + ", what "
              + collective.key()
              + " needs here");
    }
  }

  private Shape blocks(int rank, int size) {
    return switch (collective) {
      case BARRIER -> Shape.vector(rank, size, 0, 0);
      case BROADCAST -> Shape.vector(rank, size, root, output.count());
      case REDUCE, ALLREDUCE, SCAN, EXSCAN -> Shape.vector(rank, size, root, input.count());
      case GATHER ->
          irregular
              ? Shape.gatherv(rank, size, root, input.count(), outputs)
              : Shape.gather(rank, size, root, input.count());
      case SCATTER ->
          irregular
              ? Shape.scatterv(rank, size, root, output.count(), inputs)
              : Shape.scatter(rank, size, root, output.count());
      case ALLGATHER ->
          irregular
              ? Shape.allgatherv(rank, size, outputs)
              : Shape.allgather(rank, size, input.count());
      case ALLTOALL ->
          irregular
              ? Shape.alltoallv(rank, size, inputs, outputs)
              : Shape.alltoall(rank, size, blockOf(input, size));
      case REDUCE_SCATTER ->
          Shape.reduceScatter(
              rank, size, irregular ? inputs : Blocks.equal(size, blockOf(input, size)));
      case NEIGHBOUR_EXCHANGE -> Shape.neighbours(rank, size, edges, inputs, outputs);
    };
  }

  private static int blockOf(Elements elements, int size) {
    if (elements.count() % size != 0) {
      throw new IllegalArgumentException(
          "count="
              + elements.count()
              + " of the input is no multiple of ranks="
              + size
              + ", give each an equal block or use blocks of their own");
    }
    return elements.count() / size;
  }

  /** Bytes on which the choice of an algorithm may depend: equal at all members, -1 if unknown. */
  @InternalApi
  public long agreedBytes(Shape shape) {
    long elements =
        switch (collective) {
          case BARRIER -> 0;
          case GATHER, SCATTER, ALLTOALL -> irregular ? -1 : shape.count();
          case ALLGATHER -> shape.outputs().total() / shape.size();
          case REDUCE_SCATTER -> shape.inputs().total();
          case NEIGHBOUR_EXCHANGE -> -1;
          default -> shape.count();
        };
    return elements < 0 ? -1 : elements * input.kind().bytes();
  }
}
