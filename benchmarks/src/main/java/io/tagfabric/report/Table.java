package io.tagfabric.report;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Prints a table row by row, its headings above the first. A line is flushed at once. Thread: one
 * at a time.
 */
public final class Table {
  private static final Pattern CELL = Pattern.compile("%(-?\\d*)(\\.\\d+)?([sdf])");
  private static final String NONE = "-";

  private final PrintWriter out;
  private final String format;
  private final String[] headings;
  private boolean begun;

  /**
   * @param format of a row, with {@code %s}, {@code %d} or {@code %f} and its width for each cell;
   *     behind {@code %s} a decimal number stands as {@link #decimal} writes it, and a hyphen for
   *     null and for what is not a number
   * @param headings one for each cell
   */
  public Table(PrintWriter out, String format, String... headings) {
    this.out = out;
    this.format = format;
    this.headings = headings.clone();
  }

  /** From now on there are no headings. */
  void omitHeadings() {
    begun = true;
  }

  /** Prints a row. */
  public void row(Object... cells) {
    row(cells, "");
  }

  /** Prints a row with a text behind it. */
  void row(Object[] cells, String behind) {
    if (!begun) {
      begun = true;
      line(format(CELL.matcher(format).replaceAll("%$1s"), headings));
    }
    Object[] shown = cells.clone();
    MatchResult[] forms = CELL.matcher(format).results().toArray(MatchResult[]::new);
    for (int i = 0; i < forms.length; i++) {
      shown[i] = forms[i].group(3).equals("s") ? shown(cells[i]) : cells[i];
    }
    line(format(format, shown) + behind);
  }

  /** Prints a line of another form. */
  public void line(String text) {
    out.print(text + "\n");
    out.flush();
  }

  private static String format(String format, Object[] cells) {
    return String.format(Locale.ROOT, format, cells).stripTrailing();
  }

  private static Object shown(Object value) {
    if (value == null || value instanceof Double number && number.isNaN()) {
      return NONE;
    }
    return value instanceof Double number ? decimal(number) : value;
  }

  /** Two decimals, and below 0.1 as many as show two digits. */
  public static String decimal(double value) {
    int decimals = 2;
    for (double rest = Math.abs(value); rest > 0 && rest < 0.1 && decimals < 9; rest *= 10) {
      decimals++;
    }
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
