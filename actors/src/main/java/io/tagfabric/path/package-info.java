/**
 * Several roads to one peer. {@link io.tagfabric.path.PathChannel} is a channel made of channels;
 * {@link io.tagfabric.path.PathSelector} chooses among them as a {@link
 * io.tagfabric.path.PathPolicy} says. Packets of one road keep their order and may overtake those
 * of another; the flow above puts them in sequence again.
 *
 * <p>Plain Java; never imports Akka.
 */
@InternalApi
package io.tagfabric.path;

import io.tagfabric.annotation.InternalApi;
