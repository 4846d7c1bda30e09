package io.tagfabric.provider.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.Test;

class RingReaderTest {
  private static final int CAPACITY = 1 << 12;

  private record Written(int type, long first, int length) {}

  private final UnsafeBuffer memory =
      new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH));
  private final ManyToOneRingBuffer ring = new ManyToOneRingBuffer(memory);
  private final List<Written> read = new ArrayList<>();
  private final RingReader reader = new RingReader(ring, this::onRecord);
  private final UnsafeBuffer record = new UnsafeBuffer(new byte[CAPACITY]);
  private int failAt = -1;

  private void onRecord(int type, int index, int length) {
    read.add(new Written(type, reader.buffer().getLong(index), length));
    if (read.size() == failAt) {
      throw new IllegalStateException("no");
    }
  }

  private boolean write(int type, long first, int length) {
    record.putLong(0, first);
    return ring.write(type, record, 0, length);
  }

  @Property(tries = 200)
  void shouldReadWhatAQueueWouldWhenStepsAreRandom(
      @ForAll long seed, @ForAll @IntRange(min = 8, max = 400) int longest) {
    Random random = new Random(seed);
    ArrayDeque<Written> model = new ArrayDeque<>();
    long next = 1;
    RingReaderTest test = new RingReaderTest();
    for (int step = 0; step < 400; step++) {
      if (random.nextInt(3) > 0) {
        Written record = new Written(1 + random.nextInt(9), next, 8 + random.nextInt(longest));
        if (test.write(record.type, record.first, record.length)) {
          model.add(record);
          next++;
        }
      } else {
        int limit = 1 + random.nextInt(20);
        test.read.clear();
        int count = 0;
        // a record may wait behind the padding at the end of the ring
        for (int turn = 0; turn < 2; turn++) {
          count += test.reader.read(limit - count);
          if (count == limit) {
            break;
          }
        }
        assertThat(count).isEqualTo(Math.min(limit, model.size()));
        for (Written each : test.read) {
          assertThat(each).isEqualTo(model.poll());
        }
      }
      assertThat(test.reader.hasRecord() || model.isEmpty()).isTrue();
    }
    // at most padding, a last record and the room of that one are left when a read finds nothing
    for (int vain = 0; vain < 3; vain = test.reader.read(64) > 0 ? 0 : vain + 1) {
      test.read.clear();
    }
    assertThat(test.reader.hasRecord()).isFalse();
    assertThat(test.reader.position()).isEqualTo(test.ring.producerPosition());
    assertThat(test.ring.consumerPosition()).isEqualTo(test.ring.producerPosition());
    for (int at = 0; at < CAPACITY; at += Long.BYTES) {
      assertThat(test.memory.getLong(at)).as("cleared at %s", at).isZero();
    }
  }

  @Test
  void shouldCountTheRecordAsReadWhenItsHandlerThrows() {
    for (int i = 1; i <= 5; i++) {
      write(1, i, 16);
    }
    failAt = 2;

    assertThatThrownBy(() -> reader.read(10)).isInstanceOf(IllegalStateException.class);

    assertThat(reader.read(10)).isEqualTo(3);
    assertThat(read).extracting(Written::first).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void shouldSayEachTimeThatARecordPassesTheEndOfTheRing() {
    write(1, 1, 16);
    write(1, 2, 16);
    memory.putIntVolatile((int) ring.producerPosition(), CAPACITY);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> reader.read(10))
          .isInstanceOf(BrokenRingException.class)
          .hasMessage("a record has length=4096 at index=48 of capacity=4096");
    }
    assertThat(read).extracting(Written::first).containsExactly(1L, 2L);
  }

  @Test
  void shouldSayThatARecordIsShorterThanItsHeader() {
    memory.putIntVolatile(0, 7);

    assertThatThrownBy(() -> reader.read(10)).isInstanceOf(BrokenRingException.class);
  }

  @Test
  void shouldStopWhenARecordIsClaimedAndNotCommitted() {
    write(1, 1, 16);
    int claimed = ring.tryClaim(1, 16);
    write(1, 3, 16);

    assertThat(reader.read(10)).isEqualTo(1);
    assertThat(reader.read(10)).isZero();
    assertThat(reader.hasRecord()).isFalse();
    ring.commit(claimed);

    assertThat(reader.hasRecord()).isTrue();
    assertThat(reader.read(10)).isEqualTo(2);
  }

  @Test
  void shouldReadOnWhenABlockedRecordWasUnblocked() {
    ring.tryClaim(1, 16);
    write(1, 2, 16);

    assertThat(reader.read(10)).isZero();
    assertThat(ring.unblock()).isTrue();

    assertThat(reader.read(10)).isEqualTo(1);
    assertThat(read).extracting(Written::first).containsExactly(2L);
  }

  @Test
  void shouldClearAllWhenMoreIsReadThanIsClearedByWords() {
    for (int i = 0; i < 10; i++) {
      write(1, i, 200);
    }

    assertThat(reader.read(10)).isEqualTo(10);

    assertThat(memory.getLong(0)).isZero();
    assertThat(memory.getLong(8)).isZero();
    assertThat(memory.getLong(9 * 208 + 8)).isZero();
    assertThat(write(1, 11, 16)).isTrue();
    assertThat(reader.read(1)).isEqualTo(1);
  }

  @Test
  void shouldGiveBackTheRoomOfALoneShortRecordWithTheNextRead() {
    write(1, 1, 16);

    assertThat(reader.read(10)).isEqualTo(1);

    assertThat(reader.position()).isEqualTo(ring.producerPosition());
    assertThat(ring.consumerPosition()).isZero();
    assertThat(reader.read(10)).isZero();
    assertThat(ring.consumerPosition()).isEqualTo(ring.producerPosition());
    assertThat(memory.getLong(0)).isZero();
    assertThat(memory.getLong(8)).isZero();
  }
}
