package io.tagfabric.demos;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.job.Job;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;

/**
 * A peer that is silent for a while and comes back. Rank 0 stops the process of rank 1, which no
 * peer can tell from a network that is cut, sends to it, and lets it go on.
 *
 * <p>Run it on one host: {@code tagfabric run -n 2 --trace cut-off}
 */
@Command(name = "cut-off", description = "A peer is silent for a while; nothing is lost.")
public final class CutOff extends HelpOption {
  private static final int SENDER = 0;
  private static final int VICTIM = 1;
  private static final long PROCESS = 1;
  private static final long DATA = 2;
  private static final int MESSAGES = 3;

  private CutOff() {}

  public static void main(String[] args) {
    Arguments.parse(new CutOff(), args, size -> size != 2 ? "needs 2 ranks, use -n 2" : null);
    Job.run(args, job -> job.rank() == SENDER ? send(job) : receive(job));
  }

  private static int send(Job job) throws IOException, InterruptedException {
    EndpointFutures endpoint = job.endpoint().futures();
    long process =
        endpoint
            .receiveTagged(TagSelector.exact(PROCESS).from(job.peer(VICTIM)))
            .thenApply(message -> ByteBuffer.wrap(message.payload().array()).getLong())
            .toCompletableFuture()
            .join();
    signal("STOP", process);
    System.out.println("rank 1 is cut off");

    List<CompletableFuture<Completion.Sent>> sends = new ArrayList<>();
    for (int number = 0; number < MESSAGES; number++) {
      DirectBuffer message = new UnsafeBuffer(ByteBuffer.allocate(4).putInt(0, number));
      sends.add(
          endpoint
              .start(TaggedSend.of(job.peer(VICTIM), message, DATA).level(CompletionLevel.DELIVERY))
              .toCompletableFuture());
    }
    TimeUnit.MILLISECONDS.sleep(500);
    long delivered = sends.stream().filter(CompletableFuture::isDone).count();
    System.out.println(MESSAGES + " messages: posted, delivered: " + delivered);

    signal("CONT", process);
    System.out.println("rank 1 is back");
    sends.forEach(CompletableFuture::join);
    System.out.println(MESSAGES + " messages: delivered");
    return 0;
  }

  private static int receive(Job job) {
    EndpointFutures endpoint = job.endpoint().futures();
    byte[] process = ByteBuffer.allocate(8).putLong(0, ProcessHandle.current().pid()).array();
    endpoint.sendTagged(job.peer(SENDER), process, PROCESS).toCompletableFuture().join();
    for (int number = 0; number < MESSAGES; number++) {
      int came =
          endpoint
              .receiveTagged(TagSelector.exact(DATA).from(job.peer(SENDER)))
              .thenApply(message -> ByteBuffer.wrap(message.payload().array()).getInt())
              .toCompletableFuture()
              .join();
      if (came != number) {
        throw new IllegalStateException("number " + came + " came instead of " + number);
      }
    }
    System.out.println(MESSAGES + " messages: received in the order sent");
    return 0;
  }

  private static void signal(String name, long process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process)).inheritIO().start().waitFor();
    TimeUnit.MILLISECONDS.sleep(200); // it takes a signal a moment to arrive
  }
}
