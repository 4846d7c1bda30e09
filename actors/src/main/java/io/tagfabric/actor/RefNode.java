package io.tagfabric.actor;

import akka.actor.Address;
import akka.actor.DeadLetter;
import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.actor.twin.NearActors;
import io.tagfabric.actor.twin.TwinGuard;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.fabric.NodeDeparture;
import io.tagfabric.kryo.actor.KryoExtension;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.MessageReader;
import io.tagfabric.node.Announcement;
import io.tagfabric.node.NodeDirectory.Presence;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.WarningRate;
import io.tagfabric.runtime.NodeId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The references of one node: its domain and endpoint, and the ways to other nodes. Thread: any.
 */
final class RefNode implements MessageReader {
  private static final Logger LOG = LoggerFactory.getLogger(FabricActors.class);
  private static final String DOMAIN = "tagfabric-actors";
  private static final int GONE_KEPT = 1024;

  private final Fabric fabric;
  private final ExtendedActorSystem system;
  private final NearActors near;
  private final Serialization serialization;
  private final Domain domain;
  private final Endpoint endpoint;
  private final RoadQueue.Limits limits;
  private final ActorRef<RefAgent.Command> agent;
  private final Exposed exposed = new Exposed();
  private final ActorCounters counters = new ActorCounters();
  private final RefReports reports;
  private final boolean hasTwins;
  private final long retryNs;
  private final Consumer<NodeDeparture> departed = this::onDeparture;
  private final Map<String, Road> byNode = new LinkedHashMap<>();

  /** The newest of those that have gone: others may be at their addresses. Guarded by byNode. */
  private final Set<NodeId> gone = new LinkedHashSet<>();

  private volatile RoadReader[] byPeer = {};
  private volatile boolean closing;

  RefNode(ActorSystem<?> typed) {
    fabric = Fabric.get(typed);
    system = (ExtendedActorSystem) Adapter.toClassic(typed);
    near = new NearActors(system);
    serialization = SerializationExtension.get(system);
    reports =
        new RefReports(system, counters, new WarningRate(LOG::warn, fabric.environment().time()));
    String misfit = TwinGuard.misfit();
    hasTwins = misfit.isEmpty();
    retryNs = fabric.settings().get(FabricSettings.CONNECT_TIMEOUT).toNanos();
    if (!hasTwins) {
      LOG.warn("references stay Akka's own, over its remoting: {}", misfit);
    }
    agent = typed.systemActorOf(RefAgent.create(this), DOMAIN, GuardedMailbox.props());
    domain = fabric.openDomain(DOMAIN, ProgressMode.AUTO);
    endpoint = domain.openEndpoint(DOMAIN);
    limits =
        new RoadQueue.Limits(
            fabric.settings().get(FabricSettings.ACTORS_QUEUE_MESSAGES),
            fabric.settings().get(FabricSettings.ACTORS_QUEUE_BYTES),
            endpoint.settings().maxMessageBytes());
    endpoint.port().read(this);
    endpoint.onClose(this::onClose);
    endpoint.onEnd(this::onEnd);
    fabric.onNodeDeparture(departed);
    fabric.nodes().onAnnounced(this::onAnnounced);
    if (hasTwins) {
      fabric.nodes().publish(endpoint.address().encode());
    }
    KryoExtension.read(typed, ref -> Adapter.toTyped(brought(Adapter.toClassic(ref))));
    FabricResolver.open(typed, this);
  }

  Fabric fabric() {
    return fabric;
  }

  /** Runs tasks on the loop. */
  Executor loop() {
    return task -> {
      domain.loop().execute(task);
      domain.loop().wake();
    };
  }

  /** Runs something on the loop after so many nanoseconds, unless the domain closes before. */
  void later(long delayNs, Runnable task) {
    ProgressLoop loop = domain.loop();
    loop().execute(() -> loop.timers().schedule(loop.time().nanoTime() + delayNs, task));
  }

