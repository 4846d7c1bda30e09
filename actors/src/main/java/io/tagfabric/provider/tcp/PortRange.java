package io.tagfabric.provider.tcp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Ports that a node may listen at: any free one, one, or the first free one of a range.
 *
 * @param first 0 for any free one
 * @param last not below the first
 * @param begin the one that is tried first; those before it come last
 */
public record PortRange(int first, int last, int begin) {
  private static final Pattern FORM = Pattern.compile("\\s*(\\d{1,5})\\s*(?:-\\s*(\\d{1,5})\\s*)?");
  private static final int HIGHEST = 65535;

  /**
   * Reads {@code ""} or {@code 0}, {@code 25600}, or {@code 25600-25699}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static PortRange parse(String text) {
    if (text.isBlank()) {
      return new PortRange(0, 0, 0);
    }
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      int first = Integer.parseInt(form.group(1));
      int last = form.group(2) == null ? first : Integer.parseInt(form.group(2));
      if (first <= last && last <= HIGHEST && (first > 0 || last == 0)) {
        return new PortRange(first, last, first);
      }
    }
    throw new IllegalArgumentException(
        TcpSettings.PORTS.fullKey()
            + "="
            + text
            + " is neither a port nor a range such as 25600-25699; 0 takes any free one");
  }

  /** The same, tried from a place on: ranks of a host then rarely try the same port. */
  PortRange from(int rank) {
    return first == last
        ? new PortRange(first, last, first)
        : new PortRange(first, last, first + rank % (last - first + 1));
  }

  /** In the order in which they are tried. */
  IntStream inTurn() {
    return IntStream.concat(IntStream.rangeClosed(begin, last), IntStream.range(first, begin));
  }

  @Override
  public String toString() {
    return first == last ? Integer.toString(first) : first + "-" + last;
  }
}
