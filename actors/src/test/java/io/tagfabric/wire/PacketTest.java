package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PacketTest {
  private final FrameWriter writer = new FrameWriter();

  private Packet ofOneFrame() {
    Packet packet = new PacketPool(256, 256).acquire(10);
    writer.goodbye(packet, 5);
    packet.sequence(17);
    return packet;
  }

  private static byte[] bytesOf(Packet packet) {
    byte[] bytes = new byte[packet.length()];
    packet.buffer().getBytes(0, bytes);
    return bytes;
  }

  @Test
  void shouldKeepItselfAsOneMoreHolder() {
    Packet packet = ofOneFrame();

    assertThat(packet.keep()).isSameAs(packet);
    assertThat(packet.holders()).isEqualTo(2);
  }

  @Test
  void shouldKeepACopyOfAView() {
    Packet sent = ofOneFrame();
    byte[] ring = new byte[512];
    byte[] bytes = bytesOf(sent);
    System.arraycopy(bytes, 0, ring, 100, bytes.length);
    Packet view = Packet.view();
    view.show(new UnsafeBuffer(ring), 100, bytes.length);
    view.sequence(17);

    Packet kept = view.keep();
    Arrays.fill(ring, (byte) 0);

    assertThat(kept).isNotSameAs(view);
    assertThat(bytesOf(kept)).isEqualTo(bytes);
    assertThat(kept.sequence()).isEqualTo(17);
    kept.retain();
    assertThat(kept.holders()).isEqualTo(2);
    assertThatIllegalStateException()
        .isThrownBy(view::retain)
        .withMessage("a view cannot be retained, copy the packet");
    view.release();
    view.release();
  }

  @Test
  void shouldWriteIntoMemoryThatATransportLends() {
    byte[] memory = new byte[400];
    List<Packet> back = new ArrayList<>();
    Packet packet = Packet.lent(new UnsafeBuffer(memory), 50, 300, back::add);

    assertThat(packet.remaining()).isEqualTo(300 - Packet.HEADER_LENGTH);
    writer.goodbye(packet, 5);
    assertThat(bytesOf(packet)).isEqualTo(Arrays.copyOfRange(memory, 50, 50 + packet.length()));
    assertThat(back).isEmpty();
    packet.release();

    assertThat(back).containsExactly(packet);
    assertThat(packet.renew().length()).isEqualTo(Packet.HEADER_LENGTH);
    assertThat(packet.frameCount()).isZero();
    assertThat(packet.holders()).isEqualTo(1);
  }

  @Test
  void shouldTellAPartOfALongMessageFromTheRest() {
    Packet packet = ofOneFrame();
    assertThat(packet.isBulk()).isFalse();

    writer.data(packet, 1, 0, new UnsafeBuffer(new byte[8]), 0, 8);
    assertThat(packet.isBulk()).isTrue();

    assertThat(packet.renew().isBulk()).isFalse();
    assertThat(packet.sequence()).isZero();
  }

  @Test
  void shouldPutFramesOneBehindTheOther() {
    Packet packet = new PacketPool(256, 256).acquire(10);
    int free = packet.remaining();
    writer.goodbye(packet, 5);
    int one = packet.length() - Packet.HEADER_LENGTH;
    writer.goodbye(packet, 6);

    assertThat(packet.length()).isEqualTo(Packet.HEADER_LENGTH + 2 * one);
    assertThat(packet.remaining()).isEqualTo(free - 2 * one);
    assertThat(packet.frameCount()).isEqualTo(2);
    assertThat(one % PacketLayout.ALIGNMENT).isZero();
    // The length of each stands in its own header, not in that of the other.
    byte[] bytes = bytesOf(packet);
    assertThat(Arrays.copyOfRange(bytes, Packet.HEADER_LENGTH, Packet.HEADER_LENGTH + 8))
        .isEqualTo(
            Arrays.copyOfRange(bytes, Packet.HEADER_LENGTH + one, packet.length() - one + 8));
  }

  @Test
  void shouldCopyAMessageWithBytesOfItsOwn() {
    byte[] bytes = {1, 2, 3, 4};
    MessageView shown = MessageViews.of(9, new UnsafeBuffer(bytes), 1, 2);
    shown.showData(-8);

    MessageView copy = shown.copy();
    Arrays.fill(bytes, (byte) 0);
    shown.show(1, new UnsafeBuffer(new byte[0]), 0, 0);

    assertThat(copy.tag()).isEqualTo(9);
    assertThat(copy.length()).isEqualTo(2);
    assertThat(copy.buffer().getByte(copy.offset())).isEqualTo((byte) 2);
    assertThat(copy.buffer().getByte(copy.offset() + 1)).isEqualTo((byte) 3);
    assertThat(copy.hasData()).isTrue();
    assertThat(copy.data()).isEqualTo(-8);
    assertThat(shown.copy().hasData()).isFalse();
  }
}
