package io.tagfabric.trials.soak;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;

/** The program of the two ranks that {@link SoakCommand} starts. */
final class SoakRank {
  private SoakRank() {}

  /**
   * @param args options as {@link SoakOptions#arguments} writes them
   */
  public static void main(String[] args) {
    SoakOptions options = new SoakOptions();
    new CommandLine(options).parseArgs(args);
    Config application =
        ConfigFactory.parseMap(options.faults.settings(options.seed))
            .withFallback(ConfigFactory.defaultApplication());
    JobOptions jobOptions =
        JobOptions.defaults()
            .withApplication(application)
            .withProviders(options.provider)
            .withProgress(progress -> progress.withMode(ProgressMode.MANUAL));
    Job.run(jobOptions, args, job -> run(job, options));
  }

  private static int run(Job job, SoakOptions options) {
    // rank 0 alone prints the row, so the launcher need not say which rank it was
    OutputStream screen = RecordOutput.of(System.out, job.spec().launcherPid());
    PrintWriter out = new PrintWriter(screen, true, Charset.defaultCharset());
    PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
    return new Soak(options).runAsRank(job, out, err);
  }
}
