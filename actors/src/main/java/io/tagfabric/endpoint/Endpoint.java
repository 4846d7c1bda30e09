package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowCounters;
import io.tagfabric.kryo.KryoCodec;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.provider.PathInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends tagged messages to peers and receives theirs. This is the direct face: calls return at
 * once, completions are read from the queues the endpoint was opened with. The actor behind it
 * takes {@link Command}s; {@link EndpointFutures} is the face with futures.
 *
 * <p>Order: messages from one endpoint to another match in the order sent, whatever their lengths.
 * Every accepted operation completes exactly once. Thread: any; calls of one thread keep their
 * order.
 *
 * @source libfabric fi_endpoint(3), fi_tagged(3)
 */
public final class Endpoint {
  /** What an endpoint can be told. Local to the JVM. */
  public sealed interface Command {}

  /**
   * Send a message. With a {@code replyTo} or a listener the completion is told to it; otherwise it
   * goes to the endpoint's transmit queue, where a slot has been reserved. The buffer is the
   * endpoint's until the completion.
   */
  public static final class SendTagged extends SendOperation implements Command {
    /** Made by the endpoint's faces. */
    SendTagged(
        int peer,
        long tag,
        DirectBuffer buffer,
        int offset,
        int length,
        boolean hasData,
        long data,
        CompletionLevel level,
        Object context,
        boolean silent,
        SendListener listener) {
      super(peer, tag, buffer, offset, length, hasData, data, level, context, silent, listener);
    }

    /** A send whose completion is told to a listener. */
    public SendTagged(
        int peer,
        long tag,
        DirectBuffer buffer,
        int offset,
        int length,
        CompletionLevel level,
        Object context,
        SendListener listener) {
      super(
          peer,
          tag,
          buffer,
          offset,
          length,
          false,
          0,
          level,
          context,
          false,
          Objects.requireNonNull(listener, "listener"));
    }

    /** A send whose completion is told to an actor. */
    public SendTagged(
        int peer,
        long tag,
        DirectBuffer buffer,
        int offset,
        int length,
        CompletionLevel level,
        Object context,
        ActorRef<? super Completion> replyTo) {
      super(
          peer,
          tag,
          buffer,
          offset,
          length,
          false,
          0,
          level,
          context,
          false,
          new ReplyingListener(replyTo));
    }
  }

  /** Take a send back of which bytes are left to send; the peer is told if it knows of it. */
  public record CancelSend(Object context, ActorRef<TagMatcher.CancelOutcome> replyTo)
      implements Command {}

  /** Set up the flow to a peer now, not when the first send needs it. */
  public record Connect(int peer, ActorRef<ConnectOutcome> replyTo) implements Command {}

  /**
   * Set up no flow of this side's any more: sends to peers without one fail with BAD_STATE. Peers
   * may still set up theirs.
   *
   * @param why for the text of that failure
   */
  public record FixPeers(String why, ActorRef<PeersFixed> replyTo) implements Command {}

  /** A peer's node is gone. From the membership. */
  public record PeerGone(int peer, FabricError error, String detail) implements Command {}

  /** Tell the flows and their counters. */
  public record GetFlows(ActorRef<Flows> replyTo) implements Command {}

  /** Tell the address. */
  public record GetAddress(ActorRef<EndpointAddress> replyTo) implements Command {}

  /**
   * Accept nothing more, cancel posted receives, give accepted sends time to leave, then tell the
   * peers. The actor stays to refuse what comes later.
   */
  public record Close(Duration drainTimeout, ActorRef<? super Closed> replyTo) implements Command {}

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
   * @param paths what each path has carried, by number; empty if there is only one way
   */
  public record FlowInfo(
      int peer,
      EndpointAddress address,
      String provider,
      Flow.State state,
      FlowCounters.Snapshot counters,
      List<PathInfo> paths) {}

  /**
   * Answer to {@link Close}.
   *
   * @param undeliveredSends accepted sends that failed because of the close
   * @param cancelledReceives posted receives that were cancelled
   */
  public record Closed(int undeliveredSends, int cancelledReceives) {}

  private record ReplyingListener(ActorRef<? super Completion> replyTo) implements SendListener {
    @Override
    public void onSent(Completion.Sent sent) {
      replyTo.tell(sent);
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      replyTo.tell(failure);
    }
  }

