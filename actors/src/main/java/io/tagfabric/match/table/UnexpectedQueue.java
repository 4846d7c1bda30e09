package io.tagfabric.match.table;

import io.tagfabric.match.table.WaitingMessage.ExtraNode;
import io.tagfabric.tag.TagSelector;

/** The messages of a {@link MatchTable} that wait for a receive, in the order of arrival. */
final class UnexpectedQueue extends MatchQueue {
  /** Searches without use after which a table gives way to another class of receives. */
  private static final int MIN_IDLE_SEARCHES = 1024;

  private final long[] lastUse;

  /** The table whose nodes are the messages themselves, null if none; the others have extras. */
  private KeyTable inPlace;

  private WaitingMessage earliest;
  private WaitingMessage latest;
  private long searches;
  private long windowStart;
  private long staleSince;
  private long slowScans;

  UnexpectedQueue(int maxTables) {
    super(maxTables);
    lastUse = new long[maxTables];
  }

  void add(WaitingMessage message) {
    if (message.queue != null) {
      throw new IllegalStateException("queued=true, a message waits in one place at a time");
    }
    message.queue = this;
    message.stamp = nextStamp++;
    append(message);
    count++;
    if (indexed) {
      for (int i = 0; i < tableCount; i++) {
        insert(message, tables[i]);
      }
    } else if (count > LINEAR_DEPTH) {
      indexed = true;
      for (int i = 0; i < tableCount; i++) {
        insertAll(tables[i]);
      }
    }
  }

  /** Earliest arrived message that fits, or null; it stays. */
  WaitingMessage find(long tag, long ignore, int source) {
    boolean anySource = source == TagSelector.ANY_SOURCE;
    if (!indexed || (ignore == -1L && anySource)) {
      return findLinear(tag, ignore, source);
    }
    KeyTable table = tableOf(ignore, anySource);
    if (table == null) {
      slowScans++;
      return findLinear(tag, ignore, source);
    }
    MatchNode node = table.first(tag, source);
    if (node == null) {
      return null;
    }
    return table == inPlace ? (WaitingMessage) node : ((ExtraNode) node).message;
  }

  boolean remove(WaitingMessage message) {
    if (message.queue != this) {
      return false;
    }
    message.queue = null;
    unlink(message);
    count--;
    if (indexed) {
      removeFromTables(message);
      if (count == 0) {
        indexed = false;
        dropStaleTables();
      }
    }
    if (spares.tick()) {
      endWindow();
    }
    return true;
  }

  long slowScans() {
    return slowScans;
  }

  /** All messages in the order of arrival. */
  WaitingMessage[] snapshot() {
    WaitingMessage[] all = new WaitingMessage[count];
    int size = 0;
    for (WaitingMessage message = earliest; message != null; message = message.later) {
      all[size++] = message;
    }
    return all;
  }

  private WaitingMessage findLinear(long tag, long ignore, int source) {
    for (WaitingMessage message = earliest; message != null; message = message.later) {
      steps++;
      if (((message.tag ^ tag) & ~ignore) == 0
          && (source == TagSelector.ANY_SOURCE || source == message.source)) {
        return message;
      }
    }
    return null;
  }

  /** The table of this class of receives, made now if it has none; null if there are too many. */
  private KeyTable tableOf(long ignore, boolean anySource) {
    searches++;
    int serving = indexOf(ignore, anySource);
    if (serving >= 0) {
      lastUse[serving] = searches;
      return tables[serving];
    }
    if (tableCount == tables.length && !evictIdle()) {
      return null;
    }
    KeyTable table = spares.takeTable();
    table.assign(ignore, anySource);
    if (inPlace == null) {
      inPlace = table;
    }
    lastUse[tableCount] = searches;
    tables[tableCount++] = table;
    insertAll(table);
    return table;
  }

  /**
   * Frees the least recently used table. It must have idled for twice as many searches as the queue
   * is long, which pays for walking the queue.
   */
  private boolean evictIdle() {
    int victim = 0;
    for (int i = 1; i < tableCount; i++) {
      if (lastUse[i] < lastUse[victim]) {
        victim = i;
      }
    }
    if (searches - lastUse[victim] < Math.max(MIN_IDLE_SEARCHES, 2L * count)) {
      return false;
    }
    KeyTable table = tables[victim];
    for (WaitingMessage message = earliest; message != null; message = message.later) {
      steps++;
      if (table == inPlace) {
        table.remove(message);
      } else {
        removeExtra(message, table);
      }
    }
    spares.put(drop(victim));
    return true;
  }

  private void removeExtra(WaitingMessage message, KeyTable table) {
    ExtraNode before = null;
    ExtraNode node = message.extras;
    while (node.table != table) {
      before = node;
      node = node.sibling;
    }
    if (before == null) {
      message.extras = node.sibling;
    } else {
      before.sibling = node.sibling;
    }
    table.remove(node);
    spares.put(node);
  }

  private void endWindow() {
    staleSince = windowStart;
    windowStart = searches;
    if (!indexed) {
      dropStaleTables();
    }
    spares.endWindow(bucketsInUse());
  }

  /** Drops tables that no search used during the last window; all tables are empty now. */
  private void dropStaleTables() {
    for (int i = tableCount - 1; i >= 0; i--) {
      if (lastUse[i] <= staleSince) {
        drop(i);
      }
    }
  }

  private KeyTable drop(int index) {
    KeyTable table = tables[index];
    tableCount--;
    tables[index] = tables[tableCount];
    lastUse[index] = lastUse[tableCount];
    tables[tableCount] = null;
    if (table == inPlace) {
      inPlace = null;
    }
    steps += table.steps;
    table.steps = 0;
    return table;
  }

  private void insertAll(KeyTable table) {
    for (WaitingMessage message = earliest; message != null; message = message.later) {
      steps++;
      insert(message, table);
    }
  }

  private void insert(WaitingMessage message, KeyTable table) {
    if (table == inPlace) {
      table.add(message);
      return;
    }
    ExtraNode node = spares.takeNode();
    node.tag = message.tag;
    node.source = message.source;
    node.stamp = message.stamp;
    node.message = message;
    node.sibling = message.extras;
    message.extras = node;
    table.add(node);
  }

  private void removeFromTables(WaitingMessage message) {
    if (inPlace != null) {
      inPlace.remove(message);
    }
    ExtraNode node = message.extras;
    message.extras = null;
    while (node != null) {
      ExtraNode sibling = node.sibling;
      node.table.remove(node);
      spares.put(node);
      node = sibling;
    }
  }

  private void append(WaitingMessage message) {
    message.later = null;
    message.earlier = latest;
    if (latest == null) {
      earliest = message;
    } else {
      latest.later = message;
    }
    latest = message;
  }

  private void unlink(WaitingMessage message) {
    if (message.earlier == null) {
      earliest = message.later;
    } else {
      message.earlier.later = message.later;
    }
    if (message.later == null) {
      latest = message.earlier;
    } else {
      message.later.earlier = message.earlier;
    }
    message.later = null;
    message.earlier = null;
  }
}
