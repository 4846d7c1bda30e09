package io.tagfabric.report;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;

/**
 * Prints rows of named values as they come: as JSON with all of them, or as a table of some.
 * Thread: one at a time.
 */
public final class Rows {
  private final boolean json;
  private final String[] names;
  private final Table table;

  /**
   * @param json whether each row is a JSON object; else they are a table
   * @param format of a row, as {@link Table} has it
   * @param columns names of the values shown; {@code name=heading} for another heading
   */
  public Rows(PrintWriter out, boolean json, String format, String... columns) {
    this.json = json;
    names = Arrays.stream(columns).map(name -> name.split("=", 2)[0]).toArray(String[]::new);
    String[] headings =
        Arrays.stream(columns)
            .map(name -> name.substring(name.indexOf('=') + 1))
            .toArray(String[]::new);
    table = new Table(out, format, headings);
  }

  /** From now on there are no headings. */
  public void omitHeadings() {
    table.omitHeadings();
  }

  /** Prints a row; in a table, values without a column go unsaid, but for a reason to leave out. */
  public void add(Map<String, ?> row) {
    if (json) {
      JsonLine line = new JsonLine();
      row.forEach(line::put);
      table.line(line.toString());
      return;
    }
    Object because = row.get("left_out");
    table.row(Arrays.stream(names).map(row::get).toArray(), because == null ? "" : "  " + because);
  }
}
