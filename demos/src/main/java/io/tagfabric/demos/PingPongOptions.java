package io.tagfabric.demos;

import io.tagfabric.bench.ours.Providers;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Reach;
import io.tagfabric.report.Report;
import io.tagfabric.report.SizesConverter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@link PingPong} and of {@link PingPongCommand}. */
final class PingPongOptions {
  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      defaultValue = "64,256,1k,4k,64k,1m",
      description =
          "Message sizes, powers of two such as 1..4m, or all (default: ${DEFAULT-VALUE}).")
  List<Integer> sizes;

  @Option(
      names = "--iters",
      paramLabel = "N",
      defaultValue = "0",
      description = "Round trips per size (default: as many as take half a second).")
  int iterations;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "Round trips before each size that do not count; 0: none (default: until they get no"
              + " faster).")
  Integer warmUp;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      converter = ProviderConverter.class,
      completionCandidates = Providers.Names.class,
      description =
          "How messages travel: ${COMPLETION-CANDIDATES} (default: the best that reaches).")
  String provider;

  @Option(
      names = "--progress",
      paramLabel = "MODE",
      converter = ProgressConverter.class,
      description = "What moves messages: auto, a thread of its own; manual, the waits.")
  ProgressMode progress;

  @Option(names = "--check", description = "Verify every byte.")
  boolean check;

  @Option(names = "--json", description = "Print one JSON object a line.")
  boolean json;

  @Option(names = "--unnumbered", hidden = true)
  private boolean unnumbered;

  /** Whether lines go without the number of the rank: for programs, and if one rank was asked. */
  boolean isUnnumbered() {
    return json || unnumbered;
  }

  /** Whether the provider that is named reaches no further than this JVM. */
  boolean isInOneJvm() {
    return provider != null && Providers.reaches(provider, Reach.JVM);
  }

  /** What is wrong with the options, null if nothing is. */
  String complaint() {
    if (iterations < 0) {
      return "--iters=" + iterations + " < 0, give a number of round trips";
    }
    if (warmUp != null && warmUp < 0) {
      return "--warm-up=" + warmUp + " < 0, give a number of round trips";
    }
    return warmUp != null && warmUp == 0 && iterations == 0
        ? "--warm-up=0 needs --iters: without a warm-up no time of a round trip is known"
        : null;
  }

  /** What is wrong with the options in a job of a size, null if nothing is. */
  String complaint(int size) {
    if (complaint() != null) {
      return complaint();
    }
    if (isInOneJvm() && size > 1) {
      return "provider "
          + provider
          + " reaches only its own JVM and the ranks are two; run `tagfabric pingpong --provider "
          + provider
          + '`';
    }
    if (size != 2) {
      return "takes 2 ranks, not " + size + "; run `tagfabric run -n 2 pingpong`";
    }
    return null;
  }

  /** The choices for provider and progress that a rank is started with. */
  JobOptions jobOptions() {
    JobOptions options = JobOptions.defaults();
    if (provider != null) {
      options = options.withProviders(provider);
    }
    return progress == null ? options : options.withProgress(p -> p.withMode(progress));
  }

  /** What is played, with a report to a stream. */
  Rally rally(PrintWriter out) {
    return new Rally(sizes, iterations, warmUp, report(out));
  }

  private Report report(PrintWriter out) {
    return json ? Report.json(out, Map.of()) : Report.table(out);
  }

  /** The options as arguments of {@link PingPong}. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--unnumbered");
    arguments.add("--sizes=" + String.join(",", sizes.stream().map(String::valueOf).toList()));
    arguments.add("--iters=" + iterations);
    if (warmUp != null) {
      arguments.add("--warm-up=" + warmUp);
    }
    if (provider != null) {
      arguments.add("--provider=" + provider);
    }
    if (progress != null) {
      arguments.add("--progress=" + progress.name().toLowerCase(Locale.ROOT));
    }
    if (check) {
      arguments.add("--check");
    }
    if (json) {
      arguments.add("--json");
    }
    return arguments;
  }

  private static final class ProviderConverter implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      List<String> names = Providers.names();
      if (!names.contains(text)) {
        throw new TypeConversionException(
            "'" + text + "' is no provider, there are " + String.join(", ", names));
      }
      return text;
    }
  }

  private static final class ProgressConverter implements ITypeConverter<ProgressMode> {
    @Override
    public ProgressMode convert(String text) {
      for (ProgressMode mode : ProgressMode.values()) {
        if (mode.name().equalsIgnoreCase(text)) {
          return mode;
        }
      }
      throw new TypeConversionException("'" + text + "' is neither auto nor manual");
    }
  }
}
