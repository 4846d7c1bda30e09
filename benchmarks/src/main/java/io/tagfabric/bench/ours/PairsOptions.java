package io.tagfabric.bench.ours;

import io.tagfabric.report.SizesConverter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** What the benchmark of several pairs of ranks lets a person choose. */
public final class PairsOptions extends BenchOptions {
  /** The only peer. */
  public static final String OPEN_MPI = "openmpi";

  private static final int MOST_PAIRS = 32;
  private static final int WIDEST_WINDOW = 4096;
  private static final int LONGEST_MESSAGE = 1 << 20;

  @Option(
      names = "--count",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description = "Numbers of pairs, in turn (default: 1,2).")
  private List<Integer> counts = List.of(1, 2);

  @Option(
      names = "--bytes",
      paramLabel = "N",
      defaultValue = "8",
      description = "Bytes of a message (default: ${DEFAULT-VALUE}).")
  private int bytes;

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "64",
      description = "Messages of each pair under way (default: ${DEFAULT-VALUE}).")
  private int window;

  @Option(
      names = "--run-ms",
      paramLabel = "N",
      defaultValue = "500",
      description = "Milliseconds of a run (default: ${DEFAULT-VALUE}).")
  private int runMs;

  @Option(
      names = "--vs",
      paramLabel = "PEER",
      description = {
        "Let runs of a peer take turns with ours: openmpi, its C library, as many processes, which"
            + " yield when idle."
      })
  private String versus;

  /** Pairs are of processes. */
  public void betweenRanks() {
    if (isLocal()) {
      provider = Providers.SHM;
    }
  }

  /** Numbers of pairs, in the order given. */
  public List<Integer> counts() {
    return counts;
  }

  /** Bytes of a message. */
  public int bytes() {
    return bytes;
  }

  /** Messages of each pair under way. */
  public int window() {
    return window;
  }

  /** Nanoseconds of a run. */
  long runNs() {
    return TimeUnit.MILLISECONDS.toNanos(runMs);
  }

  /** Milliseconds of a run. */
  public int runMs() {
    return runMs;
  }

  /** Whether a peer takes turns. */
  public boolean hasPeer() {
    return versus != null;
  }

  @Override
  public String complaint() {
    for (int count : counts) {
      if (count < 1 || count > MOST_PAIRS) {
        return "--count=" + count + " is not within 1 to " + MOST_PAIRS;
      }
    }
    if (bytes < 0 || bytes > LONGEST_MESSAGE) {
      return "--bytes=" + bytes + " is not within 0 to " + LONGEST_MESSAGE;
    }
    if (window < 1 || window > WIDEST_WINDOW) {
      return "--window=" + window + " is not within 1 to " + WIDEST_WINDOW;
    }
    if (runMs < 1 || runMs > 60_000) {
      return "--run-ms=" + runMs + " is not within 1 to 60000";
    }
    if (versus != null && !versus.equals(OPEN_MPI)) {
      return "--vs=" + versus + " is unknown, choose " + OPEN_MPI;
    }
    return super.complaint();
  }

  /** The options as {@link PairsRank} reads them. */
  @Override
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--bytes=" + bytes);
    arguments.add("--window=" + window);
    arguments.add("--run-ms=" + runMs);
    return arguments;
  }
}
