package io.tagfabric.trials.gasnet;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.job.Job;
import java.time.Duration;

/** The program of the ranks that {@link GasnetJob} starts: runs one case and says how it ends. */
final class GasnetRank {
  static final String PASSES = "gasnet-tests: passes";
  static final String FAILS = "gasnet-tests: fails ";

  private GasnetRank() {}

  /**
   * Runs as a rank.
   *
   * @param args the name of the case, and seconds that a wait may take; a case may have more
   */
  public static void main(String[] args) {
    GasnetCase which = GasnetCases.find(args[0]).orElseThrow();
    Duration limit = Duration.ofSeconds(Long.parseLong(args[1]));
    Job.run(args, job -> run(job, which, limit));
  }

  private static int run(Job job, GasnetCase which, Duration limit) {
    try {
      which.body().run(job, limit);
      job.barrier(limit);
    } catch (Exception | AssertionError wrong) {
      say(FAILS + wrong.toString().replaceAll("\\s+", " "));
      return ExitCode.FAILED;
    }
    say(PASSES);
    return ExitCode.OK;
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
