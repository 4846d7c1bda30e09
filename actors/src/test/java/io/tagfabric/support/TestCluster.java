package io.tagfabric.support;

import akka.actor.AddressFromURIString;
import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.setup.Setup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.profile.Profiles;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** ActorSystems in this JVM that form a cluster over TCP. */
public final class TestCluster implements AutoCloseable {
  private final List<ActorSystem<?>> systems = new ArrayList<>();

  /** Starts systems of one job; they see one another when this returns. */
  public static TestCluster of(int size) {
    TestCluster cluster = new TestCluster();
    UUID key = UUID.randomUUID();
    for (int i = 0; i < size; i++) {
      cluster.start(key);
    }
    cluster.awaitUp();
    return cluster;
  }

  /** Adds a system of a job; {@link #awaitUp} waits for it. */
  public ActorSystem<?> start(UUID jobKey) {
    return start(
        ConfigFactory.parseString("tagfabric.job.key = \"" + jobKey + "\"")
            .withFallback(ConfigFactory.defaultApplication()));
  }

  /** Adds a system with settings of its own, and setups. */
  public ActorSystem<?> start(Config application, Setup... setups) {
    return start(Behaviors.<Void>empty(), application, setups);
  }

  /** The same with a guardian. */
  public <T> ActorSystem<T> start(Behavior<T> guardian, Config application, Setup... setups) {
    ActorSystem<T> system = startOutside(guardian, application, setups);
    join(system);
    return system;
  }

  /** The same of a system that has not asked to join; {@link #join} has it do so. */
  public ActorSystem<?> startOutside(Config application, Setup... setups) {
    return startOutside(Behaviors.<Void>empty(), application, setups);
  }

  private <T> ActorSystem<T> startOutside(
      Behavior<T> guardian, Config application, Setup... setups) {
    Config config = Profiles.akkaConfig(JobSpec.alone(Profile.TCP), application);
    ActorSystem<T> system =
        ActorSystem.create(
            guardian,
            Profiles.SYSTEM_NAME,
            ActorSystemSetup.create(setups).and(BootstrapSetup.create(config)));
    systems.add(system);
    return system;
  }

  /** Has a system join the first one, which may be itself. */
  public void join(ActorSystem<?> system) {
    Cluster.get(system)
        .manager()
        .tell(Join.create(AddressFromURIString.parse(systems.get(0).address().toString())));
  }

  /** A system by the order of start. */
  public ActorSystem<?> system(int index) {
    return systems.get(index);
  }

  /** Waits until each system sees all of them, up or not. */
  public void awaitMet() {
    Await.until(
        "all " + systems.size() + " have met",
        () ->
            systems.stream()
                .allMatch(
                    system -> Cluster.get(system).state().members().size() == systems.size()));
  }

  /** Waits until each system sees all of them up. */
  public void awaitUp() {
    Await.until(
        "all " + systems.size() + " are up",
        () -> systems.stream().allMatch(system -> countUp(system) == systems.size()));
  }

  /** Ends a system without a word to the others. */
  public void stop(int index) {
    ActorSystem<?> system = systems.remove(index);
    system.terminate();
    Await.get(system.getWhenTerminated());
  }

  private static int countUp(ActorSystem<?> system) {
    int count = 0;
    for (Member member : Cluster.get(system).state().getMembers()) {
      count += member.status().equals(MemberStatus.up()) ? 1 : 0;
    }
    return count;
  }

  @Override
  public void close() {
    systems.forEach(ActorSystem::terminate);
    systems.forEach(system -> Await.get(system.getWhenTerminated()));
  }
}
