package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import java.util.OptionalInt;

/**
 * The numbers of the protocols that a node speaks.
 *
 * @param least the oldest
 * @param most the newest
 */
@InternalApi
public record Protocols(int least, int most) {
  private static final String TO = "..";

  /** Those of this build. */
  public static final Protocols OWN = new Protocols(7, 7);

  public Protocols {
    if (least < 0 || most < least) {
      throw new IllegalArgumentException("protocols=" + least + TO + most + " are no range");
    }
  }

  /** The highest that both speak; empty if there is none. */
  public OptionalInt common(Protocols other) {
    int highest = Math.min(most, other.most);
    return highest < least || highest < other.least ? OptionalInt.empty() : OptionalInt.of(highest);
  }

  /** Reads what {@link #toString} writes. */
  public static Protocols parse(String text) {
    int at = text.indexOf(TO);
    int least = Integer.parseInt(at < 0 ? text : text.substring(0, at));
    return new Protocols(
        least, at < 0 ? least : Integer.parseInt(text.substring(at + TO.length())));
  }

  @Override
  public String toString() {
    return least == most ? Integer.toString(least) : least + TO + most;
  }
}
