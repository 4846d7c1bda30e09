package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.setup.Setup;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.SpawnProtocol;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.pattern.StatusReply;
import io.tagfabric.kryo.KryoSerializable;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

/** Two systems with actors that ask and answer, and the ways in which they get references. */
abstract class PatternSystems {
  /** How references come about. */
  enum Kind {
    ARTERY,
    TWINS,
    SETUP,
    /** As SETUP, but the systems speak before they know of each other's fabric. */
    MOVING,
    /** Only the near system has the fabric. */
    ONLY_NEAR,
    /** Only the other systems have. */
    ONLY_FAR,
    /** The near system has another key. */
    STRANGERS;

    boolean isFabric() {
      return this == TWINS || this == SETUP;
    }

    boolean hasSetup(String name) {
      return switch (this) {
        case ARTERY, TWINS -> false;
        case SETUP, MOVING, STRANGERS -> true;
        case ONLY_NEAR -> name.equals(NEAR);
        case ONLY_FAR -> !name.equals(NEAR);
      };
    }
  }

  record Ask(String text, ActorRef<Reply> replyTo) implements KryoSerializable {}

  record Reply(String text) implements KryoSerializable {}

  record StatusAsk(String text, ActorRef<StatusReply<Reply>> replyTo) implements KryoSerializable {}

  static final Duration LONG = Duration.ofSeconds(20);

  private static final String NEAR = "near";

  private final List<ActorSystem<?>> others = new ArrayList<>();
  final RemoteSystems systems = new RemoteSystems();
  final String key = UUID.randomUUID().toString();
  Kind kind;
  ActorSystem<SpawnProtocol.Command> near;
  ActorSystem<SpawnProtocol.Command> far;

  void start(Kind itsKind) {
    kind = itsKind;
    near = system(NEAR);
    far = system("far");
  }

  ActorSystem<SpawnProtocol.Command> system(String name) {
    String config =
        "tagfabric.job.key = \""
            + (kind == Kind.STRANGERS && name.equals(NEAR) ? UUID.randomUUID() : key)
            + "\"\ntagfabric.provider.use = [shm]\n"
            + "akka.remote.use-unsafe-remote-features-outside-cluster = on\n"
            + "tagfabric.kryo.registrations = [\""
            + Ask.class.getName()
            + "\",\""
            + Reply.class.getName()
            + "\",\""
            + StatusAsk.class.getName()
            + "\"]\n"
            + TextSerializer.CONFIG;
    Setup[] setups = kind.hasSetup(name) ? new Setup[] {FabricSetup.create()} : new Setup[0];
    ActorSystem<SpawnProtocol.Command> system =
        systems.start(SpawnProtocol.create(), name, config, setups);
    if (kind == Kind.TWINS) {
      FabricActors.get(system);
    }
    if (kind.isFabric()) {
      others.forEach(other -> Acquaintance.make(other, system));
      others.add(system);
    }
    return system;
  }

  @AfterEach
  void stop() {
    systems.close();
  }

  static <T> ActorRef<T> spawn(
      ActorSystem<SpawnProtocol.Command> system, Behavior<T> behavior, String name) {
    return Await.get(
        AskPattern.<SpawnProtocol.Command, ActorRef<T>>ask(
            system,
            replyTo -> new SpawnProtocol.Spawn<>(behavior, name, Props.empty(), replyTo),
            LONG,
            system.scheduler()));
  }

  /** A far actor as the near system gets it in the kind of references. */
  <T> ActorRef<T> reach(
      ActorSystem<?> to, ActorSystem<SpawnProtocol.Command> from, ActorRef<T> ref) {
    ActorRef<T> found =
        ActorRefResolver.get(to)
            .resolveActorRef(ActorRefResolver.get(from).toSerializationFormat(ref));
    return kind == Kind.TWINS ? FabricActors.get(to).ref(found) : found;
  }

  <T> ActorRef<T> spawnFar(Behavior<T> behavior, String name) {
    return reach(near, far, spawn(far, behavior, name));
  }

  static Behavior<Ask> echo() {
    return Behaviors.receiveMessage(
        ask -> {
          ask.replyTo.tell(new Reply("answer to " + ask.text));
          return Behaviors.same();
        });
  }

  /** So many messages of this system went by the fabric, and none of its twins' by Artery. */
  void requireSent(ActorSystem<?> system, int messages) {
    if (kind.isFabric()) {
      assertThat(FabricActors.get(system).counters().byArtery()).isZero();
      assertThat(FabricActors.get(system).counters().sent()).isEqualTo(messages);
    }
  }

  /** A session of its own for each request: it asks two others and answers when both have. */
  static Behavior<Ask> sessions(ActorRef<Ask> left, ActorRef<Ask> right) {
    return Behaviors.setup(
        context ->
            Behaviors.receiveMessage(
                ask -> {
                  context.spawnAnonymous(session(ask, left, right));
                  return Behaviors.same();
                }));
  }

  private static Behavior<Reply> session(Ask ask, ActorRef<Ask> left, ActorRef<Ask> right) {
    return Behaviors.setup(
        context -> {
          left.tell(new Ask(ask.text + " left", context.getSelf()));
          right.tell(new Ask(ask.text + " right", context.getSelf()));
          List<String> both = new ArrayList<>();
          return Behaviors.receiveMessage(
              reply -> {
                both.add(reply.text);
                if (both.size() < 2) {
                  return Behaviors.same();
                }
                ask.replyTo.tell(new Reply(String.join(", ", both.stream().sorted().toList())));
                return Behaviors.stopped();
              });
        });
  }
}
