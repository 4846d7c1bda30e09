package io.tagfabric.match.table;

import io.tagfabric.match.table.WaitingMessage.ExtraNode;
import java.util.Arrays;

/**
 * Hash tables and nodes that a queue does not need now. Those that stay unused for a whole window
 * of removals are dropped, so repeated bursts allocate nothing and the memory of the last one goes.
 */
final class SpareParts {
  private static final int MIN_WINDOW = 256;

  private KeyTable[] tables = new KeyTable[4];
  private int tableCount;
  private int unusedTables;

  private ExtraNode nodes;
  private int nodeCount;
  private int unusedNodes;
  private int nodesInUse;

  private long ticks;
  private long window = MIN_WINDOW;

  /** A table without nodes, to be assigned a class. */
  KeyTable takeTable() {
    if (tableCount == 0) {
      return new KeyTable();
    }
    KeyTable table = tables[--tableCount];
    tables[tableCount] = null;
    unusedTables = Math.min(unusedTables, tableCount);
    return table;
  }

  void put(KeyTable table) {
    if (tableCount == tables.length) {
      tables = Arrays.copyOf(tables, tableCount * 2);
    }
    tables[tableCount++] = table;
  }

  ExtraNode takeNode() {
    nodesInUse++;
    ExtraNode node = nodes;
    if (node == null) {
      return new ExtraNode();
    }
    nodes = node.sibling;
    node.sibling = null;
    nodeCount--;
    unusedNodes = Math.min(unusedNodes, nodeCount);
    return node;
  }

  void put(ExtraNode node) {
    node.message = null;
    node.sibling = nodes;
    nodes = node;
    nodeCount++;
    nodesInUse--;
  }

  /** Counts one removal from the queue; true at the end of a window. */
  boolean tick() {
    return ++ticks >= window;
  }

  /**
   * Drops what nobody took during the window that ends now. The next one is long enough for the
   * queue to drain and swell again, and to pay for building anew what is dropped too early.
   */
  void endWindow(int bucketsInUse) {
    dropUnused();
    ticks = 0;
    window = Math.max(MIN_WINDOW, size() + nodesInUse + bucketsInUse);
  }

  /** Buckets and nodes kept. */
  int size() {
    int size = nodeCount;
    for (int i = 0; i < tableCount; i++) {
      size += tables[i].capacity();
    }
    return size;
  }

  private void dropUnused() {
    // Tables are taken from the top, so the unused ones lie at the bottom.
    int kept = tableCount - unusedTables;
    System.arraycopy(tables, unusedTables, tables, 0, kept);
    Arrays.fill(tables, kept, tableCount, null);
    tableCount = kept;
    for (int i = 0; i < unusedNodes; i++) {
      nodes = nodes.sibling;
    }
    nodeCount -= unusedNodes;

    unusedTables = tableCount;
    unusedNodes = nodeCount;
  }
}
