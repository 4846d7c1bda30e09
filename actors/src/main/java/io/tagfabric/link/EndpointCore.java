package io.tagfabric.link;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowEvents;
import io.tagfabric.flow.send.OutgoingFrame;
import io.tagfabric.flow.send.PendingAccess;
import io.tagfabric.flow.send.PendingSend;
import io.tagfabric.flow.window.ActiveShare;
import io.tagfabric.flow.window.FlowContext;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.PacketBudget;
import io.tagfabric.link.send.SendCompletions;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.memory.MemoryTarget;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.runtime.NodeStatus;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The plain inside of an endpoint: brings sends to the flows, flushes and times these, and knows
 * its peers. What comes enters by the {@link ArrivalDesk}. Single threaded: the domain's loop.
 */
@InternalApi
public final class EndpointCore implements FlowEvents {
  /** The active messages of an endpoint, as its flows see them. */
  public interface Requests {
    /** A flow is lost: nothing is answered there, and nothing that was asked by it is answered. */
    void lost(FrameOrigin origin, FabricError error, String detail);

    /** From now on no handler begins. Thread: any. */
    void switchOff(String because);
  }

  /** Where accesses to memory of peers end. */
  public interface AccessEnds {
    void completed(PendingAccess access);

    void failed(PendingAccess access, FabricError error, String detail);
  }

  /** A channel has closed; what it delivered before may still be on its way here. */
  private record ChannelClosed(Flow flow, String detail) {}

  private final EndpointIdentity identity;
  private final AddressTable addresses;
  private final WireTable wires;
  private final FlowTable flows;
  private final FlowSchedule schedule;
  private final Handshake handshake;
  private final ArrivalDesk desk;
  private final SendCompletions completions;
  private final ReceivePort receives;
  private final StepQueue steps;
  private final Function<EndpointAddress, NodeStatus> nodes;
  private final EndpointLog log;
  private final Recorder recorder;
  private final StepQueue.Handler<ChannelClosed> onClosed = this::onClosed;
  private final FlowWaiters waiters = new FlowWaiters();

  /** What it sends instead of messages; null if it sends those. */
  private final DatagramSends datagrams;

  /** Where accesses end, and who does those of peers; null before {@link #openMemory}. */
  private AccessEnds accesses;

  private MemoryTarget memory;
  private Requests active;
  private boolean closed;
  private String closedBecause = "the endpoint is closed";
  private String ownClose = "this endpoint was closed";
  private String noNewPeers;

  /**
   * A core.
   *
   * @param desk where what its wires bring enters; opened here
   * @param completions where sends end
   * @param receives the way to its receives
   */
  public EndpointCore(
      EndpointContext context,
      ArrivalDesk desk,
      SendCompletions completions,
      ReceivePort receives,
      StepQueue steps) {
    this.desk = desk;
    this.completions = completions;
    this.receives = receives;
    this.steps = steps;
    identity = context.identity();
    addresses = context.addresses();
    wires = context.wires();
    nodes = context.nodes();
    log = context.log();
    recorder = context.recorder();
    FlowContext flowContext =
        new FlowContext(
            identity.address().incarnation(),
            identity.address().endpoint(),
            identity.isolation(0),
            context.maxMessageBytes(),
            context.time(),
            context.passes(),
            context.pool(),
            new FrameWriter(),
            context.budget(),
            new PacketBudget(context.settings().pace().windowPacketsTotal()),
            desk.services(),
            receives.arrivals(),
            context.recorder(),
            new ActiveShare(context.active()));
    flows = new FlowTable(context, flowContext, this);
    schedule = new FlowSchedule(context, flows);
    handshake = new Handshake(context, flows, flowContext, waiters);
    datagrams =
        context.datagrams()
            ? new DatagramSends(waiters, completions, context.pool().largeCapacity())
            : null;
    desk.open(identity, flows, schedule, handshake);
  }

  public EndpointAddress address() {
    return identity.address();
  }

  /** What packets of this endpoint's job and partition carry. */
  int isolation() {
    return identity.isolation(0);
  }

