package io.tagfabric.active;

import io.tagfabric.access.MemoryOperation;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.link.EndpointCore;
import io.tagfabric.memory.MemoryTarget;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.sbe.ActiveLongDecoder;
import io.tagfabric.wire.sbe.ActiveNextDecoder;
import io.tagfabric.wire.sbe.ActiveRequestDecoder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers that peers may run, and the requests of peers that wait for a reply. Believes
 * nothing that a frame says.
 *
 * <p>Single threaded: the domain's loop; the table of handlers is changed by any thread.
 */
@InternalApi
public final class ActiveTarget implements EndpointCore.Requests {
  /** Indices are 1 to one less. */
  static final int HANDLERS = 256;

  private static final Logger LOG = LoggerFactory.getLogger(ActiveTarget.class);

  /** A request of several frames that is coming; a flow has at most one. */
  private record Coming(
      FrameOrigin origin, long number, int handler, boolean wantsReply, ActiveBody body) {}

  private final ActiveDesk desk;
  private final MemoryTarget memory;
  private final ActiveClock time;
  private final long replyTimeoutNs;
  private final AtomicReferenceArray<ActiveHandler> handlers = new AtomicReferenceArray<>(HANDLERS);
  private final List<Coming> coming = new ArrayList<>();

  /** Requests that were kept, in the order in which their time ends. */
  private final Set<ReceivedRequest> kept = new LinkedHashSet<>();

  private LongReplies longReplies;
  private ReplyClaims replyClaims;
  private boolean watched;

  /** Why no handler runs, null while handlers run. */
  private volatile String off;

  /**
   * A side that is asked.
   *
   * @param memory where long requests lie
   * @param time of the domain, and what runs something on its loop
   */
  public ActiveTarget(
      ActiveDesk desk, ActiveSettings settings, MemoryTarget memory, ActiveClock time) {
    this.desk = desk;
    this.memory = memory;
    this.time = time;
    replyTimeoutNs = settings.replyTimeoutNs();
  }

  public void register(FrameServices services) {
    desk.register(services);
    services
        .add(ActiveRequestDecoder.TEMPLATE_ID, this::onRequest)
        .add(ActiveLongDecoder.TEMPLATE_ID, this::onLong)
        .add(ActiveNextDecoder.TEMPLATE_ID, this::onNext);
  }

  /** Sets what writes the bytes of long replies, and what finds the places of others. */
  void repliesBy(LongReplies replies, ReplyClaims claims) {
    longReplies = replies;
    replyClaims = claims;
  }

  ActiveDesk desk() {
    return desk;
  }

  ReplyClaims replyClaims() {
    return replyClaims;
  }

  LongReplies longReplies() {
    return longReplies;
  }

  /** Enters a handler; false if the index has one. Thread: any. */
  boolean enter(int index, ActiveHandler handler) {
    return handlers.compareAndSet(index, null, handler);
  }

  /** Takes a handler out; false if the index has none. Thread: any. */
  boolean takeOut(int index) {
    return handlers.getAndSet(index, null) != null;
  }

  @Override
  public void switchOff(String because) {
    off = because;
  }

