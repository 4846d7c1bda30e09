package io.tagfabric.report;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Prints measurements as they come, as a table whose header stands above the first, or as JSON. A
 * line is flushed at once. Thread: one at a time.
 */
public final class Report {
  private static final int WORTH_SAYING_PCT = 5;
  private final Table table;
  private final boolean json;
  private final Map<String, Object> facts;

  private Report(PrintWriter out, boolean json, Map<String, ?> facts) {
    table =
        new Table(
            out,
            "%-8s%-8s%-8s%8s%12s%13s%13s%11s%11s",
            "bytes",
            "iters",
            "total",
            "time",
            "MB/sec",
            "usec/xfer",
            "Mxfers/sec",
            "p50",
            "p99");
    this.json = json;
    this.facts = new LinkedHashMap<>(facts);
  }

  /** A table for people. */
  public static Report table(PrintWriter out) {
    return new Report(out, false, Map.of());
  }

  /**
   * One JSON object a line.
   *
   * @param facts fields that every object gets behind its own, in the map's order
   */
  public static Report json(PrintWriter out, Map<String, ?> facts) {
    return new Report(out, true, facts);
  }

  /** Prints a measurement. */
  public void add(Measurement measured) {
    add(measured, Optional.empty(), OptionalDouble.empty(), Map.of());
  }

  /**
   * Prints a measurement, and how it compares with a peer's.
   *
   * @param stolenPct hundredths of the processors' time that went to other guests of the host
   *     meanwhile, if known; the table has a line about it if it is more than {@value
   *     #WORTH_SAYING_PCT}
   * @param more fields of the JSON object
   */
  public void add(
      Measurement measured,
      Optional<Comparison> comparison,
      OptionalDouble stolenPct,
      Map<String, ?> more) {
    if (json) {
      JsonLine line = fields(measured);
      more.forEach(line::put);
      comparison.ifPresent(there -> addFields(line, there));
      stolenPct.ifPresent(pct -> line.put("stolen_pct", pct));
      table.line(withFacts(line).toString());
      return;
    }
    row(measured);
    comparison.ifPresent(there -> table.line(sentence(there)));
    stolenPct.stream().filter(pct -> pct > WORTH_SAYING_PCT).forEach(this::warn);
  }

  private void warn(double stolenPct) {
    table.line(
        String.format(
            Locale.ROOT,
            "  other guests of this host took up to %.0f %% of the processors, measure again later",
            stolenPct));
  }

  private void row(Measurement measured) {
    table.row(
        Sizes.format(measured.bytes()),
        Sizes.formatCount(measured.iterations()),
        Sizes.format(measured.totalBytes()),
        Table.decimal(measured.seconds()) + "s",
        measured.megabytesPerSecond(),
        measured.usecPerTransfer(),
        measured.megatransfersPerSecond(),
        measured.p50Us(),
        measured.p99Us());
  }

  private static JsonLine fields(Measurement measured) {
    return new JsonLine()
        .put("bytes", measured.bytes())
        .put("iters", measured.iterations())
        .put("time_s", measured.seconds())
        .put("mb_per_s", measured.megabytesPerSecond())
        .put("usec_per_xfer", measured.usecPerTransfer())
        .put("mxfers_per_s", measured.megatransfersPerSecond())
        .put("p50_us", measured.p50Us())
        .put("p99_us", measured.p99Us())
        .put("provider", measured.provider())
        .put("progress", measured.progress());
  }

  private static void addFields(JsonLine line, Comparison comparison) {
    line.put("peer", comparison.peer())
        .put("unit", comparison.unit())
        .put("ours", comparison.ours())
        .put("theirs", comparison.theirs())
        .put("ratio_min", comparison.ratioMin())
        .put("ratio_median", comparison.ratioMedian())
        .put("ratio_max", comparison.ratioMax());
  }

  private JsonLine withFacts(JsonLine line) {
    facts.forEach(line::put);
    return line;
  }

  private static String sentence(Comparison c) {
    return String.format(
        "  tagfabric %s, %s %s %s: ratio %s (%s to %s)",
        Table.decimal(c.ours()),
        c.peer(),
        Table.decimal(c.theirs()),
        c.unit(),
        Table.decimal(c.ratioMedian()),
        Table.decimal(c.ratioMin()),
        Table.decimal(c.ratioMax()));
  }
}
