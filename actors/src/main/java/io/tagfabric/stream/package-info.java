/**
 * Tagged messages as Akka Streams: {@link io.tagfabric.stream.TagfabricStreams} makes sources,
 * sinks and flows over an endpoint.
 *
 * <p>Imports the endpoint's public faces, the values that these speak of, and Akka Streams. Source:
 * Reactive Streams 1.0.4 (demand); libfabric fi_tagged(3).
 */
package io.tagfabric.stream;