  /** Whether it accepts nothing more. */
  public boolean isClosed() {
    return closed;
  }

  /** What operations fail with that it does not accept. */
  public String closedBecause() {
    return closedBecause;
  }

  // ---- accesses to memory ----

  /** Programs may access memory of peers, and peers that of this side. */
  public void openMemory(AccessEnds ends, MemoryTarget target) {
    accesses = ends;
    memory = target;
  }

  /** The flow to a peer if there is one and a region's descriptor is of that peer, else null. */
  public Flow flowTo(int peer, RegionDescriptor region) {
    if (closed) {
      return null;
    }
    flows.followAddresses();
    Flow flow = flows.toPeer(peer);
    long wanted = region.incarnation();
    return flow != null && (wanted == 0 || wanted == flow.address().incarnation()) ? flow : null;
  }

  /**
   * Requires that a flow goes to the incarnation that a region is of.
   *
   * @param region null of an operation that is of none
   * @throws FabricException NO_KEY if it does not
   */
  public static void requireIncarnation(RegionDescriptor region, Flow flow) {
    long wanted = region == null ? 0 : region.incarnation();
    if (wanted != 0 && wanted != flow.address().incarnation()) {
      throw new FabricException(
          FabricError.NO_KEY,
          "region key="
              + Long.toHexString(region.key())
              + " is of incarnation="
              + wanted
              + ", and peer ["
              + flow.address()
              + "] is of another; ask it for a descriptor");
    }
  }

  // ---- active messages ----

  /** Programs may run handlers of peers, and peers those of this side. */
  public void openActive(Requests requests) {
    active = requests;
  }

  // ---- sends ----

  public void send(SendOperation send) {
    if (closed) {
      refuse(send);
      return;
    }
    try {
      Flow flow = flowFor(send);
      if (datagrams == null) {
        flow.submit(send);
      } else {
        datagrams.send(flow, send);
      }
    } catch (FabricException e) {
      completions.fail(send, e.error(), e.getMessage());
    }
  }

  /** Sends a frame of a service, or tells it why not. */
  public void send(int peer, OutgoingFrame frame) {
    if (closed) {
      frame.onFailed(FabricError.CANCELED, closedBecause);
      return;
    }
    try {
      flowTo(peer).submit(frame);
    } catch (FabricException e) {
      frame.onFailed(e.error(), e.getMessage());
    }
  }

  /** Whether the first frame of a send could leave now, or it would fail at once. */
  public boolean mayLeaveNow(PendingSend send) {
    if (closed) {
      return true;
    }
    try {
      Flow flow = flowFor(send);
      return datagrams != null || flow.mayLeaveNow(send);
    } catch (FabricException itFails) {
      return true;
    }
  }

  /** The flow that a message goes by. */
  public Flow flowFor(PendingSend send) {
    flows.followAddresses();
    int to = flows.receiverOf(send.peer(), send);
    if (to < 0 && to != send.peer()) {
      throw new FabricException(
          FabricError.INVALID,
          "tag="
              + Long.toHexString(send.tag())
              + " names a context that peer ["
              + addresses.snapshot().lookup(send.peer())
              + "] does not have");
    }
    return flowTo(to);
  }

  /**
   * The flow to a peer, which is set up if there is none.
   *
   * @throws FabricException why there will be none
   */
  public Flow flowTo(int peer) {
    flows.followAddresses();
    Flow flow = flows.toPeer(peer);
    return flow == null ? connect(peer) : flow;
  }

  private Flow connect(int peer) {
    FabricException lost = flows.lost(peer);
    if (lost != null) {
      throw lost;
    }
    if (noNewPeers != null) {
      throw new FabricException(
          FabricError.BAD_STATE,
          "peer [" + addresses.snapshot().lookup(peer) + "] is not connected: " + noNewPeers);
    }
    Flow flow = handshake.connect(peer);
    onFlushNeeded(flow);
    return flow;
  }

  /** Fails a send because the endpoint is closed. */
  void refuse(SendOperation send) {
    completions.fail(send, FabricError.CANCELED, closedBecause);
  }

