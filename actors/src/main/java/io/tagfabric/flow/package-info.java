/**
 * The ordered, reliable, credited stream from one endpoint to another: {@link
 * io.tagfabric.flow.Flow}, made of a {@link io.tagfabric.flow.SendWindow} and a {@link
 * io.tagfabric.flow.ReceiveWindow}.
 *
 * <p>Plain Java, single threaded, time passed in; never imports Akka. Source: the reliability
 * service of libfabric's opx provider (fi_opx(7)) and PSM's eager and rendezvous protocols.
 */
package io.tagfabric.flow;
