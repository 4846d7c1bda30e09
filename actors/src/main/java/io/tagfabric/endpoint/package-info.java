/**
 * Endpoints: {@link io.tagfabric.endpoint.Endpoint} is what applications and actors hold. {@link
 * io.tagfabric.endpoint.EndpointAssembly} puts one together: plain parts first, {@code
 * EndpointCore} for sends and peers, {@code ArrivalDesk} for all that comes, {@code EndpointLife}
 * for the end; then {@code EndpointActor}, the shell around them.
 *
 * <p>Read in the order of the data: {@code Endpoint}, {@code DirectSends}, {@code EndpointCore},
 * {@link io.tagfabric.flow.Flow}, {@link io.tagfabric.wire}, {@code ArrivalDesk}, {@link
 * io.tagfabric.match.ReceiveCore}, {@link io.tagfabric.complete.CompletionQueue}. Source: libfabric
 * fi_endpoint(3), fi_tagged(3).
 */
package io.tagfabric.endpoint;
