package io.tagfabric.simulation.swarm;

import akka.actor.Address;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.match.MessageReader;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.LoopDriver;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.MembershipNotice.News;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.runtime.Threads;
import io.tagfabric.simulation.network.DialledProvider;
import io.tagfabric.simulation.network.NodeLoops;
import io.tagfabric.simulation.network.SimulatedProvider;
import io.tagfabric.simulation.remote.RemotePlace;
import io.tagfabric.simulation.remote.SimulatedRemoting;
import io.tagfabric.simulation.world.Participant;
import io.tagfabric.simulation.world.SimulatedSystem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * One node of a {@link RollTrial}, from its start to its end: an ActorSystem with an actor that
 * takes messages, a fabric now, later or never, and references to the actors of the others.
 */
final class RollNode implements RemotePlace {
  private static final int PORT = 1;

  private final RollTrial trial;
  private final int number;
  private final int place;
  private final Address address;
  private final Member member;
  private final NodeLoops loops;
  private final SplittableRandom random;
  private final Map<RollNode, RollStream> streams = new LinkedHashMap<>();
  private final Map<RollNode, RollSends> sends = new LinkedHashMap<>();
  private SimulatedSystem system;
  private Actors actors;
  private ActorRef<String> listener;
  private FabricActors references;
  private Domain domain;
  private Endpoint endpoint;
  private boolean ended;
  private boolean leaves;
  private boolean killed;

  /**
   * A node.
   *
   * @param number no other one of the trial has
   * @param place at which only one is at a time
   */
  RollNode(RollTrial trial, int number, int place) {
    this.trial = trial;
    this.number = number;
    this.place = place;
    address = new Address("akka", Profiles.SYSTEM_NAME, "place-" + place, PORT);
    member = new Member(new NodeId(address.toString(), 1L + number));
    loops =
        new NodeLoops(
            toString(), number, trial.scheduler(), trial.network(), trial.dialledNetwork());
    random = new SplittableRandom(1L + number);
  }

  /** What it hears of the others, and what it tells who asks late. */
  private static final class Member implements Membership {
    private final NodeId self;
    private final List<ActorRef<MembershipNotice>> subscribers = new ArrayList<>();
    private final Map<NodeId, News> known = new LinkedHashMap<>();

    Member(NodeId self) {
      this.self = self;
    }

    @Override
    public NodeId self() {
      return self;
    }

    @Override
    public Status status() {
      return known.containsKey(self) ? Status.MEMBER : Status.JOINING;
    }

    @Override
    public void subscribe(ActorRef<MembershipNotice> subscriber) {
      known.forEach((node, news) -> subscriber.tell(new MembershipNotice(node, news)));
      subscribers.add(subscriber);
    }

    @Override
    public void join(String seed) {
      throw refused("join");
    }

    @Override
    public void leave() {
      throw refused("leave");
    }

    @Override
    public void down(String node) {
      throw refused("down");
    }

    @Override
    public void keepMajority(int size, String seed) {
      throw refused("keepMajority");
    }

    private UnsupportedOperationException refused(String what) {
      return new UnsupportedOperationException(what + " is the trial's, no program calls it");
    }
  }

  /** Its actors outside of domains. */
  private final class Actors implements Participant {
    @Override
    public String name() {
      return RollNode.this + " actors";
    }

    @Override
    public boolean isReady() {
      return system.isReady();
    }

    @Override
    public long nextNs() {
      return system.nextNs();
    }

    @Override
    public void turn() {
      system.turn();
      loops.touch();
    }
  }

  /** No task of a thread runs: what would block does not happen in a trial. */
  private static final class NoThreads implements Threads {
    @Override
    public Thread start(String name, boolean daemon, Runnable task) {
      return Thread.currentThread();
    }

    @Override
    public boolean await(Future<?> future, Duration timeout) {
      return future.isDone();
    }

    @Override
    public void await(Thread thread) {}

    @Override
    public <T> T join(CompletableFuture<T> future) {
      return future.join();
    }
  }

  // ---- its life ----

  /**
   * Starts it.
   *
   * @param fabricNow whether it has a fabric from the beginning
   */
  void start(boolean fabricNow) {
    system =
        trial
            .systems()
            .makePlain(
                toString(),
                trial.scheduler(),
                this,
                guardian(),
                ConfigFactory.load(RollNode.class.getClassLoader()),
                RollNode.class.getClassLoader());
    actors = new Actors();
    trial.scheduler().add(actors);
    trial.remoting().begin(system.system(), loops::touch);
    if (fabricNow) {
      openFabric();
      openReferences();
    }
  }

  private Behavior<Void> guardian() {
    return Behaviors.setup(
        context -> {
          listener =
              context.spawn(
                  Behaviors.receiveMessage(
                      (String text) -> {
                        trial.received(this, text);
                        return Behaviors.same();
                      }),
                  "listener");
          return Behaviors.empty();
        });
  }

  void openFabric() {
    if (!ended) {
      system.fabric().addProvider(new DialledProvider(trial.dials(), number));
      system
          .fabric()
          .addProvider(new SimulatedProvider(trial.network(), number, trial.isReliable()));
      loops.touch();
    }
  }

