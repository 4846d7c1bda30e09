package io.tagfabric.bench;

import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.report.Report;
import io.tagfabric.cluster.report.Sizes;
import io.tagfabric.progress.ProgressMode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What all benchmarks let a person choose. */
final class BenchOptions {
  /** Where it is measured. */
  enum Place {
    LOCAL,
    SHM,
    ARTERY
  }

  /** Who is measured beside us. */
  enum Peer {
    AKKA
  }

  /** With this many receives posted, a completion queue of its usual size has room for all. */
  static final int MAX_WINDOW = 4096;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = "local",
      converter = Words.OfPlace.class,
      description = "local: within this JVM; shm or artery: between two ranks (default: local).")
  Place place;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      defaultValue = "8",
      converter = SizesConverter.class,
      description = "Message sizes such as 8,1k,64k, or all (default: ${DEFAULT-VALUE}).")
  List<Integer> sizes;

  @Option(
      names = "--progress",
      paramLabel = "MODE",
      defaultValue = "manual",
      converter = Words.OfProgress.class,
      description = "manual or auto (default: manual).")
  ProgressMode progress;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "5",
      description = "Runs of each; the one in the middle is shown (default: ${DEFAULT-VALUE}).")
  int runs;

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
      description = {
        "Threads that drive both ends, with local: 1 has no hand-over between threads (default),",
        "2 has one for every message."
      })
  int threads;

  @Option(
      names = "--vs",
      paramLabel = "PEER",
      converter = Words.OfPeer.class,
      description = "Let runs of this peer take turns with ours, with artery: akka.")
  Peer versus;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      converter = Words.OfProfile.class,
      description = "How Akka's remoting travels, with artery: aeron (default) or tcp.")
  Profile profile;

  @Option(names = "--json", description = "Print one JSON object a line.")
  boolean json;

  /** What is wrong with the options, in one sentence, null if nothing is. */
  String complaint() {
    if (runs < 1 || runs > 1000) {
      return "--runs=" + runs + " is not within 1 to 1000";
    }
    if (iterations < 0) {
      return "--iters=" + iterations + " < 0, give a number of repetitions";
    }
    if (threads < 1 || threads > 2) {
      return "--threads=" + threads + " is neither 1 nor 2";
    }
    if (place == Place.LOCAL && versus != null) {
      return "--vs " + Words.of(versus) + " needs two JVMs, add --provider artery";
    }
    if (place != Place.LOCAL && threads != 1) {
      return "--threads=" + threads + " is for --provider local, each rank has one";
    }
    return null;
  }

  /** The options as arguments of {@link BenchRank}. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--provider=" + Words.of(place));
    arguments.add("--sizes=" + String.join(",", sizes.stream().map(String::valueOf).toList()));
    arguments.add("--progress=" + Words.of(progress));
    arguments.add("--runs=" + runs);
    arguments.add("--iters=" + iterations);
    if (versus != null) {
      arguments.add("--vs=" + Words.of(versus));
    }
    if (profile != null) {
      arguments.add("--profile=" + Words.of(profile));
    }
    if (json) {
      arguments.add("--json");
    }
    return arguments;
  }

  Report report(PrintWriter out, Kind kind, int window) {
    if (!json) {
      return Report.table(out);
    }
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("bench", kind);
    facts.put("runs", runs);
    if (kind == Kind.RATE) {
      facts.put("window", window);
    }
    if (place == Place.LOCAL) {
      facts.put("threads", threads);
    } else {
      facts.put("profile", Words.of(profile));
    }
    return Report.json(out, facts);
  }

  private static final class SizesConverter implements ITypeConverter<List<Integer>> {
    @Override
    public List<Integer> convert(String text) {
      try {
        return Sizes.parse(text);
      } catch (IllegalArgumentException refused) {
        throw new TypeConversionException(refused.getMessage());
      }
    }
  }
}
