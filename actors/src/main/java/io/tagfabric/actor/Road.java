package io.tagfabric.actor;

import akka.actor.ActorRef;
import io.tagfabric.actor.RefMessage.RefBind;
import io.tagfabric.actor.RefMessage.RefGone;
import io.tagfabric.actor.RefMessage.RefLookup;
import io.tagfabric.actor.RefMessage.RefRelease;
import io.tagfabric.actor.RefMessage.RefUnwatch;
import io.tagfabric.actor.RefMessage.RefWatch;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.actor.twin.NearActors;
import io.tagfabric.actor.twin.TwinRoad;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The near side of the one way to a node, in one incarnation: the numbers of its actors, and what
 * waits for them. Whether the fabric carries it is known when the first number is confirmed; if the
 * node cannot be reached by then, all of it goes by Akka's remoting instead, and stays there.
 *
 * <p>Thread: any.
 */
final class Road implements TwinRoad {
  // Numbers of twins that are none: a positive one is known to the peer.
  private static final int NEW = 0;
  private static final int BY_ARTERY = -1;
  private static final int BY_NAME = -2;
  private static final int DEAD = -3;

  /** One below these has asked for the number that is added. */
  private static final int BINDING = -4;

  private static final int NO_PEER = -1;

  /** Why a peer cannot be reached any more. */
  record Lost(FabricError error, String detail) {}

  private record Message(Object message, ActorRef sender) {}

  /** A twin whose number the peer has not confirmed, and what waits for that. */
  private static final class Binding {
    private final FabricRef twin;
    private final ArrayDeque<Message> messages = new ArrayDeque<>();
    private final Set<ActorRef> watchers = new LinkedHashSet<>();

    Binding(FabricRef twin) {
      this.twin = twin;
    }
  }

  private record Lookup(String name, String type, CompletableFuture<String> path) {}

  private record Watched(FabricRef twin, Set<ActorRef> watchers) {}

  /** An end that must not overtake what waits for these numbers. */
  private record Ending(int recipient, Set<Integer> behind) {}

  private static final class Interned extends WeakReference<FabricRef> {
    private final String text;
    private int number;

    Interned(FabricRef twin, ReferenceQueue<FabricRef> unused) {
      super(twin, unused);
      text = twin.text();
    }
  }

  private final RefNode node;
  private final String name;
  private final TypeNumbers types = new TypeNumbers(this::control);
  private final RoadQueue queue;
  private final Object lock = new Object();
  private final Map<String, Interned> twins = new ConcurrentHashMap<>();
  private final ReferenceQueue<FabricRef> unused = new ReferenceQueue<>();
  private final Map<Integer, Binding> bindings = new LinkedHashMap<>();
  private final Map<Integer, Watched> watched = new LinkedHashMap<>();
  private final Map<Long, Lookup> lookups = new LinkedHashMap<>();
  private final List<Ending> endings = new ArrayList<>();
  private volatile int peer = NO_PEER;
  private volatile Lost lost;
  private boolean byArtery;
  private boolean answered;
  private int lastNumber;
  private long lastLookup;

  /** A way to the node with this address. */
  Road(RefNode node, String name) {
    this.node = node;
    this.name = name;
    queue = new RoadQueue(node.limits());
  }

  /** The address of the node. */
  String name() {
    return name;
  }

  /** Whether it is not known yet which way it takes. */
  boolean isConnecting() {
    synchronized (lock) {
      return peer == NO_PEER && !byArtery && lost == null;
    }
  }

  Lost lost() {
    return lost;
  }

  /** Whether a new way must be looked for. */
  boolean isLost() {
    return lost != null;
  }

  // ---- twins ----

  /** The twin of a reference to an actor of the node: the same as long as somebody has it. */
  FabricRef twin(ActorRef far) {
    releaseUnused();
    String text = far.path().toSerializationFormat();
    while (true) {
      Interned known = twins.get(text);
      FabricRef twin = known == null ? null : known.get();
      if (twin != null) {
        return twin;
      }
      FabricRef made = new FabricRef(far, this);
      if (NearActors.isTemporary(made.path().toStringWithoutAddress())) {
        return made;
      }
      Interned entry = new Interned(made, unused);
      if (known == null
          ? twins.putIfAbsent(text, entry) == null
          : twins.replace(text, known, entry)) {
        return made;
      }
    }
  }

  private void releaseUnused() {
    for (Reference<? extends FabricRef> gone = unused.poll(); gone != null; gone = unused.poll()) {
      Interned entry = (Interned) gone;
      twins.remove(entry.text, entry);
      if (entry.number > 0) {
        control(new RefRelease(entry.number));
      }
    }
  }

  // ---- messages ----

  @Override
  public void tell(FabricRef twin, Object message, ActorRef sender) {
    int number = twin.number();
    if (number > 0) {
      write(twin, number, message, sender);
    } else {
      tellSlowly(twin, message, sender);
    }
  }

