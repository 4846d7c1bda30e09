package io.tagfabric.memory;

import io.tagfabric.complete.Completion;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** Who hears of the signals of a region until it has closed. Thread: any. */
final class RegionWatchers {
  private final long key;
  private final ConcurrentMap<Object, Consumer<Region.Answer>> watchers = new ConcurrentHashMap<>();
  private volatile boolean closed;

  RegionWatchers(long key) {
    this.key = key;
  }

  /**
   * Another.
   *
   * @param id whoever it is: adding the same twice is adding it once
   */
  void add(Consumer<Region.Answer> watcher, Object id) {
    watchers.put(id, watcher);
    if (closed) {
      tellClosed(id);
    }
  }

  int count() {
    return watchers.size();
  }

  void remove(Object id) {
    watchers.remove(id);
  }

  /** A write with a signal is there. */
  void tell(Completion.AccessedByPeer access) {
    watchers.values().forEach(each -> each.accept(new Region.Accessed(access)));
  }

  /** No byte changes any more. */
  void close() {
    closed = true;
    watchers.keySet().forEach(this::tellClosed);
  }

  private void tellClosed(Object id) {
    Consumer<Region.Answer> watcher = watchers.remove(id);
    if (watcher != null) {
      watcher.accept(new Region.Closed(key));
    }
  }
}
