package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.access.Access;
import io.tagfabric.access.AccessListener;
import io.tagfabric.access.AccessRegion;
import io.tagfabric.access.DirectAccesses;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.MemoryOperation;
import io.tagfabric.active.ActiveMessages;
import io.tagfabric.active.DirectActive;
import io.tagfabric.address.ContextAddresses;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.FlowState;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.kryo.KryoCodec;
import io.tagfabric.link.CloseActions;
import io.tagfabric.link.DirectSends;
import io.tagfabric.link.EndpointGate;
import io.tagfabric.link.EndpointIdentity;
import io.tagfabric.link.EndpointLife;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Handshake;
import io.tagfabric.link.NoteDesk;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.core.ReceiveCore;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.Timeouts;
import io.tagfabric.provider.PathInfo;
import io.tagfabric.receive.DirectReceives;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.receive.Receives;
import io.tagfabric.wire.BufferRange;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends tagged messages to peers and receives theirs. This is the direct face: calls return at
 * once, completions are read from the queues the endpoint was opened with. The actor behind it
 * takes {@link Command}s; {@link EndpointFutures} is the face with futures.
 *
 * @source libfabric fi_endpoint(3)
 */
public final class Endpoint extends Receives {
  /** What an endpoint can be told. Local to the JVM. */
  public sealed interface Command {}

  /**
   * Send a message. The actor in {@code replyTo}, or the listener, gets the completion; without
   * either it goes to the endpoint's transmit queue, where a slot has been reserved. The buffer is
   * the endpoint's until the completion.
   */
  public static final class SendTagged implements Command {
    private final SendOperation operation;

    SendTagged(SendOperation operation) {
      this.operation = operation;
    }

    /**
     * A send whose completion goes to a listener.
     *
     * @throws IllegalArgumentException if it is to leave now or not at all
     */
    public SendTagged(TaggedSend send, Object context, SendListener listener) {
      this(send.operation(context, Objects.requireNonNull(listener, "listener")));
      requirePatient(send.isImmediate());
    }

    /** A send whose completion goes to an actor. */
    public SendTagged(TaggedSend send, Object context, ActorRef<? super Completion> replyTo) {
      this(send, context, SendListener.telling(replyTo));
    }

    SendOperation operation() {
      return operation;
    }
  }

  /**
   * Access memory of a peer. The listener gets the completion; {@link AccessListener#telling} makes
   * one that tells an actor.
   */
  public static final class AccessMemory implements Command {
    private final MemoryOperation operation;

    AccessMemory(MemoryOperation operation) {
      this.operation = operation;
    }

    /**
     * An access whose completion goes to a listener.
     *
     * @throws IllegalArgumentException if it is to leave now or not at all
     */
    public AccessMemory(Access access, Object context, AccessListener listener) {
      requirePatient(access.isImmediate());
      operation =
          access
              .operation(CompletionLevel.INJECT)
              .telling(context, Objects.requireNonNull(listener, "listener"));
    }

    MemoryOperation operation() {
      return operation;
    }
  }

