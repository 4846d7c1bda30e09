package io.tagfabric.demos;

import io.tagfabric.complete.Completion;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/**
 * A short message goes at once; a long one asks first, and its bytes go when a receive has taken
 * it. Rank 1 sends one of each before rank 0 has posted a receive.
 *
 * <p>Run it: {@code tagfabric run -n 2 --trace eager-and-rendezvous}
 *
 * @source libfabric fi_psm3(7), eager and rendezvous
 */
@Command(name = "eager-and-rendezvous", description = "What goes at once, and what asks first.")
public final class EagerAndRendezvous extends HelpOption {
  private static final int RECEIVER = 0;
  private static final int SENDER = 1;
  private static final int SHORT_TAG = 1;
  private static final int LONG_TAG = 2;
  private static final int SHORT_BYTES = 64;
  private static final int LONG_BYTES = 1 << 20;

  private EagerAndRendezvous() {}

  public static void main(String[] args) {
    Arguments.parse(
        new EagerAndRendezvous(), args, size -> size != 2 ? "needs 2 ranks, use -n 2" : null);
    Job.run(args, EagerAndRendezvous::run);
  }

  private static int run(Job job) {
    return job.rank() == RECEIVER ? receive(job) : send(job);
  }

  private static int send(Job job) {
    CompletableFuture<Completion.Sent> eager = send(job, SHORT_BYTES, SHORT_TAG);
    CompletableFuture<Completion.Sent> rendezvous = send(job, LONG_BYTES, LONG_TAG);
    eager.join(); // rank 0 keeps the bytes until a receive wants them
    System.out.println(SHORT_BYTES + " bytes: sent, though there is no receive");
    if (rendezvous.isDone()) {
      throw new IllegalStateException(LONG_BYTES + " bytes were sent before there was a receive");
    }
    System.out.println(LONG_BYTES + " bytes: have only asked");
    job.barrier(); // now rank 0 posts its receives
    rendezvous.join();
    System.out.println(LONG_BYTES + " bytes: sent");
    return 0;
  }

  private static CompletableFuture<Completion.Sent> send(Job job, int bytes, long tag) {
    return job.endpoint()
        .futures()
        .sendTagged(job.peer(RECEIVER), new byte[bytes], tag)
        .toCompletableFuture();
  }

  private static int receive(Job job) {
    job.barrier();
    for (long tag : new long[] {LONG_TAG, SHORT_TAG}) {
      TaggedMessage message =
          job.endpoint()
              .futures()
              .receiveTagged(TagSelector.exact(tag).from(job.peer(SENDER)))
              .toCompletableFuture()
              .join();
      System.out.println(message.payload().length() + " bytes: received");
    }
    return 0;
  }
}
