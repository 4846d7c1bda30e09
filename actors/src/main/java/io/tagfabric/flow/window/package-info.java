/**
 * What may be under way between two endpoints, and what keeps count of it: {@link
 * io.tagfabric.flow.window.SendWindow} has the packets that the peer has not acknowledged, {@link
 * io.tagfabric.flow.window.ReceiveWindow} those that came too early, {@link
 * io.tagfabric.flow.window.OwedToPeer} the acknowledgements and credits that the peer waits for.
 * {@link io.tagfabric.flow.window.PacketOutbox} puts all of it into the headers of the packets that
 * leave.
 *
 * <p>May import {@code address}, {@code cluster.settings}, {@code progress}, {@code provider},
 * {@code trace}, {@code wire} and {@code wire.sbe}.
 *
 * @source fi_opx(7), FI_OPX_RELIABILITY settings
 */
package io.tagfabric.flow.window;
