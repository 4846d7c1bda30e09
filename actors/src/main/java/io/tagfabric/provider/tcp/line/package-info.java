/**
 * What the bytes of a connection go by: {@link io.tagfabric.provider.tcp.line.Line} is a socket as
 * it is, or TLS over it, and {@link io.tagfabric.provider.tcp.line.Poller} knows which sockets are
 * read when. Nothing here knows of records or peers.
 *
 * <p>May import {@code progress} and {@code provider}, and, for the engines of its remoting, Akka.
 */
@InternalApi
package io.tagfabric.provider.tcp.line;

import io.tagfabric.annotation.InternalApi;
