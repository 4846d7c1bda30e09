package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.provider.Channel;
import io.tagfabric.provider.shm.ring.BrokenRingException;
import io.tagfabric.provider.shm.ring.LaneLayout;
import io.tagfabric.provider.shm.ring.LaneReader;
import io.tagfabric.provider.shm.ring.LaneWriter;
import io.tagfabric.provider.shm.ring.ShmLanes;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a peer that has mapped the file may write into its lane, and the readers. */
class HostileLaneTest {
  private static final int CAPACITY = 1 << 10;
  private static final int HOSTILE = 0;
  private static final int HONEST = 1;
  private static final int LIMIT = 64;
  private static final int DOMAINS = 40;

  private static final int[] LENGTHS = {
    0,
    1,
    7,
    8,
    9,
    12,
    31,
    32,
    33,
    40,
    64,
    CAPACITY - 32,
    CAPACITY - 1,
    CAPACITY,
    CAPACITY + 1,
    1 << 16,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    -1,
    -8,
    -32
  };

  /** Lengths of what looks right, of what is near the limits, and any. */
  private static long anyHeader(Random random) {
    int type =
        switch (random.nextInt(4)) {
          case 0 -> LaneLayout.PADDING;
          case 1 -> 0;
          case 2 -> random.nextInt();
          default -> 1 << random.nextInt(Integer.SIZE) | 1 + random.nextInt(9);
        };
    int length =
        switch (random.nextInt(4)) {
          case 0 -> LENGTHS[random.nextInt(LENGTHS.length)];
          case 1 -> random.nextInt();
          default -> 8 + random.nextInt(90);
        };
    return (long) type << Integer.SIZE | length & 0xffffffffL;
  }

  /** Two lanes, of which one has a hostile sender. */
  private static final class Two implements ShmLanes.RecordHandler {
    private final ShmLayout layout = new ShmLayout(1 << 12, 2, CAPACITY, 0, 0);
    private final UnsafeBuffer file =
        new UnsafeBuffer(ByteBuffer.allocateDirect((int) layout.fileBytes));
    private final AtomicBuffer hostile = lane(HOSTILE);
    private final AtomicBuffer honest = lane(HONEST);
    private final ShmLanes lanes = new ShmLanes(file, layout, this);
    private final List<Long> came = new ArrayList<>();
    private int records;
    private int cutOff;

    private AtomicBuffer lane(int number) {
      ShmLanes.enter(file, number);
      return new UnsafeBuffer(file, layout.laneAt(number), layout.laneMemoryBytes());
    }

    @Override
    public void onRecord(AtomicBuffer memory, int type, int index, int length) {
      assertThat(length).isNotNegative();
      assertThat(index).isGreaterThanOrEqualTo(LaneLayout.DATA_AT + LaneLayout.HEADER_BYTES);
      assertThat(index + length).isLessThanOrEqualTo(LaneLayout.memoryBytes(CAPACITY));
      if (memory.addressOffset() == honest.addressOffset()) {
        came.add(memory.getLong(index));
        return;
      }
      assertThat(cutOff).as("nothing is read after it was cut off").isZero();
      records++;
      if (type == 0) {
        throw new BrokenRingException("no record has this type");
      }
    }

    @Override
    public void onBroken(int lane, String detail) {
      assertThat(lane).isEqualTo(HOSTILE);
      assertThat(detail).isNotEmpty();
      cutOff++;
    }
  }

