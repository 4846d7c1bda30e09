package io.tagfabric.actor;

import akka.Done;
import akka.actor.ActorIdentity;
import akka.actor.ActorRef;
import akka.actor.Identify;
import akka.pattern.Patterns;
import io.tagfabric.actor.RefMessage.RefBind;
import io.tagfabric.actor.RefMessage.RefGone;
import io.tagfabric.actor.RefMessage.RefRelease;
import io.tagfabric.actor.RefMessage.RefUnwatch;
import io.tagfabric.actor.RefMessage.RefWatch;
import io.tagfabric.actor.RoadBindings.Binding;
import io.tagfabric.actor.RoadBindings.Message;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.actor.twin.TwinRoad;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The way of messages from this node to one incarnation of another node. All messages to that
 * incarnation take the same way, so they keep their order.
 *
 * <p>Until the node is known as a peer of the fabric, messages go by Akka's remoting, at once. From
 * then on its actors get numbers: this side asks for one, messages to that actor wait until the
 * peer has confirmed it, and then carry the number. What went by Akka's remoting must be there
 * before: Akka's {@code Identify} follows it to the same actor, which answers behind it. A
 * reference that is a function, such as a message adapter, would take that for a message: it stays
 * on Akka's remoting if it was told anything there.
 *
 * <p>They also do that from the moment on at which either endpoint closes, or the flow is given up
 * while the cluster says that the node lives. Order holds: the flow brings nothing any more when
 * the first of them leaves. While this endpoint closes, what it has accepted is still on its way,
 * so later messages are held until it has closed.
 *
 * <p>Thread: any.
 */
final class Road implements TwinRoad {
  // Numbers of twins that are none: a positive one is known to the peer.
  private static final int NEW = 0;
  private static final int BY_ARTERY = -1;
  private static final int BY_NAME = -2;
  private static final int DEAD = -3;

  /** It has been told something by Akka's remoting while the node was not known as a peer. */
  private static final int SPOKEN_TO = -4;

  /** One below these has asked for the number that is added. */
  private static final int BINDING = -5;

  static final int NO_PEER = -1;

  /** Why a peer cannot be reached any more. */
  record Lost(FabricError error, String detail) {}

  /** How often the numbers are looked for whose twins nobody has any more. */
  private static final long SWEEP_NS = TimeUnit.SECONDS.toNanos(1);

  /** How often it is tried whether there is room for what has waited for a number. */
  private static final long ROOM_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Akka's remoting may lose a question: it is asked again then. */
  private static final Duration ANSWER = Duration.ofSeconds(3);

  /** An actor with much to do answers late. */
  private static final Duration LATE_ANSWER = Duration.ofSeconds(60);

  private final RefNode node;
  private final String name;
  private final RoadQueue queue;
  private final RoadOffers offers;
  private final Object lock = new Object();
  private final RoadTwins twins = new RoadTwins(number -> control(new RefRelease(number)));
  private final RoadBindings bindings = new RoadBindings();
  private final RoadHeld held;
  private final RoadWriter writer;
  private final RoadWatches watches = new RoadWatches();
  private final RoadLookups lookups = new RoadLookups();

  /** Who watches by Akka's remoting twins that may move. */
  private final Map<FabricRef, Set<ActorRef>> farWatchers = new WeakHashMap<>();

  private volatile int peer = NO_PEER;
  private volatile long incarnation;
  private volatile Lost lost;
  private volatile boolean byArtery;

  private long byArterySinceNs;
  private boolean answered;
  private boolean sweeps;

  /** Whether anything may have gone to the node by Akka's remoting before it was a peer. */
  private boolean hasSpoken;

