package io.tagfabric.actor.twin;

import akka.actor.ActorRef;
import akka.actor.ActorRefProvider;
import akka.actor.ActorSelectionMessage;
import akka.actor.EmptyLocalActorRef;
import akka.actor.ExtendedActorSystem;
import akka.actor.InternalActorRef;
import akka.actor.PossiblyHarmful;
import akka.dispatch.sysmsg.SystemMessage;
import akka.serialization.Serialization$;
import java.util.List;
import scala.Function0;
import scala.jdk.javaapi.CollectionConverters;

/** Actors of this system as peers name them, and what peers may send them. Thread: any. */
public final class NearActors {
  private static final String TEMP = "/temp/";
  private static final String GUARDIAN = "/user";
  private static final String SYSTEM = "/system/";

  /** How names below /system begin that are not the application's. */
  private static final List<String> INTERNAL =
      List.of(
          "IO-",
          "StreamSupervisor",
          "cluster",
          "ddata",
          "distributedPubSub",
          "localReceptionist",
          "pid",
          "receptionist",
          "remot",
          "sharding",
          "singleton",
          "tagfabric",
          "typedDdata");

  private final ExtendedActorSystem system;

  public NearActors(ExtendedActorSystem system) {
    this.system = system;
  }

  /**
   * Whether a path is that of somebody who waits for one answer; such have no uid.
   *
   * @param path without address
   */
  public static boolean isTemporary(String path) {
    return path.startsWith(TEMP);
  }

  /** Whether a path with address is that of a system's guardian, which has no uid. */
  public static boolean isGuardian(String path) {
    return path.endsWith(GUARDIAN) && path.length() == endOfAddress(path) + GUARDIAN.length();
  }

  /** Where the address of a path ends that Akka has written: its length if there is no more. */
  public static int endOfAddress(String path) {
    int slash = path.indexOf('/', path.indexOf("://") + 3);
    return slash < 0 ? path.length() : slash;
  }

  ActorRefProvider provider() {
    return system.provider();
  }

  /** The actor of a path with address; one that takes dead letters if there is none. */
  public ActorRef resolve(String path) {
    return system.provider().resolveActorRef(path);
  }

  /**
   * The living actor of a path that has its uid. Akka draws the uid at random when the actor
   * starts, so only who was given a reference knows it. Null if the uid is missing or another.
   */
  public ActorRef given(String path) {
    ActorRef found = resolve(path);
    int hash = path.lastIndexOf('#');
    return hash > 0
            && isLocal(found)
            && !(found instanceof EmptyLocalActorRef)
            && path.substring(hash + 1).equals(Integer.toString(found.path().uid()))
        ? found
        : null;
  }

  /** Whether an actor is one of Akka's own, or of Tagfabric's, which have their names. */
  public static boolean isInternal(ActorRef ref) {
    String path = ref.path().toStringWithoutAddress();
    return path.startsWith(SYSTEM)
        && INTERNAL.stream().anyMatch(name -> path.startsWith(name, SYSTEM.length()));
  }

  /**
   * Who took the messages of a path that waits no more: one that publishes them as dead letters.
   *
   * @param path without address
   */
  public ActorRef deadAt(String path) {
    return resolve(system.provider().getDefaultAddress() + path);
  }

  /** Whether a reference is to an actor of this system, alive or not. */
  public static boolean isLocal(ActorRef ref) {
    return ref instanceof InternalActorRef internal && internal.isLocal();
  }

  /**
   * Who waits for an answer by this path; null if nobody does.
   *
   * @param path without address
   */
  public ActorRef waiting(String path) {
    String name = path.substring(TEMP.length());
    InternalActorRef found =
        system
            .provider()
            .tempContainer()
            .getChild(CollectionConverters.asScala(List.of(name).iterator()));
    return !name.isEmpty() && found.path().name().equals(name) ? found : null;
  }

  /** A path as other nodes need it: with this system's address if it is of this system. */
  public String addressed(ActorRef ref) {
    return ref.path().toSerializationFormatWithAddress(system.provider().getDefaultAddress());
  }

  /** Whether a message must not come from another node: it ends actors, or goes where it likes. */
  public static boolean isHarmful(Object message) {
    return message instanceof PossiblyHarmful
        || message instanceof ActorSelectionMessage
        || message instanceof SystemMessage;
  }

  /** Runs a task in which references are written with this system's address. */
  public <T> T writing(Function0<T> task) {
    return Serialization$.MODULE$.withTransportInformation(system, task);
  }
}
