package io.tagfabric.bench.ours;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;

/** The program of the two ranks that access each other's memory. */
public final class RmaRank {
  private RmaRank() {}

  /**
   * @param args options as {@link RmaOptions#arguments} writes them
   */
  public static void main(String[] args) {
    RmaOptions options = new RmaOptions();
    new CommandLine(options).parseArgs(args);
    Config application =
        ConfigFactory.parseResources("tagfabric-bench.conf")
            .withFallback(ConfigFactory.defaultApplication());
    JobOptions jobOptions =
        JobOptions.defaults()
            .withApplication(application)
            .withProviders(options.provider)
            .withProgress(options::progress);
    Job.run(jobOptions, args, job -> run(job, options));
  }

  private static int run(Job job, RmaOptions options) {
    job.domain().bindCurrentThread();
    RmaBench bench = new RmaBench(options);
    RmaSide side = bench.side(job.domain(), job.endpoint(), job.peer(1 - job.rank()));
    if (job.rank() == 1) {
      RmaBench.serve(side);
      return ExitCode.OK;
    }
    OutputStream screen = RecordOutput.of(System.out, job.spec().launcherPid());
    boolean right =
        bench.measure(
            side,
            new PrintWriter(screen, true, Charset.defaultCharset()),
            new PrintWriter(System.err, true, Charset.defaultCharset()));
    return right ? ExitCode.OK : ExitCode.FAILED;
  }
}
