package io.tagfabric.bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine;

/** The program of the two ranks that {@link BenchCommand} starts. */
final class BenchRank {
  private BenchRank() {}

  /**
   * @param args kind, window, then options as {@link BenchOptions#arguments} writes them
   */
  public static void main(String[] args) {
    Kind kind = Kind.valueOf(args[0].toUpperCase(Locale.ROOT));
    BenchOptions options = new BenchOptions();
    new CommandLine(options).parseArgs(Arrays.copyOfRange(args, 2, args.length));
    Bench bench = new Bench(kind, Integer.parseInt(args[1]), options);
    Config application =
        ConfigFactory.parseResources("tagfabric-bench.conf")
            .withFallback(ConfigFactory.defaultApplication());
    JobOptions jobOptions =
        JobOptions.defaults()
            .withApplication(application)
            .withProviders(Words.of(options.place))
            .withProgress(progress -> progress.withMode(options.progress));
    Job.run(jobOptions, args, bench::measureAsRank);
  }
}
