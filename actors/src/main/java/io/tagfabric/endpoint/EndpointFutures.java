package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import akka.util.ByteString;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Completions;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.kryo.KryoCodec;
import io.tagfabric.kryo.KryoCodecException;
import io.tagfabric.link.send.PendingFutures;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.PostedProbe;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.Timeouts;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.BufferRange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An endpoint's operations with a future each; completions do not pass through the queues. Waiting
 * for a future drives the domain's loop. A future that fails does so with a {@link
 * FabricException}.
 *
 * <p>A wrong argument is refused at the call, as {@link Endpoint#post} says.
 *
 * <p>Thread: any. At most {@code endpoint.max-pending-futures} operations are under way; one more
 * fails at once with AGAIN.
 */
public final class EndpointFutures {
  private final Endpoint endpoint;
  private final ProgressFutures futures;
  private final KryoCodec objects;
  private final PendingFutures pending;

  EndpointFutures(Endpoint endpoint, ProgressFutures futures, KryoCodec objects) {
    this.endpoint = endpoint;
    this.futures = futures;
    this.objects = objects;
    this.pending = new PendingFutures(futures, endpoint.settings().maxPendingFutures());
  }

  /**
   * Starts a send.
   *
   * @throws IllegalArgumentException if its options say that a success is not told
   */
  public CompletionStage<Completion.Sent> start(TaggedSend send) {
    SendOptions options = send.options();
    if (options != null && options.completions() == Completions.ERRORS) {
      throw notTold();
    }
    endpoint.requireSends();
    endpoint.settings().requireSendable(send.length());
    ProgressFuture<Completion.Sent> future = futures.create();
    if (pending.accept(future)) {
      SendOperation operation = send.operation(null, pending.send(future));
      if (!send.isImmediate()) {
        endpoint.startOwn(operation);
      } else if (!endpoint.startNow(operation)) {
        pending.refuseNow(future, send.peer());
      }
    }
    return future;
  }

  /** Sends bytes that must not change until the future completes. */
  public CompletionStage<Completion.Sent> sendTagged(int peer, byte[] bytes, long tag) {
    Objects.requireNonNull(bytes, "bytes");
    return start(TaggedSend.of(peer, new UnsafeBuffer(bytes), tag));
  }

  /** Sends a buffer's remaining bytes; its position does not move. */
  public CompletionStage<Completion.Sent> sendTagged(int peer, ByteBuffer bytes, long tag) {
    return start(TaggedSend.of(peer, BufferRange.remaining(bytes), tag));
  }

  /** Sends an immutable ByteString; a compact one is not copied. */
  public CompletionStage<Completion.Sent> sendTagged(int peer, ByteString bytes, long tag) {
    Objects.requireNonNull(bytes, "bytes");
    return sendTagged(peer, bytes.asByteBuffer(), tag);
  }

  /**
   * Sends an object of a registered class.
   *
   * @throws io.tagfabric.kryo.KryoCodecException if its class is not registered; the text names the
   *     key to add
   */
  public CompletionStage<Completion.Sent> sendObject(int peer, Object object, long tag) {
    return sendObject(peer, object, tag, CompletionLevel.INJECT);
  }

  /** The same with a completion level. */
  public CompletionStage<Completion.Sent> sendObject(
      int peer, Object object, long tag, CompletionLevel level) {
    return start(TaggedSend.of(peer, new UnsafeBuffer(objects.encode(object)), tag).level(level));
  }

  /** Receives one whole message with a tag that fits, of any length. */
  public CompletionStage<TaggedMessage> receiveTagged(TagSelector selector) {
    return receive(TaggedReceive.of(selector), null);
  }

  /** Receives a whole message; as the other, without a context. */
  public CompletionStage<TaggedMessage> receive(TaggedReceive receive) {
    return receive(receive, null);
  }

  /**
   * Receives a whole message, in memory of its own.
   *
   * @param context by which {@link #cancel} finds it
   * @throws IllegalArgumentException if the receive has a buffer
   */
  public CompletionStage<TaggedMessage> receive(TaggedReceive receive, Object context) {
    endpoint.requireReceives();
    ProgressFuture<TaggedMessage> future = futures.create();
    PostedReceive posted = PostedReceive.ofMessage(receive, context, pending.receive(future));
    if (pending.accept(future)) {
      endpoint.startOwn(posted);
    }
    return future;
  }

  /**
   * Receives one message into the receive's buffer.
   *
   * @param context by which {@link #cancel} finds it
   * @throws IllegalArgumentException if the receive has no buffer, takes many messages, or says
   *     that a success is not told
   */
  public CompletionStage<Completion.Received> start(TaggedReceive receive, Object context) {
    requireTold(receive);
    if (receive.takesMany()) {
      throw new IllegalArgumentException(
          "a receive of many messages has no one completion, pass a listener of them");
    }
    endpoint.requireReceives();
    ProgressFuture<Completion.Received> future = futures.create();
    PostedReceive posted = PostedReceive.into(receive, context, pending.placed(future));
    if (pending.accept(future)) {
      endpoint.startOwn(posted);
    }
    return future;
  }

  /**
   * Receives many messages into the receive's buffer.
   *
   * <p>The listener hears of each: as {@link Completion.Received} with where in the buffer it
   * begins, or as {@link Completion.Failed}, with TRUNCATED for instance. It runs on the domain's
   * loop and must not block; what it throws is logged and lost. The future completes behind all of
   * them, when the buffer is the program's again, as {@link TaggedReceive#many} says.
   *
   * @param context by which {@link #cancel} finds it; it comes back with each message
   * @return fails, also when the buffer is free, if the receive was cancelled, or its endpoint or
   *     the peer that it names is gone
   * @throws IllegalArgumentException if the receive does not take many messages, or says that a
   *     success is not told
   */
  public CompletionStage<Completion.Released> start(
      TaggedReceive receive, Object context, Consumer<? super Completion> listener) {
    Objects.requireNonNull(listener, "listener");
    requireTold(receive);
    if (!receive.takesMany()) {
      throw new IllegalArgumentException(
          "leastFree=0: the receive takes one message, say many(leastFree), or pass no listener");
    }
    endpoint.requireReceives();
    ProgressFuture<Completion.Released> future = futures.create();
    PostedReceive posted = PostedReceive.into(receive, context, pending.many(future, listener));
    if (pending.accept(future)) {
      endpoint.start(posted);
    }
    return future;
  }

  private static void requireTold(TaggedReceive receive) {
    if (receive.completions() == Completions.ERRORS) {
      throw notTold();
    }
  }

  private static IllegalArgumentException notTold() {
    return new IllegalArgumentException(
        "completions=ERRORS: a future of a success that is not told would never complete, use the"
            + " calls of the endpoint, or tell it");
  }

  /**
   * Looks among the messages that wait; see {@link Probe}.
   *
   * @return fails with NO_MESSAGE if there is none now, with the peer's loss if it is lost
   * @source libfabric fi_tagged(3), fi_msg(3), FI_PEEK
   */
  public CompletionStage<MessageInfo> start(Probe probe) {
    endpoint.requireReceives();
    ProgressFuture<MessageInfo> future = futures.create();
    PostedProbe posted = new PostedProbe(probe, null, pending.probe(future));
    if (pending.accept(future)) {
      endpoint.start(posted);
    }
    return future;
  }

  /** Receives one object; fails with INVALID if the bytes are none or it is of another class. */
  public <T> CompletionStage<T> receiveObject(TagSelector selector, Class<T> type) {
    Objects.requireNonNull(type, "type");
    return receiveTagged(selector).thenApply(message -> decode(message, type));
  }

  /**
   * The object in a received message, of this class.
   *
   * @throws FabricException INVALID if the bytes are none or it is of another class
   */
  public <T> T decode(TaggedMessage message, Class<T> type) {
    Object object;
    try {
      object = decode(message);
    } catch (KryoCodecException e) {
      throw new FabricException(FabricError.INVALID, e.getMessage(), e);
    }
    if (object != null && !type.isInstance(object)) {
      throw new FabricException(
          FabricError.INVALID,
          "received class="
              + object.getClass().getName()
              + " is not the wanted class="
              + type.getName());
    }
    return type.cast(object);
  }

  /** The object in a received message. */
  public Object decode(TaggedMessage message) {
    return objects.decode(message.payload().array());
  }

  /**
   * Cancels the earliest posted receive of this endpoint with an equal context, or else a send of
   * which bytes are left, the earliest to its peer; a receive of the peer that has taken it ends
   * with CANCELED too. The operation itself ends with CANCELED in its own queue or future. TooLate
   * says that there is one which goes on, NotFound that there is none, nor is one of another
   * endpoint looked for. Of a closed endpoint everything has ended: TooLate.
   */
  public CompletionStage<TagMatcher.CancelOutcome> cancel(Object context) {
    Objects.requireNonNull(context, "context");
    var timeout = endpoint.settings().askTimeout();
    if (endpoint.hasEnded()) {
      return CompletableFuture.completedFuture(new TagMatcher.TooLate(context));
    }
    return endpoint
        .asks()
        .<TagMatcher.Command, TagMatcher.CancelOutcome>ask(
            endpoint.matcher(), replyTo -> new TagMatcher.CancelReceive(context, replyTo), timeout)
        .thenCompose(
            outcome ->
                outcome instanceof TagMatcher.Cancelled
                    ? CompletableFuture.completedFuture(outcome)
                    : endpoint
                        .asks()
                        .<Endpoint.Command, TagMatcher.CancelOutcome>ask(
                            endpoint.ref(),
                            replyTo -> new Endpoint.CancelSend(context, replyTo),
                            timeout)
                        .thenApply(
                            sent ->
                                sent instanceof TagMatcher.CancelOutcome.NotFound
                                    ? outcome
                                    : sent));
  }

  /**
   * Delivers every message that fits to an actor from now on, in order; first those that wait.
   * Completes when the subscription stands.
   */
  public CompletionStage<TagMatcher.Subscribed> subscribe(
      TagSelector selector, ActorRef<? super TaggedMessage> subscriber) {
    endpoint.requireReceives();
    return endpoint
        .asks()
        .<TagMatcher.Command, TagMatcher.Subscribed>ask(
            endpoint.matcher(),
            replyTo ->
                new TagMatcher.Subscribe(
                    selector, endpoint.settings().maxMessageBytes(), subscriber, replyTo),
            endpoint.settings().askTimeout());
  }

  /**
   * Sets up the flow to a peer now, not when the first send needs it.
   *
   * @return fails with why it cannot be, such as TIMED_OUT after {@code flow.connect-timeout}
   */
  public CompletionStage<Endpoint.Connected> connect(int peer) {
    Duration patience =
        endpoint.settings().askTimeout().plusNanos(endpoint.settings().flow().connectTimeoutNs());
    return endpoint
        .asks()
        .<Endpoint.Command, Endpoint.ConnectOutcome>ask(
            endpoint.ref(), replyTo -> new Endpoint.Connect(peer, replyTo), patience)
        .thenApply(
            outcome -> {
              if (outcome instanceof Endpoint.NotConnected not) {
                throw new FabricException(not.error(), not.detail());
              }
              return (Endpoint.Connected) outcome;
            });
  }

  /**
   * Ends the setting up of flows on first use: from then on sends to peers without one fail.
   *
   * @param why for the text of that failure
   */
  public CompletionStage<Endpoint.PeersFixed> fixPeers(String why) {
    return endpoint
        .asks()
        .<Endpoint.Command, Endpoint.PeersFixed>ask(
            endpoint.ref(),
            replyTo -> new Endpoint.FixPeers(why, replyTo),
            endpoint.settings().askTimeout());
  }

  /**
   * Waits until accepted sends have left, while the endpoint stays open.
   *
   * @param timeout after which it waits no longer
   * @return whether nothing was left then
   */
  @InternalApi
  public CompletionStage<Boolean> drain(Duration timeout) {
    return endpoint
        .asks()
        .<Endpoint.Command, Boolean>ask(
            endpoint.ref(),
            replyTo -> new Endpoint.Drain(timeout, replyTo),
            endpoint.settings().askTimeout().plusNanos(Timeouts.nanos(timeout)));
  }

  /** Flows and counters now. */
  public CompletionStage<Endpoint.Flows> flows() {
    return endpoint
        .asks()
        .<Endpoint.Command, Endpoint.Flows>ask(
            endpoint.ref(), Endpoint.GetFlows::new, endpoint.settings().askTimeout());
  }

  /** What waits at the matcher now. */
  public CompletionStage<TagMatcher.State> matcherState() {
    return endpoint
        .asks()
        .<TagMatcher.Command, TagMatcher.State>ask(
            endpoint.matcher(), TagMatcher.GetState::new, endpoint.settings().askTimeout());
  }

  /** The messages and receives that wait at the matcher now. */
  public CompletionStage<TagMatcher.Waiting> waiting() {
    return endpoint
        .asks()
        .<TagMatcher.Command, TagMatcher.Waiting>ask(
            endpoint.matcher(), TagMatcher.ListWaiting::new, endpoint.settings().askTimeout());
  }
}
