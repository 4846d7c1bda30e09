package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tagfabric.access.RemoteSegments;
import io.tagfabric.access.SegmentFutures;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.FabricSegments;
import io.tagfabric.fabric.SegmentedRegion;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.SegmentsDescriptor;
import io.tagfabric.progress.ProgressMode;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What memory in segments owes over every provider. */
abstract class SegmentedRegionTests extends SlicedRegionTests {
  private static final int SEGMENT = 1_000;
  private static final int BYTES = 4_504;

  SegmentedRegionTests(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  /** As it comes to a peer. */
  private RemoteSegments segments(SegmentedRegion region) {
    SegmentsDescriptor descriptor = region.descriptor();
    UnsafeBuffer travels = new UnsafeBuffer(new byte[descriptor.encodedLength()]);
    descriptor.encode(travels, 0);
    return new RemoteSegments(toFar, SegmentsDescriptor.decode(travels, 0));
  }

  private static byte[] content(FabricSegments memory) {
    byte[] all = new byte[BYTES];
    for (int at = 0; at < BYTES; at += SEGMENT) {
      memory.bufferAt(at).getBytes(0, all, at, Math.min(SEGMENT, BYTES - at));
    }
    return all;
  }

  @Test
  void shouldAccessSegmentsAsOneMemory() {
    try (FabricSegments memory = farDomain.allocateSegments(BYTES, SEGMENT)) {
      assertThat(memory.lengthBytes()).isEqualTo(BYTES);
      SegmentedRegion region = farDomain.register(memory, RegionRight.all(), RegionOptions.DEFAULT);
      RemoteSegments there = segments(region);
      SegmentFutures futures = this.memory.futures().ofSegments();
      Random random = new Random(20261126);
      byte[] mirror = new byte[BYTES];
      for (int round = 0; round < 100; round++) {
        int length = round % 10 == 0 ? 0 : random.nextInt(BYTES);
        int offset = round == 1 ? 0 : random.nextInt(BYTES - length + 1);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        assertThat(result(futures.write(there, offset, new UnsafeBuffer(bytes))))
            .isEqualTo(new Completion.Accessed(null, toFar, Direction.WRITE, length));
        System.arraycopy(bytes, 0, mirror, offset, length);
        if (round % 7 == 0) {
          int from = random.nextInt(BYTES);
          int filled = random.nextInt(BYTES - from);
          result(futures.fill(there, from, filled, (byte) round));
          Arrays.fill(mirror, from, from + filled, (byte) round);
        }
        int from = random.nextInt(BYTES);
        byte[] found = new byte[random.nextInt(BYTES - from)];
        result(futures.read(there, from, new UnsafeBuffer(found)));
        assertThat(Arrays.equals(found, 0, found.length, mirror, from, from + found.length))
            .isTrue();
      }
      assertThat(Arrays.mismatch(content(memory), mirror)).isEqualTo(-1);
      result(region.close());
      assertThat(failure(futures.write(there, 3 * SEGMENT, new UnsafeBuffer(new byte[9]))).error())
          .isEqualTo(FabricError.NO_KEY);
    }
  }

  @Test
  void shouldUpdateElementsOfAllSegments() {
    try (FabricSegments memory = farDomain.allocateSegments(BYTES, SEGMENT)) {
      SegmentedRegion region = farDomain.register(memory, RegionRight.all(), RegionOptions.DEFAULT);
      RemoteSegments there = segments(region);
      SegmentFutures futures = this.memory.futures().ofSegments();
      for (int offset = 0; offset < BYTES; offset += 8) {
        assertThat(result(futures.fetch(there, offset, AtomicOp.SUM, offset))).isZero();
        assertThat(result(futures.compareAndSwap(there, offset, offset, offset + 1)))
            .isEqualTo(offset);
        assertThat(memory.bufferAt(offset).getLong(memory.indexIn(offset))).isEqualTo(offset + 1);
      }
      result(region.close());
    }
  }

  @Test
  void shouldSignalBehindTheLastByteOnly() {
    Counter counter = farDomain.openCounter();
    try (FabricSegments memory = farDomain.allocateSegments(BYTES, SEGMENT)) {
      SegmentedRegion region =
          farDomain.register(memory, RegionRight.all(), RegionOptions.DEFAULT.counting(counter));
      RemoteSegments there = segments(region);
      byte[] bytes = new byte[3 * SEGMENT];
      Arrays.fill(bytes, (byte) 5);
      result(this.memory.futures().ofSegments().writeSignal(there, 500, new UnsafeBuffer(bytes)));
      until("a signal has come", () -> counter.value() > 0);
      assertThat(counter.value()).isEqualTo(1);
      byte[] expected = new byte[BYTES];
      Arrays.fill(expected, 500, 3_500, (byte) 5);
      assertThat(Arrays.mismatch(content(memory), expected)).isEqualTo(-1);
      result(region.close());
    }
  }

  @Test
  void shouldRefuseWhatDoesNotLieInTheSegments() {
    try (FabricSegments memory = farDomain.allocateSegments(BYTES, SEGMENT)) {
      SegmentedRegion region = farDomain.register(memory, RegionRight.all(), RegionOptions.DEFAULT);
      RemoteSegments there = segments(region);
      SegmentFutures futures = this.memory.futures().ofSegments();
      UnsafeBuffer nine = new UnsafeBuffer(new byte[9]);
      long[] wrong = {-1, BYTES - 8, BYTES, Long.MAX_VALUE};
      for (long offset : wrong) {
        assertThatExceptionOfType(FabricException.class)
            .isThrownBy(() -> futures.write(there, offset, nine))
            .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.ACCESS))
            .withMessageContaining("offset=" + offset)
            .withMessageContaining("lengthBytes=" + BYTES);
        assertThatExceptionOfType(FabricException.class)
            .isThrownBy(() -> futures.read(there, offset, nine));
      }
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> futures.fetch(there, BYTES - 4, AtomicOp.SUM, 1));
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> futures.fill(there, 0, BYTES + 1L, (byte) 1));
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> farDomain.register(memory, RegionRight.all(), RegionOptions.DEFAULT.withKey(5)))
          .withMessageContaining("a key is of one region");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> farDomain.allocateSegments(BYTES, 12))
          .withMessageContaining("segmentBytes=12");
      assertThat(Arrays.mismatch(content(memory), new byte[BYTES])).isEqualTo(-1);
      result(region.close());
    }
  }
}
