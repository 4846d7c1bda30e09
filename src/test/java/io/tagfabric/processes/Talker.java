package io.tagfabric.processes;

import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A program whose ranks send a message round and round, with a pause at rank 0, until a file is
 * there, which its argument names.
 */
final class Talker {
  private static final long ROUND = 1;
  private static final long LAST = 2;

  private Talker() {}

  public static void main(String[] args) {
    Job.run(args, job -> talk(job, Path.of(args[0])));
  }

  private static int talk(Job job, Path end) throws Exception {
    int next = job.peer((job.rank() + 1) % job.size());
    boolean over = false;
    boolean hasSaidSo = job.rank() != 0;
    if (job.rank() == 0) {
      send(job, next, ROUND);
    }
    while (!over) {
      boolean isLast = receive(job) == LAST;
      if (!hasSaidSo) {
        System.out.println("talking"); // a message has been all around
        hasSaidSo = true;
      }
      over = isLast || (job.rank() == 0 && Files.exists(end));
      if (job.rank() == 0) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      if (!(isLast && job.rank() == 0)) {
        send(job, next, over ? LAST : ROUND);
      }
      if (over && !isLast) {
        receive(job); // it has been all around
      }
    }
    return 0;
  }

  private static void send(Job job, int peer, long tag) {
    job.endpoint().futures().sendTagged(peer, new byte[8], tag).toCompletableFuture().join();
  }

  private static long receive(Job job) {
    return job.endpoint()
        .futures()
        .receiveTagged(TagSelector.any())
        .toCompletableFuture()
        .join()
        .tag();
  }
}
