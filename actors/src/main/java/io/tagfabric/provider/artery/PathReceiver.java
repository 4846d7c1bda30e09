package io.tagfabric.provider.artery;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.provider.WireContext;
import io.tagfabric.wire.FrameBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Takes the packets of one path and hands them to the endpoint. */
final class PathReceiver extends AbstractBehavior<Object> {
  private static final AtomicLong NUMBER = new AtomicLong();

  /** With 8 paths 22 actors are needed on average; this many are never. */
  private static final int MAX_ATTEMPTS = 1000;

  private final ActorRef<Object> endpoint;

  private PathReceiver(ActorContext<Object> context, ActorRef<Object> endpoint) {
    super(context);
    this.endpoint = endpoint;
  }

  private static Behavior<Object> create(ActorRef<Object> endpoint) {
    return Behaviors.setup(context -> new PathReceiver(context, endpoint));
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder().onMessage(FrameBatch.class, this::onFrameBatch).build();
  }

  private Behavior<Object> onFrameBatch(FrameBatch packet) {
    endpoint.tell(packet);
    return this;
  }

  /**
   * Receivers for all paths but the first, which is the endpoint itself. With as many lanes as
   * paths, no two share a lane: Artery takes the remainder of a receiver's random uid.
   */
  static List<ActorRef<Object>> spawn(WireContext context) {
    int paths = context.paths();
    List<ActorRef<Object>> receivers = new ArrayList<>();
    boolean[] taken = new boolean[paths];
    taken[lane(context.inbox(), paths)] = true;
    for (int i = 0; i < MAX_ATTEMPTS && receivers.size() < paths - 1; i++) {
      ActorRef<Object> receiver = spawnOne(context.system(), context.inbox());
      int lane = lane(receiver, paths);
      if (taken[lane]) {
        Adapter.toClassic(context.system()).stop(Adapter.toClassic(receiver));
      } else {
        taken[lane] = true;
        receivers.add(receiver);
      }
    }
    if (receivers.size() < paths - 1) {
      throw new IllegalStateException(
          "after " + MAX_ATTEMPTS + " actors lanes are empty still: " + Arrays.toString(taken));
    }
    return receivers;
  }

  private static ActorRef<Object> spawnOne(ActorSystem<?> system, ActorRef<Object> endpoint) {
    return system.systemActorOf(
        create(endpoint),
        "tagfabric-path-" + NUMBER.incrementAndGet(),
        DispatcherSelector.defaultDispatcher());
  }

  /** The lane that a sender with so many lanes uses. */
  private static int lane(ActorRef<Object> receiver, int lanes) {
    return Math.abs(receiver.path().uid() % lanes);
  }
}
