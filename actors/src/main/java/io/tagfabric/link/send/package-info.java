/**
 * One send, from what a program says to its end: {@link io.tagfabric.link.send.TaggedSend}
 * describes it, {@link io.tagfabric.link.send.SendOperation} is what a flow carries, {@link
 * io.tagfabric.link.send.SendCompletions} ends it.
 *
 * <p>May import {@code complete}, {@code error}, {@code flow.send}, {@code match}, {@code
 * progress}, {@code tag} and {@code wire}.
 */
package io.tagfabric.link.send;
