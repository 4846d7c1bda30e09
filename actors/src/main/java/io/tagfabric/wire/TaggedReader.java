package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.sbe.AbortDecoder;
import io.tagfabric.wire.sbe.DataDecoder;
import io.tagfabric.wire.sbe.EagerDecoder;
import io.tagfabric.wire.sbe.EagerFirstDecoder;
import io.tagfabric.wire.sbe.EagerNextDecoder;
import io.tagfabric.wire.sbe.PlacedDecoder;
import io.tagfabric.wire.sbe.RequestToSendDecoder;

/**
 * Decodes the frames of tagged messages for the receiving side, and takes the credit of each
 * message before. Single threaded: the domain's loop.
 */
@InternalApi
public final class TaggedReader {
  private final TaggedArrivals arrivals;
  private final MessageView view = new MessageView();
  private final EagerDecoder eager = new EagerDecoder();
  private final EagerFirstDecoder eagerFirst = new EagerFirstDecoder();
  private final EagerNextDecoder eagerNext = new EagerNextDecoder();
  private final RequestToSendDecoder request = new RequestToSendDecoder();
  private final AbortDecoder abort = new AbortDecoder();
  private final DataDecoder data = new DataDecoder();
  private final PlacedDecoder placed = new PlacedDecoder();

  private TaggedReader(TaggedArrivals arrivals) {
    this.arrivals = arrivals;
  }

  /** From now on {@code arrivals} gets the frames of tagged messages. */
  public static void register(FrameServices services, TaggedArrivals arrivals) {
    TaggedReader reader = new TaggedReader(arrivals);
    services
        .add(EagerDecoder.TEMPLATE_ID, reader::onEager)
        .add(EagerFirstDecoder.TEMPLATE_ID, reader::onEagerFirst)
        .add(EagerNextDecoder.TEMPLATE_ID, reader::onEagerNext)
        .add(RequestToSendDecoder.TEMPLATE_ID, reader::onRequestToSend)
        .add(AbortDecoder.TEMPLATE_ID, reader::onAbort)
        .add(DataDecoder.TEMPLATE_ID, reader::onData)
        .add(PlacedDecoder.TEMPLATE_ID, reader::onPlaced);
  }

  private void onEager(FrameOrigin origin, FrameCursor frame) {
    int length = frame.payloadLength();
    if (frame.hasBlock(EagerDecoder.BLOCK_LENGTH) && origin.admit(length, length)) {
      eager.wrap(frame.buffer(), frame.blockAt(), EagerDecoder.BLOCK_LENGTH, frame.version());
      show(frame, eager.tag(), eager.flags(), eager.data());
      arrivals.whole(origin, view);
    }
  }

  private void onEagerFirst(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(EagerFirstDecoder.BLOCK_LENGTH)) {
      return;
    }
    eagerFirst.wrap(
        frame.buffer(), frame.blockAt(), EagerFirstDecoder.BLOCK_LENGTH, frame.version());
    long total = eagerFirst.total();
    if (frame.payloadLength() > total || total > Integer.MAX_VALUE) {
      frame.malformed();
      return;
    }
    if (origin.admit(total, total)) {
      show(frame, eagerFirst.tag(), eagerFirst.flags(), eagerFirst.data());
      arrivals.first(origin, view, eagerFirst.message(), total);
    }
  }

  private void show(FrameCursor frame, long tag, int flags, long immediate) {
    view.show(tag, frame.buffer(), frame.payloadAt(), frame.payloadLength());
    if ((flags & PacketLayout.HAS_DATA) != 0) {
      view.showData(immediate);
    }
    if ((flags & PacketLayout.UNTAGGED) != 0) {
      view.showUntagged();
    }
  }

  private void onEagerNext(FrameOrigin origin, FrameCursor frame) {
    if (frame.hasBlock(EagerNextDecoder.BLOCK_LENGTH)) {
      eagerNext.wrap(
          frame.buffer(), frame.blockAt(), EagerNextDecoder.BLOCK_LENGTH, frame.version());
      arrivals.next(
          origin,
          eagerNext.message(),
          eagerNext.position(),
          frame.buffer(),
          frame.payloadAt(),
          frame.payloadLength());
    }
  }

  private void onRequestToSend(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasOnlyBlock(RequestToSendDecoder.BLOCK_LENGTH)) {
      return;
    }
    request.wrap(
        frame.buffer(), frame.blockAt(), RequestToSendDecoder.BLOCK_LENGTH, frame.version());
    if (request.length() < 0 || request.message() <= 0) {
      frame.malformed();
      return;
    }
    if (origin.admit(0, request.length())) {
      show(frame, request.tag(), request.flags(), request.data());
      arrivals.announced(
          origin,
          view,
          request.message(),
          request.length(),
          (request.flags() & PacketLayout.WANTS_FINISH) != 0,
          MemoryKey.read(request.segment(), request.segmentAt(), request.segmentEpoch()));
    }
  }

  private void onAbort(FrameOrigin origin, FrameCursor frame) {
    if (frame.hasOnlyBlock(AbortDecoder.BLOCK_LENGTH)) {
      abort.wrap(frame.buffer(), frame.blockAt(), AbortDecoder.BLOCK_LENGTH, frame.version());
      arrivals.aborted(origin, abort.message(), abort.errorCode());
    }
  }

  private void onData(FrameOrigin origin, FrameCursor frame) {
    if (frame.hasBlock(DataDecoder.BLOCK_LENGTH)) {
      data.wrap(frame.buffer(), frame.blockAt(), DataDecoder.BLOCK_LENGTH, frame.version());
      arrivals.data(
          origin,
          data.receive(),
          data.position(),
          frame.buffer(),
          frame.payloadAt(),
          frame.payloadLength());
    }
  }

  private void onPlaced(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasOnlyBlock(PlacedDecoder.BLOCK_LENGTH)) {
      return;
    }
    placed.wrap(frame.buffer(), frame.blockAt(), PlacedDecoder.BLOCK_LENGTH, frame.version());
    if (placed.length() < 0) {
      frame.malformed();
      return;
    }
    arrivals.placed(origin, placed.receive(), placed.position(), placed.length());
  }
}
