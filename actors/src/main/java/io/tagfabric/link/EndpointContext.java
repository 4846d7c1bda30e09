package io.tagfabric.link;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.UnexpectedBudget;
import io.tagfabric.progress.PassCount;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.NodeStatus;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.trace.Recorder;
import io.tagfabric.wire.PacketPool;
import java.util.function.Function;

/**
 * What the parts of one endpoint share.
 *
 * @param identity its address, job and partition
 * @param addresses the domain's peers
 * @param wires its providers
 * @param settings of its flows
 * @param active limits of its active messages
 * @param budget of the bytes that may wait for its receives
 * @param maxMessageBytes longest message that it takes, -1 if it takes none
 * @param datagrams whether programs send datagrams
 * @param onConnect decides about peers that say hello
 * @param pool the domain's packets
 * @param timers of the domain's loop
 * @param time of the domain's loop, which stands still in a pass
 * @param passes of the domain's loop
 * @param random makes nonces and the number of the first flow
 * @param nodes what the membership says of an address's node
 * @param log for people
 * @param recorder of the loop
 */
@InternalApi
public record EndpointContext(
    EndpointIdentity identity,
    AddressTable addresses,
    WireTable wires,
    FlowSettings settings,
    ActiveSettings active,
    UnexpectedBudget budget,
    long maxMessageBytes,
    boolean datagrams,
    ConnectPolicy onConnect,
    PacketPool pool,
    EndpointTimers timers,
    TimeSource time,
    PassCount passes,
    RandomSource random,
    Function<EndpointAddress, NodeStatus> nodes,
    EndpointLog log,
    Recorder recorder) {}
