package io.tagfabric.runtime;

import akka.actor.ActorIdentity;
import akka.actor.ActorPath;
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
import com.typesafe.config.Config;
import scala.Option;

/**
 * Mail by Akka's remoting: to a selection, which Artery lets through to a node that was started
 * again where it has quarantined the one before. In {@code akka.remote.artery.untrusted-mode},
 * which drops selections where they arrive, to a reference; set the mode at all nodes.
 */
final class AkkaMail implements Mail {
  private static final String UNTRUSTED = "akka.remote.artery.untrusted-mode";

  private final ActorSystem<?> system;
  private final boolean untrusted;

  AkkaMail(ActorSystem<?> system) {
    this.system = system;
    Config config = system.settings().config();
    untrusted = config.hasPath(UNTRUSTED) && config.getBoolean(UNTRUSTED);
  }

  @Override
  public void tell(String node, String actor, Object message) {
    tell(node, actor, message, akka.actor.ActorRef.noSender());
  }

  @Override
  public void identify(String node, String actor, ActorRef<ActorIdentity> replyTo) {
    tell(node, actor, new Identify(node), Adapter.toClassic(replyTo));
  }

  /** An address that cannot be read gets no message. */
  private void tell(String node, String actor, Object message, akka.actor.ActorRef sender) {
    Option<Address> address = AddressFromURIString.unapply(node);
    if (address.isEmpty()) {
      provider().deadLetters().tell(message, sender);
      return;
    }
    ActorPath path = RootActorPath.apply(address.get(), "/").child("system").child(actor);
    if (untrusted) {
      provider().resolveActorRef(path).tell(message, sender);
    } else {
      Adapter.toClassic(system).actorSelection(path).tell(message, sender);
    }
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
