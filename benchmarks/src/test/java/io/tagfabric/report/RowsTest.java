package io.tagfabric.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowsTest {
  private static final String FORMAT = "%-6s %5s %8.1f  %6s";

  private final Locale before = Locale.getDefault();
  private final StringWriter text = new StringWriter();

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(before);
  }

  private Rows rows(boolean json) {
    String[] columns = {"kind", "size=bytes", "time_s=time", "ratio"};
    return new Rows(new PrintWriter(text), json, FORMAT, columns);
  }

  private static Map<String, Object> row(String kind, Object size, double time, Object ratio) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("kind", kind);
    row.put("time_s", time);
    row.put("unshown", 7);
    row.put("size", size);
    row.put("ratio", ratio);
    return row;
  }

  @Test
  void shouldPutHeadingsAboveTheFirstRowInTheWidthsOfTheCells() {
    Locale.setDefault(Locale.GERMANY);
    Rows rows = rows(false);

    rows.add(row("a", 8, 1.25, 0.0123));
    rows.add(row("b", 1024, 10, 12.3));

    assertThat(text.toString().lines())
        .containsExactly(
            "kind   bytes     time   ratio",
            "a          8      1.3   0.012",
            "b       1024     10.0   12.30");
  }

  @Test
  void shouldPutAHyphenForWhatThereIsNot() {
    Rows rows = rows(false);
    rows.omitHeadings();

    rows.add(row("a", null, 1, Double.NaN));

    assertThat(text.toString().lines()).containsExactly("a          -      1.0       -");
  }

  @Test
  void shouldSayBehindARowWhyItIsLeftOut() {
    Rows rows = rows(false);
    rows.omitHeadings();
    Map<String, Object> row = row("a", 8, 0, null);
    row.put("left_out", "too long");

    rows.add(row);

    assertThat(text.toString().lines()).containsExactly("a          8      0.0       -  too long");
  }

  @Test
  void shouldEndNoLineWithBlanks() {
    Table table = new Table(new PrintWriter(text), "%-9s%-9s", "what", "who");

    table.row("a", "b");

    assertThat(text.toString()).isEqualTo("what     who\na        b\n");
  }

  @Test
  void shouldPrintAllValuesInTheirOrderAsJson() {
    rows(true).add(row("a", 8, 1.25, 2));

    assertThat(text.toString())
        .isEqualTo(
            "{\"kind\": \"a\", \"time_s\": 1.25, \"unshown\": 7, \"size\": 8, \"ratio\": 2}\n");
  }
}