  /**
   * Take a send back of which bytes are left to send; if the peer knows of it, it gets an Abort.
   */
  public record CancelSend(Object context, ActorRef<TagMatcher.CancelOutcome> replyTo)
      implements Command {
    public CancelSend {
      Objects.requireNonNull(context, "context");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Set up the flow to a peer now, not when the first send needs it. */
  public record Connect(int peer, ActorRef<ConnectOutcome> replyTo) implements Command {
    public Connect {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Set up no flow of this side's any more: sends to peers without one fail with BAD_STATE. Peers
   * may still set up theirs.
   *
   * @param why for the text of that failure
   */
  public record FixPeers(String why, ActorRef<PeersFixed> replyTo) implements Command {
    public FixPeers {
      Objects.requireNonNull(why, "why");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * A peer's node is gone. From the membership.
   *
   * @param error that the peer's operations fail with
   * @param detail how it went, for people
   */
  public record PeerGone(int peer, FabricError error, String detail) implements Command {
    public PeerGone {
      Objects.requireNonNull(error, "error");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** Tell the flows and their counters. */
  public record GetFlows(ActorRef<Flows> replyTo) implements Command {
    public GetFlows {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Tell the address. */
  public record GetAddress(ActorRef<EndpointAddress> replyTo) implements Command {
    public GetAddress {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Accept nothing more, cancel posted receives, give accepted sends time to leave, then tell the
   * peers. The actor stays to refuse what comes later.
   */
  public record Close(Duration drainTimeout, ActorRef<? super Closed> replyTo) implements Command {
    public Close {
      Timeouts.requireNotNegative(drainTimeout, "drainTimeout");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Wait until the sends accepted so far have left; nothing is refused meanwhile. The answer is
   * whether nothing was left when the time was over.
   */
  @InternalApi
  public record Drain(Duration timeout, ActorRef<? super Boolean> replyTo) implements Command {
    public Drain {
      Timeouts.requireNotNegative(timeout, "timeout");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** A packet has come. From the wires, where cores hand over by mailbox. */
  record PacketArrived(Packet packet) implements Command {}

  /** A short message has come by itself. From the wires, where cores hand over by mailbox. */
  record MessageArrived(long flow, MessageView message) implements Command {}

  /** Frames have come without a packet. From the wires, where cores hand over by mailbox. */
  record FramesArrived(long flow, Packet frames) implements Command {}

  /** A channel has closed. From the wires, where cores hand over by mailbox. */
  enum ChannelClosed implements Command {
    INSTANCE
  }

  /** Answers to {@link Connect}. */
  public sealed interface ConnectOutcome {}

  /** The flow is there. */
  public record Connected(int peer) implements ConnectOutcome {}

  /** It will not be. */
  public record NotConnected(int peer, FabricError error, String detail)
      implements ConnectOutcome {}

  /** Answer to {@link FixPeers}. */
  public record PeersFixed() {}

  /** Answer to {@link GetFlows}. */
  public record Flows(List<FlowInfo> flows, long strangerPackets) {
    /** Counters of the newest flow with a peer. */
    FlowCounters.Snapshot countersOf(int peer) {
      for (int i = flows.size() - 1; i >= 0; i--) {
        if (flows.get(i).peer() == peer) {
          return flows.get(i).counters();
        }
      }
      throw new FabricException(FabricError.NO_ENTRY, "peer=" + peer + " has no flow here yet");
    }
  }

  /**
   * One flow.
   *
   * @param provider name of the provider that carries it
   * @param because for people: why that one, and none that is preferred to it
   * @param underWay whether sends are unfinished, or the peer has not acknowledged all packets
   * @param paths what each path has carried, by number; empty if there is only one way
   */
  public record FlowInfo(
      int peer,
      EndpointAddress address,
      String provider,
      String because,
      FlowState state,
      FlowCounters.Snapshot counters,
      boolean underWay,
      List<PathInfo> paths) {}

  /**
   * Answer to {@link Close}.
   *
   * @param undeliveredSends accepted sends that failed because of the close
   * @param cancelledReceives posted receives that were cancelled
   */
  public record Closed(int undeliveredSends, int cancelledReceives) {}

  private static final SendOptions SILENT = SendOptions.DEFAULT.silent();

  private final ActorRef<Command> ref;
  private final DirectSends direct;
  private final EndpointIdentity identity;
  private final EndpointGate gate;
  private final EndpointSettings settings;
  private final CompletionQueue transmitQueue;
  private final EndpointBindings bindings;
  private final EndpointFutures futures;
  private final EndpointPort port;
  private final EndpointAsks asks;
  private final DeferredOperations deferred;
  private final EndpointMemory memory;
  private final ActiveMessages active;
  private final CloseActions endActions = new CloseActions();
  private volatile Closed report;

  Endpoint(
      ActorRef<Command> ref,
      ActorRef<TagMatcher.Command> matcher,
      DirectSends direct,
      DirectReceives receives,
      DirectAccesses accesses,
      EndpointIdentity identity,
      EndpointGate gate,
      EndpointBindings bindings,
      ProgressFutures futures,
      KryoCodec objects,
      NoteDesk notes,
      DirectActive activeRequests,
      ActorRef<TagMatcher.CancelOutcome> ignored) {
    super(matcher, receives, bindings.receiveQueue(), bindings.receives());
    this.ref = ref;
    this.direct = direct;
    this.identity = identity;
    this.gate = gate;
    this.settings = gate.settings();
    this.bindings = bindings;
    this.transmitQueue = bindings.transmitQueue();
    this.port = new EndpointPort(this, direct, receives, notes, ignored);
    this.asks = new EndpointAsks(futures);
    this.futures = new EndpointFutures(this, futures, objects);
    memory =
        new EndpointMemory(
            gate, bindings, accesses, futures, access -> ref.tell(new AccessMemory(access)));
    deferred = new DeferredOperations(this, direct, receives, transmitQueue.loop());
    active = new ActiveMessages(gate, memory.futures(), activeRequests, futures);
    onClose(deferred::close);
  }

  /** The actor that sends. */
  public ActorRef<Command> ref() {
    return ref;
  }

  /** Where this endpoint is; give it to peers. */
  public EndpointAddress address() {
    return identity.address();
  }

  /**
   * It is a context of a scalable endpoint; before anybody has heard of it.
   *
   * @throws FabricException INVALID if the address does not fit into a packet
   */
  @InternalApi
  public void becomeContext(EndpointAddress newAddress) {
    Handshake.requireRoom(newAddress, settings.packetBytes());
    ContextAddresses contexts = newAddress.contexts();
    identity.becomeContext(newAddress);
    receives()
        .takeOnly(contexts.tagMask(), contexts.tagOf(newAddress.endpoint() - contexts.first() - 1));
  }

  /** The settings it was opened with. */
  public EndpointSettings settings() {
    return settings;
  }

  /** Where sends complete. */
  public CompletionQueue transmitQueue() {
    return transmitQueue;
  }

  /** Where its operations end. */
  public EndpointBindings bindings() {
    return bindings;
  }

  /**
   * Posts a message. A call returns at once; what has been POSTED completes exactly once, as {@link
   * Completion.Sent} when the buffer may be used again, or at the level of its options, or as
   * {@link Completion.Failed}, in the transmit queue.
   *
   * <p>A wrong argument is refused at the call, before anything is accepted: null for anything but
   * a context with a {@link NullPointerException} that names it, bytes outside their buffer and a
   * message longer than {@code endpoint.max-message-size} with an {@link IllegalArgumentException}.
   * Only a peer that is not in the address vector is found out later: the send completes with
   * ADDRESS_NOT_AVAILABLE.
   *
   * <p>A send that has failed with SHUTDOWN, CONNECTION_RESET or TIMED_OUT may have arrived all the
   * same; {@link Completion.Failed} says when.
   *
   * <p>Order: messages from one endpoint to another match in the order sent, whatever their
   * lengths. Thread: any; calls of one thread keep their order.
   *
   * @param context comes back in the completion; may be null
   * @return TRY_AGAIN if there is no slot for the completion, or if it is to leave now and cannot
   * @throws IllegalStateException if the endpoint is closed
   * @source libfabric fi_tagged(3), fi_tsendmsg
   */
  public Posted post(TaggedSend send, Object context) {
    if (!reserves(send.length())) {
      return Posted.TRY_AGAIN;
    }
    return start(send.operation(context, null), send.options());
  }

  /** Posts a buffer's remaining bytes; its position does not move. */
  public Posted sendTagged(int peer, ByteBuffer buffer, long tag, Object context) {
    return sendTagged(peer, BufferRange.remaining(buffer), 0, buffer.remaining(), tag, context);
  }

  /** Posts bytes of a buffer; the short form of {@link #post}. */
  public Posted sendTagged(
      int peer, DirectBuffer buffer, int offset, int length, long tag, Object context) {
    requireSends();
    BufferRange.require(buffer, offset, length);
    settings.requireSendable(length);
    if (!gate.reserve()) {
      return Posted.TRY_AGAIN;
    }
    SendOperation send = new SendOperation(peer, CompletionLevel.INJECT, context, null);
    send.show(tag, buffer, offset, length);
    return start(send, null);
  }

  /**
   * Sends a short message whose buffer may be used again at once, whatever its options. A success
   * leaves no entry, a failure does, with a null context.
   *
   * @throws IllegalArgumentException if there are more bytes than {@code inject-size}
   * @source libfabric fi_tagged(3), fi_tinject, fi_tinjectdata
   */
  public Posted inject(TaggedSend send) {
    return inject(
        send.peer(),
        send.bytes(),
        send.offset(),
        send.length(),
        send.hasData(),
        send.data(),
        send.isUntagged(),
        send.tag());
  }

  /** The short form of {@link #inject}. */
  public Posted injectTagged(int peer, DirectBuffer buffer, int offset, int length, long tag) {
    return inject(peer, buffer, offset, length, false, 0, false, tag);
  }

  private Posted inject(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      boolean hasData,
      long data,
      boolean untagged,
      long tag) {
    settings.requireInjectable(length);
    BufferRange.require(buffer, offset, length);
    requireSends();
    if (direct.inject(peer, buffer, offset, length, hasData, data, untagged, tag)) {
      return Posted.POSTED;
    }
    if (!reserves(length)) {
      return Posted.TRY_AGAIN;
    }
    byte[] copy = new byte[length];
    buffer.getBytes(offset, copy);
    SendOperation send = new SendOperation(peer, CompletionLevel.INJECT, null, null);
    send.show(tag, new UnsafeBuffer(copy), 0, length);
    if (hasData) {
      send.showData(data);
    }
    if (untagged) {
      send.showUntagged();
    }
    return start(send, SILENT);
  }

  /** Whether there is a slot for the completion of a send. */
  private boolean reserves(int length) {
    requireSends();
    settings.requireSendable(length);
    return gate.reserve();
  }

  private Posted start(SendOperation send, SendOptions options) {
    silence(send, options);
    if (options != null && options.immediate()) {
      return gate.postedNow(direct.sendNow(send));
    }
    startOwn(send);
    return Posted.POSTED;
  }

  /** Starts a send of a future, if it can leave now; otherwise nothing has happened. */
  boolean startNow(SendOperation send) {
    return direct.sendNow(send);
  }

  /** Says whether its success leaves an entry; without options as of the endpoint. */
  void silence(SendOperation send, SendOptions options) {
    Completions told = options == null ? null : options.completions();
    if ((told == null ? bindings.sends() : told) == Completions.ERRORS) {
      send.silence();
    }
  }

  /** Refuses what is to leave now or not at all where no caller waits to hear which. */
  static void requirePatient(boolean isImmediate) {
    if (isImmediate) {
      throw new IllegalArgumentException(
          "immediate=true: nobody hears whether it could leave now, as the caller of a post does;"
              + " post it, or leave now() away");
    }
  }

  /** Starts a send of the program's. */
  void startOwn(SendOperation send) {
    direct.accepted(send);
    start(send);
  }

  /** Starts a send that has been accepted, or one that is sent once more. */
  void start(SendOperation operation) {
    if (!direct.send(operation)) {
      ref.tell(new SendTagged(operation));
      if (!gate.isOpen()) {
        direct.refuse(operation);
      }
    }
  }

  /**
   * What the flow with a peer has done so far, as its loop sees it between two messages.
   *
   * @param peer index in the domain's address vector
   * @return fails with NO_ENTRY if nothing has been sent to the peer or received from it
   */
  public CompletionStage<FlowCounters.Snapshot> flowCounters(int peer) {
    return futures.flows().thenApply(flows -> flows.countersOf(peer));
  }

  /** The same for code that runs on the domain's loop. */
  public EndpointPort port() {
    return port;
  }

  /** What it can do with memory of peers. */
  public EndpointMemory memory() {
    return memory;
  }

  /**
   * Opens a region of accesses to memory of peers that end as one.
   *
   * @throws IllegalStateException if the endpoint is closed
   */
  public AccessRegion openAccessRegion() {
    return memory.openRegion();
  }

  /** Whether its receives are its own, and not those of a context that it shares. */
  @InternalApi
  public boolean ownsReceives() {
    return bindings.receiveContext() == null;
  }

  /** Messages that run a handler at their receiver. */
  public ActiveMessages active() {
    return active;
  }

  /** The same operations, which a counter starts. */
  public DeferredOperations deferred() {
    return deferred;
  }

  /** The same operations with futures. */
  public EndpointFutures futures() {
    return futures;
  }

  /**
   * Refuses every further call, cancels posted receives, gives accepted sends {@code drainTimeout}
   * to leave, then tells the peers, whose operations with this endpoint fail with SHUTDOWN. Every
   * operation under way still completes. Messages that arrived and that no receive took are
   * dropped; one warning in the log counts them. Idempotent.
   *
   * @return what was not delivered
   * @throws IllegalArgumentException if {@code drainTimeout} is negative; nothing is closed then
   */
  public CompletionStage<Closed> close(Duration drainTimeout) {
    Timeouts.requireNotNegative(drainTimeout, "drainTimeout");
    gate.closing().begin();
    Closed known = report;
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    Duration patience = Duration.ofNanos(Timeouts.nanos(drainTimeout)).plus(settings.askTimeout());
    return asks.<Command, Closed>ask(ref, replyTo -> new Close(drainTimeout, replyTo), patience);
  }

  /**
   * Runs an action when the endpoint begins to close, for whatever reason; now if it has begun. It
   * runs on the domain's loop or the calling thread and must not block.
   */
  public void onClose(Runnable action) {
    Objects.requireNonNull(action, "action");
    gate.closing().add(action);
  }

  /**
   * Runs an action when the endpoint has closed, for whatever reason: all that it had accepted has
   * ended. Otherwise as {@link #onClose}.
   */
  public void onEnd(Runnable action) {
    Objects.requireNonNull(action, "action");
    endActions.add(action);
  }

  @Override
  public boolean isOpen() {
    return gate.isOpen();
  }

  EndpointAsks asks() {
    return asks;
  }

  boolean hasEnded() {
    return report != null;
  }

  /** What its life tells. */
  EndpointLife.Watcher watcher() {
    return new EndpointLife.Watcher() {
      @Override
      public void onClosing() {
        gate.closing().run();
      }

      @Override
      public void onEnded(int undeliveredSends, int cancelledReceives) {
        report = new Closed(undeliveredSends, cancelledReceives);
        endActions.run();
      }
    };
  }

  /** That it is open, and sends. */
  void requireSends() {
    gate.requireSends();
  }

  /** That it is open, and receives for itself. */
  @Override
  protected void requireReceives() {
    requireOpen();
    ReceiveContext context = bindings.receiveContext();
    if (context != null) {
      throw new FabricException(
          FabricError.OPERATION_NOT_SUPPORTED,
          "the endpoint shares the receives of context ["
              + context.name()
              + "], post the receive there");
    }
    if (!bindings.does(EndpointBindings.Direction.RECEIVE)) {
      throw new FabricException(FabricError.OPERATION_NOT_SUPPORTED, ReceiveCore.RECEIVES_NOT);
    }
  }

  void requireOpen() {
    gate.requireOpen();
  }

  @Override
  public String toString() {
    return "Endpoint[" + address() + "]";
  }
}
