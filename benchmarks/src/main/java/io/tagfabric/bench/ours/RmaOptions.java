package io.tagfabric.bench.ours;

import io.tagfabric.report.SizesConverter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** What the benchmark of remote memory lets a person choose. */
public final class RmaOptions extends BenchOptions {
  private static final List<Integer> SIZES = List.of(8, 1 << 10, 1 << 16, 1 << 20);
  private static final int MOST_BYTES = 1 << 28;

  @Option(
      names = "--op",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = {
        "Of write,read,write-signal,tagged,fetch-add (default: all). A write-signal is answered by"
            + " another, and a tagged message of 8 bytes too; half the round trip is shown. fetch-add"
            + " has no sizes: of random words of 1 MiB, then of one word, while the owner adds too."
      })
  List<String> ops = List.of("write", "read", "write-signal", "tagged", "fetch-add");

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description =
          "Bytes of an access, such as 8,1k,64k,1m (the default), or 8..1m for powers of two.")
  List<Integer> sizes = SIZES;

  @Option(
      names = "--run-ms",
      paramLabel = "N",
      defaultValue = "200",
      description = "Milliseconds of a run (default: ${DEFAULT-VALUE}).")
  int runMs;

  @Override
  public String complaint() {
    for (String op : ops) {
      if (RmaOp.find(op) == null) {
        return "--op=" + op + " is unknown, choose of write,read,write-signal,tagged,fetch-add";
      }
    }
    for (int size : sizes) {
      if (size < 1 || size > MOST_BYTES) {
        return "--sizes=" + size + " is not within 1 to " + MOST_BYTES;
      }
    }
    if (runMs < 1 || runMs > 60_000) {
      return "--run-ms=" + runMs + " is not within 1 to 60000";
    }
    if (memory == Memory.DIRECT) {
      return "--memory=direct is for messages, choose heap or fabric";
    }
    if (isLocal() && memory == Memory.FABRIC) {
      return null;
    }
    return super.complaint();
  }

  /** What is measured, in the order given. */
  List<RmaOp> operations() {
    return ops.stream().map(RmaOp::find).toList();
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--op=" + String.join(",", ops).toLowerCase(Locale.ROOT));
    arguments.add("--sizes=" + String.join(",", sizes.stream().map(String::valueOf).toList()));
    arguments.add("--run-ms=" + runMs);
    return arguments;
  }
}
