package io.tagfabric.bench.measure;

import java.util.Optional;

/**
 * One figure that a comparison wants.
 *
 * @param metric what is measured
 * @param size bytes of a message, or the depth at which messages match
 * @param window messages under way, of a stream; microseconds of silence before each message, of
 *     wake-ups
 */
public record Cell(Metric metric, int size, int window) {
  /** The cell as a peer's program gets it. */
  public String toWord() {
    return metric + ":" + size + ":" + window;
  }

  static Optional<Cell> parse(String word) {
    String[] parts = word.split(":", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    return Metric.find(parts[0])
        .map(metric -> new Cell(metric, Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
  }

  @Override
  public String toString() {
    return metric + " " + size;
  }
}
