package io.tagfabric.bench.measure;

import org.HdrHistogram.Histogram;

/** Something that sends messages to one that sleeps and can be measured. Thread: one. */
public interface WakeSubject {
  /**
   * Sends messages one by one, each after a silence and answered by one that has slept.
   *
   * @param bytes length of a message
   * @param gapNs silence before each message
   * @param spansNs gets the nanoseconds of each round trip, the silence aside
   */
  void run(int bytes, int count, long gapNs, Histogram spansNs);
}
