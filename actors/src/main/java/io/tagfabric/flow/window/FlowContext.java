package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.PassCount;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.trace.Recorder;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.TaggedArrivals;

/**
 * What the flows of one endpoint share.
 *
 * @param incarnation uid of this ActorSystem
 * @param endpoint number of the endpoint in it
 * @param isolation what packets of this job and partition carry until a peer proves another key
 * @param maxMessageBytes longest message that the endpoint takes
 * @param time of the domain's loop, which stands still in a pass
 * @param passes of the domain's loop
 * @param pool the domain's packets
 * @param writer the loop's frame writer
 * @param budget of the endpoint for unexpected messages
 * @param packets of the endpoint that may be under way
 * @param services the handlers of frames, by kind
 * @param arrivals takes messages that come by themselves
 * @param recorder of the loop
 * @param actives what active messages of the endpoint share
 */
@InternalApi
public record FlowContext(
    long incarnation,
    int endpoint,
    int isolation,
    long maxMessageBytes,
    TimeSource time,
    PassCount passes,
    PacketPool pool,
    FrameWriter writer,
    UnexpectedBudget budget,
    PacketBudget packets,
    FrameServices services,
    TaggedArrivals arrivals,
    Recorder recorder,
    ActiveShare actives) {
  public long nanoTime() {
    return time.nanoTime();
  }
}
