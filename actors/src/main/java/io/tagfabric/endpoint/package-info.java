/**
 * Endpoints: {@link io.tagfabric.endpoint.Endpoint} is what applications and actors hold, {@code
 * EndpointActor} the actor, {@code EndpointCore} its plain inside: the flows to all peers, their
 * set-up, and the long messages under way.
 *
 * <p>Read in the order of the data: {@code Endpoint}, {@code EndpointCore}, {@link
 * io.tagfabric.flow.Flow}, {@link io.tagfabric.wire}, {@link io.tagfabric.match.TagMatcher}, {@link
 * io.tagfabric.complete.CompletionQueue}. Source: libfabric fi_endpoint(3), fi_tagged(3).
 */
package io.tagfabric.endpoint;
