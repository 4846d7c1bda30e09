package io.tagfabric.bench.measure;

import org.HdrHistogram.Histogram;

/** Something that moves messages and can be measured. Thread: one. */
public interface Subject {
  /** Its name, as in reports. */
  String name();

  /** How the frames travel. */
  String provider();

  /**
   * Moves messages and returns when the last has arrived.
   *
   * @param bytes length of a message
   * @param iterations round trips, or messages
   * @param spansNs gets the nanoseconds of each round trip, or of each stretch between two
   *     acknowledgements
   * @return nanoseconds of all together
   */
  long run(int bytes, int iterations, Histogram spansNs);
}
