package io.tagfabric.address;

import java.util.OptionalInt;

/**
 * The protocols of the wire that a node speaks: a range of numbers. Two nodes set a flow up by the
 * highest number that both have; without a common one they refuse each other.
 *
 * <p>The number rises with each change of what peers send to each other. Before version 0.1.0 a
 * build speaks one protocol alone. From 0.1.0 on a release speaks its own and that of the release
 * before, so that a cluster can be updated node by node.
 *
 * @param least the lowest number
 * @param most the highest number
 */
public record Protocols(int least, int most) {
  /**
   * Replaces {@link #OWN} in a JVM that a test starts, such as {@code 8} or {@code 7..8}. Not a
   * setting: it changes what the node says that it speaks, not what it speaks.
   */
  private static final String TEST_PROPERTY = "tagfabric.test.protocol";

  private static final String TO = "..";

  /** Those of this node. */
  public static final Protocols OWN = parse(System.getProperty(TEST_PROPERTY, "7"));

  /**
   * A range.
   *
   * @throws IllegalArgumentException if it is not within 1 to 32767
   */
  public Protocols {
    if (least < 1 || most < least || most > Short.MAX_VALUE) {
      throw new IllegalArgumentException(
          "least=" + least + " most=" + most + " are no range within 1.." + Short.MAX_VALUE);
    }
  }

  /** The highest number in both ranges, empty if there is none. */
  public OptionalInt common(Protocols other) {
    int highest = Math.min(most, other.most);
    return highest < Math.max(least, other.least) ? OptionalInt.empty() : OptionalInt.of(highest);
  }

  /** Whether a number is in the range. */
  public boolean contains(int protocol) {
    return protocol >= least && protocol <= most;
  }

  /**
   * The range that {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Protocols parse(String text) {
    int to = text.indexOf(TO);
    try {
      return to < 0
          ? new Protocols(Integer.parseInt(text), Integer.parseInt(text))
          : new Protocols(
              Integer.parseInt(text.substring(0, to)),
              Integer.parseInt(text.substring(to + TO.length())));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "protocols=[" + OneLine.of(text) + "] is no range such as 7 or 7..8", e);
    }
  }

  /** Both ends, such as {@code 7..8}; one number if they are the same. */
  @Override
  public String toString() {
    return least == most ? Integer.toString(least) : least + TO + most;
  }
}
