package io.tagfabric.collective;

import akka.Done;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.schedule.Blocks;
import java.util.concurrent.CompletionStage;

/**
 * The collectives of a team. Each is short for {@link #start} of a {@link CollectiveCall}, whose
 * methods say what members pass and get; threads, completion and errors are those of {@code start}.
 *
 * @source MPI-4.1 chapter 6
 */
public interface TeamCollectives {
  /**
   * Starts any collective.
   *
   * @return completes when this member has its result and may use all memory of the call again
   * @throws IllegalArgumentException if lengths do not fit, the operator does not combine the kind,
   *     or an algorithm is forced that cannot do the call
   */
  CompletionStage<CollectiveCompletion> start(CollectiveCall call);

  /** Completes when all members have called it. */
  default CompletionStage<Done> barrier() {
    return start(CollectiveCall.barrier()).thenApply(notUsed -> Done.getInstance());
  }

  /** As {@link CollectiveCall#broadcast}. */
  default CompletionStage<CollectiveCompletion> broadcast(Elements data, int root) {
    return start(CollectiveCall.broadcast(data, root));
  }

  /** As {@link CollectiveCall#reduce}. */
  default CompletionStage<CollectiveCompletion> reduce(
      Elements input, Elements output, ReduceOp operator, int root) {
    return start(CollectiveCall.reduce(input, output, operator, root));
  }

  /** As {@link CollectiveCall#allreduce}. */
  default CompletionStage<CollectiveCompletion> allreduce(
      Elements input, Elements output, ReduceOp operator) {
    return start(CollectiveCall.allreduce(input, output, operator));
  }

  /** Allreduce in place. */
  default CompletionStage<CollectiveCompletion> allreduce(Elements data, ReduceOp operator) {
    return allreduce(data, data, operator);
  }

  /** Allreduce of doubles; completes with the result. */
  default CompletionStage<double[]> allreduce(double[] values, ReduceOp operator) {
    Elements data = Elements.of(values);
    return allreduce(data, operator).thenApply(notUsed -> data.doubles());
  }

  /** Allreduce of longs; completes with the result. */
  default CompletionStage<long[]> allreduce(long[] values, ReduceOp operator) {
    Elements data = Elements.of(values);
    return allreduce(data, operator).thenApply(notUsed -> data.longs());
  }

  /** As {@link CollectiveCall#gather}. */
  default CompletionStage<CollectiveCompletion> gather(Elements input, Elements output, int root) {
    return start(CollectiveCall.gather(input, output, root));
  }

  /** As {@link CollectiveCall#gatherv}. */
  default CompletionStage<CollectiveCompletion> gatherv(
      Elements input, Elements output, Blocks outputs, int root) {
    return start(CollectiveCall.gatherv(input, output, outputs, root));
  }

  /** As {@link CollectiveCall#scatter}. */
  default CompletionStage<CollectiveCompletion> scatter(Elements input, Elements output, int root) {
    return start(CollectiveCall.scatter(input, output, root));
  }

  /** As {@link CollectiveCall#scatterv}. */
  default CompletionStage<CollectiveCompletion> scatterv(
      Elements input, Blocks inputs, Elements output, int root) {
    return start(CollectiveCall.scatterv(input, inputs, output, root));
  }

  /** As {@link CollectiveCall#allgather}. */
  default CompletionStage<CollectiveCompletion> allgather(Elements input, Elements output) {
    return start(CollectiveCall.allgather(input, output));
  }

  /** As {@link CollectiveCall#allgatherv}. */
  default CompletionStage<CollectiveCompletion> allgatherv(
      Elements input, Elements output, Blocks outputs) {
    return start(CollectiveCall.allgatherv(input, output, outputs));
  }

  /** As {@link CollectiveCall#alltoall}. */
  default CompletionStage<CollectiveCompletion> alltoall(Elements input, Elements output) {
    return start(CollectiveCall.alltoall(input, output));
  }

  /** As {@link CollectiveCall#alltoallv}. */
  default CompletionStage<CollectiveCompletion> alltoallv(
      Elements input, Blocks inputs, Elements output, Blocks outputs) {
    return start(CollectiveCall.alltoallv(input, inputs, output, outputs));
  }

  /** As {@link CollectiveCall#reduceScatterBlock}. */
  default CompletionStage<CollectiveCompletion> reduceScatterBlock(
      Elements input, Elements output, ReduceOp operator) {
    return start(CollectiveCall.reduceScatterBlock(input, output, operator));
  }

  /** As {@link CollectiveCall#reduceScatter}. */
  default CompletionStage<CollectiveCompletion> reduceScatter(
      Elements input, Blocks inputs, Elements output, ReduceOp operator) {
    return start(CollectiveCall.reduceScatter(input, inputs, output, operator));
  }

  /** As {@link CollectiveCall#scan}. */
  default CompletionStage<CollectiveCompletion> scan(
      Elements input, Elements output, ReduceOp operator) {
    return start(CollectiveCall.scan(input, output, operator));
  }

  /** As {@link CollectiveCall#exscan}. */
  default CompletionStage<CollectiveCompletion> exscan(
      Elements input, Elements output, ReduceOp operator) {
    return start(CollectiveCall.exscan(input, output, operator));
  }

  /** As {@link CollectiveCall#neighbourExchange}. */
  default CompletionStage<CollectiveCompletion> neighbourExchange(
      Edges edges, Elements input, Blocks inputs, Elements output, Blocks outputs) {
    return start(CollectiveCall.neighbourExchange(edges, input, inputs, output, outputs));
  }

  /** As {@link CollectiveCall#neighbourAllgather}. */
  default CompletionStage<CollectiveCompletion> neighbourAllgather(
      Edges edges, Elements input, Elements output) {
    return start(CollectiveCall.neighbourAllgather(edges, input, output));
  }
}
