package io.tagfabric.runtime;

import akka.actor.ActorIdentity;
import akka.actor.typed.ActorRef;
import io.tagfabric.annotation.InternalApi;

/**
 * How an actor of one node reaches those of others that run the job: names, barriers, the end. What
 * is told may be lost; from one actor to another, what arrives is in order. Thread: any.
 */
@InternalApi
public interface Mail {
  /**
   * Tells an actor of a node, which may be this one.
   *
   * @param node address of its ActorSystem
   * @param actor its name below {@code /system}
   */
  void tell(String node, String actor, Object message);

  /**
   * Asks a node whether it has an actor. Any node of Akka answers; the identity that comes has the
   * node's address for its correlation id. Mail that does not know how loses the question.
   *
   * @param node address of its ActorSystem
   * @param actor its name below {@code /system}
   */
  default void identify(String node, String actor, ActorRef<ActorIdentity> replyTo) {}

  /** A reference as text that {@link #read} understands on other nodes. */
  String write(ActorRef<?> ref);

  /** The reference of such a text; telling it may reach another node. */
  ActorRef<?> read(String text);
}
