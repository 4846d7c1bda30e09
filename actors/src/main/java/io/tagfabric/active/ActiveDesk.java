package io.tagfabric.active;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.ListenerFailures;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.sbe.ActiveNextDecoder;
import io.tagfabric.wire.sbe.ActiveReplyDecoder;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Requests of one endpoint that have no reply yet, and the replies that come.
 *
 * <p>A request takes a credit of its own kind, which goes back when its reply has left; a reply
 * needs none. So a peer makes this side hold no more requests than it was given credit for, and no
 * reply waits for a request. Each request ends once: by its reply, or with its flow.
 *
 * <p>Single threaded: the domain's loop.
 */
@InternalApi
public final class ActiveDesk {
  private final int maxMedium;
  private final Long2ObjectHashMap<ActiveRequest> pending = new Long2ObjectHashMap<>();
  private final ListenerFailures listenerFailures = new ListenerFailures();
  private long lastNumber;

  public ActiveDesk(ActiveSettings settings) {
    maxMedium = settings.maxMediumBytes();
  }

  /** Reads replies from now on; their further parts come by {@link #onNext}. */
  void register(FrameServices services) {
    services.add(ActiveReplyDecoder.TEMPLATE_ID, this::onReply);
  }

  /** Longest payload of a request or reply. */
  int maxMedium() {
    return maxMedium;
  }

  ListenerFailures listenerFailures() {
    return listenerFailures;
  }

  /** Tells a program that a buffer of its own is free. */
  void tell(Runnable onFree) {
    try {
      onFree.run();
    } catch (Throwable e) {
      listenerFailures.caught(onFree, e);
    }
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

  // ---- replies ----

  private void onReply(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(ActiveReplyDecoder.BLOCK_LENGTH)) {
      return;
    }
    ActiveReplyDecoder reply =
        new ActiveReplyDecoder()
            .wrap(
                frame.buffer(), frame.blockAt(), ActiveReplyDecoder.BLOCK_LENGTH, frame.version());
    int count = reply.arguments();
    int total = reply.total();
    if (!isGood(origin, frame, count, total)) {
      return;
    }
    ActiveRequest request = pending.get(reply.request());
    if (request == null
        || !request.isAskedOf(origin)
        || !request.hasLeft()
        || !request.wantsReply()
        || request.coming() != null) {
      origin.breach(
          "a reply to request=" + reply.request() + ", which this side does not wait for");
      return;
    }
    ActiveBody body = ActiveBody.read(frame, count, total);
    if (body.isWhole()) {
      end(origin, request, reply.errorCode(), body);
    } else {
      request.comes(reply.errorCode(), body);
    }
  }

  /** Takes a further part of a reply. */
  void onNext(FrameOrigin origin, FrameCursor frame, ActiveNextDecoder next) {
    ActiveRequest request = pending.get(next.number());
    ActiveBody coming = request == null || !request.isAskedOf(origin) ? null : request.coming();
    if (coming == null || !coming.takeNext(frame, next.position())) {
      breachPart(origin, frame, next.number(), next.position(), coming);
    } else if (coming.isWhole()) {
      end(origin, request, request.comingCode(), coming);
    }
  }

  private void end(FrameOrigin origin, ActiveRequest request, int code, ActiveBody body) {
    pending.remove(request.number());
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

  // ---- rules ----

  /** Whether a frame holds what it says; otherwise its flow has ended. */
  boolean isGood(FrameOrigin origin, FrameCursor frame, int count, int total) {
    boolean good = ActiveBody.fits(count, frame.payloadLength(), total, maxMedium);
    if (!good) {
      origin.breach(
          "an active message with arguments="
              + count
              + ", bodyBytes="
              + frame.payloadLength()
              + " and total="
              + total
              + ", where at most "
              + ActiveBody.MOST_ARGUMENTS
              + " arguments of 4 bytes and then the first of at most am.max-medium="
              + maxMedium
              + " bytes are due");
    }
    return good;
  }

  /** A part that is not the next one ends its flow. */
  static void breachPart(
      FrameOrigin origin, FrameCursor frame, long number, int position, ActiveBody coming) {
    origin.breach(
        "part of an active message number="
            + number
            + " with position="
            + position
            + " payloadBytes="
            + frame.payloadLength()
            + (coming == null
                ? " where none has begun"
                : " where filled=" + coming.filled() + " of total=" + coming.total()));
  }
}
