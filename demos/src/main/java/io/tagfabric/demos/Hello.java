package io.tagfabric.demos;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tagfabric.complete.Completion;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Every rank greets every other and checks the greetings that it gets.
 *
 * <p>Run it: {@code tagfabric run -n 4 hello}
 */
public final class Hello {
  /** A tag says what a message is about; a receive names the tag it waits for. */
  private static final long GREETING = 1;

  private Hello() {}

  public static void main(String[] args) {
    Arguments.requireNone("hello", args);
    Job.run(args, Hello::greetAll); // returns when all ranks have met, and ends the process
  }

  static int greetAll(Job job) {
    var endpoint = job.endpoint().futures();
    List<CompletionStage<Completion.Sent>> sends = new ArrayList<>();
    for (int rank : others(job)) {
      byte[] greeting = greeting(job.rank(), rank).getBytes(UTF_8);
      sends.add(endpoint.sendTagged(job.peer(rank), greeting, GREETING));
    }
    for (int rank : others(job)) {
      // Only from this rank: without `from`, the first greeting of any rank would be taken.
      TagSelector fromRank = TagSelector.exact(GREETING).from(job.peer(rank));
      TaggedMessage message = endpoint.receiveTagged(fromRank).toCompletableFuture().join();
      String heard = new String(message.payload().array(), UTF_8);
      if (!heard.equals(greeting(rank, job.rank()))) {
        throw new IllegalStateException("rank " + rank + " said [" + heard + "]");
      }
    }
    sends.forEach(sent -> sent.toCompletableFuture().join());
    System.out.println("hello from rank " + job.rank() + " of " + job.size() + heardFrom(job));
    return 0;
  }

  private static String greeting(int from, int to) {
    return "hello rank " + to + ", here is rank " + from;
  }

  private static String heardFrom(Job job) {
    return job.size() == 1
        ? ", nobody else is here: try tagfabric run -n 4 hello"
        : ", greeted by " + (job.size() - 1) + " other" + (job.size() == 2 ? "" : "s");
  }

  private static List<Integer> others(Job job) {
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < job.size(); rank++) {
      if (rank != job.rank()) {
        ranks.add(rank);
      }
    }
    return ranks;
  }
}
