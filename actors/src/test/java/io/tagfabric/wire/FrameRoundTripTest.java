package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.WrittenFrames.Frame;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written is read again; frames of kinds that nobody knows are passed by their length. */
class FrameRoundTripTest {
  private final WrittenFrames written = new WrittenFrames();
  private final ReadFrames read = new ReadFrames();

  @Provide
  Arbitrary<List<Frame>> frames() {
    return WrittenFrames.arbitrary();
  }

  @Property(tries = 300)
  void shouldReadWhatWasWritten(@ForAll("frames") List<Frame> frames) {
    Packet packet = written.write(frames);

    assertThat(read.read(packet)).isTrue();
    assertThat(read.calls()).isEqualTo(written.expected);
    assertHeader(read.cursor.packet());
    assertThat(packet.frameCount()).isEqualTo(frames.size());
    assertThat(packet.length() % PacketLayout.ALIGNMENT).isZero();
    assertThat(packet.length() - Packet.HEADER_LENGTH)
        .isEqualTo(frames.stream().mapToInt(WrittenFrames::lengthOf).sum());
    packet.release();
  }

  private static void assertHeader(PacketHeaderDecoder header) {
    assertThat(
            List.of(
                header.incarnation(),
                header.sequence(),
                header.acknowledged(),
                (long) header.grantedBytes(),
                (long) header.grantedMessages(),
                (long) header.grantedReplies(),
                (long) header.grantedActive()))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 10L, 11L);
    assertThat(List.of(header.isolation(), header.flow(), (int) header.flags()))
        .containsExactly(7, 8, 9);
  }
}
