package io.tagfabric.match.table;

/**
 * What both queues of a {@link MatchTable} have in common: entries with stamps in the order they
 * came, compared one by one while they are few, and beyond that a hash table for each class of
 * receives.
 */
abstract class MatchQueue {
  /**
   * Up to this many are compared one by one. Beyond, they are hashed until the queue empties,
   * unless they are all alike.
   */
  static final int LINEAR_DEPTH = 16;

  final SpareParts spares = new SpareParts();
  KeyTable[] tables;
  int tableCount;
  boolean indexed;
  public int count;
  long nextStamp;

  /** Nodes looked at so far, but for those of the tables in use. */
  public long steps;

  MatchQueue(int tables) {
    this.tables = new KeyTable[tables];
  }

  public final int count() {
    return count;
  }

  final int tableCount() {
    return tableCount;
  }

  final long nextStamp() {
    return nextStamp;
  }

  /** Nodes looked at so far. */
  public final long steps() {
    long sum = steps;
    for (int i = 0; i < tableCount; i++) {
      sum += tables[i].steps;
    }
    return sum;
  }

  /** Buckets and spare nodes kept. */
  final int retained() {
    return spares.size() + bucketsInUse();
  }

  final int bucketsInUse() {
    int sum = 0;
    for (int i = 0; i < tableCount; i++) {
      sum += tables[i].capacity();
    }
    return sum;
  }

  /** Index of the table of a class of receives, -1 if it has none. */
  final int indexOf(long ignore, boolean anySource) {
    for (int i = 0; i < tableCount; i++) {
      if (tables[i].serves(ignore, anySource)) {
        return i;
      }
    }
    return -1;
  }
}
