package io.tagfabric.endpoint;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.sbe.ActiveReplyDecoder;
import io.tagfabric.wire.sbe.ActiveRequestDecoder;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Active messages of one endpoint: the handlers that peers may run, and the requests of this side
 * that have no reply yet.
 *
 * <p>A request takes credit of messages, which goes back when its reply has left; a reply needs
 * none. So a peer makes this side hold no more replies than it was given credit for, and no reply
 * waits for a request. Each request ends once: by its reply, or with its flow.
 *
 * <p>Single threaded: the domain's loop; the table of handlers is changed by any thread.
 */
final class ActiveDesk {
  /** Indices are 1 to one less. */
  static final int HANDLERS = 256;

  private final AtomicReferenceArray<ActiveHandler> handlers = new AtomicReferenceArray<>(HANDLERS);
  private final Long2ObjectHashMap<ActiveRequest> pending = new Long2ObjectHashMap<>();
  private long lastNumber;
  private boolean off;

  void register(FrameServices services) {
    services
        .add(ActiveRequestDecoder.TEMPLATE_ID, this::onRequest)
        .add(ActiveReplyDecoder.TEMPLATE_ID, this::onReply);
  }

  /** Enters a handler; false if the index has one. Thread: any. */
  boolean enter(int index, ActiveHandler handler) {
    return handlers.compareAndSet(index, null, handler);
  }

  /** Takes a handler out; false if the index has none. Thread: any. */
  boolean takeOut(int index) {
    return handlers.getAndSet(index, null) != null;
  }

  /** From now on no handler runs. */
  void switchOff() {
    off = true;
  }

  // ---- requests of this side ----

  void begin(ActiveRequest request) {
    request.begin(++lastNumber);
    pending.put(lastNumber, request);
  }

  /** Whether it had not ended. */
  boolean remove(ActiveRequest request) {
    return pending.remove(request.number()) != null;
  }

  /** A flow is lost: nothing that was asked by it will be answered. */
  void lost(FrameOrigin origin, FabricError error, String detail) {
    for (ActiveRequest request : List.copyOf(pending.values())) {
      if (request.isAskedOf(origin)) {
        request.onFailed(error, detail);
      }
    }
  }

  private void onReply(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(ActiveReplyDecoder.BLOCK_LENGTH)) {
      return;
    }
    ActiveReplyDecoder reply =
        new ActiveReplyDecoder()
            .wrap(
                frame.buffer(), frame.blockAt(), ActiveReplyDecoder.BLOCK_LENGTH, frame.version());
    int count = reply.arguments();
    if (!hasGoodBody(origin, frame, count)) {
      return;
    }
    ActiveRequest request = pending.get(reply.request());
    if (request == null || !request.isAskedOf(origin) || !request.hasLeft()) {
      origin.breach(
          "a reply to request=" + reply.request() + ", which this side does not wait for");
      return;
    }
    pending.remove(request.number());
    ActiveBody body = ActiveBody.read(frame, count);
    int code = reply.errorCode();
    if (code == 0) {
      request.replied(body.reply());
    } else {
      request.refused(
          new FabricException(
              FabricError.find(code).orElse(FabricError.OTHER),
              "peer [" + origin.name() + "] says: " + body.asText(),
              true));
    }
  }

  // ---- requests of peers ----

  private void onRequest(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(ActiveRequestDecoder.BLOCK_LENGTH)) {
      return;
    }
    ActiveRequestDecoder request =
        new ActiveRequestDecoder()
            .wrap(
                frame.buffer(),
                frame.blockAt(),
                ActiveRequestDecoder.BLOCK_LENGTH,
                frame.version());
    int count = request.arguments();
    if (hasGoodBody(origin, frame, count) && origin.admitRequest()) {
      origin.answer(run(origin, frame, request.number(), request.handler(), count));
    }
  }

  private static boolean hasGoodBody(FrameOrigin origin, FrameCursor frame, int count) {
    boolean good = ActiveBody.fits(count, frame.payloadLength());
    if (!good) {
      origin.breach(
          "an active message with arguments="
              + count
              + " and bodyBytes="
              + frame.payloadLength()
              + ", where at most "
              + ActiveBody.MOST_ARGUMENTS
              + " arguments of 4 bytes and then at most "
              + ActiveBody.MOST_PAYLOAD_BYTES
              + " bytes are due");
    }
    return good;
  }

  private ActiveAnswer run(
      FrameOrigin origin, FrameCursor frame, long number, int index, int count) {
    if (off) {
      return refusal(origin, number, FabricError.SHUTDOWN, "the endpoint closes");
    }
    ActiveHandler handler = index < 1 || index >= HANDLERS ? null : handlers.get(index);
    if (handler == null) {
      return refusal(
          origin, number, FabricError.NO_ENTRY, "no handler=" + index + " is registered here");
    }
    ActiveCall call =
        new ActiveCall(
            origin.peer(),
            origin.isOwn(),
            index,
            count,
            frame.buffer(),
            frame.payloadAt(),
            frame.payloadLength());
    try {
      handler.handle(call);
    } catch (RuntimeException e) {
      call.end();
      return refusal(origin, number, FabricError.OTHER, "handler=" + index + " has thrown " + e);
    }
    return new ActiveAnswer(origin, number, 0, call.end());
  }

  private static ActiveAnswer refusal(
      FrameOrigin origin, long number, FabricError error, String why) {
    return new ActiveAnswer(origin, number, error.code(), ActiveBody.text(why));
  }
}
