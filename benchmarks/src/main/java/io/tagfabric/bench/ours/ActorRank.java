package io.tagfabric.bench.ours;

import akka.actor.typed.ActorRef;
import akka.actor.typed.DispatcherSelector;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import java.util.Arrays;
import java.util.Map;
import picocli.CommandLine;

/** The program of the two ranks whose actors ask or tell each other. */
public final class ActorRank {
  private ActorRank() {}

  /**
   * @param args what to measure, then options as {@link ActorOptions#arguments} writes them
   */
  public static void main(String[] args) {
    ActorOptions options = new ActorOptions();
    new CommandLine(options).parseArgs(Arrays.copyOfRange(args, 1, args.length));
    Config application =
        ConfigFactory.parseMap(Map.of("tagfabric.provider.use", options.provider))
            .withFallback(ConfigFactory.parseResources("tagfabric-bench.conf"))
            .withFallback(ConfigFactory.defaultApplication());
    Job.run(
        JobOptions.defaults()
            .withApplication(application)
            .withProgress(defaults -> options.progress(defaults).withMode(ProgressMode.AUTO)),
        args,
        job -> run(job, args[0], options));
  }

  private static int run(Job job, String work, ActorOptions options) {
    FabricActors actors = FabricActors.get(job.system());
    if (job.rank() == 1) {
      for (ActorWay way : ActorWay.TARGETS) {
        ActorRef<ActorMessage> target =
            job.system()
                .systemActorOf(ActorTarget.create(), "bench-" + way.target(), place(actors, way));
        actors.expose(way.target(), target, ActorMessage.class).toCompletableFuture().join();
      }
    } else {
      new ActorBench(work, options, job, RankJob.screen(job)).measure();
    }
    job.barrier();
    return ExitCode.OK;
  }

  /** On the loop by which messages come, or on Akka's threads. */
  static DispatcherSelector place(FabricActors actors, ActorWay way) {
    return way.isOnLoop() ? actors.dispatcher() : DispatcherSelector.defaultDispatcher();
  }
}
