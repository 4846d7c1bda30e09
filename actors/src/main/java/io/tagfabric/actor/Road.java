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
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.actor.twin.TwinRoad;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.SendListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

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

  private static final int NO_PEER = -1;

  /** Why a peer cannot be reached any more. */
  record Lost(FabricError error, String detail) {}

  private record Message(Object message, ActorRef sender) {}

  private record Held(FabricRef twin, Object message, ActorRef sender) {}

  /** A twin whose number the peer has not confirmed, and what waits for that. */
  private static final class Binding {
    private final FabricRef twin;
    private final ArrayDeque<Message> messages = new ArrayDeque<>();
    private final Set<ActorRef> watchers = new LinkedHashSet<>();

    /** Whether something may be under way to the actor by Akka's remoting. */
    private boolean isBehind;

    private boolean isConfirmed;

    Binding(FabricRef twin) {
      this.twin = twin;
    }
  }

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
  private final TypeNumbers types = new TypeNumbers(this::controlNow);
  private final RoadQueue queue;
  private final RoadOffers offers;
  private final Object lock = new Object();
  private final RoadTwins twins = new RoadTwins(number -> control(new RefRelease(number)));
  private final Map<Integer, Binding> bindings = new LinkedHashMap<>();
  private final RoadWatches watches = new RoadWatches();
  private final RoadLookups lookups = new RoadLookups();

  /** Who watches by Akka's remoting twins that may move. */
  private final Map<FabricRef, Set<ActorRef>> farWatchers = new WeakHashMap<>();

  /** Numbers that the peer may still confirm, and that are not needed any more. */
  private final Set<Integer> abandoned = new HashSet<>();

  private volatile int peer = NO_PEER;
  private volatile long incarnation;
  private volatile Lost lost;
  private volatile boolean byArtery;

  /** What goes by Akka's remoting as soon as the fabric brings nothing any more; else null. */
  private List<Held> held;

  /** How many of these come first: the endpoint had them, and has not sent them. */
  private int heldUnsent;

  /** Whether this endpoint closes, and may still send what it has accepted. */
  private boolean closes;

  /** Whether the peer's endpoint closes, and may not have read all that was sent to it. */
  private boolean peerReads;

  private long byArterySinceNs;
  private boolean answered;
  private int lastNumber;
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
    return number > 0 ? write(twin, number, message, sender) : offerSlowly(twin, message, sender);
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
        tellFar(twin, message, sender);
      } else if (number == DEAD) {
        node.dead(twin, message, sender);
      } else if (bindingOf(twin).isBehind && waitsLong(bindingOf(twin))) {
        // The actor has not come so far; what waits here can wait in its mailbox.
        abandon(BINDING - number);
        tellFar(twin, message, sender);
      } else if (queue.enter(0)) {
        bindingOf(twin).messages.add(new Message(message, sender));
      } else {
        return queue.text(0);
      }
    }
    return number > 0 || number == BY_NAME ? write(twin, number, message, sender) : null;
  }

  /** Akka's remoting would drop more at a time than its queue takes. */
  private boolean waitsLong(Binding binding) {
    return binding.messages.size() >= node.limits().queuedMessages() / 2;
  }

  @Override
  public CompletionStage<Done> tellOrWait(FabricRef twin, Object message) {
    return offers.offer(twin, message, ActorRef.noSender());
  }

  /** Tells it by Akka's remoting, behind what is held. */
  private void tellFar(FabricRef twin, Object message, ActorRef sender) {
    synchronized (lock) {
      if (held == null) {
        node.tellFar(twin, message, sender);
      } else if (held.size() < node.limits().queuedMessages()) {
        held.add(new Held(twin, message, sender));
      } else {
        node.reports().overflow(twin, message, sender, queue.text(0));
      }
    }
  }

  /** The same for what the endpoint has not sent and does not: it was told before what is held. */
  private void tellUnsent(FabricRef twin, Object message, ActorRef sender) {
    synchronized (lock) {
      if (held == null) {
        node.tellFar(twin, message, sender);
      } else {
        held.add(heldUnsent++, new Held(twin, message, sender));
      }
    }
  }

  /** Lets go of what is held if the endpoint has nothing that was told before. */
  private void release() {
    synchronized (lock) {
      if (held != null && !closes && !peerReads && queue.isEmpty()) {
        held.forEach(each -> node.tellFar(each.twin, each.message, each.sender));
        held = null;
      }
    }
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
    int number = ++lastNumber;
    Binding binding = new Binding(twin);
    bindings.put(number, binding);
    twin.number(BINDING - number);
    control(new RefBind(number, twin.text()));
    if (hasSpoken && !twin.isFunction()) {
      binding.isBehind = true;
      askBehind(number, twin);
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
      Binding binding = bindings.get(number);
      if (binding != null && binding.isBehind) {
        askBehind(number, binding.twin);
      }
    }
  }

  /** The actor has got what went to it by Akka's remoting. On the loop. */
  private void caughtUp(int number) {
    synchronized (lock) {
      Binding binding = bindings.get(number);
      if (binding != null) {
        binding.isBehind = false;
        settle(number, binding);
      }
    }
  }

  /** Lets what has waited go; what finds no room goes on waiting. */
  private void settle(int number, Binding binding) {
    if (!binding.isConfirmed || binding.isBehind) {
      return;
    }
    if (flush(binding, number)) {
      bindings.remove(number);
      sendEndings();
    } else {
      node.later(ROOM_NS, () -> settleLater(number));
    }
  }

  private void settleLater(int number) {
    synchronized (lock) {
      Binding binding = bindings.get(number);
      if (binding != null) {
        settle(number, binding);
      }
    }
  }

  private Binding bindingOf(FabricRef twin) {
    return bindings.get(BINDING - twin.number());
  }

  private String write(FabricRef twin, int number, Object message, ActorRef sender) {
    if (lost != null) {
      node.dead(twin, message, sender);
      return null;
    }
    if (byArtery) {
      tellFar(twin, message, sender);
      return null;
    }
    Scratch scratch = Scratch.take();
    try {
      scratch.show(node.serialization(), message);
      int type = types.of(scratch.serializerId(), scratch.manifest());
      String recipient = number > 0 ? null : twin.local();
      int length =
          scratch.write(
              node.near(), type, node.textOf(sender), recipient, node.limits().maxBytes());
      return post(RefTags.tell(number), scratch.view(), length, twin, message, sender);
    } catch (Exception | LinkageError | StackOverflowError e) {
      node.reports().unwritable(twin, message, sender, e);
      return null;
    } finally {
      scratch.give();
    }
  }

  private String post(
      long tag, UnsafeBuffer bytes, int length, FabricRef twin, Object message, ActorRef sender) {
    node.counters().sent.increment(); // before it goes: who gets it finds it counted
    boolean isPosted = false;
    try {
      String refusal = postCounted(tag, bytes, length, twin, message, sender);
      isPosted = refusal == null;
      return refusal;
    } finally {
      if (!isPosted) {
        node.counters().sent.decrement();
      }
    }
  }

  private String postCounted(
      long tag, UnsafeBuffer bytes, int length, FabricRef twin, Object message, ActorRef sender) {
    if (node.inject(peer, tag, bytes, length)) {
      return null;
    }
    if (!queue.enter(length)) {
      return queue.text(length);
    }
    byte[] copy = new byte[length];
    bytes.getBytes(0, copy);
    node.send(
        peer,
        tag,
        copy,
        new SendListener() {
          @Override
          public void onSent(Completion.Sent sent) {
            queue.leave(length);
            if (byArtery) {
              release();
            }
          }

          @Override
          public void onFailed(Completion.Failed failure) {
            queue.leave(length);
            if (failure.error() == FabricError.MESSAGE_SIZE) {
              node.reports()
                  .unwritable(
                      twin,
                      message,
                      sender,
                      new FabricException(failure.error(), failure.detail()));
            } else if (failure.mayHaveArrived() || !isByArteryAfter(failure)) {
              node.dead(twin, message, sender);
            } else {
              tellUnsent(twin, message, sender);
            }
            if (byArtery) {
              release();
            }
          }
        });
    return null;
  }

  /** Whether a closed endpoint, or what was known before, makes messages go by Akka's remoting. */
  private boolean isByArteryAfter(Completion.Failed failure) {
    if (failure.error() == FabricError.SHUTDOWN) {
      lose(failure.error(), failure.detail(), true);
    }
    return byArtery;
  }

  /** Tells the peer something about references, behind all that was sent to it before. */
  void control(RefMessage message) {
    node.loop().execute(() -> controlNow(message));
  }

  /**
   * The same at once; neither with the lock, because a send may wait for the loop, nor taking it,
   * because the numbers of types call it with theirs, and who has the lock may ask them.
   */
  private void controlNow(RefMessage message) {
    int to = peer;
    if (to == NO_PEER || byArtery || lost != null) {
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
            // If a flow is lost, the reader hears of it first, and knows more.
            node.loop().execute(() -> lose(failure.error(), failure.detail(), false));
          }
        });
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
      Binding binding = bindings.get(number);
      if (binding == null) {
        boolean isAbandoned = abandoned.remove(number);
        if (isAbandoned && refusal.isEmpty()) {
          control(new RefRelease(number));
        }
        return isAbandoned;
      }
      answered = true;
      if (refusal.isEmpty()) {
        binding.isConfirmed = true;
        settle(number, binding);
      } else {
        node.reports().refused(binding.twin, refusal);
        toArtery(bindings.remove(number));
        sendEndings();
      }
    }
    return true;
  }

  private boolean flush(Binding binding, int number) {
    FabricRef twin = binding.twin;
    while (!binding.messages.isEmpty()) {
      Message first = binding.messages.peek();
      queue.leave(0);
      if (write(twin, number, first.message, first.sender) != null) {
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

  private void abandon(int number) {
    abandoned.add(number);
    toArtery(bindings.remove(number));
    sendEndings();
  }

  private void toArtery(Binding binding) {
    for (Message each : binding.messages) {
      queue.leave(0);
      tellFar(binding.twin, each.message, each.sender);
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
      held = new ArrayList<>();
      byArtery = true;
      byArterySinceNs = node.nowNs();
      bindings.values().forEach(this::toArtery);
      abandoned.addAll(bindings.keySet());
      bindings.clear();
      watches.toArtery();
      lookups.fail(error, detail);
      release();
    }
  }

  /** This endpoint closes: messages are held until it has closed. */
  void close() {
    synchronized (lock) {
      closes = true;
      takeArtery(FabricError.SHUTDOWN, "the actors of this node are not reached any longer");
    }
  }

  /** This endpoint has closed: what it had accepted has come, or has failed. */
  void closed() {
    synchronized (lock) {
      closes = false;
      release();
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
        peerReads = lives && node.awaitsEndOf(name, incarnation);
        if (peerReads) {
          node.later(ANSWER.toNanos(), this::peerHasRead);
        }
      }
      boolean isUnknown = !answered && lookups.isEmpty() && watches.isEmpty();
      if (lives || isUnknown) {
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
        RoadWatches.lost(binding.twin, binding.watchers);
      }
      bindings.clear();
      watches.lost();
      lookups.fail(error, detail);
    }
  }

  /** The peer's endpoint has read what was sent to it, or its node has gone. */
  void peerHasRead() {
    synchronized (lock) {
      peerReads = false;
      release();
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
      watches.end(recipient, lastNumber);
      sendEndings();
    }
  }

  private void sendEndings() {
    int open = bindings.isEmpty() ? Integer.MAX_VALUE : bindings.keySet().iterator().next();
    watches.ready(open, recipient -> control(new RefGone(recipient)));
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