  private void tellSlowly(FabricRef twin, Object message, ActorRef sender) {
    synchronized (lock) {
      int number = begun(twin);
      if (number > 0 || number == BY_NAME) {
        write(twin, number, message, sender);
      } else if (number == BY_ARTERY) {
        node.tellFar(twin, message, sender);
      } else if (number == DEAD) {
        node.dead(twin, message, sender);
      } else if (queue.enter(0)) {
        bindingOf(twin).messages.add(new Message(message, sender));
      } else {
        node.overflow(twin, message, sender, queue.text(0));
      }
    }
  }

  /** The number of a twin; one that has none begins to get one. */
  private int begun(FabricRef twin) {
    if (twin.number() != NEW) {
      return twin.number();
    }
    if (lost != null) {
      twin.number(DEAD);
    } else if (byArtery) {
      twin.number(BY_ARTERY);
    } else if (peer != NO_PEER && NearActors.isTemporary(twin.path().toStringWithoutAddress())) {
      twin.number(BY_NAME);
    } else {
      int number = ++lastNumber;
      bindings.put(number, new Binding(twin));
      twin.number(BINDING - number);
      if (peer != NO_PEER) {
        control(new RefBind(number, twin.text()));
      }
    }
    return twin.number();
  }

  private Binding bindingOf(FabricRef twin) {
    return bindings.get(BINDING - twin.number());
  }

  private void write(FabricRef twin, int number, Object message, ActorRef sender) {
    if (lost != null) {
      node.dead(twin, message, sender);
      return;
    }
    Scratch scratch = Scratch.take();
    try {
      scratch.show(node.serialization(), message);
      int type = types.of(scratch.serializerId(), scratch.manifest());
      String recipient = number > 0 ? null : twin.path().toStringWithoutAddress();
      int length =
          scratch.write(
              node.near(), type, node.textOf(sender), recipient, node.limits().maxBytes());
      post(RefTags.tell(number), scratch.view(), length, twin, message, sender);
    } catch (Exception | LinkageError | StackOverflowError e) {
      node.unwritable(twin, message, sender, e);
    } finally {
      scratch.give();
    }
  }

  private void post(
      long tag, UnsafeBuffer bytes, int length, FabricRef twin, Object message, ActorRef sender) {
    if (node.inject(peer, tag, bytes, length)) {
      node.counters().sent.increment();
      return;
    }
    if (!queue.enter(length)) {
      node.overflow(twin, message, sender, queue.text(length));
      return;
    }
    byte[] copy = new byte[length];
    bytes.getBytes(0, copy);
    node.counters().sent.increment();
    node.send(
        peer,
        tag,
        copy,
        new SendListener() {
          @Override
          public void onSent(Completion.Sent sent) {
            queue.leave(length);
          }

          @Override
          public void onFailed(Completion.Failed failure) {
            queue.leave(length);
            if (failure.error() == FabricError.MESSAGE_SIZE) {
              node.unwritable(
                  twin, message, sender, new FabricException(failure.error(), failure.detail()));
            } else {
              node.dead(twin, message, sender);
            }
          }
        });
  }

  /** Tells the peer something about references, behind all that was sent to it before. */
  void control(RefMessage message) {
    int to = peer;
    if (to == NO_PEER || lost != null) {
      return;
    }
    node.send(
        to,
        RefTags.CONTROL,
        RefMessage.CODEC.encode(message),
        new SendListener() {
          @Override
          public void onSent(Completion.Sent sent) {}

          @Override
          public void onFailed(Completion.Failed failure) {
            lose(failure.error(), failure.detail());
          }
        });
  }

  // ---- which way it takes ----

  /** The node is a peer of the fabric. */
  void open(int itsPeer) {
    synchronized (lock) {
      if (peer != NO_PEER || byArtery || lost != null) {
        return;
      }
      peer = itsPeer;
      bindings.forEach((number, binding) -> control(new RefBind(number, binding.twin.text())));
      lookups.forEach((number, lookup) -> control(new RefLookup(number, lookup.name, lookup.type)));
    }
  }

  /** The peer has answered about a number. False if it was not asked. */
  boolean bound(int number, String refusal) {
    synchronized (lock) {
      Binding binding = bindings.remove(number);
      if (binding == null) {
        return false;
      }
      answered = true;
      FabricRef twin = binding.twin;
      if (refusal.isEmpty()) {
        flush(binding, number);
        Interned entry = twins.get(twin.text());
        if (entry != null) {
          entry.number = number;
        }
      } else {
        node.refused(twin, refusal);
        toArtery(binding);
      }
      endings.forEach(ending -> ending.behind.remove(number));
      sendEndings();
    }
    return true;
  }

  private void flush(Binding binding, int number) {
    FabricRef twin = binding.twin;
    for (Message each : binding.messages) {
      queue.leave(0);
      write(twin, number, each.message, each.sender);
    }
    twin.number(number);
    if (!binding.watchers.isEmpty()) {
      watched.put(number, new Watched(twin, binding.watchers));
      control(new RefWatch(number));
    }
  }

