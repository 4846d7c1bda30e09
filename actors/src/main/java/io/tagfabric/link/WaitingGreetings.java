package io.tagfabric.link;

import io.tagfabric.progress.TimeSource;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;

/**
 * What an endpoint has to tell peers beside its flows, and what a channel had no room for: Hellos,
 * Welcomes, and that a flow has ended. They leave in the order in which they came here, as far as
 * their channels take them.
 *
 * <p>Nobody says when a channel has room, so a timer looks: at once often, then at doubling
 * distance while nothing leaves. A look ends after some refusals, and those refused go behind the
 * others, so that however many wait for one peer, a look costs little, and others have their turn.
 *
 * <p>Single threaded: the domain's loop.
 */
final class WaitingGreetings {
  /** A look ends with so many refusals. */
  static final int REFUSALS_PER_LOOK = 32;

  private static final long FIRST_LOOK_NS = 100_000L;
  private static final long MAX_LOOK_NS = 10_000_000L;

  private final EndpointTimers timers;
  private final TimeSource time;
  private final ArrayDeque<BooleanSupplier> waiting = new ArrayDeque<>();
  private long lookNs = FIRST_LOOK_NS;
  private boolean scheduled;

  WaitingGreetings(EndpointTimers timers, TimeSource time) {
    this.timers = timers;
    this.time = time;
  }

  /**
   * Offers something again until its channel takes it.
   *
   * @param word offers it; true if the channel has taken it, or there is no need any more
   */
  void add(BooleanSupplier word) {
    waiting.addLast(word);
    schedule();
  }

  private void schedule() {
    if (!scheduled && !waiting.isEmpty()) {
      scheduled = true;
      timers.schedule(time.nanoTime() + lookNs, this::look);
    }
  }

  private void look() {
    scheduled = false;
    int refused = 0;
    int all = waiting.size();
    int tried = 0;
    while (tried < all && refused < REFUSALS_PER_LOOK) {
      tried++;
      BooleanSupplier word = waiting.pollFirst();
      if (!word.getAsBoolean()) {
        refused++;
        waiting.addLast(word);
      }
    }
    lookNs = refused < tried ? FIRST_LOOK_NS : Math.min(2 * lookNs, MAX_LOOK_NS);
    schedule();
  }
}
