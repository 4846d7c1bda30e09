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
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.junit.jupiter.api.Test;

class LanesTest {
  private static final int CAPACITY = 1 << 12;
  private static final int SENDER = 7;
  private static final int NONE = -1;

  private record Written(int type, long first, int length) {}

  private final ShmLayout layout = new ShmLayout(1 << 12, 3, CAPACITY, 0, 0);
  private final UnsafeBuffer file =
      new UnsafeBuffer(ByteBuffer.allocateDirect((int) layout.fileBytes));
  private final List<Written> read = new ArrayList<>();
  private final ShmLanes lanes = new ShmLanes(file, layout, this::onRecord);
  private int failAt = -1;

  private void onRecord(AtomicBuffer memory, int type, int index, int length) {
    long first = memory.getLong(index);
    assertThat(memory.getLong(index + length - Long.BYTES)).as("the end of it").isEqualTo(first);
    read.add(new Written(type, first, length));
    if (read.size() == failAt) {
      throw new IllegalStateException("no");
    }
  }

  private LaneWriter enter() {
    return new LaneWriter(memory(take(file, layout)));
  }

  /** The lane that the next sender has, -1 if it has none. */
  private static int take(UnsafeBuffer file, ShmLayout layout) {
    ShmEntry entry =
        ShmEntry.take(
            file,
            layout,
            new ManyToOneRingBuffer(
                new UnsafeBuffer(file, ShmLayout.RING_AT, layout.ringTotalBytes())),
            lane -> new UnsafeBuffer(file, layout.laneAt(lane), layout.laneMemoryBytes()),
            new byte[] {'d'},
            8);
    return entry.writer() instanceof LaneWriter ? entry.number() : NONE;
  }

  /** As the domain does when a sender is gone. */
  private static void free(UnsafeBuffer file, ShmLanes lanes, int lane) {
    boolean reusable = lanes.free(lane);
    file.putIntVolatile(
        ShmLayout.senderAt(lane), reusable ? ShmLayout.SENDER_FREE : ShmLayout.SENDER_CUT_OFF);
  }

  private AtomicBuffer memory(int lane) {
    return new UnsafeBuffer(file, layout.laneAt(lane), layout.laneMemoryBytes());
  }

  private static boolean write(LaneWriter writer, int type, long first, int length) {
    int index = writer.claim(type, length);
    if (index < 0) {
      return false;
    }
    writer.buffer().setMemory(index, length, (byte) 0x55);
    writer.buffer().putLong(index, first);
    writer.buffer().putLong(index + length - Long.BYTES, first);
    writer.commit(index);
    return true;
  }

  private List<Written> readAll() {
    read.clear();
    while (lanes.read() > 0) {
      assertThat(lanes.hasRecord() || read.size() > 0).isTrue();
    }
    return List.copyOf(read);
  }

