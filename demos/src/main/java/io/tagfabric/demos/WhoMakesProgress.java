package io.tagfabric.demos;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.job.Job;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/**
 * Messages do not move by themselves. Rank 0 computes and calls nothing, while rank 1 sends it a
 * long message; once with a progress thread, once without.
 *
 * <p>Run it: {@code tagfabric run -n 2 --trace who-makes-progress}
 *
 * @source libfabric fi_domain(3), progress models
 */
@Command(name = "who-makes-progress", description = "What moves messages while a rank computes.")
public final class WhoMakesProgress extends HelpOption {
  private static final int RECEIVER = 0;
  private static final int TAG = 1;
  private static final int BYTES = 1 << 20;
  private static final Duration COMPUTES = Duration.ofMillis(300);
  private static final Duration AT_MOST = Duration.ofSeconds(30);

  private WhoMakesProgress() {}

  public static void main(String[] args) {
    Arguments.parse(
        new WhoMakesProgress(), args, size -> size != 2 ? "needs 2 ranks, use -n 2" : null);
    Job.run(args, WhoMakesProgress::run);
  }

  private static int run(Job job) {
    show(job, ProgressMode.AUTO);
    show(job, ProgressMode.MANUAL);
    return 0;
  }

  private static void show(Job job, ProgressMode mode) {
    Domain domain = job.fabric().openDomain("with-" + mode, mode);
    Endpoint endpoint = domain.openEndpoint("with-" + mode);
    job.fabric().register(mode + "-" + job.rank(), endpoint);
    int other = domain.connect(mode + "-" + (1 - job.rank())).toCompletableFuture().join();
    if (job.rank() == RECEIVER) {
      receive(job, endpoint, other, mode);
    } else {
      job.barrier(); // now the receive is posted
      endpoint.futures().sendTagged(other, new byte[BYTES], TAG).toCompletableFuture().join();
    }
    job.barrier();
    domain.close();
  }

  private static void receive(Job job, Endpoint endpoint, int sender, ProgressMode mode) {
    CompletableFuture<TaggedMessage> received =
        endpoint.futures().receiveTagged(TagSelector.exact(TAG).from(sender)).toCompletableFuture();
    job.barrier();
    // With a progress thread it computes until it sees that the message is there.
    compute(mode == ProgressMode.AUTO ? AT_MOST : COMPUTES, received);
    boolean cameMeanwhile = received.isDone();
    received.join(); // this waits, and a thread that waits makes progress
    System.out.println(
        mode
            + ": the message came "
            + (cameMeanwhile ? "while rank 0 computed" : "when it waited"));
  }

  /** Asks the future whether it is done, which makes no progress. */
  private static void compute(Duration time, CompletableFuture<?> message) {
    long endNs = System.nanoTime() + time.toNanos();
    double sum = 0;
    while (System.nanoTime() - endNs < 0 && !message.isDone()) {
      sum += Math.sqrt(sum + 1);
    }
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("sum=" + sum);
    }
  }
}
