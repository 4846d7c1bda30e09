package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.TaggedArrivals;
import io.tagfabric.wire.TaggedReader;
import java.util.Arrays;
import java.util.function.Consumer;

/** Brings packets as a flow does: frame by frame, until their sender is lost. */
final class ArrivingPackets {
  private static final int PACKET = 32 * 1024;

  final FrameWriter writer = new FrameWriter();
  private final PacketPool pool = new PacketPool(1024, PACKET);
  private final FrameServices services = new FrameServices();
  private final FrameCursor cursor = new FrameCursor();

  ArrivingPackets(TaggedArrivals arrivals) {
    TaggedReader.register(services, arrivals);
  }

  /** One packet with the frames that are written to it. */
  void bring(ScriptedOrigin origin, Consumer<Packet> frames) {
    Packet packet = pool.acquire(4096);
    frames.accept(packet);
    writer.seal(packet).sequence(1);
    assertThat(cursor.wrap(packet)).isTrue();
    int kind;
    while (!origin.isLost() && (kind = cursor.nextFrame()) != 0) {
      services.of(kind).onFrame(origin, cursor);
    }
    assertThat(cursor.isMalformed()).isFalse();
    // The packet's memory is used again at once: nothing may still point into it.
    Arrays.fill(packet.array(), (byte) 0x33);
    packet.release();
  }
}
