package io.tagfabric.demos;

import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;

/**
 * Each rank is a philosopher, and shares a fork with each neighbour. Rank 0 also keeps the forks:
 * for each it posts a receive for the next who wants it, and after that only one for its return. So
 * who must wait does so as an unexpected message, in the order of arrival.
 *
 * <p>Run it: {@code tagfabric run -n 3 --trace philosophers}
 *
 * @source Dijkstra, EWD310: resources are taken in one order
 */
@Command(name = "philosophers", description = "Philosophers whose forks are tags.")
public final class Philosophers extends HelpOption {
  private static final int KEEPER = 0;
  private static final int MEALS = 3;

  // What a message says is in its tag: the verb, and the number of the fork.
  private static final long WANT = 0x100;
  private static final long TAKE = 0x200;
  private static final long BACK = 0x300;

  private static final byte[] NOTHING = new byte[0];

  private final AtomicInteger served = new AtomicInteger();

  private Philosophers() {}

  public static void main(String[] args) {
    Philosophers demo = new Philosophers();
    Arguments.parse(demo, args, size -> size < 2 ? "needs 2 ranks or more, use -n 3" : null);
    Job.run(args, demo::run);
  }

  private int run(Job job) {
    EndpointFutures endpoint = job.endpoint().futures();
    if (job.rank() == KEEPER) {
      for (int fork = 0; fork < job.size(); fork++) {
        keep(endpoint, fork);
      }
    }
    int left = job.rank();
    int right = (job.rank() + 1) % job.size();
    for (int meal = 0; meal < MEALS; meal++) {
      // All take the fork with the lower number first, so no circle of them can wait for each
      // other.
      take(job, endpoint, Math.min(left, right));
      take(job, endpoint, Math.max(left, right));
      send(endpoint, job.peer(KEEPER), BACK | left);
      send(endpoint, job.peer(KEEPER), BACK | right);
    }
    System.out.println("has eaten " + MEALS + " times");
    job.barrier();
    if (job.rank() == KEEPER) {
      System.out.println("forks were taken " + served.get() + " times");
    }
    return 0;
  }

  /** One fork, again and again: next in line, given, back. */
  private void keep(EndpointFutures endpoint, int fork) {
    endpoint
        .receiveTagged(TagSelector.exact(WANT | fork))
        .thenAccept(
            wanted -> {
              served.incrementAndGet();
              int holder = wanted.source();
              endpoint
                  .receiveTagged(TagSelector.exact(BACK | fork).from(holder))
                  .thenAccept(back -> keep(endpoint, fork));
              endpoint.sendTagged(holder, NOTHING, TAKE | fork);
            });
  }

  private static void take(Job job, EndpointFutures endpoint, int fork) {
    TagSelector fromKeeper = TagSelector.exact(TAKE | fork).from(job.peer(KEEPER));
    CompletionStage<TaggedMessage> given = endpoint.receiveTagged(fromKeeper);
    send(endpoint, job.peer(KEEPER), WANT | fork);
    given.toCompletableFuture().join();
  }

  private static void send(EndpointFutures endpoint, int peer, long tag) {
    endpoint.sendTagged(peer, NOTHING, tag).toCompletableFuture().join();
  }
}