  /** A short message straight into the open packet; false if it must be sent as any other. */
  boolean inject(int peer, MessageView message) {
    if (closed || datagrams != null) {
      return false;
    }
    flows.followAddresses();
    Flow flow = flows.toPeer(flows.receiverOf(peer, message));
    return flow != null && flow.inject(message);
  }

  /** Takes back a send of which bytes are left to send, if there is one with an equal context. */
  public TagMatcher.CancelOutcome cancelSend(Object context) {
    Predicate<PendingSend> meant =
        each -> each instanceof SendOperation its && Objects.equals(context, its.context());
    boolean goesOn = false;
    for (Flow flow : flows.all()) {
      PendingSend send = flow.withdraw(meant);
      if (send != null) {
        onSendFailed(send, FabricError.CANCELED, "cancelled");
        return new TagMatcher.Cancelled(context);
      }
      goesOn |= flow.has(meant);
    }
    return goesOn
        ? new TagMatcher.TooLate(context)
        : new TagMatcher.CancelOutcome.NotFound(context);
  }

  // ---- flows without a send ----

  /** Whether there is a flow with a peer. */
  public boolean reaches(int peer) {
    return flows.reaches(peer);
  }

  /** Longest message that this endpoint and a peer take; 0 unless a flow between them is open. */
  int maxMessageBytes(int peer) {
    flows.followAddresses();
    Flow flow = flows.toPeer(peer);
    return flow == null ? 0 : flow.maxMessageBytes();
  }

  /** Sets up the flow to a peer. */
  public void connect(int peer, FlowWaiters.Waiter waiter) {
    try {
      if (closed) {
        throw new FabricException(FabricError.CANCELED, closedBecause);
      }
      waiters.add(flowTo(peer), waiter);
    } catch (FabricException failure) {
      waiter.onSetUp(failure);
    }
  }

  /** From now on only peers with a flow can be sent to. */
  public void fixPeers(String why) {
    noNewPeers = why;
  }

  // ---- what flows tell ----

  @Override
  public void onSendCompleted(PendingSend send) {
    if (send instanceof PendingAccess access) {
      accesses.completed(access);
    } else {
      if (recorder.isOn()) {
        record(TraceKind.SEND_COMPLETED, 0, send);
      }
      completions.complete((SendOperation) send);
    }
  }

  @Override
  public void onSendFailed(PendingSend send, FabricError error, String detail) {
    if (send instanceof PendingAccess access) {
      accesses.failed(access, error, detail);
    } else {
      if (recorder.isOn()) {
        record(TraceKind.SEND_FAILED, error.code(), send);
      }
      completions.fail((SendOperation) send, error, detail);
    }
  }

  private void record(TraceKind kind, int how, PendingSend send) {
    int endpoint = identity.address().endpoint();
    recorder.record(
        kind, how, 0, 0, send.traced(), send.tag(), send.length(), 0, send.peer(), endpoint);
  }

  @Override
  public void onChannelClosed(Flow flow, String detail) {
    steps.add(onClosed, new ChannelClosed(flow, detail));
  }

  private void onClosed(ChannelClosed news) {
    if (handshake.goesAnotherWay(news.flow())) {
      return;
    }
    Flow flow = news.flow();
    FabricError error = flow.link().channel().closedWith();
    if (error == FabricError.TIMED_OUT) {
      flow.end().giveUp(error, news.detail()); // nothing is known against the peer
    } else {
      flow.end().lose(error, news.detail());
    }
  }

  @Override
  public void onFlushNeeded(Flow flow) {
    schedule.flushLater(flow);
  }

  @Override
  public void onLost(Flow flow, FabricError error, String detail) {
    FabricException reason = new FabricException(error, detail);
    boolean forGood = !(flow.end().isGivenUp() && nodes.apply(flow.address()).isMember());
    flows.lose(flow, reason, forGood);
    waiters.tell(flow, reason);
    if (memory != null) {
      memory.lost(flow.origin());
    }
    if (active != null) {
      active.lost(flow.origin(), error, detail);
    }
    receives.peerLost(flow.source(), error, detail, forGood);
    log.report(weightOf(error), detail);
  }

