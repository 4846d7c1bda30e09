package io.tagfabric.cluster.settings;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A typed, checked key under {@code tagfabric.}.
 *
 * <p>Define it once as a constant beside the code that uses it and give it a default and a comment
 * in {@code reference.conf}. Values of every source are read alike, so what may stand in a file may
 * also stand in a system property or an environment variable.
 *
 * @param <T> type of the value
 */
public final class Setting<T> {
  private static final Pattern KEY =
      Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z0-9]+(-[a-z0-9]+)*)*");
  private static final String AT = "v";

  private final String key;
  private final String type;
  private final String unit;
  private final String expected;
  private final boolean mustAgree;
  private final Function<ConfigValue, T> parse;
  private final Function<T, String> write;

  private Setting(
      String key,
      String type,
      String unit,
      String expected,
      boolean mustAgree,
      Function<ConfigValue, T> parse,
      Function<T, String> write) {
    if (!KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "key=" + key + " does not match " + KEY + ", use lower-case words with dashes and dots");
    }
    this.key = key;
    this.type = type;
    this.unit = unit;
    this.expected = expected;
    this.mustAgree = mustAgree;
    this.parse = parse;
    this.write = write;
  }

  /** A span of time such as {@code 500 ms}; a bare number is milliseconds. */
  public static Setting<Duration> duration(String key, Duration min, Duration max) {
    return ranged(
        key,
        "Duration",
        "ms",
        "a duration",
        min,
        max,
        value -> some(value, value.atKey(AT).getDuration(AT), Duration.ZERO, "1 ns"),
        Units::duration);
  }

  /** A size such as {@code 16 KiB}; a bare number is bytes. */
  public static Setting<Long> bytes(String key, long min, long max) {
    return ranged(
        key,
        "Size",
        "B",
        "a size",
        min,
        max,
        value -> some(value, value.atKey(AT).getBytes(AT), 0L, "1 byte"),
        Units::size);
  }

  /** A whole number, both bounds included. */
  public static Setting<Integer> integer(String key, int min, int max) {
    return ranged(
        key,
        "Integer",
        "",
        "a whole number",
        min,
        max,
        value -> Integer.valueOf(text(value).trim()),
        Object::toString);
  }

  /** A decimal number, both bounds included. */
  public static Setting<Double> decimal(String key, double min, double max) {
    return ranged(
        key,
        "Decimal",
        "",
        "a number",
        min,
        max,
        value -> finite(Double.parseDouble(text(value).trim())),
        Object::toString);
  }

  /** Yes or no: {@code on/off}, {@code true/false}, {@code yes/no}, {@code y/n}, {@code 1/0}. */
  public static Setting<Boolean> bool(String key) {
    return parsed(
        key, "Boolean", "on or off", Setting::parseBoolean, value -> value ? "on" : "off");
  }

  /** Any text. */
  public static Setting<String> string(String key) {
    return parsed(key, "String", "a text", text -> text, text -> text);
  }

  /** A list of texts; a single text is split at commas, blanks around the parts are cut. */
  public static Setting<List<String>> strings(String key) {
    return new Setting<>(
        key,
        "List",
        "",
        "a list of texts, separated by commas",
        false,
        Setting::parseList,
        parts -> String.join(",", parts));
  }

  /**
   * One or more UUIDs in their usual form of 36 characters, each once; a single text is split at
   * commas.
   */
  public static Setting<List<UUID>> uuids(String key) {
    return new Setting<>(
        key,
        "UUIDs",
        "",
        "a UUID such as 0fff0fff-0000-0000-0000-0fff0fff0fff, or several, separated by commas",
        false,
        Setting::parseUuids,
        uuids -> uuids.stream().map(UUID::toString).collect(Collectors.joining(",")));
  }

  /** One constant of an enum, written lower-case with dashes: {@code TRY_AGAIN} is try-again. */
  public static <E extends Enum<E>> Setting<E> choice(String key, Class<E> choices) {
    List<String> words =
        Arrays.stream(choices.getEnumConstants()).map(Setting::word).collect(Collectors.toList());
    return parsed(
        key,
        "Choice",
        words.size() == 1 ? words.get(0) : "one of " + String.join(", ", words),
        text -> {
          int index = words.indexOf(text.trim().toLowerCase(Locale.ROOT));
          if (index < 0) {
            throw new IllegalArgumentException();
          }
          return choices.getEnumConstants()[index];
        },
        Setting::word);
  }

  /**
   * A text that {@code parse} turns into a value.
   *
   * @param type one word for the kind of value
   * @param expected what a value has to be, to follow "expected", such as {@code a list of ranks}
   * @param parse throws {@link IllegalArgumentException} for a text it refuses; its message, if it
   *     has one, is shown
   * @param write inverse of {@code parse}
   */
  public static <T> Setting<T> parsed(
      String key,
      String type,
      String expected,
      Function<String, T> parse,
      Function<T, String> write) {
    return new Setting<>(key, type, "", expected, false, value -> parse.apply(text(value)), write);
  }

  /** The same setting, marked as one that must have the same value in all ranks of a job. */
  public Setting<T> agreed() {
    return new Setting<>(key, type, unit, expected, true, parse, write);
  }

  /** The key relative to {@code tagfabric.}. */
  public String key() {
    return key;
  }

  /** The key with {@code tagfabric.} before it. */
  public String fullKey() {
    return Settings.ROOT + "." + key;
  }

  /** The environment variable that overrides the key. */
  public String variable() {
    return Variables.nameOf(key);
  }

  /** Whether all ranks of a job must have the same value. */
  public boolean mustAgree() {
    return mustAgree;
  }

  /** Writes a value as any source of settings accepts it. */
  public String write(T value) {
    return write.apply(value);
  }

  String type() {
    return type;
  }

  String unit() {
    return unit;
  }

  String expected() {
    return expected;
  }

  /**
   * Turns a value of the configuration into one of this setting.
   *
   * @throws IllegalArgumentException with a message if more than "expected ..." can be said
   * @throws ConfigException if Typesafe Config refused the value
   */
  T parse(ConfigValue value) {
    return parse.apply(value);
  }

  @Override
  public String toString() {
    return fullKey();
  }

  private static <T extends Comparable<? super T>> Setting<T> ranged(
      String key,
      String type,
      String unit,
      String noun,
      T min,
      T max,
      Function<ConfigValue, T> parse,
      Function<T, String> write) {
    if (min.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          key + ": min=" + write.apply(min) + " > max=" + write.apply(max));
    }
    return new Setting<>(
        key,
        type,
        unit,
        noun + " from " + write.apply(min) + " to " + write.apply(max),
        false,
        value -> within(parse.apply(value), min, max, write),
        write);
  }

  private static <T extends Comparable<? super T>> T within(
      T value, T min, T max, Function<T, String> write) {
    if (value.compareTo(min) < 0) {
      throw new IllegalArgumentException("< minimum=" + write.apply(min));
    }
    if (value.compareTo(max) > 0) {
      throw new IllegalArgumentException("> maximum=" + write.apply(max));
    }
    return value;
  }

  /** Refuses a fraction that would be read as 0, which often means something else. */
  private static <T> T some(ConfigValue value, T parsed, T zero, String least) {
    if (parsed.equals(zero) && text(value).chars().anyMatch(digit -> digit > '0' && digit <= '9')) {
      throw new IllegalArgumentException("a fraction of " + least + ", give a whole number");
    }
    return parsed;
  }

  private static String text(ConfigValue value) {
    return switch (value.valueType()) {
      case STRING, NUMBER, BOOLEAN -> value.atKey(AT).getString(AT);
      case LIST, OBJECT, NULL -> throw new IllegalArgumentException();
    };
  }

  private static double finite(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static boolean parseBoolean(String text) {
    return switch (text.trim().toLowerCase(Locale.ROOT)) {
      case "on", "true", "yes", "y", "1" -> true;
      case "off", "false", "no", "n", "0" -> false;
      default -> throw new IllegalArgumentException();
    };
  }

  private static List<UUID> parseUuids(ConfigValue value) {
    List<UUID> uuids = new ArrayList<>();
    for (String text : parseList(value)) {
      UUID uuid = parseUuid(text.trim());
      if (uuids.contains(uuid)) {
        throw new IllegalArgumentException("number " + (uuids.size() + 1) + " is there twice");
      }
      uuids.add(uuid);
    }
    if (uuids.isEmpty()) {
      throw new IllegalArgumentException();
    }
    return List.copyOf(uuids);
  }

  private static UUID parseUuid(String text) {
    // UUID.fromString also takes "1-1-1-1-1"; a job key typed so is a mistake, not a key
    if (text.length() != 36) {
      throw new IllegalArgumentException();
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException refused) {
      throw new IllegalArgumentException((String) null);
    }
  }

  private static List<String> parseList(ConfigValue value) {
    List<String> parts = new ArrayList<>();
    if (value instanceof ConfigList list) {
      for (ConfigValue element : list) {
        parts.add(text(element));
      }
    } else {
      String text = text(value);
      for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
        parts.add(part.trim());
      }
    }
    return List.copyOf(parts);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
