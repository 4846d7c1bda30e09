package io.tagfabric.provider.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What an endpoint that closes has sent before comes before its end. */
class LocalWireTest {
  private static final int PACKETS = 1_000;
  private static final int NEAR = 9_001;
  private static final int FAR = 9_002;

  /** Takes what comes, and knows how much had come when a channel had closed. */
  private static final class Got implements WireListener {
    int packets;
    int packetsAtEnd = -1;

    @Override
    public void onPacket(Packet packet) {
      packets++;
      packet.release();
    }

    @Override
    public void onInjected(long flow, MessageView message) {
      throw new AssertionError("nobody sends this");
    }

    @Override
    public void onFrames(long flow, Packet frames) {
      throw new AssertionError("nobody sends this");
    }

    @Override
    public void onChannelClosed() {
      packetsAtEnd = packets;
    }
  }

  /** So slow a clock that each pass has time for a few tasks only. */
  private static ProgressLoop slowLoop() {
    AtomicLong nowNs = new AtomicLong();
    TimeSource slow = () -> nowNs.addAndGet(1_000_000_000L);
    return new ProgressLoop(slow);
  }

  private static LocalWire wire(int endpoint, ProgressLoop loop, Got got) {
    return new LocalWire(
        new WireContext(null, Optional.empty(), null, loop, 1, endpoint, "vm", null, null, got, 1));
  }

  private static EndpointAddress address(int endpoint) {
    return new EndpointAddress(1, endpoint, "peer", "akka://x", "vm", Map.of());
  }

  @Test
  void shouldHandOverAllThatAPeerHasSentBeforeItCloses() {
    endsAfterAllThatCameBefore(slowLoop());
  }

  @Test
  void shouldHandOverAllThatAPeerOfTheSameLoopHasSentBeforeItCloses() {
    endsAfterAllThatCameBefore(null);
  }

  private static void endsAfterAllThatCameBefore(ProgressLoop another) {
    Got got = new Got();
    ProgressLoop loop = slowLoop();
    LocalWire far = wire(FAR, loop, got);
    LocalWire near = wire(NEAR, another == null ? loop : another, new Got());
    Channel toNear = far.connect(address(NEAR));
    Channel toFar = near.connect(address(FAR));
    for (int i = 0; i < PACKETS; i++) {
      Packet packet = Packet.received(new byte[Packet.HEADER_LENGTH]);
      assertThat(toFar.offer(packet)).isTrue();
      packet.release();
    }
    near.close();

    int passes = 0;
    while (got.packets < PACKETS) {
      assertThat(toNear.closedBecause()).as("after packets=" + got.packets).isNull();
      assertThat(loop.advance()).isPositive();
      passes++;
    }
    while (loop.advance() > 0) {
      passes++;
    }
    far.close();

    assertThat(passes).as("it took more than one").isGreaterThan(2);
    assertThat(got.packetsAtEnd).isEqualTo(PACKETS);
    assertThat(toNear.closedBecause()).contains("closed");
  }
}
