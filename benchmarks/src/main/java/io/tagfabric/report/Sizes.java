package io.tagfabric.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Message sizes as people type and read them: {@code 8}, {@code 1k}, {@code 64k}, {@code 1m}, and
 * ranges of powers of two, {@code 1..4m}.
 *
 * @source fabtests common/shared.c, test_size and size_str
 */
public final class Sizes {
  /** Longest message that may be asked for. */
  public static final int MAX_BYTES = 1 << 30;

  private static final int LARGEST_OF_ALL = 8 << 20;
  private static final Pattern SIZE = Pattern.compile("(\\d{1,10})([kmg]?)");
  private static final String RANGE = "..";
  private static final String EXAMPLE = "such as 8,1k,64k,1m or 1..4m or all";

  private Sizes() {}

  /**
   * The sizes that a text names, in its order: a list separated by commas of sizes and of ranges,
   * each the powers of two from its first size to its last; or {@code all} for the powers of two up
   * to 8 MiB and the middles between them.
   *
   * @throws IllegalArgumentException with a sentence, if the text names none
   */
  public static List<Integer> parse(String text) {
    if (text.strip().equalsIgnoreCase("all")) {
      return all();
    }
    List<Integer> sizes = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String word = part.strip();
      if (word.contains(RANGE)) {
        sizes.addAll(powers(word));
      } else {
        sizes.add(size(word));
      }
    }
    return List.copyOf(sizes);
  }

  /** The powers of two of a range, its ends included. */
  private static List<Integer> powers(String word) {
    int middle = word.indexOf(RANGE);
    int first = size(word.substring(0, middle).strip());
    int last = size(word.substring(middle + RANGE.length()).strip());
    List<Integer> powers = new ArrayList<>();
    for (long power = 1; power <= last; power *= 2) {
      if (power >= first) {
        powers.add((int) power);
      }
    }
    if (powers.isEmpty()) {
      throw new IllegalArgumentException(
          "'" + word + "' has no power of two, give bytes " + EXAMPLE);
    }
    return powers;
  }

  private static int size(String word) {
    Matcher matcher = SIZE.matcher(word.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + word + "' is no size, give bytes " + EXAMPLE);
    }
    long number = Long.parseLong(matcher.group(1));
    int shift = shift(matcher.group(2));
    if (number > MAX_BYTES >> shift) {
      throw new IllegalArgumentException(
          "size=" + word + " > " + format(MAX_BYTES) + ", give bytes " + EXAMPLE);
    }
    return (int) (number << shift);
  }

  private static int shift(String unit) {
    return switch (unit) {
      case "k" -> 10;
      case "m" -> 20;
      case "g" -> 30;
      default -> 0;
    };
  }

  private static List<Integer> all() {
    List<Integer> sizes = new ArrayList<>();
    for (int size = 1; size <= LARGEST_OF_ALL; size *= 2) {
      sizes.add(size);
      if (size > 1 && size < LARGEST_OF_ALL) {
        sizes.add(size + size / 2);
      }
    }
    return List.copyOf(sizes);
  }

  /** Bytes in at most five characters below 1 TiB: {@code 64}, {@code 1k}, {@code 1.5m}. */
  public static String format(long bytes) {
    return scaled(bytes, 1024, "", "k", "m", "g");
  }

  /** A number of things in thousands: {@code 500}, {@code 10k}, {@code 2.5m}. */
  public static String formatCount(long count) {
    return scaled(count, 1000, "", "k", "m", "b");
  }

  private static String scaled(long value, int step, String... units) {
    long base = 1;
    int unit = 0;
    while (unit < units.length - 1 && value / base >= step) {
      base *= step;
      unit++;
    }
    long whole = value / base;
    long tenths = value % base * 10 / base;
    return whole + (whole < 10 && tenths > 0 ? "." + tenths : "") + units[unit];
  }
}
