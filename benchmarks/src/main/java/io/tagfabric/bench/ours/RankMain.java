package io.tagfabric.bench.ours;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.CoreSet;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.provider.Reach;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine;

/** The program of the two ranks that a benchmark starts. */
public final class RankMain {
  private final BenchOptions options;
  private final int depth;
  private final RankWork work;

  private RankMain(BenchOptions options, int depth, RankWork work) {
    this.options = options;
    this.depth = depth;
    this.work = work;
  }

  /** What rank 0 does with the pair; what it prints is for the user. */
  interface RankWork {
    /** Measures. */
    void measure(RankPair pair, PrintWriter out);
  }

  /**
   * @param args what to do, then options as {@link BenchOptions#arguments} and its heirs write them
   */
  public static void main(String[] args) {
    String[] given = Arrays.copyOfRange(args, 1, args.length);
    RankMain program =
        switch (args[0]) {
          case MatchingBench.WORK -> matching(given);
          case MemoryBench.WORK -> memory(given);
          case WorkloadOptions.WORK -> workload(given);
          default -> messages(TransferKind.valueOf(args[0].toUpperCase(Locale.ROOT)), given);
        };
    program.run(args);
  }

  private static RankMain messages(TransferKind kind, String[] given) {
    MessageOptions options =
        switch (kind) {
          case LATENCY -> new MessageOptions();
          case RATE, BANDWIDTH -> new StreamOptions(StreamOptions.RATE_WINDOW);
          case BIBW -> new BothWaysOptions();
        };
    new CommandLine(options).parseArgs(given);
    return new RankMain(options, 0, new MessageBench(kind, options)::measure);
  }

  private static RankMain matching(String[] given) {
    MatchingOptions options = new MatchingOptions();
    new CommandLine(options).parseArgs(given);
    return new RankMain(options, options.deepest(), new MatchingBench(options)::measure);
  }

  private static RankMain memory(String[] given) {
    BenchOptions options = new BenchOptions();
    new CommandLine(options).parseArgs(given);
    return new RankMain(options, MemoryBench.DEPTH, new MemoryBench(options)::measure);
  }

  private static RankMain workload(String[] given) {
    WorkloadOptions options = new WorkloadOptions();
    new CommandLine(options).parseArgs(given);
    return new RankMain(options, options.deepest(), options::measure);
  }

  private void run(String[] args) {
    Config application =
        ConfigFactory.parseResources("tagfabric-bench.conf")
            .withFallback(Depths.config(depth))
            .withFallback(ConfigFactory.defaultApplication());
    JobOptions jobOptions =
        JobOptions.defaults()
            .withApplication(application)
            .withProviders(options.provider)
            .withProgress(this::progress);
    Job.run(jobOptions, args, this::runRank);
  }

  /** Only a thread that polls keeps to a core: a progress thread works where no other does. */
  private ProgressSettings progress(ProgressSettings defaults) {
    CoreSet cores = waiting() == FabricEnd.Waiting.POLLING ? defaults.cores() : CoreSet.NONE;
    return options.progress(defaults).withCores(cores);
  }

  private int runRank(Job job) {
    job.domain().bindCurrentThread();
    RankPair pair = new RankPair(job, waiting(), options);
    if (job.rank() == 1) {
      pair.answer();
      return ExitCode.OK;
    }
    // rank 0 alone prints, so the launcher need not say which rank it was
    OutputStream screen = RecordOutput.of(System.out, job.spec().launcherPid());
    work.measure(pair, new PrintWriter(screen, true, Charset.defaultCharset()));
    pair.end();
    return ExitCode.OK;
  }

  /** Akka's threads need the cores that polling would take; other providers have no threads. */
  private FabricEnd.Waiting waiting() {
    return options.progress == ProgressMode.MANUAL
            && !Providers.reaches(options.provider, Reach.REMOTING)
        ? FabricEnd.Waiting.POLLING
        : FabricEnd.Waiting.BLOCKING;
  }
}
