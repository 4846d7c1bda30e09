package io.tagfabric.bench.ours;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.job.Job;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/** The program of the two ranks that access each other's memory. */
public final class RmaRank {
  private RmaRank() {}

  /**
   * @param args options as {@link RmaOptions#arguments} writes them
   */
  public static void main(String[] args) {
    RmaOptions options = new RmaOptions();
    RankJob.rank(options, args, job -> run(job, options));
  }

  private static int run(Job job, RmaOptions options) {
    job.domain().bindCurrentThread();
    RmaBench bench = new RmaBench(options);
    RmaSide side = bench.side(job.domain(), job.endpoint(), job.peer(1 - job.rank()));
    if (job.rank() == 1) {
      RmaBench.serve(side);
      return ExitCode.OK;
    }
    boolean right =
        bench.measure(
            side, RankJob.screen(job), new PrintWriter(System.err, true, Charset.defaultCharset()));
    return right ? ExitCode.OK : ExitCode.FAILED;
  }
}
