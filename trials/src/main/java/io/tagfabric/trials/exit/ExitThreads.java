package io.tagfabric.trials.exit;

import io.tagfabric.job.Job;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** The cases in which a rank has several threads. */
final class ExitThreads {
  private static final Duration POLL = Duration.ofMillis(1);

  private final Job job;
  private final int count;

  ExitThreads(Job job, int count) {
    this.job = job;
    this.count = Math.max(2, count);
  }

  /** Cases 14 to 18. */
  void run(int code, int place) {
    job.barrier();
    for (int thread = 1; thread < count; thread++) {
      int number = thread;
      start(number, () -> act(code, place, number));
    }
    act(code, place, 0);
  }

  private void act(int code, int place, int thread) {
    boolean initiator = place == 0 && thread == 0;
    switch (code) {
      case 14 -> {
        ExitLines.acts();
        job.exit(code);
      }
      case 15 -> {
        if (initiator) {
          ExitCases.pause();
          ExitLines.acts();
          job.exit(code);
        } else if (place == 0 && thread == 1) {
          job.barrier();
        } else if (thread == 0) {
          poll();
        } else {
          spin();
        }
      }
      default -> {
        if (initiator) {
          ExitLines.acts();
          job.exit(code);
        } else if (code == 16) {
          spin();
        } else if (code == 17) {
          poll();
        } else {
          new ExitTraffic(job, thread).run();
        }
      }
    }
    while (true) {
      LockSupport.park();
    }
  }

  /** Runs a task on the calling thread while the others wait for it. */
  void whileOthersWait(Callable<Integer> task) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    for (int thread = 1; thread < count; thread++) {
      start(
          thread,
          () -> {
            try {
              over.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    task.call();
    over.countDown();
  }

  private void poll() {
    while (true) {
      job.domain().await(() -> false, POLL);
    }
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }

  /** What fails when the domain is closed at the end is no news. */
  private void start(int number, Runnable task) {
    Thread thread = new Thread(task, "case-" + number);
    thread.setUncaughtExceptionHandler(
        (which, failure) -> {
          if (!job.exits().hasBegun()) {
            ExitLines.failed(failure.toString());
          }
        });
    thread.setDaemon(true);
    thread.start();
  }
}
