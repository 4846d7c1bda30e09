package io.tagfabric.trials.soak;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.function.IntSupplier;
import picocli.CommandLine;

/** The program of the two ranks that {@link SoakCommand} starts. */
final class SoakRank {
  private SoakRank() {}

  /**
   * @param args options as {@link SoakOptions#arguments} writes them
   */
  public static void main(String[] args) throws IOException {
    SoakOptions options = new SoakOptions();
    new CommandLine(options).parseArgs(args);
    if (options.cuts == 0) {
      run(args, options, Map.of(), () -> 0);
      return;
    }
    int rank = Settings.of(ConfigFactory.load()).get(JobSettings.RANK);
    Cutter cutter = new Cutter(options.cuts, options.seed * 2L + rank);
    run(args, options, cutter.settings(), cutter::cuts); // the JVM ends with it
  }

  private static void run(
      String[] args, SoakOptions options, Map<String, Object> settings, IntSupplier cuts) {
    Config application =
        ConfigFactory.parseMap(settings)
            .withFallback(ConfigFactory.parseMap(options.faults.settings(options.seed)))
            .withFallback(ConfigFactory.defaultApplication());
    JobOptions jobOptions =
        JobOptions.defaults()
            .withApplication(application)
            .withProviders(options.provider)
            .withProgress(progress -> progress.withMode(ProgressMode.MANUAL));
    Job.run(jobOptions, args, job -> run(job, options, cuts));
  }

  private static int run(Job job, SoakOptions options, IntSupplier cuts) {
    // rank 0 alone prints the row, so the launcher need not say which rank it was
    OutputStream screen = RecordOutput.of(System.out, job.spec().launcherPid());
    PrintWriter out = new PrintWriter(screen, true, Charset.defaultCharset());
    PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
    return new Soak(options).runAsRank(job, cuts, out, err);
  }
}
