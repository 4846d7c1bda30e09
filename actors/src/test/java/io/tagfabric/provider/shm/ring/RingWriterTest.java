package io.tagfabric.provider.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.Test;

/** The count says whose open claim a blocked record may be: odd between claim and end. */
class RingWriterTest {
  private static final int CAPACITY = 1 << 10;
  private static final int COUNT_AT = 8;

  private final ManyToOneRingBuffer ring =
      new ManyToOneRingBuffer(
          new UnsafeBuffer(
              ByteBuffer.allocateDirect(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH)));
  private final UnsafeBuffer counts = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
  private final RingWriter writer = new RingWriter(ring, counts, COUNT_AT);

  private long count() {
    return counts.getLong(COUNT_AT);
  }

  @Test
  void shouldBeOddOnlyWhileAClaimIsOpen() {
    assertThat(count()).isZero();
    int index = writer.claim(1, 100);
    assertThat(index).isPositive();
    assertThat(count()).isEqualTo(1);
    writer.commit(index);
    assertThat(count()).isEqualTo(2);

    writer.abort(writer.claim(1, 100));
    assertThat(count()).isEqualTo(4);
  }

  @Test
  void shouldBeEvenWhenTheRingHadNoRoom() {
    int index;
    int written = 0;
    while ((index = writer.claim(1, 100)) >= 0) {
      writer.commit(index);
      written++;
    }

    assertThat(written).isPositive();
    assertThat(count() & 1).as("no claim is open").isZero();
    long before = count();
    assertThat(writer.claim(1, 100)).isNegative();
    assertThat(count()).as("and it shows that the sender lives").isEqualTo(before + 2);

    assertThat(ring.read((type, buffer, at, length) -> {})).isEqualTo(written);
    assertThat(writer.claim(1, 100)).isPositive();
    assertThat(count() & 1).as("one claim is open").isEqualTo(1);
  }
}
