/**
 * The sending side of a flow: what waits, and in which order it leaves. {@link
 * io.tagfabric.flow.send.SendScheduler} takes from the queues in turn, {@link
 * io.tagfabric.flow.send.MessageSender} has messages and accesses, {@link
 * io.tagfabric.flow.send.RendezvousSender} the bytes of long ones.
 *
 * <p>May import {@code address}, {@code complete}, {@code error}, {@code flow.window}, {@code
 * provider}, {@code trace}, {@code wire} and {@code wire.sbe}.
 *
 * @source PSM3 eager, RTS/CTS rendezvous
 */
package io.tagfabric.flow.send;
