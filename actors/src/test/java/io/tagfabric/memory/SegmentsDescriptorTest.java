package io.tagfabric.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class SegmentsDescriptorTest {
  private static final long GIB = 1L << 30;

  private static List<RegionDescriptor> segments(long... lengths) {
    List<RegionDescriptor> segments = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      segments.add(new RegionDescriptor(i, 2L * i, lengths[i], RegionRight.all(), 7));
    }
    return segments;
  }

  @Test
  void shouldTravel() {
    SegmentsDescriptor sent = new SegmentsDescriptor(GIB, segments(GIB, GIB, GIB, 12));
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[sent.encodedLength() + 5]);
    sent.encode(bytes, 5);

    assertThat(SegmentsDescriptor.decode(bytes, 5)).isEqualTo(sent);
  }

  @Test
  void shouldFindTheSegmentOfAnyByteBeyondTwoGiB() {
    SegmentsDescriptor descriptor = new SegmentsDescriptor(GIB, segments(GIB, GIB, GIB, 12));

    assertThat(descriptor.lengthBytes()).isEqualTo(3 * GIB + 12);
    assertThat(descriptor.indexOf(0)).isZero();
    assertThat(descriptor.indexOf(GIB - 1)).isZero();
    assertThat(descriptor.indexOf(GIB)).isEqualTo(1);
    assertThat(descriptor.indexOf(3 * GIB + 11)).isEqualTo(3);
    assertThat(descriptor.indexOf(3 * GIB + 12)).as("behind the last byte").isEqualTo(3);
    descriptor.require(3 * GIB, 12);
    descriptor.require(3 * GIB + 12, 0);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> descriptor.require(3 * GIB, 13))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.ACCESS))
        .withMessageContaining("offset=3221225472 lengthBytes=13");
  }

  @Test
  void shouldRefuseOtherLengthsAndRights() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SegmentsDescriptor(12, segments(12)))
        .withMessageContaining("segmentBytes=12");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SegmentsDescriptor(16, List.of()))
        .withMessageContaining("no segments");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SegmentsDescriptor(16, segments(8, 8)))
        .withMessageContaining("segment 0 of 2 has lengthBytes=8");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SegmentsDescriptor(16, segments(16, 0)))
        .withMessageContaining("segment 1 of 2 has lengthBytes=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SegmentsDescriptor(16, segments(16, 17)));
    List<RegionDescriptor> mixed = segments(16, 16);
    mixed.set(1, new RegionDescriptor(9, 9, 16, Set.of(RegionRight.REMOTE_READ), 7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SegmentsDescriptor(16, mixed))
        .withMessageContaining("REMOTE_READ");
  }

  @Test
  void shouldDecodeNothingElse() {
    SegmentsDescriptor sent = new SegmentsDescriptor(64, segments(64, 64, 8));
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[sent.encodedLength()]);
    Random random = new Random(3);
    int refused = 0;
    for (int round = 0; round < 10_000; round++) {
      sent.encode(bytes, 0);
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        int at = random.nextInt(bytes.capacity());
        bytes.putByte(at, (byte) (bytes.getByte(at) ^ 1 << random.nextInt(8)));
      }
      try {
        SegmentsDescriptor found = SegmentsDescriptor.decode(bytes, 0);
        assertThat(found.segments()).isNotEmpty();
      } catch (FabricException e) {
        assertThat(e.error()).isEqualTo(FabricError.INVALID);
        refused++;
      }
    }
    assertThat(refused).isPositive();
    for (int cut : new int[] {0, 15, 16, 55, bytes.capacity() - 1}) {
      sent.encode(bytes, 0);
      UnsafeBuffer shorter = new UnsafeBuffer(bytes, 0, cut);
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> SegmentsDescriptor.decode(shorter, 0));
    }
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> SegmentsDescriptor.decode(bytes, -1));
  }
}
