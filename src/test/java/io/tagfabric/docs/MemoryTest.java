package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.access.Access;
import io.tagfabric.access.AccessRegion;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.access.RemoteSegments;
import io.tagfabric.access.SegmentFutures;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.FabricSegments;
import io.tagfabric.fabric.SegmentedRegion;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.SegmentsDescriptor;
import io.tagfabric.memory.Slices;
import io.tagfabric.testkit.FabricTest;
import io.tagfabric.testkit.TestFabric;
import java.nio.ByteOrder;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The code of the page on memory. */
@FabricTest(endpoints = {"near", "far"})
class MemoryTest {
  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void shouldAccess(TestFabric fabric) {
    Endpoint near = fabric.endpoint("near");
    Domain domain = fabric.domain();
    int peer = fabric.peer("far");
    byte[] table = new byte[64];
    byte[] row = {1, 2, 3};
    byte[] back = new byte[3];
    // #access
    Region region = domain.register(new UnsafeBuffer(table), RegionRight.all());
    RegionDescriptor descriptor = region.descriptor(); // give it to peers, in any message

    RemoteRegion there = new RemoteRegion(peer, descriptor);
    MemoryFutures memory = near.memory().futures();
    await(memory.write(there, 16, new UnsafeBuffer(row)));
    await(memory.read(there, 16, new UnsafeBuffer(back)));
    long before = await(memory.fetch(there, 0, AtomicOp.SUM, 5));
    long seen = await(memory.compareAndSwap(there, 8, 0, 77));

    await(region.close()); // from now on no byte changes by its key
    // #access
    assertThat(back).isEqualTo(row);
    assertThat(before).isZero();
    assertThat(seen).isZero();
    UnsafeBuffer longs = new UnsafeBuffer(table);
    assertThat(longs.getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(5);
    assertThat(longs.getLong(8, ByteOrder.LITTLE_ENDIAN)).isEqualTo(77);
  }

  @Test
  void shouldAccessManyPieces(TestFabric fabric) {
    Endpoint near = fabric.endpoint("near");
    UnsafeBuffer table = new UnsafeBuffer(new byte[64]);
    Region region = fabric.domain().register(table, RegionRight.all());
    RemoteRegion there = new RemoteRegion(fabric.peer("far"), region.descriptor());
    MemoryFutures memory = near.memory().futures();
    UnsafeBuffer matrix = new UnsafeBuffer(new byte[48]); // 2 rows of 3 numbers
    for (int i = 0; i < 6; i++) {
      matrix.putLong(8 * i, i, ByteOrder.LITTLE_ENDIAN);
    }
    // #slices
    Slices columns = Slices.strided(0, 8, new int[] {3, 2}, new long[] {8, 24});
    await(
        memory.start(Access.writeSlices(there, Slices.one(0, 48), matrix, columns))); // transposed
    await(memory.start(Access.fill(there, 48, 16, (byte) 7)));
    // #slices
    long[] transposed = {0, 3, 1, 4, 2, 5};
    for (int i = 0; i < 6; i++) {
      assertThat(table.getLong(8 * i, ByteOrder.LITTLE_ENDIAN)).isEqualTo(transposed[i]);
    }
    assertThat(table.getLong(56)).isEqualTo(0x0707070707070707L);
    // #region
    AccessRegion all = near.openAccessRegion();
    for (int i = 0; i < 6; i++) {
      all.writeValue(there, 8L * i, i, SendOptions.DEFAULT.at(CompletionLevel.DELIVERY), null);
    }
    await(all.end()); // one end for all of them
    // #region
    for (int i = 0; i < 6; i++) {
      assertThat(table.getLong(8 * i, ByteOrder.LITTLE_ENDIAN)).isEqualTo(i);
    }
  }

  @Test
  void shouldAccessSegments(TestFabric fabric) {
    Endpoint near = fabric.endpoint("near");
    Domain domain = fabric.domain();
    int peer = fabric.peer("far");
    long bytes = 5000;
    int segmentBytes = 1024;
    byte[] row = {1, 2, 3, 4};
    // #segments
    FabricSegments memory = domain.allocateSegments(bytes, segmentBytes);
    SegmentedRegion region = domain.register(memory, RegionRight.all(), RegionOptions.DEFAULT);
    SegmentsDescriptor descriptor = region.descriptor(); // give it to peers

    RemoteSegments there = new RemoteSegments(peer, descriptor);
    SegmentFutures futures = near.memory().futures().ofSegments();
    await(futures.write(there, 2046, new UnsafeBuffer(row))); // in two segments
    // #segments
    assertThat(memory.bufferAt(2047).getByte(memory.indexIn(2047))).isEqualTo((byte) 2);
    assertThat(memory.bufferAt(2048).getByte(memory.indexIn(2048))).isEqualTo((byte) 3);
    await(region.close());
    memory.close();
  }
}
