package io.tagfabric.actor;

import akka.Done;
import akka.actor.ActorRef;
import io.tagfabric.actor.twin.FabricRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Messages that wait until a road has room for them, in the order offered. Thread: any. */
final class RoadOffers {
  private record Offer(
      FabricRef twin, Object message, ActorRef sender, CompletableFuture<Done> taken) {}

  private final Road road;
  private final Executor later;
  private final ArrayDeque<Offer> offers = new ArrayDeque<>();
  private volatile boolean hasOffers;

  /**
   * Those of a road.
   *
   * @param later runs tasks on a thread that has no lock of the road
   */
  RoadOffers(Road road, Executor later) {
    this.road = road;
    this.later = later;
  }

  /** Completes when the message was taken. */
  CompletableFuture<Done> offer(FabricRef twin, Object message, ActorRef sender) {
    Offer offer = new Offer(twin, message, sender, new CompletableFuture<>());
    synchronized (offers) {
      offers.add(offer);
      hasOffers = true;
    }
    take();
    return offer.taken;
  }

  /** There may be room. */
  void room() {
    if (hasOffers) {
      later.execute(this::take);
    }
  }

  private void take() {
    List<Offer> taken = new ArrayList<>();
    synchronized (offers) {
      while (!offers.isEmpty()) {
        Offer first = offers.peek();
        if (!road.takesOffers() || road.offer(first.twin, first.message, first.sender) != null) {
          break;
        }
        taken.add(offers.remove());
      }
      hasOffers = !offers.isEmpty();
    }
    taken.forEach(each -> each.taken.complete(Done.getInstance()));
  }
}