  /**
   * A way to the node with this address.
   *
   * @param follows whether there was another before, by which something may be under way
   */
  Road(RefNode node, String name, boolean follows) {
    this.node = node;
    this.name = name;
    hasSpoken = follows;
    offers = new RoadOffers(this, node.loop());
    queue = new RoadQueue(node.limits(), offers::room);
    held = new RoadHeld(lock, queue, node.limits().queuedMessages(), node::tellFar, node.reports());
    writer = new RoadWriter(this, node, queue, held);
  }

  /** The address of the node. */
  String name() {
    return name;
  }

  /** Which of the nodes that were at the address it leads to; 0 if that is not known yet. */
  long incarnation() {
    return incarnation;
  }

  /** Whether the node is not known as a peer yet. */
  boolean isConnecting() {
    synchronized (lock) {
      return peer == NO_PEER && !byArtery && lost == null;
    }
  }

  /** Whether it leads to another peer than this one. */
  boolean leadsElsewhere(int toPeer) {
    int to = peer;
    return to != NO_PEER && to != toPeer;
  }

  /** Whether it leads nowhere any more: its peer is lost, or all goes by Akka's remoting. */
  boolean isOver() {
    synchronized (lock) {
      return byArtery || lost != null;
    }
  }

  /** Whether it has done so since before a time; then twins made from now on may try again. */
  boolean isOverByArtery(long timeNs) {
    synchronized (lock) {
      return byArtery && byArterySinceNs - timeNs < 0;
    }
  }

  /** Whether all goes by Akka's remoting. */
  boolean isByArtery() {
    return byArtery;
  }

  /** Index of the peer in the address vector, {@link #NO_PEER} if it is not known. */
  int peer() {
    return peer;
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
    return twin(far, false);
  }

  /**
   * The same.
   *
   * @param again whether one that the peer has refused is tried once more
   */
  FabricRef twin(ActorRef far, boolean again) {
    FabricRef known = twins.find(far.path().toSerializationFormat());
    if (known != null && !(again && known.number() == BY_ARTERY && peer != NO_PEER)) {
      return known;
    }
    FabricRef made = new FabricRef(node.near(), far, this);
    return made.isTemporary() ? made : twins.enter(made, known);
  }

  /**
   * The twin of a text, if it needs no look at Akka's reference; else null.
   *
   * @param text as Akka writes the path, of this node
   * @param isTemporary whether it is somebody who waits for one answer
   */
  FabricRef twin(String text, boolean isTemporary) {
    if (peer == NO_PEER || lost != null) {
      return null;
    }
    if (isTemporary) {
      return new FabricRef(node.near(), text, this);
    }
    return twins.find(text);
  }

  // ---- messages ----

  @Override
  public void tell(FabricRef twin, Object message, ActorRef sender) {
    String full = offer(twin, message, sender);
    if (full != null) {
      node.reports().overflow(twin, message, sender, full);
    }
  }

  /**
   * As {@link #tell}, but what finds no room is not dropped.
   *
   * @return why there is no room; null if the message was taken, or dropped for another reason
   */
  String offer(FabricRef twin, Object message, ActorRef sender) {
    int number = twin.number();
    return number > 0
        ? writer.write(twin, number, message, sender)
        : offerSlowly(twin, message, sender);
  }

  /** Whether a message that can wait may take room now. */
  boolean takesOffers() {
    return queue.takesOffers();
  }

  private String offerSlowly(FabricRef twin, Object message, ActorRef sender) {
    int number;
    synchronized (lock) {
      number = begun(twin);
      if (number > 0 || number == BY_NAME) {
        // Written below: a send may wait for the loop, which may wait for this lock.
      } else if (number == BY_ARTERY || number == SPOKEN_TO) {
        held.tell(twin, message, sender);
      } else if (number == DEAD) {
        node.dead(twin, message, sender);
      } else if (bindingOf(twin).isBehind && waitsLong(bindingOf(twin))) {
        // The actor has not come so far; what waits here can wait in its mailbox.
        abandon(bindingOf(twin));
        held.tell(twin, message, sender);
      } else if (queue.enter(0)) {
        bindingOf(twin).messages.add(new Message(message, sender));
      } else {
        return queue.text(0);
      }
    }
    return number > 0 || number == BY_NAME ? writer.write(twin, number, message, sender) : null;
  }

