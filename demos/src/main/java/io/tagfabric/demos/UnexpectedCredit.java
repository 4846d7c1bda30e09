package io.tagfabric.demos;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.tag.TagSelector;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/**
 * How many messages a receiver keeps that it has not asked for: rank 1 sends six, rank 0 has
 * granted four and posts its receives later.
 *
 * <p>Run it: {@code tagfabric run -n 2 --trace unexpected-and-credit}
 *
 * @source GASNet-EX, credits of active messages; libfabric fi_opx(7)
 */
@Command(
    name = "unexpected-and-credit",
    description = "How many messages a receiver keeps that it has not asked for.")
public final class UnexpectedCredit extends HelpOption {
  private static final int RECEIVER = 0;
  private static final int SENDER = 1;
  private static final int TAG = 1;
  private static final int MESSAGES = 6;
  private static final int CREDIT = 4;

  private UnexpectedCredit() {}

  public static void main(String[] args) {
    Arguments.parse(
        new UnexpectedCredit(), args, size -> size != 2 ? "needs 2 ranks, use -n 2" : null);
    JobOptions options = JobOptions.defaults();
    Job.run(
        options.withApplication(
            ConfigFactory.parseString("tagfabric.flow.message-credits = " + CREDIT)
                .withFallback(options.application())),
        args,
        job -> job.rank() == RECEIVER ? receive(job) : send(job));
  }

  private static int send(Job job) {
    job.endpoint().futures().connect(job.peer(RECEIVER)).toCompletableFuture().join();
    List<CompletableFuture<Completion.Sent>> sends = new ArrayList<>();
    for (int number = 0; number < MESSAGES; number++) {
      byte[] message = ByteBuffer.allocate(4).putInt(0, number).array();
      sends.add(
          job.endpoint()
              .futures()
              .sendTagged(job.peer(RECEIVER), message, TAG)
              .toCompletableFuture());
    }
    sends.get(CREDIT - 1).join();
    long waiting = sends.stream().filter(send -> !send.isDone()).count();
    System.out.println(CREDIT + " messages: sent, though there is no receive");
    System.out.println(waiting + " messages: wait until rank 0 grants more");
    job.barrier(); // now rank 0 posts its receives
    sends.forEach(CompletableFuture::join);
    System.out.println(MESSAGES + " messages: sent");
    return 0;
  }

  private static int receive(Job job) {
    job.barrier();
    TagSelector next = TagSelector.exact(TAG).from(job.peer(SENDER));
    for (int number = 0; number < MESSAGES; number++) {
      byte[] message =
          job.endpoint()
              .futures()
              .receiveTagged(next)
              .toCompletableFuture()
              .join()
              .payload()
              .array();
      if (ByteBuffer.wrap(message).getInt() != number) {
        throw new IllegalStateException("number " + number + " is not the next one");
      }
    }
    System.out.println(MESSAGES + " messages: received in the order sent");
    return 0;
  }
}
