package io.tagfabric.actor;

import akka.actor.ActorRef;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Actors of this node that peers find by name. Thread: any. */
final class Exposed {
  /** One by name. */
  record Named(ActorRef ref, Class<?> messages) {}

  private final Map<String, Named> byName = new ConcurrentHashMap<>();

  /** Enters an actor; the one that has the name, null if none has. */
  Named enter(String name, Named named) {
    return byName.putIfAbsent(name, named);
  }

  /** Takes a name out; only if this actor has it, unless that is null. */
  boolean takeOut(String name, ActorRef ref) {
    Named named = byName.get(name);
    return named != null && (ref == null || named.ref.equals(ref)) && byName.remove(name, named);
  }

  Named find(String name) {
    return byName.get(name);
  }

  /** Whether an actor has a name. */
  boolean has(ActorRef ref) {
    return byName.values().stream().anyMatch(named -> named.ref.equals(ref));
  }
}