  /** Akka's remoting would drop more at a time than its queue takes. */
  private boolean waitsLong(Binding binding) {
    return binding.messages.size() >= node.limits().queuedMessages() / 2;
  }

  @Override
  public CompletionStage<Done> tellOrWait(FabricRef twin, Object message) {
    return offers.offer(twin, message, ActorRef.noSender());
  }

  /** The number of a twin; one that has none begins to get one. */
  private int begun(FabricRef twin) {
    int before = twin.number();
    if (before != NEW && before != SPOKEN_TO) {
      return before;
    }
    if (lost != null) {
      twin.number(DEAD);
    } else if (byArtery) {
      twin.number(BY_ARTERY);
    } else if (peer == NO_PEER) {
      hasSpoken |= !twin.isTemporary();
      twin.number(SPOKEN_TO);
    } else if (twin.isTemporary()) {
      twin.number(BY_NAME);
    } else if (before == SPOKEN_TO && twin.isFunction()) {
      twin.number(BY_ARTERY);
    } else {
      bind(twin);
    }
    return twin.number();
  }

  private void bind(FabricRef twin) {
    Binding binding = bindings.enter(twin);
    twin.number(BINDING - binding.number);
    control(new RefBind(binding.number, twin.text()));
    if (hasSpoken && !twin.isFunction()) {
      binding.isBehind = true;
      askBehind(binding.number, twin);
    }
  }

  /**
   * Lets a question follow what went to an actor by Akka's remoting, and another one after a while:
   * it may be lost, or the actor takes its time. An answer to the node that was at this address
   * before comes to the same path, so questions have the incarnation in them.
   */
  private void askBehind(int number, FabricRef twin) {
    String question = node.endpoint().address().incarnation() + " " + number;
    // A stage of Akka's asks runs what is added to it on another thread; its copy does not.
    Patterns.ask(twin.far(), new Identify(question), LATE_ANSWER)
        .toCompletableFuture()
        .minimalCompletionStage()
        .thenAccept(answer -> onAnswer(answer, question, number));
    node.later(ANSWER.toNanos(), () -> askBehindAgain(number));
  }

  private void onAnswer(Object answer, String question, int number) {
    if (question.equals(((ActorIdentity) answer).correlationId())) {
      node.loop().execute(() -> caughtUp(number));
    }
  }

  private void askBehindAgain(int number) {
    synchronized (lock) {
      Binding binding = bindings.of(number);
      if (binding != null && binding.isBehind) {
        askBehind(number, binding.twin);
      }
    }
  }

  /** The actor has got what went to it by Akka's remoting. On the loop. */
  private void caughtUp(int number) {
    synchronized (lock) {
      Binding binding = bindings.of(number);
      if (binding != null) {
        binding.isBehind = false;
        settle(binding);
      }
    }
  }

  /** Lets what has waited go; what finds no room goes on waiting. */
  private void settle(Binding binding) {
    if (!binding.isSettled()) {
      return;
    }
    if (flush(binding)) {
      bindings.remove(binding);
      sendEndings();
    } else {
      node.later(ROOM_NS, () -> settleLater(binding.number));
    }
  }

  private void settleLater(int number) {
    synchronized (lock) {
      Binding binding = bindings.of(number);
      if (binding != null) {
        settle(binding);
      }
    }
  }

  private Binding bindingOf(FabricRef twin) {
    return bindings.of(BINDING - twin.number());
  }

  /** Tells the peer something about references, behind all that was sent to it before. */
  void control(RefMessage message) {
    node.loop().execute(() -> writer.control(message));
  }

  // ---- which way it takes ----

