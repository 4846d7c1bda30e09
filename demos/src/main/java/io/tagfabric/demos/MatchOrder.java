package io.tagfabric.demos;

import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;

/**
 * Which receive a message takes: rank 1 sends four messages, and rank 0 has posted four receives,
 * two of them with wildcards.
 *
 * <p>Run it: {@code tagfabric run -n 2 --trace match-order}
 *
 * @source MPI-4.1 §3.5, libfabric fi_tagged(3)
 */
@Command(name = "match-order", description = "Which receive a message takes.")
public final class MatchOrder extends HelpOption {
  private static final int RECEIVER = 0;
  private static final int SENDER = 1;
  private static final long[] SENT_TAGS = {7, 5, 7, 9};
  private static final List<String> EXPECTED =
      List.of("tag 7: 1st", "any tag: 2nd", "tag 7: 3rd", "any tag: 4th");

  private MatchOrder() {}

  public static void main(String[] args) {
    Arguments.parse(new MatchOrder(), args, size -> size != 2 ? "needs 2 ranks, use -n 2" : null);
    Job.run(args, MatchOrder::run);
  }

  private static int run(Job job) {
    return job.rank() == RECEIVER ? receive(job) : send(job);
  }

  private static int receive(Job job) {
    TagSelector seven = TagSelector.exact(7).from(job.peer(SENDER));
    TagSelector any = TagSelector.any();
    // Posted in this order. A message takes the first of them that fits.
    List<CompletionStage<TaggedMessage>> receives = new ArrayList<>();
    for (TagSelector selector : List.of(seven, any, seven, any)) {
      receives.add(job.endpoint().futures().receiveTagged(selector));
    }
    job.barrier(); // now all receives are posted, and rank 1 sends
    List<String> got = new ArrayList<>();
    for (int i = 0; i < receives.size(); i++) {
      TaggedMessage message = receives.get(i).toCompletableFuture().join();
      String text = new String(message.payload().array(), StandardCharsets.UTF_8);
      got.add((i % 2 == 0 ? "tag 7: " : "any tag: ") + text);
    }
    got.forEach(System.out::println);
    if (!got.equals(EXPECTED)) {
      throw new IllegalStateException("got=" + got + " != " + EXPECTED);
    }
    return 0;
  }

  private static int send(Job job) {
    job.barrier();
    String[] texts = {"1st", "2nd", "3rd", "4th"};
    for (int i = 0; i < texts.length; i++) {
      byte[] bytes = texts[i].getBytes(StandardCharsets.UTF_8);
      job.endpoint()
          .futures()
          .sendTagged(job.peer(RECEIVER), bytes, SENT_TAGS[i])
          .toCompletableFuture()
          .join();
    }
    return 0;
  }
}