  private void toArtery(Binding binding) {
    for (Message each : binding.messages) {
      queue.leave(0);
      node.tellFar(binding.twin, each.message, each.sender);
    }
    binding.watchers.forEach(binding.twin::watchFar);
    binding.twin.number(BY_ARTERY);
  }

  /** The fabric does not lead to the node: all goes by Akka's remoting. */
  void takeArtery(FabricError error, String detail) {
    synchronized (lock) {
      if (byArtery || lost != null) {
        return;
      }
      byArtery = true;
      bindings.values().forEach(this::toArtery);
      bindings.clear();
      failLookups(error, detail);
      endings.clear();
    }
  }

  /** The peer is lost. */
  void lose(FabricError error, String detail) {
    synchronized (lock) {
      if (lost != null || byArtery) {
        return;
      }
      if (!answered && lookups.isEmpty() && watched.isEmpty() && !node.isClosing()) {
        takeArtery(error, detail);
        return;
      }
      lost = new Lost(error, detail);
      for (Binding binding : bindings.values()) {
        binding.messages.forEach(
            each -> {
              queue.leave(0);
              node.dead(binding.twin, each.message, each.sender);
            });
        binding.twin.number(DEAD);
        endWatches(binding.twin, binding.watchers);
      }
      bindings.clear();
      watched.values().forEach(each -> endWatches(each.twin, each.watchers));
      watched.clear();
      endings.clear();
      failLookups(error, detail);
    }
  }

  private void endWatches(FabricRef twin, Collection<ActorRef> watchers) {
    watchers.forEach(watcher -> twin.tellEnded(watcher, false, true));
  }

  // ---- watches ----

  @Override
  public void watch(FabricRef twin, ActorRef watcher) {
    synchronized (lock) {
      int number = begun(twin);
      if (number == BY_ARTERY || number == BY_NAME) {
        twin.watchFar(watcher);
      } else if (lost != null) {
        twin.tellEnded(watcher, false, true);
      } else if (number < BINDING) {
        bindingOf(twin).watchers.add(watcher);
      } else {
        Watched entry = watched.get(number);
        if (entry == null) {
          entry = new Watched(twin, new LinkedHashSet<>());
          watched.put(number, entry);
          control(new RefWatch(number));
        }
        entry.watchers.add(watcher);
      }
    }
  }

  @Override
  public void unwatch(FabricRef twin, ActorRef watcher) {
    synchronized (lock) {
      int number = twin.number();
      if (number == BY_ARTERY || number == BY_NAME) {
        twin.unwatchFar(watcher);
      } else if (number < BINDING) {
        bindingOf(twin).watchers.remove(watcher);
      } else if (number > 0) {
        Watched entry = watched.get(number);
        if (entry != null && entry.watchers.remove(watcher) && entry.watchers.isEmpty()) {
          watched.remove(number);
          control(new RefUnwatch(number));
        }
      }
    }
  }

  /** The peer says that the actor of a number has ended. */
  void gone(int number) {
    synchronized (lock) {
      Watched entry = watched.remove(number);
      if (entry != null) {
        entry.watchers.forEach(watcher -> entry.twin.tellEnded(watcher, true, false));
      }
    }
  }

  /** An actor of this node has ended that the peer watches: tells it behind its last messages. */
  void tellGone(int recipient) {
    synchronized (lock) {
      endings.add(new Ending(recipient, new HashSet<>(bindings.keySet())));
      sendEndings();
    }
  }

  private void sendEndings() {
    while (!endings.isEmpty() && endings.get(0).behind.isEmpty()) {
      control(new RefGone(endings.remove(0).recipient));
    }
  }

  // ---- names ----

  /** The path of the actor that the node has exposed by a name. */
  CompletableFuture<String> lookUp(String exposed, Class<?> messages) {
    CompletableFuture<String> path = new CompletableFuture<>();
    synchronized (lock) {
      if (lost != null) {
        path.completeExceptionally(new FabricException(lost.error, lost.detail));
      } else if (byArtery) {
        path.completeExceptionally(
            new FabricException(
                FabricError.HOST_UNREACHABLE, "node [" + name + "] is not reached by the fabric"));
      } else {
        Lookup lookup = new Lookup(exposed, messages.getName(), path);
        lookups.put(++lastLookup, lookup);
        control(new RefLookup(lastLookup, lookup.name, lookup.type));
      }
    }
    return path;
  }

  /** The answer to a look-up: null if there is none. False if nothing was asked. */
  boolean found(long number, String path, FabricError error, String why) {
    Lookup lookup;
    synchronized (lock) {
      lookup = lookups.remove(number);
      answered |= lookup != null;
    }
    if (lookup == null) {
      return false;
    }
    if (path != null) {
      lookup.path.complete(path);
    } else {
      lookup.path.completeExceptionally(new FabricException(error, why));
    }
    return true;
  }

  private void failLookups(FabricError error, String detail) {
    lookups
        .values()
        .forEach(each -> each.path.completeExceptionally(new FabricException(error, detail)));
    lookups.clear();
  }
}
