package io.tagfabric.bench.ours;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmarks of references to actors let a person choose. */
public final class ActorOptions extends BenchOptions {
  private static final int MOST_BYTES = 1 << 16;
  private static final int MOST_WINDOW = 3000;

  @Option(
      names = "--vs",
      paramLabel = "PEER",
      converter = EnumNames.OfPeer.class,
      description =
          "Let runs of this peer take turns with ours, between the same two ranks: akka, its own"
              + " references over Artery.")
  MessageOptions.Peer versus;

  @Option(
      names = "--way",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      converter = EnumNames.OfActorWay.class,
      description = "Of loop,wait,actors,thread, of tell loop,actors (default: all).")
  List<ActorWay> ways = List.of(ActorWay.values());

  @Option(
      names = "--bytes",
      paramLabel = "N",
      defaultValue = "64",
      description = "Bytes of a message (default: ${DEFAULT-VALUE}).")
  int bytes;

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Messages told and not acknowledged (default: ${DEFAULT-VALUE}).")
  int window;

  @Option(
      names = "--run-ms",
      paramLabel = "N",
      defaultValue = "500",
      description = "Milliseconds of a run (default: ${DEFAULT-VALUE}).")
  int runMs;

  @Override
  public String complaint() {
    if (Providers.complaintOfRanks(provider) != null) {
      return Providers.complaintOfRanks(provider);
    }
    if (bytes < 0 || bytes > MOST_BYTES) {
      return "--bytes=" + bytes + " is not within 0 to " + MOST_BYTES;
    }
    if (window < 2 || window > MOST_WINDOW) {
      return "--window=" + window + " is not within 2 to " + MOST_WINDOW;
    }
    if (runMs < 1 || runMs > 60_000) {
      return "--run-ms=" + runMs + " is not within 1 to 60000";
    }
    return super.complaint();
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    if (versus != null) {
      arguments.add("--vs=" + EnumNames.of(versus));
    }
    arguments.add("--way=" + String.join(",", ways.stream().map(EnumNames::of).toList()));
    arguments.add("--bytes=" + bytes);
    arguments.add("--window=" + window);
    arguments.add("--run-ms=" + runMs);
    return arguments;
  }
}
