package io.tagfabric.bench.measure;

/** An end that can look at messages without taking them. */
public interface ProbingEnd extends TaggedEnd {
  /** Begins to look for a message with a label; {@link #await} counts the answer as a message. */
  void probe(int label);
}