  private final ActorRef<Command> ref;
  private final ActorRef<TagMatcher.Command> matcher;
  private final DirectEntry direct;
  private final EndpointAddress address;
  private final EndpointSettings settings;
  private final CompletionQueue transmitQueue;
  private final CompletionQueue receiveQueue;
  private final EndpointFutures futures;
  private final ProgressFutures closing;
  private final Queue<Runnable> closeActions = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  Endpoint(
      ActorRef<Command> ref,
      ActorRef<TagMatcher.Command> matcher,
      DirectEntry direct,
      EndpointAddress address,
      EndpointSettings settings,
      CompletionQueue transmitQueue,
      CompletionQueue receiveQueue,
      ProgressFutures futures,
      KryoCodec objects) {
    this.ref = ref;
    this.matcher = matcher;
    this.direct = direct;
    this.address = address;
    this.settings = settings;
    this.transmitQueue = transmitQueue;
    this.receiveQueue = receiveQueue;
    this.closing = futures;
    this.futures = new EndpointFutures(this, futures, objects);
  }

  /** The actor that sends. */
  public ActorRef<Command> ref() {
    return ref;
  }

  /** The actor that receives. */
  public ActorRef<TagMatcher.Command> matcher() {
    return matcher;
  }

  /** Where this endpoint is; give it to peers. */
  public EndpointAddress address() {
    return address;
  }

  /** The settings it was opened with. */
  public EndpointSettings settings() {
    return settings;
  }

  /** Where sends complete. */
  public CompletionQueue transmitQueue() {
    return transmitQueue;
  }

  /** Where receives complete. */
  public CompletionQueue receiveQueue() {
    return receiveQueue;
  }

  /**
   * Sends {@code buffer}'s remaining bytes; its position does not move.
   *
   * <p>The buffer is the endpoint's until the completion. Completes as {@link Completion.Sent} when
   * the buffer may be used again, or {@link Completion.Failed}, in the transmit queue.
   *
   * @param peer index in the domain's address vector
   * @param context comes back in the completion; may be null
   * @throws IllegalStateException if the endpoint is closed
   */
  public Posted sendTagged(int peer, ByteBuffer buffer, long tag, Object context) {
    return sendTagged(peer, wrapped(buffer), 0, buffer.remaining(), tag, context);
  }

  /** Sends bytes of an Agrona buffer; as {@link #sendTagged(int, ByteBuffer, long, Object)}. */
  public Posted sendTagged(
      int peer, DirectBuffer buffer, int offset, int length, long tag, Object context) {
    return sendTagged(peer, buffer, offset, length, tag, CompletionLevel.INJECT, context);
  }

  /** The same with another completion level. */
  public Posted sendTagged(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      long tag,
      CompletionLevel level,
      Object context) {
    return send(peer, buffer, offset, length, tag, false, 0, level, context, false);
  }

  /** Sends bytes with 8 bytes of immediate data, which the receiver finds in its completion. */
  public Posted sendTaggedData(
      int peer, DirectBuffer buffer, int offset, int length, long data, long tag, Object context) {
    return send(
        peer, buffer, offset, length, tag, true, data, CompletionLevel.INJECT, context, false);
  }

  /**
   * Sends a short message whose buffer may be used again at once. A success leaves no entry, a
   * failure does, with a null context.
   *
   * @throws IllegalArgumentException if there are more bytes than {@code inject-size}
   */
  public Posted injectTagged(int peer, DirectBuffer buffer, int offset, int length, long tag) {
    if (length > settings.injectBytes()) {
      throw new IllegalArgumentException(
          "lengthBytes="
              + length
              + " > injectBytes="
              + settings.injectBytes()
              + ", use sendTagged or raise tagfabric.endpoint.inject-size");
    }
    requireRange(buffer, offset, length);
    requireOpen();
    if (direct.inject(peer, buffer, offset, length, tag)) {
      return Posted.POSTED;
    }
    byte[] copy = new byte[length];
    buffer.getBytes(offset, copy);
    return send(
        peer, new UnsafeBuffer(copy), 0, length, tag, false, 0, CompletionLevel.INJECT, null, true);
  }

  private Posted send(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      long tag,
      boolean hasData,
      long data,
      CompletionLevel level,
      Object context,
      boolean silent) {
    requireOpen();
    requireRange(buffer, offset, length);
    requireLength(length);
    if (!transmitQueue.ring().tryReserve()) {
      return Posted.TRY_AGAIN;
    }
    SendTagged operation =
        new SendTagged(
            peer, tag, buffer, offset, length, hasData, data, level, context, silent, null);
    start(operation);
    return Posted.POSTED;
  }

