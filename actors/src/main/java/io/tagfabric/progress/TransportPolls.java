package io.tagfabric.progress;

import java.util.ArrayDeque;

/**
 * The transport polls of a loop, and what has to wait until they have returned: what a poll has
 * brought may close the transport that brought it, and the poll still reads the transport's memory.
 *
 * <p>Thread: the loop, save for {@link #steps}.
 */
final class TransportPolls {
  private final LoopSteps steps = new LoopSteps();
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean isPolling;

  /** The polls. */
  LoopSteps steps() {
    return steps;
  }

  /** Runs each poll, then what waited for them; gives the work done. */
  int run() {
    int work = 0;
    isPolling = true;
    try {
      for (ProgressLoop.Step poll : steps.all()) {
        work += poll.run();
      }
    } finally {
      isPolling = false;
      if (!waiting.isEmpty()) {
        runWaiting();
      }
    }
    return work;
  }

  /** Runs something when no poll is under way: at once, or when all of this pass have returned. */
  void afterwards(Runnable release) {
    if (isPolling) {
      waiting.add(release);
    } else {
      release.run();
    }
  }

  private void runWaiting() {
    Runnable next = waiting.poll();
    try {
      while (next != null) {
        next.run();
        next = waiting.poll();
      }
    } finally {
      if (!waiting.isEmpty()) {
        runWaiting(); // one that throws keeps no other from its end
      }
    }
  }
}
