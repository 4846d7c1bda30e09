package io.tagfabric.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tagfabric.tag.TagSelector;
import java.time.Duration;

/** What the ranks of the tests with real JVMs do; the first argument says what. */
final class JobTestRank {
  private JobTestRank() {}

  public static void main(String[] args) {
    long start = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
    Job.run(
        args,
        job -> {
          switch (job.arguments().get(0)) {
            case "ring" -> ring(job);
            default -> throw new IllegalArgumentException(args[0]);
          }
          System.out.println("met after " + (System.currentTimeMillis() - start) + " ms");
          return 0;
        });
  }

  private static void ring(Job job) {
    job.barrier(Duration.ofSeconds(20));
    int next = (job.rank() + 1) % job.size();
    int previous = (job.rank() + job.size() - 1) % job.size();
    var received =
        job.endpoint()
            .futures()
            .receiveTagged(TagSelector.exact(7).from(job.peer(previous)))
            .toCompletableFuture();
    job.endpoint().futures().sendTagged(job.peer(next), bytes("from " + job.rank()), 7);
    System.out.println("got " + new String(received.join().payload().array(), UTF_8));
    job.barrier();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
