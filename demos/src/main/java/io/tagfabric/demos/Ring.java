package io.tagfabric.demos;

import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A token that every rank adds 1 to passes around all ranks several times; then a message of 1 MiB
 * does so once. Rank 0 checks both and says what a hop took.
 *
 * <p>Run it: {@code tagfabric run -n 4 ring --rounds 100}
 */
@Command(name = "ring", description = "A token and a large message travel around all ranks.")
public final class Ring extends HelpOption {
  private static final long TOKEN = 1;
  private static final long LARGE = 2;
  private static final int LARGE_BYTES = 1 << 20;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "100",
      description = "How often the token passes around (default: ${DEFAULT-VALUE}).")
  private int rounds;

  private Ring() {}

  public static void main(String[] args) {
    Ring ring = new Ring();
    Arguments.parse(ring, args, size -> ring.rounds < 1 ? "--rounds must be at least 1" : null);
    Job.run(args, ring::run);
  }

  private int run(Job job) {
    job.barrier(); // all clocks start when all ranks are ready
    long beginNs = System.nanoTime();
    passToken(job);
    long tokenNs = System.nanoTime() - beginNs;

    job.barrier();
    beginNs = System.nanoTime();
    passLarge(job);
    long largeNs = System.nanoTime() - beginNs;

    if (job.rank() == 0) {
      int hops = rounds * job.size();
      System.out.println("token: " + hops + " hops, " + micros(tokenNs, hops) + " us a hop");
      System.out.println("1 MiB: " + job.size() + " hops, " + micros(largeNs, job.size()) + " us");
    }
    return 0;
  }

  private void passToken(Job job) {
    for (int round = 0; round < rounds; round++) {
      int expected = round * job.size();
      if (job.rank() == 0) {
        send(job, TOKEN, ByteBuffer.allocate(4).putInt(0, expected).array());
      }
      int token = ByteBuffer.wrap(receive(job, TOKEN)).getInt();
      int distance = job.rank() == 0 ? job.size() : job.rank();
      if (token != expected + distance - 1) {
        throw new IllegalStateException("token=" + token + " != " + (expected + distance - 1));
      }
      if (job.rank() != 0) {
        send(job, TOKEN, ByteBuffer.allocate(4).putInt(0, token + 1).array());
      }
    }
  }

  private static void passLarge(Job job) {
    byte[] message = new byte[LARGE_BYTES];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) (i * 31);
    }
    if (job.rank() == 0) {
      CompletionStage<Completion.Sent> sent = start(job, LARGE, message);
      byte[] returned = receive(job, LARGE);
      sent.toCompletableFuture().join();
      if (!Arrays.equals(message, returned)) {
        throw new IllegalStateException("the 1 MiB came back changed");
      }
    } else {
      send(job, LARGE, receive(job, LARGE));
    }
  }

  /** To the next rank; complete when the bytes may be changed again. */
  private static void send(Job job, long tag, byte[] bytes) {
    start(job, tag, bytes).toCompletableFuture().join();
  }

  private static CompletionStage<Completion.Sent> start(Job job, long tag, byte[] bytes) {
    int next = (job.rank() + 1) % job.size();
    return job.endpoint().futures().sendTagged(job.peer(next), bytes, tag);
  }

  /** From the rank before. If that rank dies, the receive fails and names it. */
  private static byte[] receive(Job job, long tag) {
    int previous = (job.rank() + job.size() - 1) % job.size();
    EndpointFutures endpoint = job.endpoint().futures();
    TagSelector fromPrevious = TagSelector.exact(tag).from(job.peer(previous));
    TaggedMessage message = endpoint.receiveTagged(fromPrevious).toCompletableFuture().join();
    return message.payload().array();
  }

  private static String micros(long nanos, int hops) {
    return String.format(Locale.ROOT, "%.1f", nanos / 1e3 / hops);
  }
}
