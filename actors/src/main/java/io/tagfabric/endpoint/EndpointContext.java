package io.tagfabric.endpoint;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.flow.FlowSettings;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.wire.FrameBatchPool;
import java.util.function.Predicate;

/**
 * What the parts of one endpoint share.
 *
 * @param identity who it is
 * @param addresses the domain's peers
 * @param wires its providers
 * @param settings of its flows
 * @param pool the domain's batches
 * @param timers of the domain's loop
 * @param time the domain's time source
 * @param knownAlive whether membership says that an address's node is reachable
 */
record EndpointContext(
    EndpointIdentity identity,
    AddressTable addresses,
    WireTable wires,
    FlowSettings settings,
    FrameBatchPool pool,
    LoopTimers timers,
    TimeSource time,
    Predicate<EndpointAddress> knownAlive) {}
