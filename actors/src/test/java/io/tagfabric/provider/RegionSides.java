package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionCounters;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;

/** Two sides of a test of regions: `near` asks, `far` has the region. */
abstract class RegionSides extends TwoSides {
  static final int LONG = 3_000_017;
  static final SendOptions DELIVERED = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);

  Domain nearDomain;
  Domain farDomain;
  EndpointMemory memory;

  RegionSides(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  @BeforeEach
  void open() {
    nearDomain = domain(systems.near());
    farDomain = domain(systems.far());
    near = new Side(nearDomain, "near", Side.QUEUE_SIZE, nearDomain.endpointDefaults());
    far = new Side(farDomain, "far", Side.QUEUE_SIZE, farDomain.endpointDefaults());
    memory = near.endpoint.memory();
    meet();
  }

  RemoteRegion there(RegionDescriptor region) {
    return new RemoteRegion(toFar, region);
  }

  static UnsafeBuffer buffer(int bytes) {
    return new UnsafeBuffer(new byte[bytes]);
  }

  static UnsafeBuffer pattern(int bytes, int seed) {
    return new UnsafeBuffer(Side.pattern(bytes, seed));
  }

  static UnsafeBuffer longs(long... values) {
    UnsafeBuffer buffer = buffer(8 * values.length);
    for (int i = 0; i < values.length; i++) {
      buffer.putLong(8 * i, values[i], ByteOrder.LITTLE_ENDIAN);
    }
    return buffer;
  }

  static byte[] bytes(UnsafeBuffer buffer) {
    return Arrays.copyOf(buffer.byteArray(), buffer.capacity());
  }

  RegionCounters counters(Region region) {
    return result(region.counters());
  }

  Completion lastSent(int count) {
    until(count + " accesses have ended", () -> near.sent.size() >= count);
    assertThat(near.sent).hasSize(count);
    return near.sent.get(count - 1);
  }

  // ---- descriptors that are wrong ----

  static RegionDescriptor wrongKey(RegionDescriptor region) {
    return new RegionDescriptor(
        region.key() + 1,
        region.generation(),
        region.lengthBytes(),
        region.rights(),
        region.incarnation());
  }

  /** A descriptor that says more than is true, so that only the target can refuse. */
  static RegionDescriptor lying(RegionDescriptor region) {
    return new RegionDescriptor(
        region.key(), region.generation(), Long.MAX_VALUE, RegionRight.all(), region.incarnation());
  }
}
