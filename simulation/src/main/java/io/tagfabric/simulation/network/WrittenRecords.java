package io.tagfabric.simulation.network;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * What the nodes of a host have written into the memory of one of them and what it has not read:
 * the records of a sender arrive once each, in their order. Thread: the simulation's.
 */
final class WrittenRecords {
  private record Written(int type, int length) {}

  private final Map<Integer, Deque<Written>> unread = new HashMap<>();

  private Deque<Written> of(int from) {
    return unread.computeIfAbsent(from, node -> new ArrayDeque<>());
  }

  /** A sender begins to commit a record. */
  void writes(int from, int type, int length) {
    of(from).add(new Written(type, length));
  }

  /**
   * A record has arrived.
   *
   * @throws IllegalStateException if it is not the next that its sender wrote
   */
  void arrived(int from, int type, int length) {
    Written next = of(from).poll();
    if (next == null || next.type != type || next.length != length) {
      throw new IllegalStateException(
          "a record of type "
              + type
              + " and length "
              + length
              + " from "
              + from
              + " arrives, written was "
              + next);
    }
  }

  /**
   * A sender is gone and all it wrote counts as read.
   *
   * @param killed it may have been in the midst of its last commit
   * @throws IllegalStateException if something is not read
   */
  void gone(int from, boolean killed) {
    int left = of(from).size();
    unread.remove(from);
    if (left > (killed ? 1 : 0)) {
      throw new IllegalStateException(
          "node " + from + " counts as read to the end, " + left + " of its records are not");
    }
  }
}
