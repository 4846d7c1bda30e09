package io.tagfabric.actor;

import akka.actor.ActorRef;
import io.tagfabric.actor.twin.FabricRef;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Who watches actors of a peer by their numbers, and ends of actors of this node that the peer must
 * be told of. Guarded by the road's lock.
 */
final class RoadWatches {
  private record Watched(FabricRef twin, Set<ActorRef> watchers) {}

  /** An end that must not overtake what waits for numbers up to this one. */
  private record Ending(int recipient, int behind) {}

  private final Map<Integer, Watched> watched = new LinkedHashMap<>();
  private final ArrayDeque<Ending> endings = new ArrayDeque<>();

  boolean isEmpty() {
    return watched.isEmpty();
  }

  /** Adds watchers of a number; whether they are its first. */
  boolean add(int number, FabricRef twin, Collection<ActorRef> watchers) {
    Watched entry = watched.get(number);
    if (entry != null) {
      entry.watchers.addAll(watchers);
      return false;
    }
    watched.put(number, new Watched(twin, new LinkedHashSet<>(watchers)));
    return true;
  }

  /** Takes a watcher out; whether it was the last of the number. */
  boolean remove(int number, ActorRef watcher) {
    Watched entry = watched.get(number);
    boolean isLast = entry != null && entry.watchers.remove(watcher) && entry.watchers.isEmpty();
    if (isLast) {
      watched.remove(number);
    }
    return isLast;
  }

  /** The actor of a number has ended. */
  void gone(int number) {
    Watched entry = watched.remove(number);
    if (entry != null) {
      entry.watchers.forEach(watcher -> entry.twin.tellEnded(watcher, true, false));
    }
  }

  /** Akka's remoting watches instead. */
  void toArtery() {
    watched.values().forEach(each -> each.watchers.forEach(each.twin::watchFar));
    watched.clear();
    endings.clear();
  }

  /** The peer is lost. */
  void lost() {
    watched.values().forEach(each -> lost(each.twin, each.watchers));
    watched.clear();
    endings.clear();
  }

  static void lost(FabricRef twin, Collection<ActorRef> watchers) {
    watchers.forEach(watcher -> twin.tellEnded(watcher, false, true));
  }

  /** An actor has ended; the peer must have what waits for numbers up to this one first. */
  void end(int recipient, int behind) {
    endings.add(new Ending(recipient, behind));
  }

  /** Gives out the ends that need not wait any more: all numbers below this one are settled. */
  void ready(int open, IntConsumer action) {
    while (!endings.isEmpty() && endings.peek().behind < open) {
      action.accept(endings.remove().recipient);
    }
  }
}
