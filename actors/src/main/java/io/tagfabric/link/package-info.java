/**
 * What brings an endpoint's messages to its peers: flows and who has them, set-up, notes, the end.
 * {@code EndpointCore} is the plain inside, {@code ArrivalDesk} takes all that comes, {@code
 * EndpointLife} leads from the opening to the end.
 *
 * <p>Read in the order of the data: {@code DirectSends}, {@code EndpointCore}, {@link
 * io.tagfabric.flow.Flow}, {@link io.tagfabric.wire}, {@code ArrivalDesk}. Programs use {@link
 * io.tagfabric.link.send.SendOptions}, {@link io.tagfabric.link.Posted}, {@link
 * io.tagfabric.link.send.SendListener}, {@link io.tagfabric.link.ConnectPolicy} and the settings.
 *
 * <p>May import {@code address}, {@code cluster.job}, {@code cluster.settings}, {@code complete},
 * {@code error}, {@code flow}, {@code flow.send}, {@code flow.window}, {@code link.send}, {@code
 * match}, {@code memory}, {@code path}, {@code progress}, {@code provider}, {@code runtime}, {@code
 * trace}, {@code wire} and {@code wire.sbe}.
 */
package io.tagfabric.link;
