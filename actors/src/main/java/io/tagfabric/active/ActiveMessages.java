package io.tagfabric.active;

import akka.actor.typed.ActorRef;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.EndpointGate;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.PendingFutures;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.wire.BufferRange;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Active messages: a request runs a handler at its receiver, and ends with what that replies.
 *
 * <p>Requests of one thread to one peer run there in the order made. Between them and tagged
 * messages or accesses to memory there is no order. A request waits while the peer has no credit
 * for it ({@code am.credits}); a reply never does.
 *
 * <p>Thread: any. At most {@code endpoint.max-pending-futures} requests are under way; one more
 * fails at once with AGAIN.
 *
 * @source GASNet-EX, active messages
 */
public final class ActiveMessages {
  private static final int[] NO_ARGUMENTS = {};
  private static final byte[] NO_PAYLOAD = {};

  private static final ActiveListener NOBODY =
      new ActiveListener() {
        @Override
        public void onReply(ActiveReply reply) {}

        @Override
        public void onFailed(FabricException reason) {}
      };

  private final EndpointGate gate;
  private final MemoryFutures memory;
  private final DirectActive direct;
  private final ProgressFutures futures;
  private final PendingFutures pending;
  private final ActiveClaims claims;

  @InternalApi
  public ActiveMessages(
      EndpointGate gate, MemoryFutures memory, DirectActive direct, ProgressFutures futures) {
    this.gate = gate;
    this.memory = memory;
    this.direct = direct;
    this.futures = futures;
    claims = new ActiveClaims(direct);
    ActiveTarget target = direct.target();
    target.repliesBy(new LongReplies(memory::write, futures, target), new ReplyClaims(direct));
    pending = new PendingFutures(futures, gate.settings().maxPendingFutures());
  }

  /**
   * Switches off all handlers for good: none begins from now on, and what peers ask fails with
   * SHUTDOWN. One that runs comes to its end. Thread: any.
   *
   * @param because told to who asks
   */
  @InternalApi
  public void switchOffHandlers(String because) {
    direct.target().switchOff(because);
  }

  /** The most arguments of a request or a reply. */
  public int maxArguments() {
    return ActiveBody.MOST_ARGUMENTS;
  }

  /** The most payload bytes of a request or a reply, whatever the provider and the arguments. */
  public int maxMedium() {
    return direct.desk().maxMedium();
  }

  /** The longest payload of a long request that travels with it. */
  public int packedLongLimit() {
    EndpointSettings settings = gate.settings();
    int room = settings.packetBytes() - ActiveFrames.MOST_BESIDE_LONG_BYTES;
    return Math.min(settings.active().packedLongBytes(), room);
  }

  /**
   * Registers a handler.
   *
   * @param index 1 to 255; 0 picks the lowest that is free
   * @return the index that it has
   * @throws IllegalArgumentException if there is no such index, or a handler has it
   * @throws IllegalStateException if the endpoint is closed, or none is free
   */
  public int register(int index, ActiveHandler handler) {
    Objects.requireNonNull(handler, "handler");
    gate.requireOpen();
    if (index == 0) {
      return registerAnywhere(handler);
    }
    requireIndex(index);
    if (!direct.target().enter(index, handler)) {
      throw new IllegalArgumentException("index=" + index + " has a handler, 0 picks a free one");
    }
    return index;
  }

  /**
   * Registers an actor: it is told each request, and answers it when it likes, within {@code
   * am.reply-timeout}.
   *
   * @param index as of {@link #register(int, ActiveHandler)}
   */
  public int register(int index, ActorRef<ReceivedRequest> actor) {
    Objects.requireNonNull(actor, "actor");
    return register(index, call -> actor.tell(call.keep()));
  }

  private int registerAnywhere(ActiveHandler handler) {
    for (int index = 1; index < ActiveTarget.HANDLERS; index++) {
      if (direct.target().enter(index, handler)) {
        return index;
      }
    }
    throw new IllegalStateException(
        "all " + (ActiveTarget.HANDLERS - 1) + " handlers are taken, unregister one");
  }

  /**
   * Takes a handler out; a call that runs goes on. Requests for it fail with NO_ENTRY from then on.
   *
   * @return false if there was none
   * @throws IllegalArgumentException if there is no such index
   */
  public boolean unregister(int index) {
    requireIndex(index);
    return direct.target().takeOut(index);
  }

  /** A short request: arguments only. Otherwise as {@link #request(int, int, int[], byte[])}. */
  public CompletionStage<ActiveReply> request(int peer, int handler, int... arguments) {
    return request(peer, handler, arguments, NO_PAYLOAD);
  }

  /** A request with a payload only. */
  public CompletionStage<ActiveReply> request(int peer, int handler, byte[] payload) {
    return request(peer, handler, NO_ARGUMENTS, payload);
  }

