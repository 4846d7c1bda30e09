package io.tagfabric.trials.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.trials.fuzz.PacketMap.Field;
import io.tagfabric.trials.fuzz.PacketMap.Frame;
import io.tagfabric.trials.fuzz.PacketMap.Kind;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.SetUpFrames;
import io.tagfabric.wire.sbe.DataDecoder;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PacketMapTest {
  private static Frame frame(byte[] packet, int template) {
    return PacketMap.frames(new UnsafeBuffer(packet), packet.length).stream()
        .filter(frame -> frame.kind().template() == template)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldFindTheFramesThatTheProjectFinds() {
    for (byte[] packet : List.of(Packets.full(), Packets.hello())) {
      assertThat(Packets.mapped(packet)).isEqualTo(Packets.templates(packet)).hasSizeGreaterThan(2);
    }
  }

  @Test
  void shouldKnowEveryKindOfFrame() {
    List<Integer> seen = new java.util.ArrayList<>(Packets.mapped(Packets.full()));
    seen.addAll(Packets.mapped(Packets.hello()));

    assertThat(PacketMap.FRAMES.stream().map(Kind::template))
        .containsExactlyInAnyOrderElementsOf(seen);
  }

  @Test
  void shouldEndWithThePacket() {
    byte[] packet = Packets.full();
    List<Frame> frames = PacketMap.frames(new UnsafeBuffer(packet), packet.length);
    int at = PacketMap.firstFrameAt();
    for (Frame frame : frames) {
      assertThat(frame.at()).isEqualTo(at);
      at = frame.end();
    }
    assertThat(at).isEqualTo(packet.length);
  }

  @Test
  void shouldReadAndWriteFieldsWhereTheProjectReadsThem() {
    byte[] packet = Packets.full();
    UnsafeBuffer buffer = new UnsafeBuffer(packet);
    Frame data = frame(packet, DataDecoder.TEMPLATE_ID);
    Field position = data.kind().field("position");
    assertThat(position.get(buffer, data.at())).isEqualTo(64);

    position.set(buffer, data.at(), Long.MAX_VALUE - 3);

    FrameCursor cursor = new FrameCursor();
    assertThat(cursor.wrap(Packet.received(packet))).isTrue();
    while (cursor.nextFrame() != DataDecoder.TEMPLATE_ID) {
      // the one before
    }
    assertThat(Packets.number(cursor, DataDecoder.positionEncodingOffset()))
        .isEqualTo(Long.MAX_VALUE - 3);
    assertThat(Packets.number(cursor, DataDecoder.receiveEncodingOffset())).isEqualTo(4);
    assertThat(cursor.payloadLength()).isEqualTo(21);
  }

  @Test
  void shouldProveAnewWhatWasChanged() {
    UnsafeBuffer packet = new UnsafeBuffer(Packets.hello());
    int at = PacketMap.firstFrameAt();
    Kind hello = PacketMap.frames(packet, packet.capacity()).get(0).kind();
    hello.field("endpoint").set(packet, at, 9);
    assertThat(isProven(packet)).isFalse();

    PacketMap.prove(packet, packet.capacity(), Packets.PROOFS);

    assertThat(isProven(packet)).isTrue();
    assertThat(hello.field("endpoint").get(packet, at)).isEqualTo(9);
  }

  private static boolean isProven(UnsafeBuffer packet) {
    FrameCursor cursor = new FrameCursor();
    cursor.wrap(Packet.received(packet.byteArray()));
    SetUpFrames frames = new SetUpFrames(Packets.PROOFS);
    boolean proven = true;
    while (cursor.nextFrame() != 0) {
      proven &= frames.isProven(cursor);
    }
    return proven;
  }

  @Test
  void shouldReadThePacketsHeader() {
    UnsafeBuffer packet = new UnsafeBuffer(Packets.full());

    assertThat(PacketMap.incarnation(packet)).isEqualTo(77);
    assertThat(PacketMap.isolation(packet)).isEqualTo(99);
    assertThat(PacketMap.flow(packet)).isEqualTo(3);
  }

  @Test
  void shouldStopAtAFrameThatDoesNotFit() {
    byte[] packet = Packets.full();
    Frame data = frame(packet, DataDecoder.TEMPLATE_ID);
    UnsafeBuffer buffer = new UnsafeBuffer(packet);
    for (int length : new int[] {-1, 7, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      PacketMap.resize(buffer, data.at(), length);

      assertThat(Packets.mapped(packet)).hasSize(3).doesNotContain((int) DataDecoder.TEMPLATE_ID);
      assertThat(Packets.templates(packet)).isNull();
    }
  }
}
