package io.tagfabric.match.table;

/**
 * What hash tables and lists link; a posted receive and an unexpected message are nodes themselves,
 * so that queueing one allocates nothing.
 */
abstract class MatchNode {
  long tag;
  int source;

  /** Order of posting or of arrival. */
  long stamp;

  /** The table that holds the node, null while it is in none. */
  KeyTable table;

  /**
   * Neighbours in the first-in-first-out queue of one key (or of everything, while there are few).
   * In a key's queue the first node's {@code previous} is the last node.
   */
  MatchNode next;

  MatchNode previous;

  /** Next key in the same hash bucket; only the first node of a key's queue is in a bucket. */
  MatchNode nextKey;
}