  // ---- arrivals ----

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
    int total = request.total();
    if ((request.flags() & ~ActiveFrames.NO_REPLY) != 0) {
      frame.malformed();
      return;
    }
    if (!desk.isGood(origin, frame, count, total) || hasBegun(origin) || !origin.admitActive()) {
      return;
    }
    boolean wantsReply = request.flags() == 0;
    int payload = frame.payloadLength() - count * Integer.BYTES;
    if (payload < total) {
      ActiveBody body = ActiveBody.read(frame, count, total);
      coming.add(new Coming(origin, request.number(), request.handler(), wantsReply, body));
      origin.awaitsRest(true);
      return;
    }
    int at = frame.payloadAt();
    run(
        new ActiveCall(
            this,
            origin,
            request.number(),
            wantsReply,
            request.handler(),
            count,
            frame.buffer(),
            at,
            frame.buffer(),
            at + count * Integer.BYTES,
            total),
        origin);
  }

  /** Whether a request must come to its end first; then the flow has ended. */
  private boolean hasBegun(FrameOrigin origin) {
    Coming begun = comingFrom(origin);
    if (begun != null) {
      origin.breach(
          "an active request begins while another has filled="
              + begun.body.filled()
              + " of total="
              + begun.body.total());
    }
    return begun != null;
  }

  private Coming comingFrom(FrameOrigin origin) {
    for (Coming each : coming) {
      if (each.origin == origin) {
        return each;
      }
    }
    return null;
  }

  /** More of a request, or of a reply, which the desk waits for. */
  private void onNext(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(ActiveNextDecoder.BLOCK_LENGTH)) {
      return;
    }
    ActiveNextDecoder next =
        new ActiveNextDecoder()
            .wrap(frame.buffer(), frame.blockAt(), ActiveNextDecoder.BLOCK_LENGTH, frame.version());
    switch (next.flags()) {
      case 0 -> onNext(origin, frame, next.number(), next.position());
      case ActiveFrames.OF_REPLY -> desk.onNext(origin, frame, next);
      default -> frame.malformed();
    }
  }

  private void onNext(FrameOrigin origin, FrameCursor frame, long number, int position) {
    Coming begun = comingFrom(origin);
    if (begun == null || begun.number != number || !begun.body.takeNext(frame, position)) {
      ActiveDesk.breachPart(origin, frame, number, position, begun == null ? null : begun.body);
      return;
    }
    if (begun.body.isWhole()) {
      coming.remove(begun);
      origin.awaitsRest(false);
      DirectBuffer arguments = new UnsafeBuffer(begun.body.encodedArguments());
      DirectBuffer payload = new UnsafeBuffer(begun.body.payload());
      run(
          new ActiveCall(
              this,
              origin,
              number,
              begun.wantsReply,
              begun.handler,
              begun.body.count(),
              arguments,
              0,
              payload,
              0,
              begun.body.total()),
          origin);
    }
  }

  private void onLong(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(ActiveLongDecoder.BLOCK_LENGTH)) {
      return;
    }
    ActiveLongDecoder request =
        new ActiveLongDecoder()
            .wrap(frame.buffer(), frame.blockAt(), ActiveLongDecoder.BLOCK_LENGTH, frame.version());
    int count = request.arguments();
    int flags = request.flags();
    int length = request.length();
    boolean packed = (flags & ActiveFrames.PACKED) != 0;
    if (length < 0
        || (flags & ~(ActiveFrames.PACKED | ActiveFrames.NO_REPLY)) != 0
        || count < 0
        || count > ActiveBody.MOST_ARGUMENTS
        || frame.payloadLength() - (packed ? length : 0) != count * Integer.BYTES) {
      frame.malformed();
      return;
    }
    if (hasBegun(origin) || !origin.admitActive()) {
      return;
    }
    long key = request.key();
    long offset = request.regionAt();
    int at = frame.payloadAt();
    int bytesAt = at + count * Integer.BYTES;
    FabricError error =
        memory.placeLong(
            origin,
            key,
            request.generation(),
            offset,
            length,
            packed ? frame.buffer() : null,
            bytesAt);
    ActiveCall call =
        new ActiveCall(
            this,
            origin,
            request.number(),
            (flags & ActiveFrames.NO_REPLY) == 0,
            request.handler(),
            count,
            frame.buffer(),
            at,
            error == null ? memory.bytes(key, request.generation()) : MemoryOperation.NOTHING,
            (int) offset,
            length);
    call.lies(key, offset);
    if (error == null) {
      run(call, origin);
    } else {
      refuse(
          call,
          origin,
          error,
          "region key="
              + Long.toHexString(key)
              + " does not take offset="
              + offset
              + " lengthBytes="
              + length);
    }
  }

  // ---- handlers ----

  private void run(ActiveCall call, FrameOrigin origin) {
    int index = call.handler();
    String because = off;
    if (because != null) {
      refuse(call, origin, FabricError.SHUTDOWN, because);
      return;
    }
    ActiveHandler handler = index < 1 || index >= HANDLERS ? null : handlers.get(index);
    if (handler == null) {
      refuse(call, origin, FabricError.NO_ENTRY, "no handler=" + index + " is registered here");
      return;
    }
    try {
      handler.handle(call);
    } catch (Throwable e) {
      if (e instanceof VirtualMachineError error && !(e instanceof StackOverflowError)) {
        throw error;
      }
      ReceivedRequest its = call.kept();
      if (its == null) {
        refuse(call, origin, FabricError.OTHER, "handler=" + index + " has thrown " + e);
      } else {
        call.end();
        if (its.end()) { // else somebody has answered it meanwhile
          kept.remove(its);
          answer(its, FabricError.OTHER, "handler=" + index + " has thrown " + e);
        }
      }
      return;
    }
    boolean keeps = call.kept() != null && call.wantsReply();
    boolean wantsReply = call.wantsReply();
    long number = call.number();
    call.end();
    if (!wantsReply) {
      call.dropReply();
      origin.consumedActive();
    } else if (!keeps) {
      origin.answer(new ActiveAnswer(origin, number, 0, call.replied(), call.replyPlace()));
    }
  }

  private static void refuse(ActiveCall call, FrameOrigin origin, FabricError error, String why) {
    boolean wantsReply = call.wantsReply();
    call.end();
    call.dropReply();
    if (wantsReply) {
      origin.answer(new ActiveAnswer(origin, call.number(), error.code(), ActiveBody.text(why)));
    } else {
      LOG.debug("a request of [{}] without a reply was refused: {}", origin.name(), why);
      origin.consumedActive();
    }
  }

  // ---- replies after the call ----

  ReceivedRequest keep(FrameOrigin origin, ActiveCall call) {
    ReceivedRequest request =
        new ReceivedRequest(this, origin, call, time.nanoTime() + replyTimeoutNs);
    if (call.wantsReply()) {
      kept.add(request);
      watch(replyTimeoutNs);
    }
    return request;
  }

  private void watch(long delayNs) {
    if (!watched) {
      watched = true;
      time.later(delayNs, this::expire);
    }
  }

  private void expire() {
    watched = false;
    long nowNs = time.nanoTime();
    for (Iterator<ReceivedRequest> all = kept.iterator(); all.hasNext(); ) {
      ReceivedRequest first = all.next();
      if (first.expiresNs - nowNs > 0) {
        watch(first.expiresNs - nowNs);
        return;
      }
      all.remove();
      if (first.end()) {
        answer(
            first,
            FabricError.TIMED_OUT,
            "handler="
                + first.handler()
                + " has kept the request and not replied within tagfabric.am.reply-timeout");
      }
    }
  }

  /** Thread: any. */
  void reply(ReceivedRequest request, ActiveBody body) {
    if (request.wantsReply()) {
      time.run(
          () -> {
            kept.remove(request);
            request.origin().answer(new ActiveAnswer(request.origin(), request.number(), 0, body));
          });
    }
  }

  /** Replies with what lies in a place that was claimed. Thread: the loop. */
  void reply(ReceivedRequest request, ActiveBody body, ActivePlace place) {
    kept.remove(request);
    request.origin().answer(new ActiveAnswer(request.origin(), request.number(), 0, body, place));
  }

  /** Refuses a request that was kept. Thread: any. */
  void refuse(ReceivedRequest request, FabricError error, String why) {
    time.run(
        () -> {
          kept.remove(request);
          answer(request, error, why);
        });
  }

  private static void answer(ReceivedRequest request, FabricError error, String why) {
    request
        .origin()
        .answer(
            new ActiveAnswer(
                request.origin(), request.number(), error.code(), ActiveBody.text(why)));
  }

  @Override
  public void lost(FrameOrigin origin, FabricError error, String detail) {
    Coming begun = comingFrom(origin);
    if (begun != null) {
      coming.remove(begun);
      origin.awaitsRest(false);
    }
    kept.removeIf(request -> request.origin() == origin && request.end());
    desk.lost(origin, error, detail);
  }
}
