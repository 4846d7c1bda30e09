package io.tagfabric.actor.twin;

import akka.Done;
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
import java.util.concurrent.CompletionStage;
import scala.collection.Iterator;

/**
 * A twin of one of Akka's remote references. It has the same path. So the two are equal, have the
 * same hash, and are serialized alike. They differ in the way of messages: those told to this
 * reference, and watches of it, go by a {@link TwinRoad}. Everything else is passed on to Akka's
 * reference.
 *
 * <p>Thread: any.
 */
public final class FabricRef extends InternalActorRef implements ActorRefScope {
  private static final long serialVersionUID = 1L;
  private static final String FUNCTION = "$$";

  private final transient NearActors near;
  private final transient TwinRoad road;
  private final transient String text;
  private final transient boolean isTemporary;
  private transient volatile InternalActorRef far;
  private transient volatile int number;

  /**
   * A twin.
   *
   * @param far Akka's own reference
   * @throws IllegalArgumentException if it is not one to an actor of another system
   */
  public FabricRef(NearActors near, ActorRef far, TwinRoad road) {
    this(near, far.path().toSerializationFormat(), road);
    if (!(far instanceof InternalActorRef internal) || internal.isLocal()) {
      throw new IllegalArgumentException(
          "reference [" + far + "] is to an actor of this system, or not Akka's; use it as it is");
    }
    this.far = internal;
  }

  /**
   * A twin for whom Akka's own reference is made only when it is needed.
   *
   * @param text its path with address and uid, as Akka writes it, to another system
   */
  public FabricRef(NearActors near, String text, TwinRoad road) {
    this.near = Objects.requireNonNull(near, "near");
    this.road = Objects.requireNonNull(road, "road");
    this.text = Objects.requireNonNull(text, "text");
    isTemporary = NearActors.isTemporary(local());
  }

  /** Akka's own reference. */
  public ActorRef far() {
    return internal();
  }

  private InternalActorRef internal() {
    InternalActorRef known = far;
    if (known == null) {
      known = (InternalActorRef) near.resolve(text);
      far = known;
    }
    return known;
  }

  /** Its path with address and uid, as Akka writes it. */
  public String text() {
    return text;
  }

  /** Its path without address, but with uid. */
  public String local() {
    return text.substring(NearActors.endOfAddress(text));
  }

  /** Whether it is somebody who waits for one answer. */
  public boolean isTemporary() {
    return isTemporary;
  }

  /**
   * Whether it is not an actor but a function, such as a message adapter, which would take Akka's
   * {@code Identify} for a message. Akka gives them names that no actor can have.
   */
  public boolean isFunction() {
    return text.startsWith(FUNCTION, text.lastIndexOf('/') + 1);
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

  /** As a tell; completes when there was room for the message at this side. */
  public CompletionStage<Done> tellOrWait(Object message) {
    return road.tellOrWait(this, message);
  }

  @Override
  public void sendSystemMessage(SystemMessage message) {
    if (message instanceof Watch watch && equals(watch.watchee())) {
      road.watch(this, watch.watcher());
    } else if (message instanceof Unwatch unwatch && equals(unwatch.watchee())) {
      road.unwatch(this, unwatch.watcher());
    } else {
      internal().sendSystemMessage(message);
    }
  }

  /** Lets Akka's remoting watch in place of the road. */
  public void watchFar(ActorRef watcher) {
    internal().sendSystemMessage(new Watch(internal(), (InternalActorRef) watcher));
  }

  /** Ends {@link #watchFar}. */
  public void unwatchFar(ActorRef watcher) {
    internal().sendSystemMessage(new Unwatch(internal(), watcher));
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
    return internal().path();
  }

  @Override
  public ActorRefProvider provider() {
    return near.provider();
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
    internal().resume(causedByFailure);
  }

  @Override
  public void suspend() {
    internal().suspend();
  }

  @Override
  public void restart(Throwable cause) {
    internal().restart(cause);
  }

  @Override
  public void stop() {
    internal().stop();
  }

  @Override
  public InternalActorRef getParent() {
    return internal().getParent();
  }

  @Override
  public InternalActorRef getChild(Iterator<String> names) {
    return internal().getChild(names);
  }

  private Object writeReplace() {
    return new SerializedActorRef(this);
  }
}
