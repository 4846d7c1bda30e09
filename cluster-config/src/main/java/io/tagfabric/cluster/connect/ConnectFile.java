package io.tagfabric.cluster.connect;

import io.tagfabric.cluster.settings.SettingsException;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The text form of {@link Connections}, line by line:
 *
 * <pre>
 *   size:16          number of ranks, decimal
 *   base:36          of the numbers in the lines that follow, 2 to 36, decimal; 10 before
 *   0: 1 4-7 f       a rank and its peers; ranges include both ends
 * </pre>
 *
 * <p>Order does not matter, but for {@code base}; a rank may have several lines, a connection needs
 * only one of its two sides, and what is said twice is said once. So the files of all ranks, one
 * after the other, are one file again. Lines begin without blanks; empty ones are passed over.
 *
 * @source ibv-conduit README, "GASNET_CONNECTFILE_IN"
 */
public final class ConnectFile {
  private static final String SIZE = "size:";
  private static final String BASE = "base:";
  private static final int DECIMAL = 10;
  private static final int LINE_LENGTH = 100;
  private static final int SHORTEST_RANGE = 3;
  private static final Pattern BLANKS = Pattern.compile("[ \t]+");

  private final String name;
  private final Connections connections;
  private int base = DECIMAL;
  private int line;

  private ConnectFile(String name, Connections connections) {
    this.name = name;
    this.connections = connections;
  }

  /**
   * The name of one rank's file.
   *
   * @param name in which each {@code %} stands for the rank, decimal
   */
  public static String nameFor(String name, int rank) {
    return name.replace("%", Integer.toString(rank));
  }

  /**
   * Reads a file.
   *
   * @param name of the file, for errors
   * @param size number of ranks of the job
   * @throws SettingsException with name and number of the first line that is wrong
   */
  public static Connections parse(String name, List<String> lines, int size) {
    ConnectFile file = new ConnectFile(name, new Connections(size));
    for (String line : lines) {
      file.line++;
      file.read(line);
    }
    return file.connections;
  }

  /**
   * Writes the connections of some ranks. Three peers or more in a row become a range, long lines
   * are continued in another of the same rank, ranks without peers have none.
   *
   * @param header whether size and base are written; once is enough for files read as one
   */
  public static String write(Connections connections, BitSet ranks, int base, boolean header) {
    StringBuilder text = new StringBuilder();
    if (header) {
      text.append(SIZE).append(connections.size()).append('\n');
      text.append(BASE).append(base).append('\n');
    }
    ranks.stream().forEach(rank -> write(text, rank, connections.of(rank), base));
    return text.toString();
  }

  private static void write(StringBuilder text, int rank, BitSet peers, int base) {
    String begin = number(rank, base) + ":";
    int lineStart = text.length();
    for (int peer = peers.nextSetBit(0); peer >= 0; ) {
      int end = peers.nextClearBit(peer);
      boolean range = end - peer >= SHORTEST_RANGE;
      if (text.length() == lineStart) {
        text.append(begin);
      }
      text.append(' ').append(number(peer, base));
      if (range) {
        text.append('-').append(number(end - 1, base));
      }
      peer = peers.nextSetBit(range ? end : peer + 1);
      if (peer < 0 || text.length() - lineStart > LINE_LENGTH) {
        text.append('\n');
        lineStart = text.length();
      }
    }
  }

  /** A number that cannot be taken for a word: {@code base} is 527198 to the base 36. */
  private static String number(int value, int base) {
    String digits = Integer.toString(value, base);
    String label = digits + ":";
    return label.equals(SIZE) || label.equals(BASE) ? "0" + digits : digits;
  }

  private void read(String text) {
    if (text.isBlank()) {
      return;
    }
    require(!Character.isWhitespace(text.charAt(0)), "begins with a blank, put it to the left");
    if (text.startsWith(SIZE)) {
      int size = decimal("size", text.substring(SIZE.length()));
      require(
          size == connections.size(),
          "size=" + size + " != " + connections.size() + " ranks of this job, take its own file");
    } else if (text.startsWith(BASE)) {
      int given = decimal("base", text.substring(BASE.length()));
      require(
          given >= Character.MIN_RADIX && given <= Character.MAX_RADIX,
          "base=" + given + " is not within 2 to 36");
      base = given;
    } else {
      peers(text);
    }
  }

  private void peers(String text) {
    int colon = text.indexOf(':');
    require(colon > 0, "\"" + text.strip() + "\" has no rank and colon at its beginning");
    int rank = rank(text.substring(0, colon));
    for (String item : BLANKS.split(text.substring(colon + 1).strip(), -1)) {
      if (item.isEmpty()) {
        continue;
      }
      int dash = item.indexOf('-');
      int first = rank(dash < 0 ? item : item.substring(0, dash));
      int last = dash < 0 ? first : rank(item.substring(dash + 1));
      require(first <= last, "range=" + item + " goes down, write the lower rank first");
      for (int peer = first; peer <= last; peer++) {
        connections.add(rank, peer);
      }
    }
  }

  private int rank(String digits) {
    int rank;
    try {
      rank = digits.startsWith("+") ? -1 : Integer.parseInt(digits, base);
    } catch (NumberFormatException e) {
      rank = -1;
    }
    require(rank >= 0, "\"" + digits + "\" is no number to the base " + base);
    require(
        rank < connections.size(), "rank=" + digits + " is not within size=" + connections.size());
    return rank;
  }

  private int decimal(String what, String digits) {
    try {
      return Integer.parseInt(digits.strip());
    } catch (NumberFormatException e) {
      throw wrong(what + "=\"" + digits.strip() + "\" is no decimal number");
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw wrong(otherwise);
    }
  }

  private SettingsException wrong(String what) {
    String key = ConnectSettings.FILE_IN.fullKey();
    return new SettingsException(key, name + ":" + line + ": " + what + " (" + key + ")");
  }
}
