package io.tagfabric.actor;

import io.tagfabric.actor.twin.FabricRef;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The twins of one road by what Akka writes for them: one for each as long as somebody has it.
 * Thread: any.
 */
final class RoadTwins {
  private static final class Entry extends WeakReference<FabricRef> {
    private final String text;
    private final long order;
    private volatile int number;

    Entry(FabricRef twin, ReferenceQueue<FabricRef> unused, long order) {
      super(twin, unused);
      text = twin.text();
      this.order = order;
    }

    long order() {
      return order;
    }
  }

  private final Map<String, Entry> twins = new ConcurrentHashMap<>();
  private final ReferenceQueue<FabricRef> unused = new ReferenceQueue<>();
  private final IntConsumer released;
  private final AtomicInteger numbered = new AtomicInteger();
  private final AtomicLong entered = new AtomicLong();

  /** Those of a road, which is told of numbers that nobody uses any more. */
  RoadTwins(IntConsumer released) {
    this.released = released;
  }

  /** The twin of a text; null if there is none. */
  FabricRef find(String text) {
    Entry known = twins.get(text);
    return known == null ? null : known.get();
  }

  /** Enters a twin unless there is another than this one; the one that there is then. */
  FabricRef enter(FabricRef made, FabricRef before) {
    releaseUnused();
    Entry entry = new Entry(made, unused, entered.getAndIncrement());
    while (true) {
      Entry known = twins.get(entry.text);
      FabricRef twin = known == null ? null : known.get();
      if (twin != null && !known.refersTo(before)) {
        return twin;
      }
      if (known == null
          ? twins.putIfAbsent(entry.text, entry) == null
          : twins.replace(entry.text, known, entry)) {
        return made;
      }
    }
  }

  /** Gives out those that are in use, in the order in which they were entered. */
  void forEach(Consumer<FabricRef> action) {
    twins.values().stream()
        .sorted(Comparator.comparingLong(Entry::order))
        .map(Entry::get)
        .filter(Objects::nonNull)
        .forEach(action);
  }

  /** The peer knows a twin by a number, which must be released. */
  void numbered(FabricRef twin, int number) {
    Entry entry = twins.get(twin.text());
    if (entry != null && entry.refersTo(twin)) {
      if (entry.number == 0) {
        numbered.incrementAndGet();
      }
      entry.number = number;
    }
  }

  /** Whether the peer knows any of them by a number. */
  boolean hasNumbered() {
    return numbered.get() > 0;
  }

  /** Releases the numbers of twins that nobody has any more. */
  void releaseUnused() {
    for (Reference<? extends FabricRef> gone = unused.poll(); gone != null; gone = unused.poll()) {
      Entry entry = (Entry) gone;
      twins.remove(entry.text, entry);
      if (entry.number > 0) {
        numbered.decrementAndGet();
        released.accept(entry.number);
      }
    }
  }
}
