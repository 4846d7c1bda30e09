package io.tagfabric.link;

import io.tagfabric.address.AddressSnapshot;
import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowEvents;
import io.tagfabric.flow.FlowState;
import io.tagfabric.flow.window.FlowContext;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.provider.Provider;
import io.tagfabric.wire.FlowKey;
import io.tagfabric.wire.MessageView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The flows of one endpoint by number and by peer, and the peers that are lost.
 *
 * <p>Of flows that have ended the last {@value #ENDED_KEPT} are here, for whoever asks what became
 * of them. An older one stays only while its peer may need to hear of its end: this side has given
 * it up, the channel is open, and the peer's address has not been removed. Of the others the sum of
 * the counters is left. Why a peer is lost is forgotten with its address.
 *
 * <p>Numbers begin at a random one. A peer that has not noticed that this endpoint came again at
 * the place of another goes on with the flow that the other had; what it sends must not be taken
 * for a flow that it has with this one.
 */
final class FlowTable {
  private final AddressTable addresses;
  private final WireTable wires;
  private final FlowContext context;
  private final FlowEvents events;
  private final FlowSettings settings;
  private final EndpointLog log;
  private final EndpointTimers timers;
  private final int[] isolations;

  /** How many flows that have ended are kept in any case. */
  static final int ENDED_KEPT = 64;

  /** Many that end at once are looked at together. */
  private static final long FORGET_NS = 100_000_000L;

  /** Why a peer is lost. */
  private record Loss(FabricError error, String text) {}

  /** By number, from the first one; null where a flow has been forgotten. */
  private final List<Flow> byNumber = new ArrayList<>();

  private final List<Flow> flows = new ArrayList<>();
  private final ArrayDeque<Flow> ended = new ArrayDeque<>();
  private final FlowCounters forgotten = new FlowCounters();
  private final int firstNumber;
  private final Int2ObjectHashMap<Flow> byPeer = new Int2ObjectHashMap<>();
  private final Int2ObjectHashMap<Loss> lostPeers = new Int2ObjectHashMap<>();
  private AddressSnapshot followed;
  private boolean forgets;
  private int lastPeer;
  private Flow lastFlow;

  /** Found last by its key, which it keeps. */
  private Flow lastHeard;

  FlowTable(EndpointContext endpoint, FlowContext context, FlowEvents events) {
    this.events = events;
    this.addresses = endpoint.addresses();
    this.wires = endpoint.wires();
    this.settings = endpoint.settings();
    this.context = context;
    isolations = endpoint.identity().isolations();
    this.log = endpoint.log();
    this.timers = endpoint.timers();
    firstNumber = (int) (endpoint.random().nextLong() >>> 34);
    followed = addresses.snapshot();
  }

  /** The flow that serves a peer, null if there is none. */
  Flow toPeer(int peer) {
    Flow flow = lastFlow;
    if (flow == null || peer != lastPeer) {
      flow = byPeer.get(peer);
      lastPeer = peer;
      lastFlow = flow;
    }
    return flow;
  }

  /**
   * The peer that gets a message: of a scalable endpoint the context that the message chooses.
   *
   * @return -1 if there is none
   */
  int receiverOf(int peer, MessageView message) {
    return followed.contextFor(peer, !message.isUntagged(), message.tag());
  }

  /** Whether there is a flow with a peer, or with a context of it. */
  boolean reaches(int peer) {
    for (int context : followed.contexts(peer)) {
      if (isOpen(toPeer(context))) {
        return true;
      }
    }
    return isOpen(toPeer(peer));
  }

  private static boolean isOpen(Flow flow) {
    return flow != null && !flow.isLost();
  }

  /** Why a peer is lost, null if it is not. */
  FabricException lost(int peer) {
    Loss loss = lostPeers.get(peer);
    return loss == null ? null : new FabricException(loss.error, loss.text);
  }

  /** The flow of a number, if it is with that incarnation of a peer; null otherwise. */
  Flow byId(int id, long incarnation) {
    Flow flow = byId(id);
    return flow != null && flow.address().incarnation() == incarnation ? flow : null;
  }

  /** The flow of a number, null if there is none. */
  Flow byId(int id) {
    int at = id - firstNumber;
    return at >= 0 && at < byNumber.size() ? byNumber.get(at) : null;
  }

  /** The flow whose frames without a header come with this key, null if there is none. */
  Flow byKey(long key) {
    Flow flow = lastHeard;
    if (flow != null && flow.hasKey(key)) {
      return flow;
    }
    flow = byId(FlowKey.number(key));
    if (flow == null || !(flow.hasKey(key) || takesKey(flow, key))) {
      return null;
    }
    lastHeard = flow;
    return flow;
  }

  /** The peer may write by another key of the job than this side thinks. */
  private boolean takesKey(Flow flow, long key) {
    for (int isolation : isolations) {
      if (flow.takesKey(key, isolation)) {
        return true;
      }
    }
    return false;
  }

  /** All flows that are here, in the order of their numbers; read only. */
  List<Flow> all() {
    return flows;
  }

  /** What those have counted that are here no longer. */
  FlowCounters forgotten() {
    return forgotten;
  }

  /**
   * Makes the flow of a peer that has none.
   *
   * @throws FabricException HOST_UNREACHABLE if no provider reaches the peer
   */
  Flow open(int peer, EndpointAddress address) {
    return open(peer, address, wires.connect(address));
  }

  /** The same for a peer that has asked. */
  Flow answer(int peer, EndpointAddress address) {
    return open(peer, address, wires.answer(address));
  }

  private Flow open(int peer, EndpointAddress address, WireTable.Choice choice) {
    PeerLink link = linkOf(address, choice);
    Flow flow =
        new Flow(
            context,
            events,
            settings.over(link.provider()),
            firstNumber + byNumber.size(),
            peer,
            link);
    flow.peer(peer, addresses.snapshot().source(peer));
    byNumber.add(flow);
    flows.add(flow);
    byPeer.put(peer, flow);
    lastFlow = null;
    log.report(
        EndpointLog.Weight.DETAIL,
        "flow to [" + address + "] over [" + link.provider() + "] because " + choice.reason());
    return flow;
  }

  private static PeerLink linkOf(EndpointAddress address, WireTable.Choice choice) {
    Provider provider = choice.provider();
    return new PeerLink(
        address,
        provider.name(),
        choice.reason(),
        choice.channel(),
        // What one path holds up may come by another; only a flow with copies can send it there.
        provider.capabilities().reliable() && !choice.channel().reorders(),
        choice.gathers(),
        provider.capabilities().maxPacketBytes());
  }

  /** A flow that is being set up goes by the best way that is open, if there is one. */
  void goByOpenWay(Flow flow) {
    if (flow.state() == FlowState.CONNECTING) {
      PeerLink now = flow.link();
      WireTable.Choice choice = wires.better(flow.address(), now.provider(), now.channel());
      if (choice != null) {
        relink(flow, choice);
      }
    }
  }

  /**
   * The way of a flow has closed before it was open: it goes by the next provider.
   *
   * @throws FabricException HOST_UNREACHABLE if there is none
   */
  void goAnotherWay(Flow flow) {
    relink(flow, wires.connect(flow.address()));
  }

  private void relink(Flow flow, WireTable.Choice choice) {
    PeerLink link = linkOf(flow.address(), choice);
    log.report(
        EndpointLog.Weight.DETAIL,
        "flow to ["
            + flow.address()
            + "] goes over ["
            + link.provider()
            + "] in place of ["
            + flow.link().provider()
            + "] because "
            + choice.reason());
    flow.link(settings.over(link.provider()), link);
  }

  /**
   * Keeps the flows in step with the address vector: a removed peer's flow goes on for what the
   * peer sends, and serves again under the new index when the peer is inserted again.
   */
  void followAddresses() {
    AddressSnapshot now = addresses.snapshot();
    if (now == followed) {
      return;
    }
    followed = now;
    lastFlow = null;
    for (Flow flow : flows) {
      if (flow.state() == FlowState.LOST || now.lookup(flow.peer()) != null) {
        continue;
      }
      byPeer.remove(flow.peer(), flow);
      int index = now.indexOf(flow.address());
      if (index != AddressTable.NOT_AVAILABLE) {
        flow.peer(index, now.source(index));
        byPeer.put(index, flow);
      }
    }
    lostPeers.keySet().removeIf(peer -> now.lookup(peer) == null);
    forgetLater();
  }

  /**
   * A flow is lost.
   *
   * @param forGood whether its peer is lost with it; otherwise another flow may be opened
   */
  void lose(Flow flow, FabricException reason, boolean forGood) {
    byPeer.remove(flow.peer(), flow);
    lastFlow = null;
    if (forGood) {
      lose(flow.peer(), reason);
    }
    ended.addLast(flow);
    if (ended.size() > ENDED_KEPT) {
      ended.pollFirst();
      forgetLater();
    }
  }

  /** A peer without a flow is lost. */
  void lose(int peer, FabricException reason) {
    if (addresses.snapshot().lookup(peer) != null) {
      lostPeers.put(peer, new Loss(reason.error(), reason.getMessage()));
    }
  }

  /** Whether the peer of a flow that has ended may go on with it, and can be told. */
  private boolean mustBeTold(Flow flow) {
    return !flow.end().hasHeardGoodbye()
        && flow.link().channel().closedBecause() == null
        && followed.lookup(flow.peer()) != null;
  }

  /** Whether a flow that has ended can be forgotten may have changed. */
  void forgetLater() {
    if (!forgets && flows.size() > ENDED_KEPT) {
      forgets = true;
      timers.schedule(context.time().nanoTime() + FORGET_NS, this::forgetEnded);
    }
  }

  /** By a timer of its own: nobody goes through the flows then. */
  private void forgetEnded() {
    forgets = false;
    flows.removeIf(
        flow -> {
          boolean goes = flow.isLost() && !ended.contains(flow) && !mustBeTold(flow);
          if (goes) {
            forget(flow);
          }
          return goes;
        });
  }

  private void forget(Flow flow) {
    forgotten.add(flow.counters());
    byNumber.set(flow.id() - firstNumber, null);
    if (lastHeard == flow) {
      lastHeard = null;
    }
  }
}
