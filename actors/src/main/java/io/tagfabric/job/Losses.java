package io.tagfabric.job;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ranks of a job that are lost, and the listeners for losses. Thread: any. */
final class Losses {
  private static final Logger LOG = LoggerFactory.getLogger(Job.class);

  private final List<Integer> lost = new ArrayList<>();
  private final List<IntConsumer> listeners = new ArrayList<>();

  /** Adds a listener and tells it what is known. */
  void listen(IntConsumer listener) {
    List<Integer> known;
    synchronized (this) {
      listeners.add(listener);
      known = List.copyOf(lost);
    }
    known.forEach(rank -> tell(listener, rank));
  }

  /** Notes a loss and tells everybody. */
  void add(int rank) {
    List<IntConsumer> told;
    synchronized (this) {
      lost.add(rank);
      told = List.copyOf(listeners);
    }
    told.forEach(listener -> tell(listener, rank));
  }

  /** Those that are lost, each once, in order. */
  synchronized List<Integer> lost() {
    return lost.stream().distinct().sorted().toList();
  }

  private static void tell(IntConsumer listener, int rank) {
    try {
      listener.accept(rank);
    } catch (RuntimeException e) {
      LOG.warn("a listener failed at the loss of rank [{}]", rank, e);
    }
  }
}
