package io.tagfabric.actor;

import akka.actor.ActorRef;
import io.tagfabric.actor.twin.FabricRef;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The numbers of twins that the peer has not confirmed. Guarded by the road's lock. */
final class RoadBindings {
  record Message(Object message, ActorRef sender) {}

  /** A twin whose number the peer has not confirmed, and what waits for that. */
  static final class Binding {
    final int number;
    final FabricRef twin;
    final ArrayDeque<Message> messages = new ArrayDeque<>();
    final Set<ActorRef> watchers = new LinkedHashSet<>();

    /** Whether something may be under way to the actor by Akka's remoting. */
    boolean isBehind;

    boolean isConfirmed;

    private Binding(int number, FabricRef twin) {
      this.number = number;
      this.twin = twin;
    }

    /** Whether what waits may go. */
    boolean isSettled() {
      return isConfirmed && !isBehind;
    }
  }

  private final Map<Integer, Binding> bindings = new LinkedHashMap<>();

  /** Numbers that the peer may still confirm, and that are not needed any more. */
  private final Set<Integer> abandoned = new HashSet<>();

  private int last;

  /** Gives a twin the next number. */
  Binding enter(FabricRef twin) {
    Binding binding = new Binding(++last, twin);
    bindings.put(last, binding);
    return binding;
  }

  /** The last number given. */
  int last() {
    return last;
  }

  /** The one of a number; null if it is settled. */
  Binding of(int number) {
    return bindings.get(number);
  }

  void remove(Binding binding) {
    bindings.remove(binding.number);
  }

  /** Takes one out that the peer may still confirm. */
  void abandon(Binding binding) {
    remove(binding);
    abandoned.add(binding.number);
  }

  /** Takes all out that the peer may still confirm. */
  Collection<Binding> abandonAll() {
    abandoned.addAll(bindings.keySet());
    return takeAll();
  }

  /** Takes all out. */
  Collection<Binding> takeAll() {
    List<Binding> all = List.copyOf(bindings.values());
    bindings.clear();
    return all;
  }

  /** Takes out a number that was abandoned; false if it was not. */
  boolean takeAbandoned(int number) {
    return abandoned.remove(number);
  }

  /** The first number that is not settled. */
  int firstOpen() {
    return bindings.isEmpty() ? Integer.MAX_VALUE : bindings.keySet().iterator().next();
  }
}
