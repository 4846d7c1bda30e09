package io.tagfabric.bench.ours;

import io.tagfabric.report.SizesConverter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmark of active messages lets a person choose. */
public final class AmOptions extends BenchOptions {
  private static final int MOST_BYTES = 1 << 16;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description =
          "Bytes of a medium request, such as 8,512,4k,32k (the default), or 8..32k for powers of two.")
  List<Integer> sizes = List.of(8, 512, 1 << 12, 1 << 15);

  @Option(
      names = "--run-ms",
      paramLabel = "N",
      defaultValue = "200",
      description = "Milliseconds of a run (default: ${DEFAULT-VALUE}).")
  int runMs;

  @Override
  public String complaint() {
    if (Providers.complaintOfRanks(provider) != null) {
      return Providers.complaintOfRanks(provider);
    }
    for (int size : sizes) {
      if (size < 0 || size > MOST_BYTES) {
        return "--sizes=" + size + " is not within 0 to " + MOST_BYTES;
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
    arguments.add("--sizes=" + String.join(",", sizes.stream().map(String::valueOf).toList()));
    arguments.add("--run-ms=" + runMs);
    return arguments;
  }
}