  Domain domain() {
    return domain;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  NearActors near() {
    return near;
  }

  Serialization serialization() {
    return serialization;
  }

  RoadQueue.Limits limits() {
    return limits;
  }

  ActorCounters counters() {
    return counters;
  }

  RefReports reports() {
    return reports;
  }

  Exposed exposed() {
    return exposed;
  }

  ActorRef<RefAgent.Command> agent() {
    return agent;
  }

  // ---- ways ----

  /** The twin of a reference to another node; the reference itself if it can have none. */
  akka.actor.ActorRef twin(akka.actor.ActorRef ref) {
    return twin(ref, false);
  }

  /**
   * The same.
   *
   * @param again whether a twin that its node has refused is tried once more
   */
  akka.actor.ActorRef twin(akka.actor.ActorRef ref, boolean again) {
    if (!hasTwins || ref instanceof FabricRef || NearActors.isLocal(ref)) {
      return ref;
    }
    var address = ref.path().address();
    if (!address.hasGlobalScope()) {
      return ref;
    }
    return roadTo(address.toString()).twin(ref, again);
  }

  /** The twin of a text that Akka has written, if it is quickly found; else null. */
  FabricRef quickTwin(String text) {
    int end = NearActors.endOfAddress(text);
    Road road;
    synchronized (byNode) {
      road = byNode.get(text.substring(0, end));
    }
    return road == null ? null : road.twin(text, NearActors.isTemporary(text.substring(end)));
  }

  /** The same; what is a twin already stays, what its node has refused is tried once more. */
  <T> ActorRef<T> typedTwin(ActorRef<T> ref) {
    akka.actor.ActorRef classic = Adapter.toClassic(ref);
    if (!(classic instanceof FabricRef) && twin(classic, true) instanceof FabricRef twin) {
      return Adapter.toTyped(twin);
    }
    return ref;
  }

  private Road roadTo(String node) {
    Road road;
    synchronized (byNode) {
      Road before = byNode.get(node);
      if (before != null && !before.isLost() && !before.isOverByArtery(nowNs() - retryNs)) {
        if (before.isConnecting() && fabric.nodes().presence(node) == Presence.UNKNOWN) {
          fabric.nodes().ask(node);
        }
        return before;
      }
      Road heard = heardFrom(node, fabric.nodes().announced(node));
      if (heard != null) {
        byNode.put(node, heard);
        return heard;
      }
      road = new Road(this, node, before != null);
      byNode.put(node, road);
    }
    // Looked for anew: what came before the road was entered has not opened it.
    fabric
        .nodes()
        .announced(node)
        .ifPresentOrElse(there -> open(road, there), () -> fabric.nodes().ask(node));
    return road;
  }

  /** A node says of itself what fabric it has. Thread: the directory's. */
  private void onAnnounced(Announcement announced) {
    String node = announced.node().address();
    if (announced.hasEnded()) {
      ended(node, announced.node().incarnation());
    }
    if (announced.actors().isEmpty()) {
      return;
    }
    Road road;
    synchronized (byNode) {
      road = byNode.get(node);
      if (road == null) {
        return;
      }
      boolean isOfAnother =
          road.incarnation() != 0 && road.incarnation() != announced.node().incarnation();
      if (isOfAnother) {
        road = new Road(this, node, true);
        byNode.put(node, road);
      }
    }
    open(road, announced);
  }

  /**
   * Whether a node will say that its endpoint has read all that was sent to it. What it has said of
   * the endpoint itself may be on its way too.
   */
  boolean awaitsEndOf(String node, long incarnation) {
    return fabric
        .nodes()
        .announced(node)
        .map(there -> there.node().incarnation() == incarnation && !there.hasEnded())
        .orElse(true);
  }

  private void ended(String node, long incarnation) {
    List<Road> ways;
    synchronized (byNode) {
      ways = roads();
    }
    ways.stream()
        .filter(road -> road.name().equals(node) && road.incarnation() == incarnation)
        .forEach(Road::peerHasRead);
  }

  /** Leads a road to the endpoint that a node has told, if both can speak to each other. */
  private void open(Road road, Announcement announced) {
    if (closing || announced.actors().isEmpty() || !fabric.nodes().own().fits(announced)) {
      return;
    }
    EndpointAddress address;
    try {
      address = EndpointAddress.parse(announced.actors());
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "actors of [{}] are reached by Akka's remoting, its announcement cannot be read: {}",
          road.name(),
          e.getMessage());
      return;
    }
    if (announced.node().equals(new NodeId(address.node(), address.incarnation()))) {
      open(road, address);
    }
  }

  /** Whether the node at an address is known as a peer of the fabric; for tests. */
  boolean hasMet(Address address) {
    synchronized (byNode) {
      Road road = byNode.get(address.toString());
      return road != null && road.incarnation() != 0;
    }
  }

