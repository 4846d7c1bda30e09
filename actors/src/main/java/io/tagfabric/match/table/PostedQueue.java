package io.tagfabric.match.table;

import io.tagfabric.tag.TagSelector;
import java.util.Arrays;

/** The receives of a {@link MatchTable} that wait for a message. */
public final class PostedQueue extends MatchQueue {
  private static final int FIRST_TABLES = 4;

  /** All receives in post order, while not indexed. */
  private MatchNode earliest;

  private MatchNode latest;

  /**
   * While not indexed: all take the same messages, so what the earliest does not take none does.
   */
  private boolean uniform;

  public PostedQueue() {
    super(FIRST_TABLES);
  }

  public void add(WaitingReceive receive) {
    if (receive.queue != null) {
      throw new IllegalStateException("posted=true, a receive waits in one place at a time");
    }
    receive.queue = this;
    receive.stamp = nextStamp++;
    count++;
    if (indexed) {
      tableOf(receive).add(receive);
    } else {
      uniform = latest == null || (uniform && takesTheSame((WaitingReceive) latest, receive));
      append(receive);
      if (count > LINEAR_DEPTH && !uniform) {
        index();
      }
    }
  }

  private static boolean takesTheSame(WaitingReceive one, WaitingReceive other) {
    return one.ignore == other.ignore
        && one.source == other.source
        && ((one.tag ^ other.tag) & ~one.ignore) == 0;
  }

  /** Earliest posted receive that fits, or null; it stays. */
  public WaitingReceive find(long tag, int source) {
    return indexed ? findIndexed(tag, source) : findLinear(tag, source);
  }

  public boolean remove(WaitingReceive receive) {
    if (receive.queue != this) {
      return false;
    }
    receive.queue = null;
    count--;
    if (indexed) {
      KeyTable table = receive.table;
      table.remove(receive);
      if (table.isEmpty()) {
        retire(table);
      }
      indexed = count > 0;
    } else {
      unlink(receive);
    }
    if (spares.tick()) {
      spares.endWindow(bucketsInUse());
    }
    return true;
  }

  /** All receives in post order. */
  WaitingReceive[] snapshot() {
    WaitingReceive[] all = new WaitingReceive[count];
    int size = 0;
    for (MatchNode node = earliest; node != null; node = node.next) {
      all[size++] = (WaitingReceive) node;
    }
    for (int i = 0; i < tableCount; i++) {
      size = tables[i].collect(all, size);
    }
    Arrays.sort(all, (a, b) -> Long.compare(a.stamp, b.stamp));
    return all;
  }

  private WaitingReceive findLinear(long tag, int source) {
    for (MatchNode node = earliest; node != null; node = node.next) {
      steps++;
      WaitingReceive receive = (WaitingReceive) node;
      if (((receive.tag ^ tag) & ~receive.ignore) == 0
          && (receive.source == source || receive.source == TagSelector.ANY_SOURCE)) {
        return receive;
      }
      if (uniform) {
        return null;
      }
    }
    return null;
  }

  private WaitingReceive findIndexed(long tag, int source) {
    MatchNode best = tables[0].first(tag, source);
    for (int i = 1; i < tableCount; i++) {
      MatchNode node = tables[i].first(tag, source);
      if (node != null && (best == null || node.stamp < best.stamp)) {
        best = node;
      }
    }
    return (WaitingReceive) best;
  }

  private void index() {
    MatchNode node = earliest;
    earliest = null;
    latest = null;
    indexed = true;
    while (node != null) {
      MatchNode following = node.next;
      tableOf((WaitingReceive) node).add(node);
      node = following;
    }
  }

  private KeyTable tableOf(WaitingReceive receive) {
    boolean anySource = receive.source == TagSelector.ANY_SOURCE;
    int serving = indexOf(receive.ignore, anySource);
    if (serving >= 0) {
      return tables[serving];
    }
    KeyTable table = spares.takeTable();
    table.assign(receive.ignore, anySource);
    if (tableCount == tables.length) {
      tables = Arrays.copyOf(tables, tableCount * 2);
    }
    table.position = tableCount;
    tables[tableCount++] = table;
    return table;
  }

  private void retire(KeyTable table) {
    KeyTable last = tables[--tableCount];
    tables[tableCount] = null;
    if (last != table) {
      tables[table.position] = last;
      last.position = table.position;
    }
    steps += table.steps;
    table.steps = 0;
    spares.put(table);
  }

  private void append(WaitingReceive receive) {
    receive.next = null;
    receive.previous = latest;
    if (latest == null) {
      earliest = receive;
    } else {
      latest.next = receive;
    }
    latest = receive;
  }

  private void unlink(WaitingReceive receive) {
    if (receive.previous == null) {
      earliest = receive.next;
    } else {
      receive.previous.next = receive.next;
    }
    if (receive.next == null) {
      latest = receive.previous;
    } else {
      receive.next.previous = receive.previous;
    }
    receive.next = null;
    receive.previous = null;
  }
}
