package io.tagfabric.bench.compare;

import io.tagfabric.bench.ours.PairsOptions;
import io.tagfabric.bench.ours.PairsRank;
import io.tagfabric.bench.ours.RankJob;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.report.Comparison;
import io.tagfabric.report.Rows;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** {@code tagfabric bench pairs}: each run in new processes, those of ours and a peer in turn. */
public final class PairsComparison {
  private static final String SOURCE = "mpi_pairs.c";
  private static final int WARM_UP_MS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final PairsOptions options;
  private final PrintWriter err;
  private final Rows rows;
  private final MpiLibrary library =
      MpiLibrary.openMpi(new ProgramFinder(System.getenv(), Path.of("/")));
  private final PeerPrograms.Lazy programs = new PeerPrograms.Lazy();
  private Path program;

  private PairsComparison(PairsOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.err = err;
    List<String> columns =
        new ArrayList<>(
            List.of(
                "pairs", "ranks", "bytes", "window", "msgs_per_s", "least", "most", "provider"));
    if (options.hasPeer()) {
      columns.addAll(List.of("peer", "theirs", "ratio_median=ratio", "ratio_min=min"));
      columns.add("ratio_max=max");
    }
    String format =
        "%5s  %5s  %7s  %6s  %12.0f  %12.0f  %12.0f  %-8s"
            + (options.hasPeer() ? "  %-8s  %12.0f  %7s  %7s  %7s" : "");
    rows = new Rows(out, options.isJson(), format, columns.toArray(String[]::new));
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public static int start(PairsOptions options, CommandLine command) {
    options.betweenRanks();
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    PairsComparison comparison = new PairsComparison(options, command.getOut(), command.getErr());
    Optional<String> missing =
        options.hasPeer() ? comparison.library.missingBecause() : Optional.empty();
    try {
      if (missing.isPresent()) {
        throw new ContenderException(missing.get());
      }
      for (int pairs : options.counts()) {
        comparison.measure(pairs);
      }
      return ExitCode.OK;
    } catch (ContenderException failure) {
      command.getErr().println("bench: " + failure.getMessage());
      return ExitCode.FAILED;
    }
  }

  private void measure(int pairs) throws ContenderException {
    double[] ours = new double[options.runs()];
    double[] theirs = new double[options.runs()];
    for (int run = 0; run < ours.length; run++) {
      ours[run] = ours(pairs);
      theirs[run] = options.hasPeer() ? theirs(pairs) : ours[run];
      err.println(
          String.format(
              Locale.ROOT,
              "pairs: count %d, run %d of %d: %.0f a second%s",
              pairs,
              run + 1,
              ours.length,
              ours[run],
              options.hasPeer()
                  ? String.format(Locale.ROOT, ", %.0f of %s", theirs[run], library.name())
                  : ""));
      err.flush();
    }
    rows.add(row(pairs, ours, theirs));
  }

  private Map<String, Object> row(int pairs, double[] ours, double[] theirs) {
    Comparison comparison = Comparison.of(library.name(), "msgs_per_s", ours, theirs);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("test", "pairs");
    row.put("pairs", pairs);
    row.put("ranks", 2 * pairs);
    row.put("bytes", options.bytes());
    row.put("window", options.window());
    row.put("msgs_per_s", comparison.ours());
    row.put("least", Arrays.stream(ours).min().orElseThrow());
    row.put("most", Arrays.stream(ours).max().orElseThrow());
    row.put("provider", options.provider());
    row.put("progress", options.progress().name().toLowerCase(Locale.ROOT));
    if (options.hasPeer()) {
      row.put("peer", comparison.peer());
      row.put("theirs", comparison.theirs());
      row.put("ratio_min", comparison.ratioMin());
      row.put("ratio_median", comparison.ratioMedian());
      row.put("ratio_max", comparison.ratioMax());
    }
    row.put("runs", options.runs());
    return row;
  }

  private double ours(int pairs) throws ContenderException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    try {
      int code =
          RankJob.run(
              2 * pairs,
              PairsRank.class.getName(),
              options.arguments(),
              Profile.TCP,
              Optional.of(patience()),
              out,
              error);
      if (code != ExitCode.OK) {
        throw new ContenderException(
            ContenderOutput.reason(error.toByteArray(), "a rank " + ExitCode.describe(code)));
      }
    } catch (LaunchException failure) {
      throw new ContenderException(failure.getMessage(), failure);
    }
    return figure(out.toByteArray(), pairs, "tagfabric");
  }

  private double theirs(int pairs) throws ContenderException {
    if (program == null) {
      program = library.build(programs.get(), SOURCE);
    }
    boolean crowded = 2 * pairs > Runtime.getRuntime().availableProcessors();
    List<String> command =
        new ArrayList<>(library.launcher(2 * pairs, MpiLibrary.SHARED_MEMORY, crowded));
    command.add(program.toString());
    for (int number : new int[] {WARM_UP_MS, options.runMs(), options.bytes(), options.window()}) {
      command.add(Integer.toString(number));
    }
    return figure(programs.get().run(command, Map.of(), patience()), pairs, library.name());
  }

  private Duration patience() {
    return PATIENCE.plusMillis(4L * options.runMs());
  }

  /** The number of the line {@code pairs <count> <messages a second>}. */
  static double figure(byte[] out, int pairs, String name) throws ContenderException {
    String begin = "pairs " + pairs + " ";
    OptionalDouble found =
        new String(out, StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.startsWith(begin))
            .mapToDouble(line -> Double.parseDouble(line.substring(begin.length())))
            .findFirst();
    return found.orElseThrow(
        () -> new ContenderException(name + " ended without a figure for " + pairs + " pairs"));
  }
}
