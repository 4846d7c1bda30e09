package io.tagfabric.endpoint;

import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * Active messages: a request runs a handler at its receiver, and ends with what that replies.
 *
 * <p>Requests of one thread to one peer run there in the order made. Between them and tagged
 * messages or accesses to memory there is no order. A request waits while the peer has no credit
 * for it ({@code flow.message-credits}); a reply never does.
 *
 * <p>Thread: any. At most {@code endpoint.max-pending-futures} requests are under way; one more
 * fails at once with AGAIN.
 *
 * @source GASNet-EX, active messages
 */
public final class ActiveMessages {
  private static final int[] NO_ARGUMENTS = {};
  private static final byte[] NO_PAYLOAD = {};

  private final Endpoint endpoint;
  private final DirectActive direct;
  private final ProgressFutures futures;
  private final PendingFutures pending;

  ActiveMessages(Endpoint endpoint, DirectActive direct, ProgressFutures futures) {
    this.endpoint = endpoint;
    this.direct = direct;
    this.futures = futures;
    pending = new PendingFutures(futures, endpoint.settings().maxPendingFutures());
  }

  /** The most arguments of a request or a reply. */
  public int maxArguments() {
    return ActiveBody.MOST_ARGUMENTS;
  }

  /** The most payload bytes of a request or a reply, whatever the provider and the arguments. */
  public int maxMedium() {
    return ActiveBody.MOST_PAYLOAD_BYTES;
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
    endpoint.requireOpen();
    if (index == 0) {
      return registerAnywhere(handler);
    }
    requireIndex(index);
    if (!direct.desk().enter(index, handler)) {
      throw new IllegalArgumentException("index=" + index + " has a handler, 0 picks a free one");
    }
    return index;
  }

  private int registerAnywhere(ActiveHandler handler) {
    for (int index = 1; index < ActiveDesk.HANDLERS; index++) {
      if (direct.desk().enter(index, handler)) {
        return index;
      }
    }
    throw new IllegalStateException(
        "all " + (ActiveDesk.HANDLERS - 1) + " handlers are taken, unregister one");
  }

  /**
   * Takes a handler out; a call that runs goes on. Requests for it fail with NO_ENTRY from then on.
   *
   * @return false if there was none
   * @throws IllegalArgumentException if there is no such index
   */
  public boolean unregister(int index) {
    requireIndex(index);
    return direct.desk().takeOut(index);
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
    ActiveBody body = ActiveBody.of(arguments, payload);
    endpoint.requireSends();
    ProgressFuture<ActiveReply> future = futures.create();
    if (pending.accept(future)) {
      direct.start(
          new ActiveRequest(
              direct.desk(),
              peer,
              handler,
              body,
              reply -> pending.complete(future, reply),
              reason -> pending.fail(future, reason)),
          endpoint);
    }
    return future;
  }

  private static void requireIndex(int index) {
    if (index < 1 || index >= ActiveDesk.HANDLERS) {
      throw new IllegalArgumentException(
          "index=" + index + " is outside 1.." + (ActiveDesk.HANDLERS - 1));
    }
  }
}