  /**
   * Runs a handler of a peer, or of the endpoint itself. The future completes with the reply, which
   * is empty if the handler gives none. It fails with NO_ENTRY if the peer has no such handler,
   * with OTHER if that has thrown, and with its flow's error if the peer is lost.
   *
   * @param peer index in the domain's address vector
   * @param arguments and {@code payload} are copied
   * @throws IllegalArgumentException beyond {@link #maxArguments} or {@link #maxMedium}, or if
   *     {@code handler} is no index
   * @throws IllegalStateException if the endpoint is closed
   */
  public CompletionStage<ActiveReply> request(
      int peer, int handler, int[] arguments, byte[] payload) {
    requireIndex(handler);
    ActiveBody body = ActiveBody.of(arguments, payload, maxMedium());
    return start(peer, handler, body, true);
  }

  /**
   * The same without a wish for a reply: the future completes with an empty one when the request
   * has left. That the peer has no such handler, or that it has thrown, nobody hears.
   */
  public CompletionStage<ActiveReply> tell(int peer, int handler, int[] arguments, byte[] payload) {
    requireIndex(handler);
    return start(peer, handler, ActiveBody.of(arguments, payload, maxMedium()), false);
  }

  private CompletionStage<ActiveReply> start(
      int peer, int handler, ActiveBody body, boolean wantsReply) {
    gate.requireSends();
    ProgressFuture<ActiveReply> future = futures.create();
    if (pending.accept(future)) {
      start(request(peer, handler, body, wantsReply, future));
    }
    return future;
  }

  private ActiveRequest request(
      int peer,
      int handler,
      ActiveBody body,
      boolean wantsReply,
      ProgressFuture<ActiveReply> future) {
    return new ActiveRequest(direct.desk(), peer, handler, body, wantsReply, listener(future));
  }

  /** Completes the future of an accepted request. */
  private ActiveListener listener(ProgressFuture<ActiveReply> future) {
    return new ActiveListener() {
      @Override
      public void onReply(ActiveReply reply) {
        pending.complete(future, reply);
      }

      @Override
      public void onFailed(FabricException reason) {
        pending.fail(future, reason);
      }
    };
  }

  private void start(ActiveRequest request) {
    direct.start(request);
  }

  /**
   * A request that is accepted only if all of it leaves now: nothing waits before it, the peer and
   * {@code am.credits-total} give it credit, a packet has room, and nobody else drives the loop.
   *
   * @param listener hears how it ends; null if no reply is wanted
   * @return TRY_AGAIN if nothing has happened: make progress before the next try
   * @throws IllegalArgumentException as {@link #request(int, int, int[], byte[])}
   * @throws IllegalStateException if the endpoint is closed
   */
  public Posted tryRequest(
      int peer, int handler, int[] arguments, byte[] payload, ActiveListener listener) {
    requireIndex(handler);
    ActiveBody body = ActiveBody.lent(arguments, payload, maxMedium());
    gate.requireSends();
    boolean wantsReply = listener != null;
    ActiveListener told = wantsReply ? listener : NOBODY;
    ActiveRequest request = new ActiveRequest(direct.desk(), peer, handler, body, wantsReply, told);
    return direct.startNow(request) ? Posted.POSTED : Posted.TRY_AGAIN;
  }

  /**
   * Claims a place for the payload of a request: in the packet that it leaves in, with a credit of
   * the peer's if one is there. Where that cannot be (another thread drives the loop, a handler
   * claims, or no packet takes {@code leastBytes}), the place is a buffer of its own, from which
   * the bytes are copied once. A request of another thread may wait for the credit until the claim
   * is committed or closed.
   *
   * @param peer index in the domain's address vector; that it is lost, the commit tells
   * @param argumentCount arguments that the request will have
   * @param leastBytes the place has at least so many bytes
   * @param mostBytes more are not needed; it may have fewer
   * @throws IllegalArgumentException beyond {@link #maxArguments}, or if {@code leastBytes} is
   *     beyond {@code mostBytes} or {@link #maxMedium}
   * @throws IllegalStateException if the endpoint is closed
   * @source GASNet-EX, gex_AM_PrepareRequestMedium
   */
  public ActiveRequestClaim prepare(int peer, int argumentCount, int leastBytes, int mostBytes) {
    gate.requireSends();
    return claims.prepare(this, peer, argumentCount, leastBytes, mostBytes);
  }

  /**
   * Claims a buffer of the program as the place: the request leaves from there, without a copy
   * before, and in several packets if need be. The buffer is the program's again when the future of
   * the commit is done.
   *
   * @throws IllegalArgumentException if the range is not one of the buffer's, or beyond {@link
   *     #maxMedium}
   */
  public ActiveRequestClaim prepare(
      int peer, int argumentCount, MutableDirectBuffer buffer, int bufferOffset, int length) {
    gate.requireSends();
    return claims.prepare(this, peer, argumentCount, buffer, bufferOffset, length);
  }

  /**
   * As {@link #prepare(int, int, int, int)}, if the request could leave now: in one packet, with
   * credit and room. A commit behind which nothing else was sent meanwhile leaves at once too.
   *
   * @return null if it could not: make progress before the next try
   * @throws FabricException if the peer is lost, or not known
   */
  public ActiveRequestClaim tryPrepare(int peer, int argumentCount, int leastBytes, int mostBytes) {
    gate.requireSends();
    return claims.tryPrepare(this, peer, argumentCount, leastBytes, mostBytes);
  }

