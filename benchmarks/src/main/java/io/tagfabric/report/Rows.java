package io.tagfabric.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints rows of named values as they come: as a table of some of them whose header stands above
 * the first, or as JSON with all of them. A line is flushed at once. Thread: one at a time.
 */
public final class Rows {
  /**
   * A column of a table.
   *
   * @param name of the value it shows
   * @param heading above it
   * @param width in characters
   */
  public record Column(String name, String heading, int width) {}

  private static final String NONE = "-";

  private final PrintWriter out;
  private final List<Column> columns;
  private boolean begun;

  private Rows(PrintWriter out, List<Column> columns) {
    this.out = out;
    this.columns = columns;
  }

  /** One JSON object a row. */
  public static Rows json(PrintWriter out) {
    return new Rows(out, List.of());
  }

  /** A table for people; texts stand left, numbers right. */
  public static Rows table(PrintWriter out, Column... columns) {
    return new Rows(out, List.of(columns));
  }

  /** A column. */
  public static Column column(String name, String heading, int width) {
    return new Column(name, heading, width);
  }

  /** Prints a row; in a table, values without a column go unsaid, but for a reason to leave out. */
  public void add(Map<String, ?> row) {
    if (columns.isEmpty()) {
      JsonLine line = new JsonLine();
      row.forEach(line::put);
      print(line.toString());
      return;
    }
    if (!begun) {
      begun = true;
      List<String> headings = new ArrayList<>();
      for (Column column : columns) {
        headings.add(padded(column.heading(), column.width(), row.get(column.name())));
      }
      print(String.join("  ", headings).stripTrailing());
    }
    List<String> cells = new ArrayList<>();
    for (Column column : columns) {
      Object value = row.get(column.name());
      cells.add(padded(shown(value), column.width(), value));
    }
    Object because = row.get("left_out");
    print(String.join("  ", cells).stripTrailing() + (because == null ? "" : "  " + because));
  }

  private static String shown(Object value) {
    if (value == null || value instanceof Double number && number.isNaN()) {
      return NONE;
    }
    return value instanceof Double number ? Report.decimal(number) : String.valueOf(value);
  }

  private static String padded(String text, int width, Object value) {
    String format = value instanceof String ? "%-" + width + "s" : "%" + width + "s";
    return String.format(Locale.ROOT, format, text);
  }

  private void print(String line) {
    out.print(line + "\n");
    out.flush();
  }
}
