package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.sbe.ClearToSendDecoder;
import io.tagfabric.wire.sbe.FinishDecoder;
import io.tagfabric.wire.sbe.GoodbyeDecoder;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;

/** Reads packets as a flow does, and writes down what they say. */
final class ReadFrames {
  /** Admits whatever comes. */
  private static final FrameOrigin GENEROUS =
      (FrameOrigin)
          Proxy.newProxyInstance(
              FrameOrigin.class.getClassLoader(),
              new Class<?>[] {FrameOrigin.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "admit", "admitReply" -> true;
                    // what is written down here has no origin
                    case "equals" -> arguments[0] == null || arguments[0] == proxy;
                    case "hashCode" -> 0;
                    default -> null;
                  });

  final FrameCursor cursor = new FrameCursor();
  private final FrameServices services = new FrameServices();
  private final RecordedArrivals arrivals = new RecordedArrivals();
  private final ClearToSendDecoder clear = new ClearToSendDecoder();
  private final FinishDecoder finish = new FinishDecoder();
  private final GoodbyeDecoder goodbye = new GoodbyeDecoder();

  ReadFrames() {
    TaggedReader.register(services, arrivals);
  }

  private void add(Object... call) {
    arrivals.calls.add(Arrays.asList(call));
  }

  private void onClear(FrameCursor frame) {
    if (frame.hasOnlyBlock(ClearToSendDecoder.BLOCK_LENGTH)) {
      clear.wrap(frame.buffer(), frame.blockAt(), ClearToSendDecoder.BLOCK_LENGTH, frame.version());
      add(
          "clear",
          clear.message(),
          clear.receive(),
          clear.wanted(),
          clear.clearedTo(),
          MemoryKey.read(clear.segment(), clear.segmentAt(), clear.segmentEpoch()));
    }
  }

  private void onFinish(FrameCursor frame) {
    if (frame.hasOnlyBlock(FinishDecoder.BLOCK_LENGTH)) {
      finish.wrap(frame.buffer(), frame.blockAt(), FinishDecoder.BLOCK_LENGTH, frame.version());
      add("finish", finish.message(), finish.errorCode());
    }
  }

  private void onGoodbye(FrameCursor frame) {
    if (frame.hasOnlyBlock(GoodbyeDecoder.BLOCK_LENGTH)) {
      goodbye.wrap(frame.buffer(), frame.blockAt(), GoodbyeDecoder.BLOCK_LENGTH, frame.version());
      add("goodbye", goodbye.errorCode());
    }
  }

  /** What was read of the last packet. */
  List<List<Object>> calls() {
    return arrivals.calls;
  }

  /**
   * Reads a packet, wherever it lies; a frame that is not inside fails the test.
   *
   * @return whether it follows the schema to its end
   */
  boolean read(Packet packet) {
    arrivals.calls.clear();
    if (!cursor.wrap(packet)) {
      assertThat(cursor.isMalformed()).isTrue();
      assertThat(cursor.nextFrame()).isZero();
      return false;
    }
    int before = Packet.HEADER_LENGTH;
    int kind;
    while ((kind = cursor.nextFrame()) != 0) {
      assertThat(kind).isBetween(1, FrameServices.KINDS - 1);
      assertThat(cursor.frameAt()).isEqualTo(before);
      assertThat(cursor.payloadAt()).isGreaterThanOrEqualTo(cursor.blockAt());
      assertThat(cursor.payloadLength()).isNotNegative();
      assertThat(cursor.payloadAt() + cursor.payloadLength())
          .isEqualTo(cursor.frameAt() + cursor.frameLength())
          .isLessThanOrEqualTo(packet.length());
      before += PacketLayout.aligned(cursor.frameLength());
      take(kind);
    }
    assertThat(cursor.nextFrame()).as("stays at the end").isZero();
    return !cursor.isMalformed();
  }

  private void take(int kind) {
    FrameService service = services.of(kind);
    if (service != null) {
      service.onFrame(GENEROUS, cursor);
      return;
    }
    switch (kind) {
      case ClearToSendDecoder.TEMPLATE_ID -> onClear(cursor);
      case FinishDecoder.TEMPLATE_ID -> onFinish(cursor);
      case GoodbyeDecoder.TEMPLATE_ID -> onGoodbye(cursor);
      default -> {
        int bytes = cursor.frameAt() + cursor.frameLength() - cursor.blockAt();
        add("unknown", kind, RecordedArrivals.hex(cursor.buffer(), cursor.blockAt(), bytes));
      }
    }
  }
}
