package io.tagfabric.bench.ours;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.job.Job;
import java.io.PrintWriter;

/** The program of the two ranks that send each other active messages. */
public final class AmRank {
  private AmRank() {}

  /**
   * @param args options as {@link AmOptions#arguments} writes them
   */
  public static void main(String[] args) {
    AmOptions options = new AmOptions();
    RankJob.rank(options, args, job -> run(job, options));
  }

  private static int run(Job job, AmOptions options) {
    job.domain().bindCurrentThread();
    AmSide side = new AmSide(job.endpoint(), job.peer(1 - job.rank()));
    if (job.rank() == 1) {
      side.serve();
      return ExitCode.OK;
    }
    PrintWriter screen = RankJob.screen(job);
    new AmBench(options, side, screen).measure();
    side.end();
    return ExitCode.OK;
  }
}
