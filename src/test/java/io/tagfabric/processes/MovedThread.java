package io.tagfabric.processes;

import io.tagfabric.job.Job;
import io.tagfabric.progress.CoreBinding;

/** Finds out whether this JVM may move its waiting threads, as a wait does, and says so. */
public final class MovedThread {
  private MovedThread() {}

  public static void main(String[] args) {
    Job.run(args, MovedThread::run);
  }

  private static int run(Job job) {
    CoreBinding.moveAway(Runnable::run);
    System.out.println(CoreBinding.moveAway(Runnable::run) ? "moves" : "stays");
    return 0;
  }
}
