package com.example;

import akka.util.ByteString;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;

// #program
/** Each rank greets the next one; then all of them add up their numbers. */
public final class FirstProgram {
  private static final long GREETING = 7; // the tag of these messages

  private FirstProgram() {}

  public static void main(String[] args) {
    Job.run(args, FirstProgram::run); // joins the job, runs the method, ends the process
  }

  static int run(Job job) {
    var futures = job.endpoint().futures();
    int next = job.peer((job.rank() + 1) % job.size());
    futures.sendTagged(next, ByteString.fromString("rank " + job.rank() + " says hello"), GREETING);
    TaggedMessage heard =
        futures.receiveTagged(TagSelector.exact(GREETING)).toCompletableFuture().join();
    System.out.println(new String(heard.payload().array(), StandardCharsets.UTF_8));

    try (Team team = Team.world(job)) {
      long[] own = {job.rank()};
      long[] sum = team.allreduce(own, Reduction.SUM).toCompletableFuture().join();
      if (job.rank() == 0) {
        System.out.println("the sum of " + job.size() + " ranks is " + sum[0]);
      }
      team.barrier().toCompletableFuture().join(); // nobody leaves before all have the sum
    }
    return 0; // the exit code of this rank
  }
}
// #program
