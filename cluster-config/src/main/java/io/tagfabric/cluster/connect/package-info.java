/**
 * Which ranks of a job are connected at its start, and the files that say so. Start at {@link
 * io.tagfabric.cluster.connect.ConnectFile}.
 *
 * @source ibv-conduit README, GASNET_CONNECTFILE_IN, GASNET_CONNECTFILE_OUT
 */
@InternalApi
package io.tagfabric.cluster.connect;

import io.tagfabric.annotation.InternalApi;