  @Property(tries = 200)
  void shouldReadWhatAQueueWouldWhenStepsAreRandom(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 990) int longest) {
    Random random = new Random(seed);
    ArrayDeque<Written> model = new ArrayDeque<>();
    LanesTest test = new LanesTest();
    LaneWriter writer = test.enter();
    int refused = 0;
    for (int step = 0; step < 600; step++) {
      int length = 16 + random.nextInt(longest);
      if (random.nextInt(8) == 0) {
        int index = writer.claim(9, length);
        if (index >= 0) {
          writer.buffer().setMemory(index, length, (byte) 0x77);
          assertThat(writer.hasClaim()).isTrue();
          writer.abort(index);
        }
        assertThat(writer.hasClaim()).isFalse();
      } else if (random.nextInt(8) == 0) {
        writer.prepare();
      } else if (random.nextInt(9) > 0) {
        Written record = new Written(1 + random.nextInt(9), step, length);
        if (write(writer, record.type, record.first, record.length)) {
          model.add(record);
          refused = 0;
        } else {
          refused++;
        }
      } else {
        assertThat(test.lanes.hasRecord()).isEqualTo(!model.isEmpty());
        assertThat(test.readAll()).containsExactlyElementsOf(model);
        model.clear();
        assertThat(test.lanes.hasRecord()).isFalse();
        assertThat(write(writer, 1, step, length)).as("there is room now").isTrue();
        model.add(new Written(1, step, length));
      }
    }
    assertThat(test.readAll()).containsExactlyElementsOf(model);
    assertThat(refused).isLessThan(600);
  }

  @Test
  void shouldRefuseWhatHasNoRoomAndTakeItWhenAQuarterIsRead() {
    LaneWriter writer = enter();
    int written = 0;
    while (write(writer, 1, written, 100)) {
      written++;
    }
    assertThat(written).isGreaterThan(CAPACITY / 128 / 2).isLessThan(CAPACITY / 128);
    assertThat(writer.hasClaim()).isFalse();

    assertThat(readAll()).hasSize(written);
    assertThat(write(writer, 1, 0, LaneLayout.longestRecord(CAPACITY))).isTrue();
  }

  @Test
  void shouldHandOverSomeOfEachLaneByTurns() {
    ShmLayout roomy = new ShmLayout(1 << 12, 2, 1 << 14, 0, 0);
    UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect((int) roomy.fileBytes));
    List<Integer> types = new ArrayList<>();
    ShmLanes both = new ShmLanes(memory, roomy, (from, type, index, length) -> types.add(type));
    for (int sender = 1; sender <= 2; sender++) {
      int lane = take(memory, roomy);
      LaneWriter writer =
          new LaneWriter(new UnsafeBuffer(memory, roomy.laneAt(lane), roomy.laneMemoryBytes()));
      for (int i = 0; i < 200; i++) {
        assertThat(write(writer, sender, i, 16)).isTrue();
      }
    }

    assertThat(both.read()).isLessThan(200);
    assertThat(types).contains(1, 2);
  }

  @Test
  void shouldCountTheRecordAsReadWhenItsHandlerThrows() {
    LaneWriter writer = enter();
    for (int i = 1; i <= 4; i++) {
      write(writer, 1, i, 8);
    }
    failAt = 2;
    assertThatThrownBy(lanes::read).isInstanceOf(IllegalStateException.class);
    failAt = -1;

    assertThat(readAll()).extracting(Written::first).containsExactly(3L, 4L);
  }

  @Test
  void shouldSayThatALaneIsBrokenWhenALengthIsNone() {
    for (int length : new int[] {1, -8, CAPACITY + 8}) {
      LanesTest test = new LanesTest();
      write(test.enter(), 1, 1, 8);
      test.memory(0).putInt(LaneLayout.at(0, CAPACITY - 1), length);

      assertThatThrownBy(test.lanes::read)
          .isInstanceOf(BrokenRingException.class)
          .hasMessageContaining("length=" + length);
    }
  }

  @Test
  void shouldEndTheTurnWhenASenderWritesPaddingOnly() {
    enter();
    for (int at = 0; at < CAPACITY; at += LaneLayout.ALIGNMENT) {
      memory(0)
          .putLong(
              LaneLayout.at(at, CAPACITY - 1),
              LaneLayout.header(LaneLayout.PADDING, LaneLayout.ALIGNMENT));
    }

    assertThat(lanes.read()).isPositive();
    assertThat(read).isEmpty();
  }

  @Test
  void shouldRefuseARecordThatWouldNeverHaveRoom() {
    LaneWriter writer = enter();
    int longest = LaneLayout.longestRecord(CAPACITY);

    assertThatThrownBy(() -> writer.claim(1, longest + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length=" + (longest + 1));
    for (int i = 0; i < 10; i++) {
      assertThat(write(writer, 1, i, longest)).isTrue();
      assertThat(readAll()).hasSize(1);
    }
  }

  @Test
  void shouldGiveEachSenderALaneWhileThereAreAny() {
    assertThat(take(file, layout)).isZero();
    assertThat(take(file, layout)).isEqualTo(1);
    assertThat(take(file, layout)).isEqualTo(2);
    assertThat(take(file, layout)).isEqualTo(NONE);

    free(file, lanes, 1);
    assertThat(take(file, layout)).isEqualTo(1);
  }

  @Test
  void shouldLetTheNextSenderGoOnWhereAKilledOneEnded() {
    LaneWriter killed = enter();
    for (int i = 0; i < 40; i++) {
      assertThat(write(killed, SENDER, i, 200)).isTrue();
      readAll();
    }
    write(killed, SENDER, 41, 200);
    int open = killed.claim(SENDER, 500);
    killed.buffer().setMemory(open, 500, (byte) 0x11); // and here it is killed

    assertThat(lanes.isDrained(0)).isFalse();
    assertThat(readAll()).containsExactly(new Written(SENDER, 41, 200));
    assertThat(lanes.isDrained(0)).isTrue();
    free(file, lanes, 0);
    LaneWriter next = enter();
    for (int i = 0; i < 40; i++) {
      assertThat(write(next, SENDER, i, 300)).isTrue();
      assertThat(readAll()).containsExactly(new Written(SENDER, i, 300));
    }
  }

  @Test
  void shouldLeaveARecordAloneThatIsBeingWritten() {
    LaneWriter writer = enter();
    write(writer, SENDER, 1, 300);
    int open = writer.claim(SENDER, 200);
    writer.buffer().setMemory(open, 200, (byte) 0x55);

    writer.prepare();

    byte[] written = new byte[200];
    writer.buffer().getBytes(open, written);
    assertThat(written).containsOnly(0x55);
  }

  /** Whoever wrote them may be alive, and write more. */
  @Test
  void shouldLetNobodyHaveALaneWhoseRecordsAreNotRead() {
    LaneWriter first = enter();
    write(first, SENDER, 1, 8);

    free(file, lanes, 0);

    assertThat(take(file, layout)).as("another one").isEqualTo(1);
    write(first, SENDER, 2, 8);
    assertThat(readAll()).as("nobody trusts it").isEmpty();
    assertThat(lanes.hasRecord()).isFalse();
  }

  @Test
  void shouldHaveNoLaneWhereTheLayoutHasNone() {
    ShmLayout none = new ShmLayout(1 << 12, 0, CAPACITY, 0, 0);
    UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect((int) none.fileBytes));
    ShmLanes empty = new ShmLanes(memory, none, (from, type, index, length) -> {});

    assertThat(take(memory, none)).isEqualTo(NONE);
    assertThat(empty.read()).isZero();
    assertThat(empty.hasRecord()).isFalse();
    assertThat(empty.isDrained(0)).isTrue();
    assertThat(empty.free(0)).isTrue();
  }

  @Test
  void shouldUseAllBitsOfTheWord() {
    ShmLayout all = new ShmLayout(1 << 12, ShmLayout.MOST_LANES, 1 << 7, 0, 0);
    UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect((int) all.fileBytes));
    List<Integer> types = new ArrayList<>();
    ShmLanes many = new ShmLanes(memory, all, (from, type, index, length) -> types.add(type));
    for (int lane = 0; lane < ShmLayout.MOST_LANES; lane++) {
      assertThat(take(memory, all)).isEqualTo(lane);
    }
    assertThat(take(memory, all)).isEqualTo(NONE);
    LaneWriter last =
        new LaneWriter(
            new UnsafeBuffer(memory, all.laneAt(ShmLayout.MOST_LANES - 1), all.laneMemoryBytes()));
    write(last, SENDER, 1, 8);
    assertThat(many.read()).isEqualTo(1);

    free(memory, many, ShmLayout.MOST_LANES - 1);
    assertThat(take(memory, all)).isEqualTo(ShmLayout.MOST_LANES - 1);
  }
}
