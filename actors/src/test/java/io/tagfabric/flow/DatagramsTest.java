package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.flow.send.FlowTrace;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.trace.Recorder;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.TaggedArrivals;
import io.tagfabric.wire.sbe.EagerDecoder;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What comes as a datagram; sends are in the contract of providers. */
class DatagramsTest {
  private static final int MOST = 20;

  private final FrameWriter writer = new FrameWriter();
  private final FlowCounters counters = new FlowCounters();
  private final List<String> came = new ArrayList<>();
  private final TaggedArrivals arrivals =
      (TaggedArrivals)
          Proxy.newProxyInstance(
              TaggedArrivals.class.getClassLoader(),
              new Class<?>[] {TaggedArrivals.class},
              (proxy, method, arguments) -> {
                MessageView view = (MessageView) arguments[1];
                came.add(
                    method.getName()
                        + " "
                        + view.tag()
                        + " "
                        + (view.hasData() ? view.data() : "none")
                        + " "
                        + view.isUntagged()
                        + " "
                        + view.buffer().getStringWithoutLengthUtf8(view.offset(), view.length()));
                return null;
              });
  private final Datagrams datagrams =
      new Datagrams(
          null, null, arrivals, counters, new FlowTrace(Recorder.OFF, 1, 0, 0, counters), MOST);

  private static MessageView message(String text) {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    MessageView view = new MessageView();
    view.show(7, new UnsafeBuffer(bytes), 0, bytes.length);
    return view;
  }

  private FrameCursor cursor(MessageView message) {
    Packet packet = new PacketPool(512, 1024).acquire(FrameWriter.eagerLength(message.length()));
    writer.eager(packet, message);
    writer.sealUncounted(packet, 1, 1);
    FrameCursor cursor = new FrameCursor();
    assertThat(cursor.wrap(packet)).isTrue();
    assertThat(cursor.nextFrame()).isEqualTo(EagerDecoder.TEMPLATE_ID);
    return cursor;
  }

  @Test
  void shouldShowTheMessageWithItsTagOrWithoutAndItsData() {
    assertThat(datagrams.onFrame(cursor(message("plain")))).isTrue();
    MessageView withData = message("data");
    withData.showData(9);
    assertThat(datagrams.onFrame(cursor(withData))).isTrue();
    MessageView untagged = message("");
    untagged.showUntagged();
    assertThat(datagrams.onFrame(cursor(untagged))).isTrue();
    assertThat(came)
        .containsExactly(
            "datagram 7 none false plain", "datagram 7 9 false data", "datagram 0 none true ");
    assertThat(counters.snapshot().datagramsReceived()).isEqualTo(3);
    assertThat(counters.snapshot().datagramsDropped()).isZero();
  }

  @Test
  void shouldDropWhatIsLongerThanThisSideTakes() {
    assertThat(datagrams.onFrame(cursor(message("x".repeat(MOST))))).isTrue();
    assertThat(datagrams.onFrame(cursor(message("x".repeat(MOST + 1))))).isTrue();
    assertThat(came).hasSize(1);
    assertThat(counters.snapshot().datagramsReceived()).isEqualTo(2);
    assertThat(counters.snapshot().datagramsDropped()).isEqualTo(1);
  }

  @Test
  void shouldRefuseAFrameOfAnotherLayout() {
    FrameCursor cursor = cursor(message("plain"));
    int blockLengthAt = cursor.blockAt() - PacketLayout.ALIGNMENT + 4;
    cursor.buffer().putByte(blockLengthAt, (byte) 8);
    assertThat(cursor.wrap(packetOf(cursor))).isTrue();
    assertThat(cursor.nextFrame()).isEqualTo(EagerDecoder.TEMPLATE_ID);
    assertThat(datagrams.onFrame(cursor)).isFalse();
    assertThat(came).isEmpty();
    assertThat(counters.snapshot().datagramsReceived()).isZero();
  }

  /** The same bytes once more. */
  private static Packet packetOf(FrameCursor cursor) {
    int length = cursor.frameAt() + cursor.frameLength();
    Packet packet = new PacketPool(512, 1024).acquire(length);
    packet.buffer().putBytes(0, cursor.buffer(), 0, length);
    packet.append(length - packet.length());
    return packet;
  }

  @Test
  void shouldFillAPacketWithTheLongest() {
    int packet = 512;
    int most = PeerLink.mostDatagramBytes(packet, packet);
    assertThat(PacketLayout.PACKET_HEADER_LENGTH + FrameWriter.eagerLength(most))
        .isLessThanOrEqualTo(packet);
    assertThat(PacketLayout.PACKET_HEADER_LENGTH + FrameWriter.eagerLength(most + 1))
        .isGreaterThan(packet);
  }
}