  /** The node is a peer of the fabric. */
  void open(int itsPeer, long itsIncarnation) {
    synchronized (lock) {
      if (peer != NO_PEER || byArtery || lost != null) {
        return;
      }
      incarnation = itsIncarnation;
      peer = itsPeer;
      lookups.forEach(this::control);
      twins.forEach(
          twin -> {
            if (twin.number() == SPOKEN_TO) {
              begun(twin);
            }
          });
    }
  }

  /** The peer has sent something, so the fabric leads to it. */
  void met(int itsPeer, long itsIncarnation) {
    synchronized (lock) {
      open(itsPeer, itsIncarnation);
      answered = true;
    }
  }

  /** The peer has answered about a number. False if it was not asked. */
  boolean bound(int number, String refusal) {
    synchronized (lock) {
      Binding binding = bindings.of(number);
      if (binding == null) {
        boolean isAbandoned = bindings.takeAbandoned(number);
        if (isAbandoned && refusal.isEmpty()) {
          control(new RefRelease(number));
        }
        return isAbandoned;
      }
      answered = true;
      if (refusal.isEmpty()) {
        binding.isConfirmed = true;
        settle(binding);
      } else {
        node.reports().refused(binding.twin, refusal);
        bindings.remove(binding);
        toArtery(binding);
        sendEndings();
      }
    }
    return true;
  }

  private boolean flush(Binding binding) {
    FabricRef twin = binding.twin;
    int number = binding.number;
    while (!binding.messages.isEmpty()) {
      Message first = binding.messages.peek();
      queue.leave(0);
      if (writer.write(twin, number, first.message(), first.sender()) != null) {
        queue.enterAgain();
        return false;
      }
      binding.messages.remove();
    }
    twin.number(number);
    twins.numbered(twin, number);
    sweepLater();
    Set<ActorRef> far = farWatchers.remove(twin);
    if (far != null) {
      binding.watchers.addAll(far);
    }
    if (!binding.watchers.isEmpty() && watches.add(number, twin, binding.watchers)) {
      control(new RefWatch(number));
    }
    if (far != null) {
      far.forEach(twin::unwatchFar);
    }
    return true;
  }

  /** Looks now and then, as long as the peer knows a number, whether somebody has its twin. */
  private void sweepLater() {
    if (!sweeps) {
      sweeps = true;
      node.later(SWEEP_NS, this::sweep);
    }
  }

  private void sweep() {
    twins.releaseUnused();
    synchronized (lock) {
      sweeps = false;
      if (!isOver() && twins.hasNumbered()) {
        sweepLater();
      }
    }
  }

  private void abandon(Binding binding) {
    bindings.abandon(binding);
    toArtery(binding);
    sendEndings();
  }

  private void toArtery(Binding binding) {
    for (Message each : binding.messages) {
      queue.leave(0);
      held.tell(binding.twin, each.message(), each.sender());
    }
    binding.watchers.forEach(binding.twin::watchFar);
    binding.twin.number(BY_ARTERY);
  }

  /** The fabric does not lead to the node after all, unless it has spoken meanwhile. */
  void notFound(FabricError error, String detail) {
    synchronized (lock) {
      if (peer == NO_PEER) {
        takeArtery(error, detail);
      }
    }
  }

  /** The fabric does not lead to the node: all goes by Akka's remoting. */
  private void takeArtery(FabricError error, String detail) {
    synchronized (lock) {
      if (byArtery || lost != null) {
        return;
      }
      held.begin();
      byArtery = true;
      byArterySinceNs = node.nowNs();
      bindings.abandonAll().forEach(this::toArtery);
      watches.toArtery();
      lookups.fail(error, detail);
      held.release();
    }
  }

  /** This endpoint closes: messages are held until it has closed. */
  void close() {
    synchronized (lock) {
      held.closes(true);
      takeArtery(FabricError.SHUTDOWN, "the actors of this node are not reached any longer");
    }
  }

