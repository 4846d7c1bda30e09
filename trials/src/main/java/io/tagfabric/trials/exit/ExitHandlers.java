package io.tagfabric.trials.exit;

import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import java.util.concurrent.locks.LockSupport;

/** The cases in which the arrival of a message ends the job. */
final class ExitHandlers {
  private static final long PLEASE_EXIT = 10;

  private final Job job;
  private final int place;
  private final boolean reversed;

  ExitHandlers(Job job, int place, boolean reversed) {
    this.job = job;
    this.place = place;
    this.reversed = reversed;
  }

  void run(int code) {
    for (int rank = 0; rank < job.size(); rank++) {
      listen(code);
    }
    job.barrier();
    int last = job.size() - 1;
    switch (code) {
      case 10 -> send(neighbour(place, job.size()));
      case 11 -> sendFrom(0, last);
      case 12 -> sendFrom(last, last);
      default -> send(last);
    }
    while (true) {
      LockSupport.park();
    }
  }

  /** The exit is asked for on the thread that makes progress, in the midst of its work. */
  private void listen(int code) {
    job.endpoint()
        .futures()
        .receiveTagged(TagSelector.exact(PLEASE_EXIT))
        .whenComplete(
            (message, failure) -> {
              if (failure == null) {
                ExitLines.acts();
                job.exit(code);
              }
            });
  }

  private void sendFrom(int from, int to) {
    if (place == from) {
      send(to);
    }
  }

  private void send(int to) {
    int rank = reversed ? job.size() - 1 - to : to;
    job.endpoint().futures().sendTagged(job.peer(rank), new byte[] {1}, PLEASE_EXIT);
  }

  /** The other one of a pair; an odd last one has itself. */
  static int neighbour(int place, int size) {
    int other = place ^ 1;
    return other < size ? other : place;
  }
}