  long nowNs() {
    return fabric.environment().time().nanoTime();
  }

  /** The way by which a peer of this node has spoken, if it leads there still; else null. */
  private Road heardFrom(String node, Optional<Announcement> announced) {
    for (RoadReader reader : byPeer) {
      if (reader != null && reader.road().name().equals(node) && !reader.road().isOver()) {
        long incarnation = reader.road().incarnation();
        if (gone.contains(new NodeId(node, incarnation))) {
          continue;
        }
        if (announced.isEmpty() || announced.get().node().incarnation() == incarnation) {
          return reader.road();
        }
      }
    }
    return null;
  }

  private void open(Road road, EndpointAddress address) {
    int peer = domain.addressVector().insert(address);
    RoadReader reader;
    synchronized (byNode) {
      reader = readerOf(peer);
      if (reader == null) {
        if (road.isOver()) {
          return; // it would keep the next one from this peer
        }
        enter(peer, new RoadReader(this, road));
      }
    }
    Road known = reader == null ? road : reader.road();
    if (known == road) {
      road.open(peer, address.incarnation());
    } else if (known.lost() != null) {
      road.lose(known.lost().error(), known.lost().detail(), false);
    } else {
      // The peer has agreed on numbers with the other one, and would take these for a mistake.
      road.notFound(
          FabricError.HOST_UNREACHABLE, "another way leads to [" + road.name() + "] already");
    }
  }

  /** The way to an endpoint of another node that has exposed an actor. */
  Road roadTo(EndpointAddress address) {
    int peer = domain.addressVector().insert(address);
    Road road;
    synchronized (byNode) {
      road = byNode.get(address.node());
      // A node that was started again may be found before the old one counts as lost.
      if (road == null || road.isOver() || road.leadsElsewhere(peer)) {
        RoadReader reader = readerOf(peer);
        boolean leadsThere = reader != null && !reader.road().isOver();
        road = leadsThere ? reader.road() : new Road(this, address.node(), road != null);
        byNode.put(address.node(), road);
      }
    }
    open(road, address);
    return road;
  }

  private RoadReader readerOf(int peer) {
    RoadReader[] readers = byPeer;
    return peer < readers.length ? readers[peer] : null;
  }

  private void enter(int peer, RoadReader reader) {
    RoadReader[] readers = java.util.Arrays.copyOf(byPeer, Math.max(byPeer.length, peer + 1));
    readers[peer] = reader;
    byPeer = readers;
  }

  /** Takes note of a peer that has spoken; null if it has gone. Thread: the loop. */
  RoadReader met(int peer) {
    EndpointAddress address = domain.addressVector().lookup(peer);
    if (address == null) {
      return null;
    }
    synchronized (byNode) {
      RoadReader known = readerOf(peer);
      if (known != null) { // entered by another thread since the loop has looked
        return known;
      }
      Road road = byNode.get(address.node());
      if (gone.contains(new NodeId(address.node(), address.incarnation()))) {
        road = new Road(this, address.node(), true); // it is read, and nothing goes by it
      } else if (road == null || road.isOver()) {
        road = new Road(this, address.node(), road != null);
        byNode.put(address.node(), road);
      } else if (!road.isConnecting()) {
        road = new Road(this, address.node(), true);
      }
      RoadReader reader = new RoadReader(this, road);
      enter(peer, reader);
      road.met(peer, address.incarnation());
      return reader;
    }
  }

  // ---- what comes; on the loop ----

  @Override
  public void onMessage(int source, long tag, DirectBuffer buffer, int offset, int length) {
    RoadReader reader = readerOf(source);
    if (reader == null) {
      reader = met(source);
    }
    if (reader != null) {
      reader.onMessage(tag, buffer, offset, length);
    }
  }

  @Override
  public void onLost(int source, FabricError error, String detail, boolean forGood) {
    RoadReader reader = readerOf(source);
    if (reader == null) {
      return;
    }
    boolean isDead = error == FabricError.CONNECTION_RESET || error == FabricError.TIMED_OUT;
    reader.road().lose(error, detail, !forGood || !isDead);
    reader.lost();
    if (!forGood) {
      synchronized (byNode) {
        enter(source, null); // another flow may begin
      }
    }
  }

