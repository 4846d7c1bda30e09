package io.tagfabric.actor.twin;

import akka.actor.ActorRef;
import akka.actor.ActorSelectionMessage;
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

  /** The actor of a path with address; one that takes dead letters if there is none. */
  public ActorRef resolve(String path) {
    return system.provider().resolveActorRef(path);
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
