package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The protocols that a build speaks, by number. Two builds understand each other by the greatest
 * number that both have. A value.
 *
 * @param least the oldest
 * @param most the newest
 */
@InternalApi
public record Protocols(int least, int most) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,5})(?:\\.\\.(\\d{1,5}))?");
  private static final Protocols OWN = parse(System.getProperty("tagfabric.test.protocol", "7"));

  /**
   * A range of numbers.
   *
   * @throws IllegalArgumentException if it is none
   */
  public Protocols {
    if (least < 1 || most < least) {
      throw new IllegalArgumentException("protocols=" + least + ".." + most + " is no range");
    }
  }

  /** Those of this build; a test can have others, with {@code -Dtagfabric.test.protocol=7..8}. */
  public static Protocols own() {
    return OWN;
  }

  /**
   * Reads what {@link #toString} writes.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Protocols parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("protocols=" + text + " is neither 7 nor 7..8");
    }
    int least = Integer.parseInt(parts.group(1));
    return new Protocols(least, parts.group(2) == null ? least : Integer.parseInt(parts.group(2)));
  }

  /** The greatest number that both ranges have; empty if there is none. */
  public OptionalInt common(Protocols other) {
    int greatest = Math.min(most, other.most);
    return greatest >= Math.max(least, other.least)
        ? OptionalInt.of(greatest)
        : OptionalInt.empty();
  }

  /** Such as {@code 7..8}, or {@code 7} if it is one alone. */
  @Override
  public String toString() {
    return least == most ? Integer.toString(least) : least + ".." + most;
  }
}
