package io.tagfabric.bench.ours;

import io.tagfabric.report.SizesConverter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmark beside silent peers lets a person choose. */
public final class PeersOptions extends BenchOptions {
  private static final int MOST_PEERS = 100_000;

  /** Each has a thread, which sleeps. */
  private static final int MOST_DOMAINS = 4096;

  @Option(
      names = "--count",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description = "Numbers of peers that have sent once, in turn (default: 1,10,100,1000).")
  List<Integer> counts = List.of(1, 10, 100, 1000);

  @Option(
      names = "--domains",
      description = {
        "Give each peer a domain of its own, and so a connection, in place of an endpoint of one that"
            + " they share."
      })
  boolean domains;

  @Option(
      names = "--run-ms",
      paramLabel = "N",
      defaultValue = "200",
      description = "Milliseconds of a run (default: ${DEFAULT-VALUE}).")
  int runMs;

  /** Peers are of another process. */
  void betweenRanks() {
    if (isLocal()) {
      provider = Providers.SHM;
    }
  }

  @Override
  public String complaint() {
    for (int i = 0; i < counts.size(); i++) {
      int count = counts.get(i);
      if (count < 1 || count > MOST_PEERS) {
        return "--count=" + count + " is not within 1 to " + MOST_PEERS;
      }
      if (domains && count > MOST_DOMAINS) {
        return "--count=" + count + " is more than " + MOST_DOMAINS + " domains";
      }
      if (i > 0 && count <= counts.get(i - 1)) {
        return "--count=" + count + " comes after " + counts.get(i - 1) + ", give them in order";
      }
    }
    if (runMs < 1 || runMs > 60_000) {
      return "--run-ms=" + runMs + " is not within 1 to 60000";
    }
    return super.complaint();
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--count=" + String.join(",", counts.stream().map(String::valueOf).toList()));
    arguments.add("--run-ms=" + runMs);
    if (domains) {
      arguments.add("--domains");
    }
    return arguments;
  }
}
