package io.tagfabric.bench.ours;

import picocli.CommandLine.Option;

/** What the benchmark of memory lets a person choose. */
public final class MemoryOptions extends BenchOptions {
  private static final int MOST_PEERS = 1_000_000;

  @Option(
      names = "--peers",
      paramLabel = "N",
      description = "Of so many peers that one pool of 64 receives serves, in this JVM.")
  Integer peers;

  @Override
  public String complaint() {
    if (peers != null && (peers < 1 || peers > MOST_PEERS)) {
      return "--peers=" + peers + " is not within 1 to " + MOST_PEERS;
    }
    if (peers != null && !isLocal()) {
      return "--peers are in one JVM, leave out --provider";
    }
    return super.complaint();
  }
}
