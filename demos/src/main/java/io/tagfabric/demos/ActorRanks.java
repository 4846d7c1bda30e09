package io.tagfabric.demos;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What programs have in common that put an actor on each rank. */
final class ActorRanks {
  private ActorRanks() {}

  /** A rank whose actors send messages of these classes. */
  static JobOptions options(Class<?>... messages) {
    List<String> names = Arrays.stream(messages).map(Class::getName).toList();
    Config classes = ConfigFactory.parseMap(Map.of("tagfabric.kryo.registrations", names));
    return JobOptions.defaults()
        .withApplication(classes.withFallback(ConfigFactory.defaultApplication()));
  }

  /** Starts an actor of this rank and lets the others find it. */
  static <T> ActorRef<T> expose(Job job, String name, Behavior<T> behavior, Class<T> messages) {
    ActorRef<T> actor =
        job.system().systemActorOf(behavior, name + '-' + job.rank(), Props.empty());
    FabricActors.get(job.system())
        .expose(name + '-' + job.rank(), actor, messages)
        .toCompletableFuture()
        .join();
    return actor;
  }

  /** The actor that a rank has exposed. */
  static <T> ActorRef<T> of(Job job, int rank, String name, Class<T> messages) {
    return FabricActors.get(job.system())
        .ref(name + '-' + rank, messages)
        .toCompletableFuture()
        .join();
  }

  /** The actors of all ranks, in their order. */
  static <T> List<ActorRef<T>> ofAll(Job job, String name, Class<T> messages) {
    List<ActorRef<T>> all = new ArrayList<>();
    for (int rank = 0; rank < job.size(); rank++) {
      all.add(of(job, rank, name, messages));
    }
    return all;
  }
}
