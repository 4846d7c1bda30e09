package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;

/**
 * What waits to leave by a flow at one moment, and what may leave before the peer grants more.
 *
 * @param waitingSends sends that wait for the flow, for credit or for their turn
 * @param creditMessages messages that may be sent or announced
 * @param creditBytes bytes that the peer would keep for them
 */
@InternalApi
public record SendBacklog(int waitingSends, long creditMessages, long creditBytes) {}
