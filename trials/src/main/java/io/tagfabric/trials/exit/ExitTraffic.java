package io.tagfabric.trials.exit;

import io.tagfabric.complete.Completion;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/** One thread that talks to its rank's neighbour in random ways until the job ends. */
final class ExitTraffic {
  private static final int MOST_UNDER_WAY = 16;
  private static final int SHORT_BYTES = 4;
  private static final int MEDIUM_BYTES = 16 << 10;
  private static final int LONG_BYTES = 1 << 20;
  private static final long WITHOUT_ANSWER = 20;
  private static final long WITH_ANSWER = 21;
  private static final long ANSWER = 22;
  private static final Duration PATIENCE = Duration.ofMillis(5);

  private final Job job;
  private final int neighbour;
  private final Random random;
  private final ArrayDeque<CompletionStage<Completion.Sent>> underWay = new ArrayDeque<>();

  ExitTraffic(Job job, int thread) {
    this.job = job;
    neighbour = job.peer(ExitHandlers.neighbour(job.rank(), job.size()));
    random = new Random(31L * job.rank() + thread);
  }

  void run() {
    listen(WITHOUT_ANSWER);
    listen(WITH_ANSWER);
    listen(ANSWER);
    while (true) {
      int[] sizes = {0, SHORT_BYTES, MEDIUM_BYTES, LONG_BYTES};
      int bytes = sizes[random.nextInt(sizes.length)];
      switch (random.nextInt(3)) {
        case 0 -> job.domain().await(() -> false, Duration.ofNanos(1));
        case 1 -> send(WITHOUT_ANSWER, bytes);
        default -> send(WITH_ANSWER, bytes);
      }
      while (underWay.size() >= MOST_UNDER_WAY) {
        CompletionStage<Completion.Sent> oldest = underWay.remove();
        job.domain().await(oldest.toCompletableFuture()::isDone, PATIENCE);
      }
    }
  }

  private void send(long tag, int bytes) {
    underWay.add(job.endpoint().futures().sendTagged(neighbour, new byte[bytes], tag));
  }

  private void listen(long tag) {
    job.endpoint()
        .futures()
        .receiveTagged(TagSelector.exact(tag))
        .whenComplete(
            (message, failure) -> {
              if (failure == null) {
                listen(tag);
                if (tag == WITH_ANSWER) {
                  int bytes = message.payload().array().length;
                  job.endpoint().futures().sendTagged(neighbour, new byte[bytes], ANSWER);
                }
              }
            });
  }
}
