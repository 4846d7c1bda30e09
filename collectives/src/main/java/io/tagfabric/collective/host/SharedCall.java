package io.tagfabric.collective.host;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;

/**
 * A call of one member, as the memory of one host carries it: all blocks have equal lengths.
 *
 * @param signature a hash of what the member has called, of which this may be a part; equal at all
 *     members
 * @param collective what is done here
 * @param operator null if nothing is combined
 */
public record SharedCall(
    long signature,
    Collective collective,
    Shape shape,
    Elements input,
    Elements output,
    ReduceOp operator) {

  /** Elements of the vector, or of a block. */
  int count() {
    return collective == Collective.REDUCE_SCATTER
        ? shape.inputs().length(shape.rank())
        : shape.count();
  }
}