  @Override
  public void onGoodbyeUnsaid(Flow flow, FabricError error) {
    handshake.sayEnded(flow, error);
  }

  private EndpointLog.Weight weightOf(FabricError error) {
    return error == FabricError.SHUTDOWN || closed
        ? EndpointLog.Weight.DETAIL
        : EndpointLog.Weight.WARNING;
  }

  /** The membership says that a peer's node is gone. */
  public void peerGone(int peer, FabricError error, String detail) {
    Flow flow = flows.toPeer(peer);
    if (flow != null) {
      flow.end().lose(error, detail);
    } else if (flows.lost(peer) == null) {
      EndpointAddress address = addresses.snapshot().lookup(peer);
      String text = "peer [" + address + "] lost: " + detail;
      flows.lose(peer, new FabricException(error, text));
      receives.peerLost(peer, error, text, true);
    }
  }

  /** Sets what runs when {@link #flush} has to be called; unset if each pass calls it. */
  public void whenDue(Runnable marks) {
    schedule.whenDue(marks);
  }

  /** Whether a flush has something to do. */
  public boolean hasUnflushed() {
    return schedule.hasUnflushed();
  }

  /** End of a pass: sends what flows have gathered. Returns the work done. */
  int flush() {
    return schedule.flush() + wires.flush();
  }

  // ---- end ----

  /** A defect was met: says why everything ends, and takes nothing more. */
  void fail(String because) {
    closedBecause = because;
    ownClose = because;
    desk.fail();
  }

  /** Accepts nothing more; what was accepted still travels. */
  void beginClose() {
    closed = true;
    if (active != null) {
      active.switchOff("the endpoint closes");
    }
    handshake.close();
  }

  boolean hasUnfinishedSends() {
    if (datagrams != null && datagrams.hasWaiting()) {
      return true;
    }
    for (Flow flow : flows.all()) {
      if (flow.hasUnfinishedSends()) {
        return true;
      }
    }
    return false;
  }

  /** Fails the sends that have not left and tells the peers. */
  void sayGoodbye() {
    forEachFlow(
        flow -> {
          flow.end().sayGoodbye(FabricError.SHUTDOWN, FabricError.CANCELED, ownClose);
          flow.flush();
          schedule.watch(flow);
        });
  }

  /** Also of an endpoint that has failed: one flow that is broken keeps no other from its end. */
  private void forEachFlow(Consumer<Flow> step) {
    for (Flow flow : flows.all()) {
      try {
        step.accept(flow);
      } catch (RuntimeException e) {
        log.report(
            EndpointLog.Weight.WARNING,
            "the flow to [" + flow.address() + "] cannot end in order: " + e);
      }
    }
  }

  /**
   * Whether a peer may not have heard the goodbye.
   *
   * @param answered whether it must have said so, as then all that it had sent has come
   */
  boolean awaitsPeers(boolean answered) {
    for (Flow flow : flows.all()) {
      if (flow.hasPacketsOnTheWay() || (answered && flow.awaitsAcknowledgement())) {
        return true;
      }
    }
    return false;
  }

  /** Ends all flows and closes the wires. */
  void finishClose() {
    closed = true;
    handshake.close();
    forEachFlow(flow -> flow.end().lose(FabricError.CANCELED, ownClose));
    wires.close();
  }

  /** Shows each flow to a check. */
  void inspectFlows(Consumer<Flow> check) {
    flows.all().forEach(check);
  }

  /** What flows have counted that are not there to be shown any more. */
  FlowCounters.Snapshot forgottenFlows() {
    return flows.forgotten().snapshot();
  }

  /** The flows there are, and the last of those there were, by number. */
  public List<Flow> flows() {
    return List.copyOf(flows.all());
  }

  /** Packets dropped because they belong to another job, incarnation or protocol. */
  public long strangers() {
    return desk.strangers();
  }
}