  @Property(tries = 2_000)
  void shouldReadOnWhateverStandsInALaneBesideAnother(@ForAll long seed) {
    Random random = new Random(seed);
    Two two = new Two();
    LaneWriter honest = new LaneWriter(two.honest);
    List<Long> sent = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      switch (random.nextInt(6)) {
        case 0 -> two.hostile.putLong(LaneLayout.HEAD_AT, random.nextLong());
        case 1 -> {
          byte[] junk = new byte[CAPACITY];
          random.nextBytes(junk);
          two.hostile.putBytes(LaneLayout.DATA_AT, junk);
        }
        default -> {
          for (int at = 0; at < CAPACITY; at += LaneLayout.ALIGNMENT) {
            two.hostile.putLongOrdered(LaneLayout.DATA_AT + at, anyHeader(random));
          }
        }
      }
      int index = honest.claim(1, Long.BYTES);
      if (index >= 0) {
        honest.buffer().putLong(index, step);
        honest.commit(index);
        sent.add((long) step);
      }
      int before = two.records;

      assertThat(two.lanes.read(LIMIT)).isBetween(0, 2 * LIMIT);

      assertThat(two.records - before).isLessThanOrEqualTo(LIMIT);
      assertThat(two.came).containsExactlyElementsOf(sent);
      assertThat(two.lanes.isDrained(HONEST)).isTrue();
    }
    assertThat(two.cutOff).isLessThanOrEqualTo(1);
    if (two.cutOff > 0) {
      assertThat(two.lanes.hasRecord()).as("it keeps nobody awake").isFalse();
      assertThat(two.lanes.free(HOSTILE)).as("nobody has it after that one").isFalse();
    }
    assertThat(two.lanes.free(HONEST)).isTrue();
  }

  private static long anyHead(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> Long.MAX_VALUE - random.nextInt(3 * CAPACITY);
      case 2 -> Long.MIN_VALUE + random.nextInt(3 * CAPACITY);
      default -> random.nextInt(5 * CAPACITY) - CAPACITY;
    };
  }

  /** What it writes for the next records too, when it has nothing else to do. */
  @Property(tries = 2_000)
  void shouldWriteIntoItsLaneAloneWhateverItsReaderSaysIsRead(@ForAll long seed) {
    Random random = new Random(seed);
    int guard = 2 * CAPACITY;
    int laneBytes = LaneLayout.memoryBytes(CAPACITY);
    byte[] around = new byte[guard + laneBytes + guard];
    Arrays.fill(around, (byte) 0x55);
    UnsafeBuffer lane = new UnsafeBuffer(around, guard, laneBytes);
    lane.setMemory(0, laneBytes, (byte) 0);
    lane.putLong(LaneLayout.HEAD_AT, anyHead(random));
    LaneWriter writer = new LaneWriter(lane);
    for (int step = 0; step < 60; step++) {
      long head = anyHead(random);
      lane.putLong(LaneLayout.HEAD_AT, head);
      int length = random.nextInt(LaneLayout.longestRecord(CAPACITY) + 1);
      int index = writer.claim(1, length);
      if (index >= 0) {
        assertThat(index).isGreaterThanOrEqualTo(LaneLayout.DATA_AT + LaneLayout.HEADER_BYTES);
        assertThat(index + length).isLessThanOrEqualTo(laneBytes);
        lane.setMemory(index, length, (byte) 7);
        if (random.nextBoolean()) {
          writer.commit(index);
        } else {
          writer.abort(index);
        }
      }
      writer.prepare();
      assertThat(lane.getLong(LaneLayout.HEAD_AT)).isEqualTo(head);
      for (int at = 0; at < guard; at += Long.BYTES) {
        assertThat(around[at]).isEqualTo((byte) 0x55);
        assertThat(around[guard + laneBytes + at]).isEqualTo((byte) 0x55);
      }
    }
  }

  /** Memory in which another header stands at each look. */
  private static final class Changing extends UnsafeBuffer {
    private final Random random;

    Changing(Random random) {
      super(ByteBuffer.allocateDirect(LaneLayout.memoryBytes(CAPACITY)));
      this.random = random;
    }

    @Override
    public long getLongVolatile(int index) {
      return index == LaneLayout.HEAD_AT ? 0 : anyHeader(random);
    }

    @Override
    public int getInt(int index) {
      return random.nextInt();
    }
  }

  @Property(tries = 1_000)
  void shouldUseTheHeaderThatItHasLookedAt(@ForAll long seed) {
    Changing memory = new Changing(new Random(seed));
    int[] last = new int[1];
    LaneReader reader =
        new LaneReader(
            memory,
            (type, index, length) -> {
              assertThat(length).isNotNegative();
              assertThat(index + length).isLessThanOrEqualTo(memory.capacity());
              last[0] = index + length;
            });
    for (int pass = 0; pass < 20; pass++) {
      try {
        assertThat(reader.read(LIMIT)).isBetween(0, LIMIT);
      } catch (BrokenRingException broken) {
        assertThat(broken).hasMessageContaining("length=");
      }
    }
    assertThat(last[0]).isLessThanOrEqualTo(memory.capacity());
  }

  @Property(tries = 1_000)
  void shouldWriteWithinTheLaneWhateverItsReaderReports(@ForAll long seed) {
    Random random = new Random(seed);
    UnsafeBuffer memory =
        new UnsafeBuffer(ByteBuffer.allocateDirect(LaneLayout.memoryBytes(CAPACITY)));
    memory.putLong(LaneLayout.HEAD_AT, random.nextLong() >> random.nextInt(Long.SIZE));
    LaneWriter writer = new LaneWriter(memory);
    for (int step = 0; step < 100; step++) {
      int length = random.nextInt(LaneLayout.longestRecord(CAPACITY) + 1);
      int index = writer.claim(1, length);
      if (index >= 0) {
        assertThat(index).isGreaterThanOrEqualTo(LaneLayout.DATA_AT + LaneLayout.HEADER_BYTES);
        assertThat(index + length).isLessThanOrEqualTo(memory.capacity());
        writer.buffer().setMemory(index, length, (byte) step);
        writer.commit(index);
      }
      memory.putLong(LaneLayout.HEAD_AT, random.nextLong() >> random.nextInt(Long.SIZE));
    }
  }

  /** Records as a domain takes them, by their type: packets, messages, frames, slots. */
  @Test
  void shouldLoseNoOtherPeerOfADomain(@TempDir Path parent) throws IOException {
    int lost = 0;
    for (int seed = 0; seed < DOMAINS; seed++) {
      lost += attackDomain(parent, new Random(seed));
    }
    assertThat(lost).as("hostile senders that were cut off").isBetween(DOMAINS / 4, DOMAINS);
  }

  private static int attackDomain(Path directory, Random random) throws IOException {
    long[] nowNs = new long[1];
    try (ShmSide far = new ShmSide(() -> nowNs[0], directory, Map.of("slots", "2"));
        ShmSide bad = new ShmSide(() -> nowNs[0], directory, Map.of("slots", "2"));
        ShmSide good = new ShmSide(() -> nowNs[0], directory, Map.of("slots", "2"))) {
      Channel ofBad = bad.connect(far);
      Channel toBad = far.connect(bad);
      Channel ofGood = good.connect(far);
      try (ShmFile file = ShmFile.open(far.file())) {
        int ringBytes = file.buffer().getInt(ShmLayout.LANE_BYTES_AT);
        UnsafeBuffer lane = laneOf(file.buffer());
        byte[] junk = new byte[ringBytes];
        random.nextBytes(junk);
        for (int step = 0; step < 10; step++) {
          lane.putBytes(LaneLayout.DATA_AT, junk);
          for (int at = 0; at < ringBytes; at += LaneLayout.ALIGNMENT) {
            lane.putLong(LaneLayout.DATA_AT + at, likely(random));
          }
          lane.putLong(LaneLayout.DATA_AT, likely(random));
          int before = matching(far, step);
          assertThat(ofGood.offer(ShmSide.packet(100, step))).isTrue();
          far.onLoop(() -> {});
          assertThat(matching(far, step)).isEqualTo(before + 1);
          assertThat(ofGood.closedBecause()).isNull();
        }
      }
      nowNs[0] += 10_000_000_000L;
      bad.onLoop(() -> {});
      bad.onLoop(() -> {});
      assertThat(ofBad.closedBecause() == null).isEqualTo(toBad.closedBecause() == null);
      return toBad.closedBecause() == null ? 0 : 1;
    }
  }

  private static UnsafeBuffer laneOf(UnsafeBuffer file) {
    ShmLayout layout =
        new ShmLayout(
            file.getInt(ShmLayout.RING_BYTES_AT),
            file.getInt(ShmLayout.LANES_AT),
            file.getInt(ShmLayout.LANE_BYTES_AT),
            file.getInt(ShmLayout.SLOTS_AT),
            file.getInt(ShmLayout.SLOT_BYTES_AT));
    return new UnsafeBuffer(file, layout.laneAt(HOSTILE), layout.laneMemoryBytes());
  }

  private static int matching(ShmSide side, int seed) {
    byte[] wanted = ShmSide.packet(100, seed).buffer().byteArray();
    return (int)
        IntStream.range(0, side.received.size())
            .filter(i -> Arrays.equals(side.received.get(i), wanted))
            .count();
  }

  /** Mostly a header that a sender could have written. */
  private static long likely(Random random) {
    if (random.nextInt(200) == 0) {
      return anyHeader(random);
    }
    int flags =
        switch (random.nextInt(4)) {
          case 0 -> ShmArrivals.SLOT_FLAG;
          case 1 -> ShmArrivals.INJECT_FLAG;
          case 2 -> ShmArrivals.FRAMES_FLAG;
          default -> 0;
        };
    int length =
        flags == ShmArrivals.SLOT_FLAG ? ShmArrivals.SLOT_RECORD_BYTES : 8 + random.nextInt(100);
    int type = ShmArrivals.typeOf(ShmSide.ENDPOINT) - random.nextInt(2);
    return LaneLayout.header(flags | type, length + LaneLayout.HEADER_BYTES);
  }
}
