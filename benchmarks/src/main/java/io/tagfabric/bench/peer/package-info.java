/**
 * Peers written in Java, each as somebody who knows it well would use it: raw Aeron and JGroups.
 * Two processes of a program here play a {@link io.tagfabric.bench.measure.Workload} with ends of
 * their own; nothing of Tagfabric moves a message.
 *
 * <p>Entry: {@link io.tagfabric.bench.peer.AeronPeer}, {@link io.tagfabric.bench.peer.JGroupsPeer}.
 */
package io.tagfabric.bench.peer;
