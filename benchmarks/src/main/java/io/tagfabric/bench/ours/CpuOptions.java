package io.tagfabric.bench.ours;

import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.progress.ThreadUse;
import io.tagfabric.report.SizesConverter;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmark of processor time lets a person choose. */
public final class CpuOptions extends BenchOptions {
  private static final int MOST_BYTES = 1 << 28;
  private static final int MOST_WINDOW = 4096;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description = "Bytes of a message that goes and comes back (default: 8,1k,64k,1m).")
  List<Integer> sizes = List.of(8, 1 << 10, 1 << 16, 1 << 20);

  @Option(
      names = "--window",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = "Messages of 8 bytes in flight in a stream (default: 64,1000).")
  List<Integer> windows = List.of(64, 1000);

  @Option(
      names = "--run-ms",
      paramLabel = "N",
      defaultValue = "200",
      description = "Milliseconds of processor time of a run (default: ${DEFAULT-VALUE}).")
  int runMs;

  @Override
  public String complaint() {
    if (progress != ProgressMode.MANUAL) {
      return "--progress=" + EnumNames.of(progress) + " has threads of its own, choose manual";
    }
    if (profile != null) {
      return "--profile=" + EnumNames.of(profile) + " is for ranks, both ends are in this JVM";
    }
    for (int size : sizes) {
      if (size < 1 || size > MOST_BYTES) {
        return "--sizes=" + size + " is not within 1 to " + MOST_BYTES;
      }
    }
    for (int window : windows) {
      if (window < 1 || window > MOST_WINDOW) {
        return "--window=" + window + " is not within 1 to " + MOST_WINDOW;
      }
    }
    if (runMs < 1 || runMs > 60_000) {
      return "--run-ms=" + runMs + " is not within 1 to 60000";
    }
    return super.complaint();
  }

  /** The one thread has both domains for itself unless it is said otherwise. */
  @Override
  ProgressSettings progress(ProgressSettings defaults) {
    ProgressSettings chosen = super.progress(defaults);
    return threadUse == null ? chosen.withThreads(ThreadUse.ONE) : chosen;
  }
}
