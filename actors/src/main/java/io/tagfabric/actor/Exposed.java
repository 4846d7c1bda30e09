package io.tagfabric.actor;

import akka.actor.ActorRef;
import io.tagfabric.actor.twin.NearActors;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Actors of this node that peers may address: those exposed by name, and those whose references
 * were sent to peers, as long as they are alive. Thread: any.
 */
final class Exposed {
  /** One by name. */
  record Named(ActorRef ref, Class<?> messages) {}

  private static final class Sent extends WeakReference<ActorRef> {
    private final String path;

    Sent(ActorRef ref, String path, ReferenceQueue<ActorRef> ended) {
      super(ref, ended);
      this.path = path;
    }
  }

  private final Map<String, Named> byName = new ConcurrentHashMap<>();

  /** By path without address but with uid; an actor that has ended falls out by itself. */
  private final Map<String, Sent> sent = new ConcurrentHashMap<>();

  private final ReferenceQueue<ActorRef> ended = new ReferenceQueue<>();

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

  /** A reference to an actor of this node goes to a peer. */
  void sentOut(ActorRef ref) {
    if (!NearActors.isLocal(ref)) {
      return;
    }
    for (Reference<? extends ActorRef> gone = ended.poll(); gone != null; gone = ended.poll()) {
      Sent old = (Sent) gone;
      sent.remove(old.path, old);
    }
    String path = pathOf(ref);
    Sent known = sent.get(path);
    if (known == null || known.get() == null) {
      sent.put(path, new Sent(ref, path, ended));
    }
  }

  /** Whether peers may address an actor. */
  boolean allows(ActorRef ref) {
    Sent out = sent.get(pathOf(ref));
    return out != null && ref.equals(out.get())
        || byName.values().stream().anyMatch(named -> named.ref.equals(ref));
  }

  private static String pathOf(ActorRef ref) {
    return ref.path().toStringWithoutAddress() + '#' + ref.path().uid();
  }
}
