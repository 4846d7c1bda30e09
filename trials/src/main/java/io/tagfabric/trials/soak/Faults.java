package io.tagfabric.trials.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Faults as a person gives them: {@code drop=1%,reorder=2%}.
 *
 * @param values value of each setting below {@code tagfabric.faults}
 */
record Faults(Map<String, String> values) {
  public static final Faults NONE = new Faults(Map.of());

  private static final List<String> NAMES =
      List.of("drop", "duplicate", "delay", "reorder", "delay-time");

  Faults {
    values = new TreeMap<>(values);
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if a part is no fault
   */
  static Faults parse(String text) {
    Map<String, String> values = new TreeMap<>();
    for (String part : text.split(",")) {
      String[] sides = part.split("=", 2);
      String name = sides[0].strip();
      if (sides.length < 2 || !NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "'" + part + "' is no fault, give some of " + NAMES + " with values, as drop=1%");
      }
      values.put(name, sides[1].strip());
    }
    return new Faults(values);
  }

  /** As settings, with a seed. */
  Map<String, Object> settings(int seed) {
    Map<String, Object> settings = new TreeMap<>();
    values.forEach((name, value) -> settings.put("tagfabric.faults." + name, value));
    settings.put("tagfabric.faults.seed", seed);
    return settings;
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    values.forEach((name, value) -> words.add(name + "=" + value));
    return words.isEmpty() ? "none" : String.join(",", words);
  }
}
