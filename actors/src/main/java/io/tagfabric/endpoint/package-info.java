/**
 * Endpoints: {@link io.tagfabric.endpoint.Endpoint} is what applications and actors hold. {@link
 * io.tagfabric.endpoint.EndpointAssembly} puts one together: plain parts first, of {@code link},
 * {@code receive}, {@code access} and {@code active}, then {@code EndpointActor}, the shell around
 * them.
 *
 * <p>May import {@code active}, {@code access}, {@code receive}, {@code link} and what these use.
 *
 * @source libfabric fi_endpoint(3), fi_tagged(3)
 */
package io.tagfabric.endpoint;
