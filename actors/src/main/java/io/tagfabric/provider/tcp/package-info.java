/**
 * The provider over TCP, to this host and others: {@link io.tagfabric.provider.tcp.TcpProvider} is
 * the entry.
 *
 * <p>Each domain has a {@link io.tagfabric.provider.tcp.TcpNode} that listens. Two nodes have one
 * connection, {@link io.tagfabric.provider.tcp.TcpPeer}, made by the side that sends first, which
 * all their endpoints share. Before the first record both prove the job's key: {@link
 * io.tagfabric.provider.tcp.Proof}.
 *
 * <p>What is sent is a stream that outlives its socket: bytes are counted, confirmed, and sent
 * again at the next socket if the first one breaks ({@link io.tagfabric.provider.tcp.TcpTraffic}
 * over {@code provider.tcp.record}). So flows over it keep no copies.
 *
 * <p>Where Akka's remoting is encrypted so is the connection, below the stream ({@code
 * provider.tcp.line}).
 *
 * <p>May import {@code address}, {@code cluster.job}, {@code cluster.settings}, {@code error},
 * {@code progress}, {@code provider}, {@code provider.tcp.line}, {@code provider.tcp.record},
 * {@code runtime} and {@code wire}, Agrona and, to ask how remoting is configured and for its
 * engines, Akka.
 */
@InternalApi
package io.tagfabric.provider.tcp;

import io.tagfabric.annotation.InternalApi;
