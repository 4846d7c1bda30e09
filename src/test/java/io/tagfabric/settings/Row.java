package io.tagfabric.settings;

import java.util.function.Function;

/**
 * What one key of the reference configuration does.
 *
 * @param key without {@code tagfabric}
 * @param kind how that is seen
 * @param base other settings, which stand on both sides of the comparison
 * @param value another one than the default, as in a configuration file
 * @param observe what is seen with a configuration; differs between the default and the value
 * @param test simple name of the class that sets the key, of kind ELSEWHERE
 */
record Row(
    String key,
    Kind kind,
    String base,
    String value,
    Function<String, Object> observe,
    String test) {
  enum Kind {
    /** Something that runs behaves otherwise. */
    BEHAVIOUR,

    /** The object from which the code takes the number has another one. */
    VALUE,

    /** Another test sets the key and looks at what happens: it needs processes, or much time. */
    ELSEWHERE,

    /** Names a class, or is for Akka: another value cannot work. */
    WIRING
  }

  static Row behaviour(String key, String value, Function<String, Object> observe) {
    return new Row(key, Kind.BEHAVIOUR, "", value, observe, null);
  }

  static Row value(String key, String value, Function<String, Object> observe) {
    return new Row(key, Kind.VALUE, "", value, observe, null);
  }

  static Row elsewhere(String key, String test) {
    return new Row(key, Kind.ELSEWHERE, "", null, null, test);
  }

  static Row wiring(String key) {
    return new Row(key, Kind.WIRING, "", null, null, null);
  }

  /** The same with other settings on both sides. */
  Row with(String settings) {
    return new Row(key, kind, settings, value, observe, test);
  }

  Object before() {
    return observe.apply(base);
  }

  Object after() {
    return observe.apply(base + "\ntagfabric." + key + " = " + value + "\n");
  }

  @Override
  public String toString() {
    return key + " (" + kind + ")";
  }
}