  /** This endpoint has closed: what it had accepted has come, or has failed. */
  void closed() {
    synchronized (lock) {
      held.closes(false);
      held.release();
    }
  }

  /**
   * The flow to the peer has ended.
   *
   * @param lives whether the peer's node lives all the same
   */
  void lose(FabricError error, String detail, boolean lives) {
    synchronized (lock) {
      if (lost != null || byArtery) {
        return;
      }
      if (error == FabricError.SHUTDOWN) {
        // Its ActorSystem ends; it still takes messages.
        watches.lost();
        boolean reads = lives && node.awaitsEndOf(name, incarnation);
        held.peerReads(reads);
        if (reads) {
          node.later(ANSWER.toNanos(), this::peerHasRead);
        }
      }
      boolean isUnknown = !answered && lookups.isEmpty() && watches.isEmpty();
      if (lives || isUnknown) {
        takeArtery(error, detail);
        return;
      }
      lost = new Lost(error, detail);
      for (Binding binding : bindings.takeAll()) {
        binding.messages.forEach(
            each -> {
              queue.leave(0);
              node.dead(binding.twin, each.message(), each.sender());
            });
        binding.twin.number(DEAD);
        RoadWatches.lost(binding.twin, binding.watchers);
      }
      watches.lost();
      lookups.fail(error, detail);
    }
  }

  /** The peer's endpoint has read what was sent to it, or its node has gone. */
  void peerHasRead() {
    synchronized (lock) {
      held.peerReads(false);
      held.release();
    }
  }

  // ---- watches ----

  @Override
  public void watch(FabricRef twin, ActorRef watcher) {
    synchronized (lock) {
      int number = begun(twin);
      if (number == SPOKEN_TO) {
        farWatchers.computeIfAbsent(twin, notUsed -> new LinkedHashSet<>()).add(watcher);
        twin.watchFar(watcher);
      } else if (byArtery || number == BY_ARTERY || number == BY_NAME) {
        twin.watchFar(watcher);
      } else if (lost != null) {
        twin.tellEnded(watcher, false, true);
      } else if (number < BINDING) {
        bindingOf(twin).watchers.add(watcher);
      } else {
        if (watches.add(number, twin, List.of(watcher))) {
          control(new RefWatch(number));
        }
      }
    }
  }

  @Override
  public void unwatch(FabricRef twin, ActorRef watcher) {
    synchronized (lock) {
      int number = twin.number();
      Set<ActorRef> far = farWatchers.get(twin);
      if (far != null && far.remove(watcher)) {
        twin.unwatchFar(watcher);
      } else if (byArtery || number == BY_ARTERY || number == BY_NAME) {
        twin.unwatchFar(watcher);
      } else if (number < BINDING) {
        bindingOf(twin).watchers.remove(watcher);
      } else if (number > 0) {
        if (watches.remove(number, watcher)) {
          control(new RefUnwatch(number));
        }
      }
    }
  }

  /** The peer says that the actor of a number has ended. */
  void gone(int number) {
    synchronized (lock) {
      watches.gone(number);
    }
  }

  /** An actor of this node has ended that the peer watches: tells it behind its last messages. */
  void tellGone(int recipient) {
    synchronized (lock) {
      watches.end(recipient, bindings.last());
      sendEndings();
    }
  }

  private void sendEndings() {
    watches.ready(bindings.firstOpen(), recipient -> control(new RefGone(recipient)));
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
        control(lookups.enter(exposed, messages, path));
      }
    }
    return path;
  }

  /** The answer to a look-up: null if there is none. False if nothing was asked. */
  boolean found(long number, String path, FabricError error, String why) {
    CompletableFuture<String> future;
    synchronized (lock) {
      future = lookups.take(number);
      answered |= future != null;
    }
    if (future == null) {
      return false;
    }
    if (path != null) {
      future.complete(path);
    } else {
      future.completeExceptionally(new FabricException(error, why));
    }
    return true;
  }
}
