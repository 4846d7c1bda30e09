package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Metric;
import io.tagfabric.report.Comparison;
import io.tagfabric.report.Sizes;
import io.tagfabric.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts results into a Markdown file, between two marks, with pictures beside it. */
final class ReportFile {
  /** The line before the results. */
  static final String BEGIN = "<!-- bench compare: begin -->";

  /** The line after them. */
  static final String END = "<!-- bench compare: end -->";

  private static final Pattern PICTURE = Pattern.compile("]\\(([\\w.-]+\\.svg)\\)");

  private final Path file;
  private final String command;
  private final double coreToCoreNs;

  /**
   * @param command how to get the results again
   * @param coreToCoreNs as {@link CoreToCore} measures it
   */
  ReportFile(Path file, String command, double coreToCoreNs) {
    this.file = file;
    this.command = command;
    this.coreToCoreNs = coreToCoreNs;
  }

  /** Why a file cannot take results, null if it can. */
  static String complaint(Path file) {
    if (!Files.exists(file)) {
      return "--report="
          + file
          + " does not exist, make it with the lines "
          + BEGIN
          + " and "
          + END;
    }
    if (!Files.isRegularFile(file) || !Files.isWritable(file)) {
      return "--report=" + file + " is no file that can be written";
    }
    try {
      String text = Files.readString(file);
      int begin = text.indexOf(BEGIN);
      return begin >= 0 && text.indexOf(END, begin) > begin
          ? null
          : "--report=" + file + " lacks the lines " + BEGIN + " and " + END;
    } catch (IOException failure) {
      return "--report=" + file + " cannot be read: " + failure.getMessage();
    }
  }

  /** Replaces what stands between the marks. */
  void write(List<Result> results) throws IOException {
    String stem = file.getFileName().toString().replaceFirst("\\.[^.]*$", "");
    Path directory = file.toAbsolutePath().getParent();
    List<String> pictures = new Pictures(results).write(directory, stem + "-");
    String text = Files.readString(file);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    String old = text.substring(begin, text.indexOf(END));
    String body = "\n" + markdown(results, pictures);
    String written = text.substring(0, begin) + body + text.substring(text.indexOf(END));
    Files.writeString(file, written);
    removeUnused(directory, stem, old, written);
  }

  /** Pictures of an older report that nothing in the file shows any more. */
  private static void removeUnused(Path directory, String stem, String old, String written)
      throws IOException {
    Matcher picture = PICTURE.matcher(old);
    while (picture.find()) {
      String name = picture.group(1);
      if (name.startsWith(stem + "-") && !written.contains("(" + name + ")")) {
        Files.deleteIfExists(directory.resolve(name));
      }
    }
  }

  private String markdown(List<Result> results, List<String> pictures) {
    StringBuilder text = new StringBuilder();
    text.append("\n`")
        .append(command)
        .append("`, ")
        .append(LocalDate.now(ZoneId.systemDefault()))
        .append(", ");
    text.append(Machine.describe()).append("; from core to core ");
    text.append(Table.decimal(coreToCoreNs)).append(" ns.");
    OptionalDouble lost =
        results.stream().map(Result::stolenPct).flatMapToDouble(OptionalDouble::stream).max();
    lost.ifPresent(pct -> text.append(stolen(pct)));
    text.append("\n\n");
    for (String picture : pictures) {
      text.append("![").append(picture.replace(".svg", "")).append("](").append(picture);
      text.append(")\n\n");
    }
    who(results).forEach(line -> text.append("- ").append(line).append('\n'));
    text.append('\n');
    Map<Metric, List<Result>> tables = new LinkedHashMap<>();
    results.forEach(
        result ->
            tables
                .computeIfAbsent(result.cell().metric(), unused -> new ArrayList<>())
                .add(result));
    tables.forEach((metric, rows) -> table(text, metric, rows));
    return text.toString();
  }

  private static String stolen(double pct) {
    return String.format(
        Locale.ROOT, " During runs the host gave up to %.0f %% of the cores to other guests.", pct);
  }

  private static Set<String> who(List<Result> results) {
    Set<String> lines = new LinkedHashSet<>();
    for (Result result : results) {
      lines.add(line(result.ours(), result.distances().ours()));
    }
    for (Result result : results) {
      lines.add(line(result.peer(), result.distances().theirs()));
    }
    return lines;
  }

  private static String line(Contender contender, CoreToCore.Spread distance) {
    String line = "`" + contender.name() + "`: " + contender.description();
    return distance.isKnown()
        ? String.format(
            Locale.ROOT,
            "%s; from core to core beside its runs %.0f ns (%.0f to %.0f)",
            line,
            distance.median(),
            distance.least(),
            distance.most())
        : line;
  }

  private static void table(StringBuilder text, Metric metric, List<Result> rows) {
    String size = metric.isMatching() ? "depth" : "size";
    text.append("### ").append(metric).append(", ").append(metric.unit()).append(": ");
    text.append(metric.isTime() ? "below 1 we are better" : "above 1 we are better");
    text.append("\n\n| ours | peer | ").append(size);
    boolean tails = rows.stream().anyMatch(row -> row.tails().ourMean() > 0);
    text.append(" | ours | theirs | ratio, median (min to max) | runs |");
    text.append(tails ? " mean and p99, ours | theirs |\n" : "\n");
    text.append("|---|---|---|---|---|---|---|").append(tails ? "---|---|\n" : "\n");
    for (Result row : rows) {
      int number = row.cell().size();
      text.append("| ").append(row.ours().name()).append(" | ").append(row.peer().name());
      text.append(" | ").append(metric.isMatching() ? number : Sizes.format(number)).append(" | ");
      text.append(row.comparison().map(ReportFile::cells).orElseGet(() -> cells(row)));
      text.append(" | ").append(row.runs()).append(" |");
      if (tails) {
        Result.Tails its = row.tails();
        text.append(tail(its.ourMean(), its.ourP99()))
            .append(tail(its.theirMean(), its.theirP99()));
      }
      text.append('\n');
    }
    text.append('\n');
  }

  /** What each has measured, and why there is no ratio. */
  private static String cells(Result row) {
    return value(row.ourValue())
        + " | "
        + value(row.theirValue())
        + " | none, "
        + row.leftOutBecause();
  }

  private static String value(double value) {
    return Double.isNaN(value) ? "-" : Table.decimal(value);
  }

  private static String tail(double mean, double p99) {
    return mean > 0 ? " " + Table.decimal(mean) + ", " + Table.decimal(p99) + " |" : " - |";
  }

  private static String cells(Comparison comparison) {
    return Table.decimal(comparison.ours())
        + " | "
        + Table.decimal(comparison.theirs())
        + " | "
        + Table.decimal(comparison.ratioMedian())
        + " ("
        + Table.decimal(comparison.ratioMin())
        + " to "
        + Table.decimal(comparison.ratioMax())
        + ")";
  }
}
