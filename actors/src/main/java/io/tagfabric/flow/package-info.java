/**
 * The ordered, reliable, credited stream from one endpoint to another: {@link
 * io.tagfabric.flow.Flow}, made of a sending side, {@code flow.send}, and of the windows of both
 * directions, {@code flow.window}. What comes is taken here.
 *
 * <p>Plain Java, single threaded, time passed in; never imports Akka. May import {@code address},
 * {@code error}, {@code flow.send}, {@code flow.window}, {@code progress}, {@code provider}, {@code
 * trace}, {@code wire} and {@code wire.sbe}. Source: the reliability service of libfabric's opx
 * provider (fi_opx(7)) and PSM's eager and rendezvous protocols.
 */
package io.tagfabric.flow;
