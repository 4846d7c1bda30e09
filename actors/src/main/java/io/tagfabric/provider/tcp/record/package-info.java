/**
 * What a connection carries: records ({@link io.tagfabric.provider.tcp.record.Records}), the stream
 * that they are written to and that outlives its sockets ({@link
 * io.tagfabric.provider.tcp.record.SendStream}), and where they are read ({@link
 * io.tagfabric.provider.tcp.record.Staging}). Bytes of long messages go to a {@link
 * io.tagfabric.provider.tcp.record.Place}. Nothing here knows of sockets or nodes.
 *
 * <p>May import {@code runtime} and {@code wire}, and Agrona.
 */
@InternalApi
package io.tagfabric.provider.tcp.record;

import io.tagfabric.annotation.InternalApi;