  /** Starts a send that has been accepted. */
  void start(SendTagged operation) {
    if (!direct.send(operation)) {
      ref.tell(operation);
    }
  }

  /** Posts a receive that has been accepted. */
  void start(TagMatcher.PostReceive receive) {
    if (!direct.post(receive)) {
      matcher.tell(receive);
    }
  }

  /**
   * Posts a buffer for one tagged message from any peer and returns at once.
   *
   * <p>Match: {@code ((sent ^ tag) & ~ignore) == 0}; posted receives are tried in the order posted,
   * directed and any-source ones in one order.
   *
   * <p>Shape: up to {@code buffer.remaining()} bytes land at its position, which does not move; a
   * longer message completes as {@link Completion.Failed} with TRUNCATED and the bytes that fit.
   * The buffer is the endpoint's until the completion. Completes: exactly one {@link
   * Completion.Received} or {@link Completion.Failed} with {@code context} in the receive queue.
   *
   * @param ignore bits of the tag not compared (1 = ignored)
   * @throws IllegalStateException if the endpoint is closed
   * @throws IllegalArgumentException if the buffer is read-only
   * @source libfabric fi_tagged(3), fi_trecv; MPI-4.1 §3.5 (order)
   */
  public Posted postReceive(ByteBuffer buffer, long tag, long ignore, Object context) {
    return postReceive(wrappedForWriting(buffer), 0, buffer.remaining(), tag, ignore, -1, context);
  }

  /** The same, for messages of one peer only. */
  public Posted postReceive(int source, ByteBuffer buffer, long tag, long ignore, Object context) {
    return postReceive(
        wrappedForWriting(buffer), 0, buffer.remaining(), tag, ignore, source, context);
  }

  /**
   * Posts bytes of an Agrona buffer; as {@link #postReceive(ByteBuffer, long, long, Object)}.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   */
  public Posted postReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Object context) {
    requireOpen();
    requireRange(buffer, offset, capacity);
    if (!receiveQueue.ring().tryReserve()) {
      return Posted.TRY_AGAIN;
    }
    TagMatcher.PostReceive receive =
        new TagMatcher.PostReceive(tag, ignore, source, buffer, offset, capacity, context);
    start(receive);
    return Posted.POSTED;
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

  /** The same operations with futures. */
  public EndpointFutures futures() {
    return futures;
  }

  /**
   * Refuses every further call, cancels posted receives, gives accepted sends {@code drainTimeout}
   * to leave, then tells the peers, whose operations with this endpoint fail with SHUTDOWN. Every
   * operation under way still completes. Idempotent.
   *
   * @return what was not delivered
   */
  public CompletionStage<Closed> close(Duration drainTimeout) {
    closed = true;
    return closing.<Command, Closed>ask(
        ref, replyTo -> new Close(drainTimeout, replyTo), drainTimeout.plus(settings.askTimeout()));
  }

  /**
   * Runs an action when the endpoint begins to close, whoever closes it; now if it has begun. It
   * runs on the domain's loop or the calling thread and must not block.
   */
  public void onClose(Runnable action) {
    closeActions.add(action);
    if (closed) {
      closing();
    }
  }

  void closing() {
    closed = true;
    for (Runnable action = closeActions.poll(); action != null; action = closeActions.poll()) {
      action.run();
    }
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("endpoint [" + address + "] is closed, open another");
    }
  }

  void requireLength(int length) {
    if (length > settings.maxMessageBytes()) {
      throw new IllegalArgumentException(
          "lengthBytes="
              + length
              + " > maxMessageBytes="
              + settings.maxMessageBytes()
              + ", raise tagfabric.endpoint.max-message-size");
    }
  }

  private static void requireRange(DirectBuffer buffer, int offset, int length) {
    Objects.requireNonNull(buffer, "buffer");
    if (offset < 0 || length < 0 || length > buffer.capacity() - offset) {
      throw new IllegalArgumentException(
          "offset="
              + offset
              + " lengthBytes="
              + length
              + " do not lie in the buffer, capacity="
              + buffer.capacity());
    }
  }

  private static DirectBuffer wrapped(ByteBuffer buffer) {
    return new UnsafeBuffer(buffer, buffer.position(), buffer.remaining());
  }

  private static MutableDirectBuffer wrappedForWriting(ByteBuffer buffer) {
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("a receive cannot write to a read-only buffer");
    }
    return new UnsafeBuffer(buffer, buffer.position(), buffer.remaining());
  }

  @Override
  public String toString() {
    return "Endpoint[" + address + "]";
  }
}
