package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.bench.chart.Series;
import io.tagfabric.bench.compare.Group.Reach;
import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.report.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {
  private static final Contender US = new Pretender("shm", true, null, List.of());
  private static final Contender THEM = new Pretender("openmpi-shm", true, null, List.of());

  @TempDir private Path directory;

  private static Result result(Metric metric, int size, double ours, double theirs) {
    Comparison comparison =
        Comparison.of("peer", metric.unit(), new double[] {ours}, new double[] {theirs});
    return new Result(
        Reach.ONE_HOST,
        new Cell(metric, size, 1),
        US,
        THEM,
        ours,
        theirs,
        Optional.of(comparison),
        1,
        OptionalDouble.of(12.4),
        new Result.Spans(ours / 2, ours * 2, theirs / 4, theirs * 4),
        metric == Metric.LATENCY ? new Result.Tails(2.5, 8, 4.5, 16) : Result.Tails.NONE,
        new Result.Distances(new CoreToCore.Spread(30, 190.4, 251), CoreToCore.Spread.NONE),
        "");
  }

  private static final Result LEFT_OUT =
      new Result(
          Reach.ONE_HOST,
          new Cell(Metric.MATCHING_POSTED, 100_000, 0),
          US,
          THEM,
          Double.NaN,
          Double.NaN,
          Optional.empty(),
          0,
          OptionalDouble.empty(),
          Result.Spans.NONE,
          Result.Tails.NONE,
          Result.Distances.UNKNOWN,
          "openmpi-shm: too slow");

  private Path page(String text) throws IOException {
    return Files.writeString(directory.resolve("performance.md"), text);
  }

  @Test
  void shouldReplaceWhatStandsBetweenTheMarks() throws IOException {
    Path page = page("before\n" + ReportFile.BEGIN + "\nold\n" + ReportFile.END + "\nafter\n");

    new ReportFile(page, "./tagfabric bench compare --quick", 81.4)
        .write(List.of(result(Metric.LATENCY, 1024, 2, 4), LEFT_OUT));

    String text = Files.readString(page);
    assertThat(text)
        .startsWith("before\n" + ReportFile.BEGIN + "\n")
        .endsWith(ReportFile.END + "\nafter\n")
        .doesNotContain("old")
        .contains("`./tagfabric bench compare --quick`")
        .contains("![performance-latency-one-host](performance-latency-one-host.svg)")
        .contains(
            "; from core to core 81.40 ns. During runs the host gave up to 12 % of the cores to other guests.\n")
        .contains("from core to core beside its runs 190 ns (30 to 251)\n")
        .contains("### latency, p50_us: below 1 we are better")
        .contains(
            "| shm | openmpi-shm | 1k | 2.00 | 4.00 | 0.50 (0.50 to 0.50) | 1 |"
                + " 2.50, 8.00 | 4.50, 16.00 |\n")
        .contains("| shm | openmpi-shm | 100000 | - | - | none, openmpi-shm: too slow | 0 |\n");
    assertThat(directory.resolve("performance-latency-one-host.svg"))
        .content()
        .contains("<polyline");
    assertThat(directory.resolve("performance-bandwidth-one-host.svg")).doesNotExist();
  }

  @Test
  void shouldWriteTheSameTwice() throws IOException {
    Path page = page(ReportFile.BEGIN + "\n" + ReportFile.END + "\n");
    List<Result> results = List.of(result(Metric.BANDWIDTH, 65536, 2000, 1000));
    new ReportFile(page, "c", 80).write(results);
    String once = Files.readString(page);

    new ReportFile(page, "c", 80).write(results);

    assertThat(Files.readString(page)).isEqualTo(once);
  }

  @Test
  void shouldRefuseAFileWithoutMarks() throws IOException {
    Path page = page(ReportFile.END + ReportFile.BEGIN);

    assertThat(ReportFile.complaint(page))
        .endsWith("lacks the lines " + ReportFile.BEGIN + " and " + ReportFile.END);
    assertThat(ReportFile.complaint(directory.resolve("none.md")))
        .endsWith(
            "none.md does not exist, make it with the lines "
                + ReportFile.BEGIN
                + " and "
                + ReportFile.END);
    assertThat(ReportFile.complaint(directory)).endsWith(" is no file that can be written");
  }

  @Test
  void shouldDrawEverybodyOnceWithTheMedians() {
    Contender auto = new Pretender("shm-auto", true, null, List.of());
    Result first = result(Metric.LATENCY, 64, 2, 4);
    Result second = result(Metric.LATENCY, 8, 1, 3);
    Result other =
        new Result(
            Reach.ONE_HOST,
            first.cell(),
            auto,
            THEM,
            2,
            4,
            first.comparison(),
            1,
            OptionalDouble.empty(),
            first.spans(),
            Result.Tails.NONE,
            Result.Distances.UNKNOWN,
            "");

    var series = new Pictures(List.of(first, second, other)).series(Metric.LATENCY, Reach.ONE_HOST);

    assertThat(series)
        .extracting(line -> line.name() + " " + line.points().size())
        .containsExactly("Tagfabric shm 2", "Tagfabric shm-auto 1", "openmpi-shm 2");
    assertThat(series.get(2).points().get(0).x()).isEqualTo(8);
    assertThat(series.get(2).points().get(0).y()).isEqualTo(3);
    assertThat(series.get(2).points().get(0).least()).isEqualTo(0.75);
    assertThat(series.get(2).points().get(0).greatest()).isEqualTo(12);
    assertThat(series.get(0).points().get(1)).isEqualTo(new Series.Point(64, 2, 1, 4));
  }

  private static Result ofReach(Reach reach, Contender ours) {
    Result result = result(Metric.LATENCY, 8, 2, 4);
    return new Result(
        reach,
        result.cell(),
        ours,
        result.peer(),
        result.ourValue(),
        result.theirValue(),
        result.comparison(),
        result.runs(),
        result.stolenPct(),
        result.spans(),
        result.tails(),
        result.distances(),
        "");
  }

  @Test
  void shouldDrawEachReachInAPictureOfItsOwn() throws IOException {
    Contender far = new Pretender("aeron", true, null, List.of());

    List<String> names =
        new Pictures(List.of(ofReach(Reach.BETWEEN_HOSTS, far), ofReach(Reach.ONE_HOST, US)))
            .write(directory, "");

    assertThat(names).containsExactly("latency-one-host.svg", "latency-between-hosts.svg");
    assertThat(directory.resolve(names.get(0)))
        .content()
        .contains("Latency on one host", ">Tagfabric shm<", "class=\"whisker\"")
        .doesNotContain("aeron");
    assertThat(directory.resolve(names.get(1)))
        .content()
        .contains(">Tagfabric aeron<")
        .doesNotContain("Tagfabric shm");
  }

  @Test
  void shouldRemovePicturesThatAnOlderReportShowed() throws IOException {
    for (String name : List.of("performance-latency.svg", "performance-kept.svg", "other.svg")) {
      Files.writeString(directory.resolve(name), "old");
    }
    String shown = "![a](performance-latency.svg) ![b](performance-kept.svg) ![c](other.svg)";
    Path page =
        page("![b](performance-kept.svg)" + ReportFile.BEGIN + shown + ReportFile.END + "\n");

    new ReportFile(page, "c", 80).write(List.of(result(Metric.LATENCY, 1024, 2, 4)));

    assertThat(directory.resolve("performance-latency.svg")).doesNotExist();
    assertThat(directory.resolve("performance-kept.svg")).exists();
    assertThat(directory.resolve("other.svg")).exists();
    assertThat(Files.readString(page)).doesNotContain("(performance-latency.svg)");
  }

  @Test
  void shouldFindAValueInTheSystemsFiles() {
    List<String> lines = List.of("processor\t: 0", "model name\t: Some CPU", "NAME=\"Debian\"");

    assertThat(Machine.value(lines, "model name", ":")).contains("Some CPU");
    assertThat(Machine.value(lines, "NAME", "=")).contains("Debian");
    assertThat(Machine.value(lines, "flags", ":")).isEmpty();
    assertThat(Machine.describe()).contains(" cores (").contains("Java ");
  }
}
