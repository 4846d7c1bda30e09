package io.tagfabric.runtime;

import akka.actor.ActorIdentity;
import akka.actor.ExtendedActorSystem;
import akka.actor.Identify;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;

/** Mail by Akka's remoting. */
final class AkkaMail implements Mail {
  private final ActorSystem<?> system;

  AkkaMail(ActorSystem<?> system) {
    this.system = system;
  }

  @Override
  public void tell(String node, String actor, Object message) {
    Adapter.toClassic(system)
        .actorSelection(node + "/system/" + actor)
        .tell(message, akka.actor.ActorRef.noSender());
  }

  @Override
  public void identify(String node, String actor, ActorRef<ActorIdentity> replyTo) {
    // To a reference, not a selection: untrusted mode lets it pass.
    ((ExtendedActorSystem) Adapter.toClassic(system))
        .provider()
        .resolveActorRef(node + "/system/" + actor)
        .tell(new Identify(node), Adapter.toClassic(replyTo));
  }

  @Override
  public String write(ActorRef<?> ref) {
    return ActorRefResolver.get(system).toSerializationFormat(ref);
  }

  @Override
  public ActorRef<?> read(String text) {
    // Akka's own, with no twin between: what the fabric itself needs must not wait for it.
    return Adapter.toTyped(
        ((ExtendedActorSystem) Adapter.toClassic(system)).provider().resolveActorRef(text));
  }
}
