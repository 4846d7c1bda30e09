package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Budget;
import io.tagfabric.bench.measure.Runs;
import io.tagfabric.bench.measure.StolenTime;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.measure.Trial;
import io.tagfabric.report.Report;
import io.tagfabric.report.SizesConverter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** What the benchmarks of messages let a person choose. */
public class MessageOptions extends BenchOptions {
  /** The peer measured beside us. */
  enum Peer {
    AKKA
  }

  /** With this many receives posted, a completion queue of its usual size has room for all. */
  private static final int MAX_WINDOW = 4096;

  private static final List<Integer> SHORT = List.of(8);
  private static final List<Integer> LONG = List.of(1 << 10, 1 << 16, 1 << 20, 1 << 22);

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description =
          "Message sizes such as 8,1k,64k, a range of powers of two such as 1..4m, or all (default:"
              + " 8; of bandwidth and bibw 1k,64k,1m,4m).")
  List<Integer> sizes;

  @Option(
      names = "--iters",
      paramLabel = "N",
      defaultValue = "0",
      description = "Repetitions of a run (default: as many as take half a second).")
  int iterations;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Threads that drive both ends, with local: 1 has no hand-over between threads (default), "
              + "2 has one for every message.")
  int threads;

  @Option(
      names = "--vs",
      paramLabel = "PEER",
      converter = EnumNames.OfPeer.class,
      description = {
        "Let runs of this peer take turns with ours, between the same two ranks: akka. Other peers:"
            + " tagfabric bench compare."
      })
  Peer versus;

  /** Messages under way; {@link StreamOptions} has an option for it. */
  int window() {
    return 1;
  }

  /** Most messages under way. */
  int maxWindow() {
    return MAX_WINDOW;
  }

  /** A ratio varies more than what it is made of. */
  @Override
  int usualRuns() {
    return versus != null || way() != Way.PLAIN ? 9 : super.usualRuns();
  }

  List<Integer> sizes(TransferKind kind) {
    if (sizes != null) {
      return sizes;
    }
    return kind == TransferKind.BANDWIDTH || kind == TransferKind.BIBW ? LONG : SHORT;
  }

  @Override
  public String complaint() {
    if (super.complaint() != null) {
      return super.complaint();
    }
    if (iterations < 0) {
      return "--iters=" + iterations + " < 0, give a number of repetitions";
    }
    if (threads < 1 || threads > 2) {
      return "--threads=" + threads + " is neither 1 nor 2";
    }
    if (isLocal() && versus != null) {
      return "--vs " + EnumNames.of(versus) + " needs two JVMs, add --provider artery";
    }
    if (!isLocal() && threads != 1) {
      return "--threads=" + threads + " is for --provider local, each rank has one";
    }
    if (window() < 1 || window() > maxWindow()) {
      return "--window=" + window() + " is not within 1 to " + maxWindow();
    }
    return null;
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    if (sizes != null) {
      arguments.add("--sizes=" + String.join(",", sizes.stream().map(String::valueOf).toList()));
    }
    arguments.add("--iters=" + iterations);
    if (versus != null) {
      arguments.add("--vs=" + EnumNames.of(versus));
    }
    return arguments;
  }

  Runs runs(TransferKind kind) {
    Trial trial = new Trial(kind, window(), Budget.FULL, iterations, EnumNames.of(progress));
    return new Runs(trial, runs(), StolenTime.ofMachine());
  }

  Report report(PrintWriter out, TransferKind kind) {
    if (!json) {
      return Report.table(out);
    }
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("test", kind);
    facts.put("runs", runs());
    facts.put("memory", EnumNames.of(memory));
    if (kind.isStream()) {
      facts.put("window", window());
    }
    if (isLocal()) {
      facts.put("threads", threads);
    } else {
      facts.put("profile", EnumNames.of(profile));
    }
    return Report.json(out, facts);
  }
}
