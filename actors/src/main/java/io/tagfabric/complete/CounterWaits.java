package io.tagfabric.complete;

import io.tagfabric.error.FabricError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The waits for a counter, ordered by threshold, then by registration. Single threaded: the
 * domain's loop.
 */
final class CounterWaits {
  /** Hears once how its wait ended. It may register another wait meanwhile. */
  interface Waiter {
    /** The counter has reached the threshold. */
    void onReached(long value);

    /** It will not wait longer: AVAILABLE after an error, CANCELED after a close. */
    void onFailed(FabricError error);

    /** Whether it was taken back before it was registered. */
    default boolean isOver() {
      return false;
    }
  }

  /**
   * One that waits.
   *
   * @param heeds whether errors other than the known ones end its wait
   */
  private record Wait(
      long threshold, boolean heeds, long knownErrors, long number, Waiter waiter) {}

  private final PriorityQueue<Wait> waits =
      new PriorityQueue<>(Comparator.comparingLong(Wait::threshold).thenComparing(Wait::number));
  private final Runnable onOver;
  private long nextNumber;

  /**
   * No waits.
   *
   * @param onOver runs for each wait that is over, or taken back, before its waiter hears of it
   */
  CounterWaits(Runnable onOver) {
    this.onOver = onOver;
  }

  /** Registers a wait; {@link #check} ends it. */
  void add(long threshold, long knownErrors, Waiter waiter) {
    waits.add(new Wait(threshold, true, knownErrors, nextNumber++, waiter));
  }

  /** Registers a wait that no error ends. */
  void add(long threshold, Waiter waiter) {
    waits.add(new Wait(threshold, false, 0, nextNumber++, waiter));
  }

  /** Takes a wait back, which hears nothing then, unless it is over. */
  void remove(Waiter waiter) {
    if (waits.removeIf(wait -> wait.waiter() == waiter)) {
      onOver.run();
    }
  }

  /** The waiters whose waits no error ends, in order. */
  List<Waiter> heedless() {
    return waits.stream()
        .filter(wait -> !wait.heeds())
        .sorted(waits.comparator())
        .map(Wait::waiter)
        .toList();
  }

  /** How many wait. */
  int size() {
    return waits.size();
  }

  /** Ends the waits that are over: first those whose threshold is reached, then by errors. */
  void check(long value, long errors) {
    Wait first;
    while ((first = waits.peek()) != null && first.threshold() <= value) {
      waits.remove();
      onOver.run();
      first.waiter().onReached(value);
    }
    fail(FabricError.AVAILABLE, errors, false);
  }

  /** Ends all waits. */
  void close() {
    fail(FabricError.CANCELED, 0, true);
  }

  private void fail(FabricError error, long errors, boolean all) {
    List<Wait> over = new ArrayList<>();
    for (Wait wait : waits) {
      if (all || (wait.heeds() && wait.knownErrors() != errors)) {
        over.add(wait);
      }
    }
    if (!over.isEmpty()) {
      over.sort(waits.comparator());
      waits.removeAll(over);
      over.forEach(wait -> onOver.run());
      over.forEach(wait -> wait.waiter().onFailed(error));
    }
  }
}
