package io.tagfabric.processes;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Props;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.kryo.KryoSerializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Rank 0 watches an actor of rank 1, kills that rank by kill -9, and says when it has heard. */
public final class KilledActor {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Which process is yours? */
  record Who(ActorRef<Long> replyTo) implements KryoSerializable {}

  private KilledActor() {}

  public static void main(String[] args) {
    Map<String, Object> classes =
        Map.of("tagfabric.kryo.registrations", List.of(Who.class.getName()));
    Job.run(
        JobOptions.defaults()
            .withApplication(
                ConfigFactory.parseMap(classes).withFallback(ConfigFactory.defaultApplication())),
        args,
        KilledActor::run);
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private static int run(Job job) {
    FabricActors actors = FabricActors.get(job.system());
    if (job.rank() == 1) {
      ActorRef<Who> mortal =
          job.system()
              .systemActorOf(
                  Behaviors.<Who>receiveMessage(
                      who -> {
                        who.replyTo.tell(ProcessHandle.current().pid());
                        return Behaviors.same();
                      }),
                  "mortal",
                  Props.empty());
      get(actors.expose("mortal", mortal, Who.class));
      get(new CompletableFuture<>());
    }
    ActorRef<Who> mortal = get(actors.ref("mortal", Who.class));
    CompletableFuture<Long> heardNs = new CompletableFuture<>();
    job.system()
        .systemActorOf(
            Behaviors.setup(
                context -> {
                  context.watch(mortal);
                  return Behaviors.receive(Object.class)
                      .onSignal(
                          Terminated.class,
                          ended -> {
                            heardNs.complete(System.nanoTime());
                            return Behaviors.stopped();
                          })
                      .build();
                }),
            "watcher",
            Props.empty());
    long pid = 0;
    for (int i = 0; i < 10; i++) {
      pid =
          get(
              AskPattern.ask(
                  mortal,
                  (ActorRef<Long> replyTo) -> new Who(replyTo),
                  PATIENCE,
                  job.system().scheduler()));
    }
    long killedNs = System.nanoTime();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    System.out.println(
        "heard after " + TimeUnit.NANOSECONDS.toMillis(get(heardNs) - killedNs) + " ms");
    return 0;
  }
}
