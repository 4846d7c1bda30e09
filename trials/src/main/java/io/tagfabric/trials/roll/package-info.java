/**
 * {@code tagfabric roll}: replaces the nodes of an Akka cluster one after the other while they
 * exchange messages, and accounts for each message. {@link io.tagfabric.trials.roll.RollCommand} is
 * the entry; a node runs {@link io.tagfabric.trials.roll.RollNode} and keeps a {@link
 * io.tagfabric.trials.roll.Book}, and a {@link io.tagfabric.trials.roll.Ledger} compares the books
 * of all nodes.
 */
package io.tagfabric.trials.roll;
