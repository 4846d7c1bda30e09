package io.tagfabric.runtime;

import akka.actor.ActorIdentity;
import akka.actor.ActorRefProvider;
import akka.actor.Address;
import akka.actor.AddressFromURIString;
import akka.actor.ExtendedActorSystem;
import akka.actor.Identify;
import akka.actor.RootActorPath;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import scala.Option;

/** Mail by Akka's remoting. */
final class AkkaMail implements Mail {
  private final ActorSystem<?> system;

  AkkaMail(ActorSystem<?> system) {
    this.system = system;
  }

  /**
   * Tells by a reference, not by a selection, which {@code akka.remote.artery.untrusted-mode} drops
   * where it arrives. A path without uid is that of whichever actor has the name when the message
   * arrives. It is resolved anew each time, past the cache that Akka has for texts: an actor of
   * this node may have ended since. An address that cannot be read gets no message.
   */
  @Override
  public void tell(String node, String actor, Object message) {
    actorOf(node, actor).tell(message, akka.actor.ActorRef.noSender());
  }

  @Override
  public void identify(String node, String actor, ActorRef<ActorIdentity> replyTo) {
    knock(node);
    actorOf(node, actor).tell(new Identify(node), Adapter.toClassic(replyTo));
  }

  /** A selection passes where Artery has quarantined the node that was there before. */
  @Override
  public void knock(String node) {
    Adapter.toClassic(system)
        .actorSelection(node + "/system")
        .tell(new Identify(node), Adapter.toClassic(system.ignoreRef()));
  }

  private akka.actor.ActorRef actorOf(String node, String actor) {
    Option<Address> address = AddressFromURIString.unapply(node);
    return address.isEmpty()
        ? provider().deadLetters()
        : provider()
            .resolveActorRef(RootActorPath.apply(address.get(), "/").child("system").child(actor));
  }

  @Override
  public String write(ActorRef<?> ref) {
    return ActorRefResolver.get(system).toSerializationFormat(ref);
  }

  @Override
  public ActorRef<?> read(String text) {
    // Akka's own, with no twin between: what the fabric itself needs must not wait for it.
    return Adapter.toTyped(provider().resolveActorRef(text));
  }

  private ActorRefProvider provider() {
    return ((ExtendedActorSystem) Adapter.toClassic(system)).provider();
  }
}
