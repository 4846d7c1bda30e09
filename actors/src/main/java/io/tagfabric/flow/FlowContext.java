package io.tagfabric.flow;

import io.tagfabric.progress.TimeSource;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameWriter;

/**
 * What the flows of one endpoint share.
 *
 * @param incarnation uid of this ActorSystem
 * @param isolation hash of job key and partition key; packets with another are dropped
 * @param time the domain's time source
 * @param pool the domain's batches
 * @param writer the loop's frame writer
 * @param budget of the endpoint for unexpected messages
 * @param events the endpoint
 */
public record FlowContext(
    long incarnation,
    int isolation,
    TimeSource time,
    FrameBatchPool pool,
    FrameWriter writer,
    UnexpectedBudget budget,
    FlowEvents events) {
  long nanoTime() {
    return time.nanoTime();
  }
}
