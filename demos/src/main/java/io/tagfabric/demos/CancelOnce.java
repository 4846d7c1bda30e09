package io.tagfabric.demos;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;

/**
 * A receive ends once: with a message, or because it was cancelled. Rank 0 cancels two receives. No
 * message has come for one of them; the other one has its message already.
 *
 * <p>Run it: {@code tagfabric run -n 2 --trace cancel}
 *
 * @source libfabric fi_endpoint(3), fi_cancel
 */
@Command(name = "cancel", description = "A receive that is cancelled ends once.")
public final class CancelOnce extends HelpOption {
  private static final int RECEIVER = 0;
  private static final int SENT_TAG = 1;
  private static final int NEVER_SENT_TAG = 2;

  private final AtomicInteger ends = new AtomicInteger();

  private CancelOnce() {}

  public static void main(String[] args) {
    CancelOnce demo = new CancelOnce();
    Arguments.parse(demo, args, size -> size != 2 ? "needs 2 ranks, use -n 2" : null);
    Job.run(args, demo::run);
  }

  private int run(Job job) {
    return job.rank() == RECEIVER ? receive(job) : send(job);
  }

  private static int send(Job job) {
    job.barrier(); // now the receives are posted
    job.endpoint()
        .futures()
        .sendTagged(job.peer(RECEIVER), new byte[] {42}, SENT_TAG)
        .toCompletableFuture()
        .join();
    job.barrier();
    return 0;
  }

  private int receive(Job job) {
    CompletableFuture<TaggedMessage> takes = post(job, SENT_TAG, "takes");
    CompletableFuture<TaggedMessage> waits = post(job, NEVER_SENT_TAG, "waits");
    job.barrier();
    byte came = takes.join().payload().array()[0];

    tell("waits", cancel(job, "waits"), failureOf(waits));
    tell("takes", cancel(job, "takes"), "message " + came);

    job.barrier();
    System.out.println("receives=2, ends=" + ends.get());
    if (ends.get() != 2) {
      throw new IllegalStateException("ends=" + ends.get() + " of 2 receives");
    }
    return 0;
  }

  /** The context is the name by which a receive can be cancelled. */
  private CompletableFuture<TaggedMessage> post(Job job, long tag, String context) {
    return job.endpoint()
        .futures()
        .receive(TaggedReceive.of(TagSelector.exact(tag)), context)
        .whenComplete((message, failure) -> ends.incrementAndGet())
        .toCompletableFuture();
  }

  private static TagMatcher.CancelOutcome cancel(Job job, String context) {
    return job.endpoint().futures().cancel(context).toCompletableFuture().join();
  }

  private static FabricError failureOf(CompletableFuture<TaggedMessage> receive) {
    Throwable failure = receive.handle((message, cause) -> cause).join();
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof FabricException why) {
        return why.error();
      }
    }
    throw new IllegalStateException("the receive ended with " + failure);
  }

  private static void tell(String context, TagMatcher.CancelOutcome outcome, Object end) {
    boolean cancelled = outcome instanceof TagMatcher.Cancelled;
    System.out.println(
        context + ": the cancel " + (cancelled ? "was in time" : "came too late") + ", end " + end);
    if (cancelled != end.equals(FabricError.CANCELED)) {
      throw new IllegalStateException(context + ": outcome=" + outcome + " but end=" + end);
    }
  }
}