  private void onClose() {
    List<Road> ways;
    synchronized (byNode) {
      closing = true;
      ways = roads();
    }
    ways.forEach(Road::close);
  }

  /** What comes at the place of a node that has gone gets a way of its own. */
  private void onDeparture(NodeDeparture departure) {
    synchronized (byNode) {
      gone.add(new NodeId(departure.node(), departure.incarnation()));
      if (gone.size() > GONE_KEPT) {
        gone.remove(gone.iterator().next());
      }
      Road road = byNode.get(departure.node());
      boolean isOfAnother =
          road != null && road.incarnation() != 0 && road.incarnation() != departure.incarnation();
      if (!isOfAnother) {
        byNode.remove(departure.node());
      }
    }
    if (!departure.orderly()) {
      ended(departure.node(), departure.incarnation());
    }
  }

  private void onEnd() {
    fabric.removeNodeDepartureListener(departed);
    fabric.nodes().publish(""); // all that peers had sent was read
    List<Road> ways;
    synchronized (byNode) {
      ways = roads();
    }
    ways.forEach(Road::closed);
  }

  private List<Road> roads() {
    Set<Road> roads = new LinkedHashSet<>(byNode.values());
    for (RoadReader reader : byPeer) {
      if (reader != null) {
        roads.add(reader.road());
      }
    }
    return List.copyOf(roads);
  }

  /**
   * The actor of a path, if peers may address it; else null. Who names its uid has been given its
   * reference; the guardian has none, and may be addressed once its reference was given to anybody.
   */
  akka.actor.ActorRef allowed(String path) {
    String local = path.substring(NearActors.endOfAddress(path));
    if (NearActors.isTemporary(local)) {
      return near.waiting(local);
    }
    akka.actor.ActorRef given = near.given(path);
    if (given != null) {
      return given;
    }
    akka.actor.ActorRef target = near.resolve(path);
    boolean isAllowed =
        exposed.has(target)
            || (NearActors.isGuardian(path)
                && FabricResolver.hasSentGuardian(Adapter.toTyped(system)));
    return NearActors.isLocal(target) && isAllowed ? target : null;
  }

  /**
   * What a reference becomes that a message has brought. Akka's own actors are reached by Akka's
   * remoting, which the fabric may wait for.
   */
  akka.actor.ActorRef brought(akka.actor.ActorRef ref) {
    return ref instanceof FabricRef || NearActors.isInternal(ref) ? ref : twin(ref);
  }

  // ---- what goes ----

  boolean inject(int peer, long tag, UnsafeBuffer bytes, int length) {
    return length <= endpoint.settings().injectBytes()
        && endpoint.port().inject(peer, tag, bytes, 0, length);
  }

  void send(int peer, long tag, byte[] bytes, SendListener listener) {
    endpoint.port().send(TaggedSend.of(peer, new UnsafeBuffer(bytes), tag), listener);
  }

  /** A sender as the peer needs it; null if there is none. */
  String textOf(akka.actor.ActorRef sender) {
    return sender == null ? null : near.addressed(sender);
  }

  void tellFar(FabricRef twin, Object message, akka.actor.ActorRef sender) {
    counters.byArtery.increment();
    twin.far().tell(message, sender);
  }

  void dead(FabricRef twin, Object message, akka.actor.ActorRef sender) {
    counters.dead.increment();
    if (!closing) {
      akka.actor.ActorRef from = sender == null ? system.deadLetters() : sender;
      system.deadLetters().tell(new DeadLetter(message, from, twin), from);
    }
  }

  /** An answer that nobody waits for any more: a dead letter, as by Akka's remoting. */
  void late(String path, Object message, akka.actor.ActorRef sender) {
    counters.dead.increment();
    if (!closing) {
      near.deadAt(path).tell(message, sender);
    }
  }

  // ---- names ----

  void unexpose(String name, ActorRef<?> target) {
    if (exposed.takeOut(name, Adapter.toClassic(target)) && fabric.names().isOn() && !closing) {
      fabric.unregister(FabricActors.PREFIX + name);
    }
  }

  static String otherClass(String name, String exposedAs, String askedFor) {
    return "actor ["
        + name
        + "] is exposed for messages of ["
        + exposedAs
        + "], asked for was ["
        + askedFor
        + "]; ask for the former";
  }
}
