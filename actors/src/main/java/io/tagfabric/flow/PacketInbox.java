package io.tagfabric.flow;

import io.tagfabric.flow.send.AccessSender;
import io.tagfabric.flow.send.RendezvousSender;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.OwedToPeer;
import io.tagfabric.flow.window.PeerWatch;
import io.tagfabric.flow.window.ReceiveWindow;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameService;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.sbe.AccessEndDecoder;
import io.tagfabric.wire.sbe.ClearToSendDecoder;
import io.tagfabric.wire.sbe.FinishDecoder;
import io.tagfabric.wire.sbe.GoodbyeDecoder;
import io.tagfabric.wire.sbe.ReadDataDecoder;

/**
 * Puts received packets in order and hands each frame, once, to the service of its kind. What
 * steers this side's own sends it takes itself.
 */
final class PacketInbox {
  private final Flow flow;
  private final FrameServices services;
  private final ReceiveWindow arrivals;
  private final OwedToPeer owed;
  private final PeerWatch watch;
  private final RendezvousSender rendezvous;
  private final AccessSender accesses;
  private final FlowCounters counters;
  private final ClearToSendDecoder clear = new ClearToSendDecoder();
  private final FinishDecoder finish = new FinishDecoder();
  private final GoodbyeDecoder goodbye = new GoodbyeDecoder();

  PacketInbox(
      Flow flow,
      FrameServices services,
      ReceiveWindow arrivals,
      OwedToPeer owed,
      PeerWatch watch,
      RendezvousSender rendezvous,
      AccessSender accesses,
      FlowCounters counters) {
    this.flow = flow;
    this.services = services;
    this.arrivals = arrivals;
    this.owed = owed;
    this.watch = watch;
    this.rendezvous = rendezvous;
    this.accesses = accesses;
    this.counters = counters;
  }

  /** Takes a counted packet; its frames are handed on now, later, or never if it came before. */
  void onCounted(Packet packet, long sequence, FrameCursor cursor) {
    counters.packetsReceived++;
    owed.packetComes(watch.lastHeardNs());
    switch (arrivals.offer(packet, sequence)) {
      case NEXT -> {
        deliver(cursor);
        Packet parked;
        while ((parked = arrivals.pollNext()) != null) {
          try {
            cursor.wrap(parked);
            deliver(cursor);
          } finally {
            parked.release();
          }
        }
      }
      case DUPLICATE -> {
        counters.packetsDuplicate++;
        owed.acknowledgeNow();
      }
      case EARLY -> {
        counters.packetsEarly++;
        // Over several paths the missing one is likely on its way; if not, the sender will ask.
        if (!flow.link().channel().reorders()) {
          owed.earlyPacket();
        }
      }
    }
  }

  /** Takes frames that came without a packet's header. */
  void onBare(FrameCursor cursor) {
    if (services.isClosed()) {
      return;
    }
    owed.comesBare(true);
    try {
      handOn(cursor);
    } finally {
      owed.comesBare(false);
    }
    if (cursor.isMalformed()) {
      counters.packetsMalformed++;
      flow.end().breach("frames without a packet do not follow the schema of the wire");
    }
  }

  private void handOn(FrameCursor cursor) {
    int kind;
    while (!flow.isLost() && (kind = cursor.nextFrame()) != 0) {
      handOn(kind, cursor);
    }
  }

  private void handOn(int kind, FrameCursor cursor) {
    FrameService service = services.of(kind);
    if (service != null) {
      service.onFrame(flow.origin(), cursor);
    } else {
      onOwn(kind, cursor);
    }
  }

  private void deliver(FrameCursor cursor) {
    if (services.isClosed()) {
      arrivals.takeBack();
      return;
    }
    long sequence = cursor.packet().sequence();
    boolean taken = false;
    try {
      int kind;
      while ((kind = cursor.nextFrame()) != 0) {
        handOn(kind, cursor);
        if (flow.isLost()) {
          return;
        }
        if (!taken && !cursor.isMalformed()) {
          taken = true;
          counters.packetsTaken++;
        }
      }
    } catch (RuntimeException e) {
      // A defect here: what the packet holds was not taken, so nobody may hear that it was.
      arrivals.takeBack();
      throw e;
    }
    if (cursor.isMalformed()) {
      counters.packetsMalformed++;
      flow.end().breach("packet " + sequence + " does not follow the schema of the wire");
    }
  }

  /** The frames that steer what this side sends, and the last one of a flow. */
  private void onOwn(int kind, FrameCursor frame) {
    switch (kind) {
      case ClearToSendDecoder.TEMPLATE_ID -> onClearToSend(frame);
      case FinishDecoder.TEMPLATE_ID -> onFinish(frame);
      case ReadDataDecoder.TEMPLATE_ID -> tellOrBreach(accesses.onReadData(frame));
      case AccessEndDecoder.TEMPLATE_ID -> tellOrBreach(accesses.onEnd(frame));
      case GoodbyeDecoder.TEMPLATE_ID -> onGoodbye(frame);
      default -> frame.malformed();
    }
  }

  /** An answer has been taken, unless something is wrong with it. */
  private void tellOrBreach(String misfit) {
    if (misfit != null) {
      flow.end().breach(misfit);
    } else if (accesses.isAborting()) {
      flow.queueFlush();
    }
  }

  private void onClearToSend(FrameCursor frame) {
    if (!frame.hasOnlyBlock(ClearToSendDecoder.BLOCK_LENGTH)) {
      return;
    }
    clear.wrap(frame.buffer(), frame.blockAt(), ClearToSendDecoder.BLOCK_LENGTH, frame.version());
    if (clear.wanted() < 0 || clear.clearedTo() < 0) {
      frame.malformed();
      return;
    }
    String misfit =
        rendezvous.misfit(clear.message(), clear.receive(), clear.wanted(), clear.clearedTo());
    if (misfit != null) {
      flow.end().breach(misfit);
      return;
    }
    MemoryKey memory = MemoryKey.read(clear.segment(), clear.segmentAt(), clear.segmentEpoch());
    if (rendezvous.clear(
        clear.message(), clear.receive(), clear.wanted(), clear.clearedTo(), memory)) {
      flow.queueFlush();
    }
  }

  private void onFinish(FrameCursor frame) {
    if (frame.hasOnlyBlock(FinishDecoder.BLOCK_LENGTH)) {
      finish.wrap(frame.buffer(), frame.blockAt(), FinishDecoder.BLOCK_LENGTH, frame.version());
      String misfit = rendezvous.misfit(finish.message(), finish.errorCode());
      if (misfit == null) {
        rendezvous.finish(finish.message(), finish.errorCode());
      } else {
        flow.end().breach(misfit);
      }
    }
  }

  private void onGoodbye(FrameCursor frame) {
    if (frame.hasOnlyBlock(GoodbyeDecoder.BLOCK_LENGTH)) {
      goodbye.wrap(frame.buffer(), frame.blockAt(), GoodbyeDecoder.BLOCK_LENGTH, frame.version());
      flow.end().onCountedGoodbye(goodbye.errorCode());
    }
  }
}