  /** From now on it tells by references of the fabric. */
  void openReferences() {
    if (!ended && references == null) {
      references = FabricActors.get(system.system());
      domain = system.fabric().openDomain("app", ProgressMode.AUTO);
      endpoint = domain.openEndpoint("app");
      endpoint.port().read(new Reader());
      loops.touch();
      List.copyOf(streams.keySet()).forEach(this::meet);
    }
  }

  /** It learns of the actor of another one, and of its endpoint if both have one. */
  void meet(RollNode other) {
    if (!ended) {
      streams.put(other, trial.newStream(this, other, reference(other)));
      learn(other);
      other.learn(this);
    }
  }

  private void learn(RollNode other) {
    if (endpoint != null && other.endpoint != null && !sends.containsKey(other)) {
      int peer = domain.addressVector().insert(other.endpoint.address());
      sends.put(other, trial.newSends(this, other, peer));
      loops.touch();
    }
  }

  /** Takes what comes to its endpoint. Tags name sender and place. */
  private final class Reader implements MessageReader {
    @Override
    public void onMessage(int source, long tag, DirectBuffer buffer, int offset, int length) {
      trial.received(RollNode.this, (int) (tag >>> 32), (int) tag);
    }

    @Override
    public void onLost(int source, FabricError error, String detail, boolean forGood) {}
  }

  static long tag(RollNode from, int place) {
    return (long) from.number << 32 | place;
  }

  /** It sends one a tagged message, if both have an endpoint. */
  void send(RollNode other, CompletionLevel level, int bytes) {
    if (sends.containsKey(other)) {
      sends.get(other).send(endpoint, level, bytes);
      loops.touch();
    }
  }

  /** What it has sent to another one. */
  RollSends sendsTo(RollNode other) {
    return sends.get(other);
  }

  private ActorRef<String> reference(RollNode other) {
    String text = ActorRefResolver.get(other.system.system()).toSerializationFormat(other.listener);
    ActorRef<String> far = ActorRefResolver.get(system.system()).resolveActorRef(text);
    ActorRef<String> ref = references == null ? far : references.ref(far);
    loops.touch();
    return ref;
  }

  /** Looks its references up again, as a program does that tries one once more. */
  void renew() {
    streams.forEach((other, stream) -> stream.reference(reference(other)));
  }

  /** It tells one of those that it knows of. */
  void tell(RollNode other, int padding) {
    streams.get(other).tell(padding);
    loops.touch();
  }

  /** Those whose actors it knows. */
  List<RollNode> known() {
    return List.copyOf(streams.keySet());
  }

  /** It hears of a node. */
  void hear(RollNode of, News news) {
    if (ended) {
      return;
    }
    member.known.put(of.id(), news);
    member.subscribers.forEach(each -> each.tell(new MembershipNotice(of.id(), news)));
    loops.touch();
  }

  void leaves() {
    leaves = true;
  }

  private List<Endpoint> endpoints() {
    return references == null
        ? List.of()
        : system.fabric().domains().stream().flatMap(each -> each.endpoints().stream()).toList();
  }

  /** For each of its endpoints. */
  CompletableFuture<?> onEndpoints(Function<Endpoint, CompletableFuture<?>> step) {
    CompletableFuture<?>[] all = endpoints().stream().map(step).toArray(CompletableFuture[]::new);
    loops.touch();
    return CompletableFuture.allOf(all);
  }

  /** Whether its actors outside of domains have nothing to do now. */
  boolean isQuiet() {
    return !system.isReady();
  }

  /** Its process is gone. */
  void end(boolean kill) {
    ended = true;
    killed = kill;
    trial.remoting().end(system.system());
    trial.scheduler().remove(actors);
    loops.remove();
    trial.network().crash(number);
    trial.dialledNetwork().crash(number);
  }

  // ---- what is known of it ----

  NodeId id() {
    return member.self;
  }

  int place() {
    return place;
  }

  int number() {
    return number;
  }

  boolean isThere() {
    return !ended;
  }

  boolean isLeaving() {
    return leaves;
  }

  /** Whether it leaves, or is not there any more. */
  boolean isGoing() {
    return leaves || ended;
  }

  boolean wasKilled() {
    return killed;
  }

  /** Its references by the fabric; null if it has none yet. */
  FabricActors references() {
    return references;
  }

  /** Whether it has a fabric, of references or not. */
  boolean hasReferences() {
    return references != null;
  }

  // ---- what its system gets ----

  @Override
  public Address address() {
    return address;
  }

  @Override
  public SimulatedRemoting remoting() {
    return trial.remoting();
  }

  @Override
  public TimeSource time() {
    return trial.scheduler().clock();
  }

  @Override
  public InstantSource wallClock() {
    return () -> Instant.EPOCH.plusNanos(trial.scheduler().clock().nanoTime());
  }

  @Override
  public RandomSource random() {
    return random::nextLong;
  }

  @Override
  public Threads threads() {
    return new NoThreads();
  }

  @Override
  public String vm() {
    return toString();
  }

  @Override
  public Optional<LoopDriver> loopDriver() {
    return Optional.of(loops);
  }

  @Override
  public Membership membership(ActorSystem<?> notUsed) {
    return member;
  }

  @Override
  public Map<String, String> variables() {
    return Map.of();
  }

  String state() {
    return this
        + (references == null ? " plain" : "")
        + (killed ? " killed" : ended ? " ended" : leaves ? " leaving" : "");
  }

  @Override
  public String toString() {
    return "place-" + place + "/" + number;
  }
}
