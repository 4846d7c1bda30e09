package io.tagfabric.simulation.remote;

import akka.actor.ActorPath;
import akka.actor.ActorRef;
import akka.actor.ActorRefProvider;
import akka.actor.ActorRefScope;
import akka.actor.InternalActorRef;
import akka.actor.SerializedActorRef;
import akka.dispatch.sysmsg.SystemMessage;
import scala.collection.Iterator;

/** A reference to an actor of another simulated system. Thread: the simulation's. */
final class RemoteRef extends InternalActorRef implements ActorRefScope {
  private static final long serialVersionUID = 1L;

  private final transient RemoteProvider provider;
  private final ActorPath path;

  RemoteRef(RemoteProvider provider, ActorPath path) {
    this.provider = provider;
    this.path = path;
  }

  @Override
  public void $bang(Object message, ActorRef sender) {
    provider.place().remoting().tell(provider, path, message, sender);
  }

  /** Deaths are not watched over this remoting. */
  @Override
  public void sendSystemMessage(SystemMessage message) {}

  @Override
  public ActorPath path() {
    return path;
  }

  @Override
  public ActorRefProvider provider() {
    return provider;
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public void start() {}

  @Override
  public void resume(Throwable causedByFailure) {}

  @Override
  public void suspend() {}

  @Override
  public void restart(Throwable cause) {}

  @Override
  public void stop() {}

  @Override
  public InternalActorRef getParent() {
    return new RemoteRef(provider, path.parent());
  }

  @Override
  public InternalActorRef getChild(Iterator<String> names) {
    ActorPath child = path;
    while (names.hasNext()) {
      child = child.child(names.next());
    }
    return new RemoteRef(provider, child);
  }

  private Object writeReplace() {
    return new SerializedActorRef(this);
  }
}
