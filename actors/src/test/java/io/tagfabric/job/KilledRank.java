package io.tagfabric.job;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** Rank 1 is killed while messages are under way; rank 0 says what becomes of its operations. */
final class KilledRank {
  private static final int LONG_BYTES = 64 << 20;
  private static final int MESSAGES = 10_000;
  private static final int SHORT_BYTES = 1024;

  private KilledRank() {}

  /** Rank 1 dies when a part of its long message has left. */
  static void senderInMidWindow(Job job) throws IOException {
    if (job.rank() == 1) {
      job.endpoint().futures().sendTagged(job.peer(0), new byte[LONG_BYTES], 7);
      while (counters(job, 0).dataBytesSent() < 1 << 20) {
        Thread.onSpinWait();
      }
      die();
    }
    var received =
        job.endpoint()
            .futures()
            .receiveTagged(TagSelector.exact(7).from(job.peer(1)))
            .toCompletableFuture();
    try {
      received.join();
      System.out.println("received all");
    } catch (CompletionException e) {
      System.out.println("failed: " + e.getCause().getMessage());
    }
    System.out.println(state(job));
  }

  /** Rank 1 dies when ten thousand messages wait there. */
  static void receiverWithUnexpected(Job job) throws IOException {
    if (job.rank() == 1) {
      while (state(job).unexpectedMessages() < MESSAGES) {
        Thread.onSpinWait();
      }
      die();
    }
    int[] ended = new int[2];
    Set<String> texts = new HashSet<>();
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[SHORT_BYTES]);
    var queue = job.endpoint().transmitQueue();
    int posted = 0;
    while (ended[0] + ended[1] < MESSAGES) {
      while (posted < MESSAGES
          && ended[1] == 0
          && job.endpoint()
                  .post(
                      TaggedSend.of(job.peer(1), bytes, 0, SHORT_BYTES, 9)
                          .level(CompletionLevel.TRANSMIT),
                      null)
              == Posted.POSTED) {
        posted++;
      }
      queue.read(
          entry -> {
            boolean failed = entry.kind() == CompletionEntry.Kind.FAILED;
            ended[failed ? 1 : 0]++;
            if (failed) {
              texts.add(entry.peer() == job.peer(1) ? entry.detail() : "another peer");
            }
          },
          Integer.MAX_VALUE);
    }
    System.out.println("sent " + ended[0] + ", failed " + (ended[1] > 0) + ": " + texts);
    System.out.println(state(job));
  }

  private static FlowCounters.Snapshot counters(Job job, int rank) {
    return job.endpoint().flowCounters(job.peer(rank)).toCompletableFuture().join();
  }

  private static TagMatcher.State state(Job job) {
    return job.endpoint().futures().matcherState().toCompletableFuture().join();
  }

  private static void die() throws IOException {
    new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
    LockSupport.park();
  }
}