  CompletionStage<ActiveReply> commit(
      ActiveRequestClaim claim, int handler, ActiveBody body, boolean wantsReply) {
    requireIndex(handler);
    gate.requireSends();
    ProgressFuture<ActiveReply> future = futures.create();
    if (pending.accept(future)) {
      claim.end();
      start(request(claim.peer(), handler, body, wantsReply, future).at(claim.held()));
    } else {
      claim.close();
    }
    return future;
  }

  void commit(ActiveRequestClaim claim, int handler, ActiveBody body, ActiveListener listener) {
    requireIndex(handler);
    gate.requireSends();
    boolean wantsReply = listener != null;
    ActiveListener told = wantsReply ? listener : NOBODY;
    claim.end();
    start(
        new ActiveRequest(direct.desk(), claim.peer(), handler, body, wantsReply, told)
            .at(claim.held()));
  }

  void giveUp(ActivePlace place) {
    direct.giveUp(place);
  }

  /**
   * A long request: its bytes are in a region of the peer before the handler runs. The buffer is
   * the program's again when this returns.
   *
   * @param to whose peer is asked; the region must allow writes
   * @return as of {@link #request(int, int, int[], byte[])}; it fails with NO_KEY or ACCESS too, if
   *     the region does not take the bytes
   */
  public CompletionStage<ActiveReply> requestLong(
      RemoteRegion to,
      long offset,
      int handler,
      int[] arguments,
      DirectBuffer buffer,
      int bufferOffset,
      int length) {
    BufferRange.require(buffer, bufferOffset, length);
    byte[] copy = new byte[length];
    buffer.getBytes(bufferOffset, copy);
    return requestLongAsync(to, offset, handler, arguments, new UnsafeBuffer(copy), 0, length);
  }

  /** The same without a copy: the buffer is the program's again when the future is done. */
  public CompletionStage<ActiveReply> requestLongAsync(
      RemoteRegion to,
      long offset,
      int handler,
      int[] arguments,
      DirectBuffer buffer,
      int bufferOffset,
      int length) {
    requireIndex(handler);
    Objects.requireNonNull(to, "to");
    BufferRange.require(buffer, bufferOffset, length);
    boolean packs = length <= packedLongLimit();
    ActiveBody body =
        packs
            ? ActiveBody.of(arguments, buffer, bufferOffset, length, length)
            : ActiveBody.of(arguments, NO_PAYLOAD, 0);
    gate.requireSends();
    ProgressFuture<ActiveReply> future = futures.create();
    if (pending.accept(future)) {
      ActiveRequest request =
          request(to.peer(), handler, body, true, future).into(to.descriptor(), offset, length);
      if (packs) {
        start(request);
      } else {
        write(to, offset, buffer, bufferOffset, length, request, future);
      }
    }
    return future;
  }

  /**
   * A long request that is accepted only if all of it, bytes too, leaves now; otherwise as {@link
   * #tryRequest}. Both the arguments and the bytes are copied.
   *
   * @throws IllegalArgumentException beyond {@link #packedLongLimit}: longer ones are written first
   */
  public Posted tryRequestLong(
      RemoteRegion to,
      long offset,
      int handler,
      int[] arguments,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      ActiveListener listener) {
    requireIndex(handler);
    Objects.requireNonNull(to, "to");
    BufferRange.require(buffer, bufferOffset, length);
    if (length > packedLongLimit()) {
      throw new IllegalArgumentException(
          "lengthBytes=" + length + " > packedLongLimit=" + packedLongLimit() + ", request it");
    }
    ActiveBody body = ActiveBody.lent(arguments, buffer, bufferOffset, length, length);
    gate.requireSends();
    ActiveListener told = listener == null ? NOBODY : listener;
    ActiveRequest request =
        new ActiveRequest(direct.desk(), to.peer(), handler, body, listener != null, told)
            .into(to.descriptor(), offset, length);
    return direct.startNow(request) ? Posted.POSTED : Posted.TRY_AGAIN;
  }

  /** Writes the bytes, then sends the request. */
  private void write(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      ActiveRequest request,
      ProgressFuture<ActiveReply> future) {
    CompletionStage<Completion.Accessed> written;
    try {
      written = memory.write(to, offset, new UnsafeBuffer(buffer, bufferOffset, length));
    } catch (FabricException e) {
      pending.fail(future, e);
      return;
    }
    written.whenComplete(
        (accessed, failure) -> {
          if (failure == null) {
            start(request);
          } else {
            pending.fail(
                future,
                failure instanceof FabricException e
                    ? e
                    : new FabricException(FabricError.OTHER, failure.toString()));
          }
        });
  }

  private static void requireIndex(int index) {
    if (index < 1 || index >= ActiveTarget.HANDLERS) {
      throw new IllegalArgumentException(
          "index=" + index + " is outside 1.." + (ActiveTarget.HANDLERS - 1));
    }
  }
}
