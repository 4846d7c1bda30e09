/**
 * Tagged messages as Akka Streams: {@link io.tagfabric.stream.TagfabricStreams} makes sources,
 * sinks and flows over an endpoint.
 *
 * <p>May import {@code complete}, {@code endpoint}, {@code error}, {@code link}, {@code link.send},
 * {@code match} and {@code tag}, and Akka Streams. Source: Reactive Streams 1.0.4 (demand);
 * libfabric fi_tagged(3).
 */
package io.tagfabric.stream;
