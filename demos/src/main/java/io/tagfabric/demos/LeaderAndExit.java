package io.tagfabric.demos;

import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;

/**
 * The ranks stand in a ring and elect the one with the highest number drawn; it ends the job, and
 * each rank tells how it hears of that.
 *
 * <p>Run it: {@code tagfabric run -n 3 --trace leader-and-exit}
 *
 * @source Chang and Roberts, CACM 22 (1979); GASNet 1.8.1, gasnet_exit
 */
@Command(name = "leader-and-exit", description = "An election in a ring; the leader ends the job.")
public final class LeaderAndExit extends HelpOption {
  private static final long CANDIDATE = 1;
  private static final long ELECTED = 2;
  private static final TagSelector EITHER = TagSelector.any();

  private LeaderAndExit() {}

  public static void main(String[] args) {
    Arguments.parse(
        new LeaderAndExit(), args, size -> size < 2 ? "needs 2 ranks or more, use -n 3" : null);
    Job.run(args, LeaderAndExit::run);
  }

  private static int run(Job job) throws InterruptedException {
    job.onExit(notice -> tell(job, notice));
    int leader = elect(job);
    System.out.println("elected rank " + leader);
    job.barrier(); // all know it before the end begins
    if (job.rank() == leader) {
      job.exitNow(0);
    }
    new CountDownLatch(1).await(); // until the process ends
    return 0;
  }

  /** A hook: it runs once in each rank, before anything is closed. */
  private static void tell(Job job, ExitNotice notice) {
    boolean own = notice.rank() == job.rank();
    System.out.println(
        (own ? "ends the job" : "hears that rank " + notice.rank() + " ends the job")
            + " with code "
            + notice.code());
  }

  /** A candidate goes on along the ring past lower ones; who gets its own number back has won. */
  private static int elect(Job job) {
    int own = number(job.rank(), job.size());
    send(job, CANDIDATE, own, job.rank());
    while (true) {
      TaggedMessage message =
          job.endpoint().futures().receiveTagged(EITHER).toCompletableFuture().join();
      ByteBuffer bytes = ByteBuffer.wrap(message.payload().array());
      int number = bytes.getInt();
      int rank = bytes.getInt();
      if (message.tag() == ELECTED) {
        if (rank != job.rank()) {
          send(job, ELECTED, number, rank);
        }
        return rank;
      }
      if (number == own) {
        send(job, ELECTED, own, job.rank());
      } else if (number > own) {
        send(job, CANDIDATE, number, rank);
      } // a lower one goes no further
    }
  }

  /** Different for each rank, and not in their order. */
  private static int number(int rank, int size) {
    return (rank + 1) * (size + 1) % (2 * size + 1);
  }

  private static void send(Job job, long tag, int number, int rank) {
    EndpointFutures endpoint = job.endpoint().futures();
    byte[] bytes = ByteBuffer.allocate(8).putInt(number).putInt(rank).array();
    int next = job.peer((job.rank() + 1) % job.size());
    endpoint.sendTagged(next, bytes, tag).toCompletableFuture().join();
  }
}
