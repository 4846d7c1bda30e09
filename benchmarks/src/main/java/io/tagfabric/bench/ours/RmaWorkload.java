package io.tagfabric.bench.ours;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.measure.Accesses;
import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;

/**
 * The program of two ranks that play the accesses of a comparison: in fabric memory, over shm, by
 * an access region, whose accesses leave no entries as those of a window of MPI do not.
 */
public final class RmaWorkload {
  private RmaWorkload() {}

  /**
   * @param args words of {@link Workload#toWords}
   */
  public static void main(String[] args) {
    Workload workload = Workload.parse(List.of(args));
    Config application =
        ConfigFactory.parseResources("tagfabric-bench.conf")
            .withFallback(ConfigFactory.defaultApplication());
    JobOptions options =
        JobOptions.defaults()
            .withApplication(application)
            .withProviders(Providers.SHM)
            .withProgress(defaults -> defaults.withMode(ProgressMode.MANUAL));
    Job.run(options, args, job -> run(job, workload));
  }

  private static int run(Job job, Workload workload) {
    job.domain().bindCurrentThread();
    int longest = workload.cells().stream().mapToInt(Cell::size).max().orElse(0);
    int bytes = Math.max(longest, RmaSide.WORDS * Long.BYTES);
    RmaSide side = new RmaSide(job.domain(), job.endpoint(), job.peer(1 - job.rank()), bytes, true);
    if (job.rank() == 1) {
      RmaBench.serve(side);
      return ExitCode.OK;
    }
    PrintWriter out =
        new PrintWriter(
            RecordOutput.of(System.out, job.spec().launcherPid()), true, Charset.defaultCharset());
    side.meet();
    new Accesses(workload, (cell, count) -> play(side, cell, count))
        .play(sample -> out.println(sample.toLine()));
    side.end();
    return ExitCode.OK;
  }

  private static long play(RmaSide side, Cell cell, int count) {
    return switch (cell.metric()) {
      case RMA_WRITE -> side.writeImplicitly(cell.size(), count);
      case RMA_READ -> side.readImplicitly(cell.size(), count);
      case RMA_FETCH_ADD -> side.fetchAddImplicitly(count);
      default -> throw new IllegalArgumentException(cell + " is no access");
    };
  }
}
