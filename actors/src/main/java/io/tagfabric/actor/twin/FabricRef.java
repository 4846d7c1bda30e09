package io.tagfabric.actor.twin;

import akka.actor.ActorPath;
import akka.actor.ActorRef;
import akka.actor.ActorRefProvider;
import akka.actor.ActorRefScope;
import akka.actor.InternalActorRef;
import akka.actor.SerializedActorRef;
import akka.dispatch.sysmsg.DeathWatchNotification;
import akka.dispatch.sysmsg.SystemMessage;
import akka.dispatch.sysmsg.Unwatch;
import akka.dispatch.sysmsg.Watch;
import java.util.Objects;
import scala.collection.Iterator;

/**
 * A twin of one of Akka's remote references: the same path, so it equals that one, has its hash and
 * is written as it is; but what is told to it goes by a {@link TwinRoad}. What is neither a message
 * nor a watch goes to the other twin.
 *
 * <p>Thread: any.
 */
public final class FabricRef extends InternalActorRef implements ActorRefScope {
  private static final long serialVersionUID = 1L;

  private final transient InternalActorRef far;
  private final transient TwinRoad road;
  private final transient String text;
  private transient volatile int number;

  /**
   * A twin.
   *
   * @param far Akka's own reference
   * @throws IllegalArgumentException if it is not one to an actor of another system
   */
  public FabricRef(ActorRef far, TwinRoad road) {
    if (!(far instanceof InternalActorRef internal) || internal.isLocal()) {
      throw new IllegalArgumentException(
          "reference [" + far + "] is to an actor of this system, or not Akka's; use it as it is");
    }
    this.far = internal;
    this.road = Objects.requireNonNull(road, "road");
    text = far.path().toSerializationFormat();
  }

  /** Akka's own reference. */
  public ActorRef far() {
    return far;
  }

  /** Its path with address and uid, as Akka writes it. */
  public String text() {
    return text;
  }

  /** What the road knows it by; 0 at first. */
  public int number() {
    return number;
  }

  /** The road knows it by another number from now on. */
  public void number(int newNumber) {
    number = newNumber;
  }

  @Override
  public void $bang(Object message, ActorRef sender) {
    road.tell(this, message, sender);
  }

  @Override
  public void sendSystemMessage(SystemMessage message) {
    if (message instanceof Watch watch && equals(watch.watchee())) {
      road.watch(this, watch.watcher());
    } else if (message instanceof Unwatch unwatch && equals(unwatch.watchee())) {
      road.unwatch(this, unwatch.watcher());
    } else {
      far.sendSystemMessage(message);
    }
  }

  /** Lets Akka's remoting watch in place of the road. */
  public void watchFar(ActorRef watcher) {
    far.sendSystemMessage(new Watch(far, (InternalActorRef) watcher));
  }

  /** Ends {@link #watchFar}. */
  public void unwatchFar(ActorRef watcher) {
    far.sendSystemMessage(new Unwatch(far, watcher));
  }

  /**
   * Tells a watcher that the actor has ended.
   *
   * @param confirmed whether there was such an actor
   * @param addressTerminated whether its whole system is gone
   */
  public void tellEnded(ActorRef watcher, boolean confirmed, boolean addressTerminated) {
    ((InternalActorRef) watcher)
        .sendSystemMessage(new DeathWatchNotification(this, confirmed, addressTerminated));
  }

  @Override
  public ActorPath path() {
    return far.path();
  }

  @Override
  public ActorRefProvider provider() {
    return far.provider();
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
  public void resume(Throwable causedByFailure) {
    far.resume(causedByFailure);
  }

  @Override
  public void suspend() {
    far.suspend();
  }

  @Override
  public void restart(Throwable cause) {
    far.restart(cause);
  }

  @Override
  public void stop() {
    far.stop();
  }

  @Override
  public InternalActorRef getParent() {
    return far.getParent();
  }

  @Override
  public InternalActorRef getChild(Iterator<String> names) {
    return far.getChild(names);
  }

  private Object writeReplace() {
    return new SerializedActorRef(this);
  }
}
