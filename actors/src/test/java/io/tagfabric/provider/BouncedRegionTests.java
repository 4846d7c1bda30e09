package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.MemorySettings;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What writes owe that are copied while they wait, over every provider. */
abstract class BouncedRegionTests extends ImmediateRegionTests {
  private static final int BYTES = 1_000;

  /** As many as are kept at a time, and some. */
  private static final int WRITES = 100;

  private static final int KEPT = 64;
  private static final SendOptions INJECT = SendOptions.DEFAULT.at(CompletionLevel.INJECT);

  BouncedRegionTests(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  private Side bouncing() {
    MemorySettings settings = new MemorySettings(4, 1_000, BYTES);
    return new Side(
        nearDomain,
        "bouncing",
        Side.QUEUE_SIZE,
        nearDomain.endpointDefaults().withMemory(settings));
  }

  /** One that lets a writer have one access under way. */
  private Side strict() {
    EndpointSettings settings = farDomain.endpointDefaults();
    return new Side(
        farDomain,
        "strict",
        Side.QUEUE_SIZE,
        settings.withFlow(settings.flow().withCredit(settings.flow().eagerCreditBytes(), 1)));
  }

  private static void write(EndpointMemory memory, RemoteRegion to, UnsafeBuffer buffer, int i) {
    assertThat(memory.write(to, (long) i * BYTES, buffer, 0, BYTES, INJECT, i))
        .isEqualTo(Posted.POSTED);
  }

  @Test
  void shouldCompleteWritesThatWaitAtOnceAndPlaceWhatTheyHad() {
    Side writer = bouncing();
    Side target = strict();
    EndpointMemory memory = writer.endpoint.memory();
    byte[] bytes = new byte[WRITES * BYTES];
    Region region = farDomain.register(new UnsafeBuffer(bytes), RegionRight.all());
    RemoteRegion there = new RemoteRegion(writer.indexOf(target), region.descriptor());
    result(memory.futures().writeValue(there, 0, 1)); // the flow is open, its credit is back
    byte[] expected = new byte[bytes.length];
    UnsafeBuffer[] buffers = new UnsafeBuffer[WRITES];
    for (int i = 0; i < WRITES; i++) {
      buffers[i] = pattern(BYTES, i);
      System.arraycopy(buffers[i].byteArray(), 0, expected, i * BYTES, BYTES);
      write(memory, there, buffers[i], i);
    }
    if (mode == ProgressMode.MANUAL) {
      // Nobody drives the target: what has ended waits here.
      writer.poll();
      assertThat(writer.sent).hasSizeBetween(KEPT, KEPT + 1);
    }
    int scrambled = 0;
    while (scrambled < WRITES) {
      writer.poll();
      target.poll();
      while (scrambled < writer.sent.size()) {
        // It is the program's. One that is copied may end before one that waits.
        int ended = (int) ((Completion.Accessed) writer.sent.get(scrambled++)).context();
        buffers[ended].setMemory(0, BYTES, (byte) -1);
      }
    }
    result(memory.futures().flush(there.peer()));
    assertThat(Arrays.mismatch(bytes, expected)).isEqualTo(-1);
    assertThat(writer.sent).hasSize(WRITES);
    // There is room for as many again.
    for (int i = 0; i < KEPT; i++) {
      write(memory, there, buffers[i], i);
    }
    if (mode == ProgressMode.MANUAL) {
      writer.poll();
      assertThat(writer.sent).hasSize(WRITES + KEPT);
    }
    result(memory.futures().flush(there.peer()));
    Arrays.fill(expected, 0, KEPT * BYTES, (byte) -1);
    assertThat(Arrays.mismatch(bytes, expected)).isEqualTo(-1);
  }

  @Test
  void shouldTellTheNextFlushWhatWasRefused() {
    Side writer = bouncing();
    Side target = strict();
    EndpointMemory memory = writer.endpoint.memory();
    byte[] bytes = new byte[BYTES];
    Region region = farDomain.register(new UnsafeBuffer(bytes), RegionRight.all());
    RegionDescriptor descriptor = region.descriptor();
    RemoteRegion there = new RemoteRegion(writer.indexOf(target), descriptor);
    RemoteRegion lie = new RemoteRegion(there.peer(), lying(descriptor));
    result(memory.futures().writeValue(there, 0, 1));
    for (int i = 0; i < 5; i++) {
      write(memory, lie, pattern(BYTES, i), 10 + i);
    }
    until(
        "all writes have ended",
        () -> writer.poll() + target.poll() >= 0 && writer.sent.size() == 5);
    FabricException refused = failure(memory.futures().flush(there.peer()));
    assertThat(refused.error()).isEqualTo(FabricError.ACCESS);
    assertThat(refused).hasMessageContaining("offset=" + 10 * BYTES);
    result(memory.futures().flush(there.peer()));
    assertThat(writer.sent).as("each has ended once").hasSize(5);
  }

  @Test
  void shouldTellTheNextFlushThatALongWriteWasRefusedOnItsWay() {
    int length = 2_000_000;
    MemorySettings settings = new MemorySettings(4, 1_000, length);
    Side writer =
        new Side(
            nearDomain,
            "bouncing-long",
            Side.QUEUE_SIZE,
            nearDomain.endpointDefaults().withMemory(settings));
    EndpointMemory memory = writer.endpoint.memory();
    Region region = farDomain.register(new UnsafeBuffer(new byte[8]), RegionRight.all());
    RegionDescriptor descriptor = region.descriptor();
    RemoteRegion there = new RemoteRegion(writer.indexOf(far), descriptor);
    result(memory.futures().writeValue(there, 0, 1));
    UnsafeBuffer bytes = buffer(length);
    RemoteRegion lie = new RemoteRegion(there.peer(), lying(descriptor));
    assertThat(memory.write(lie, 0, bytes, 0, length, INJECT, "long")).isEqualTo(Posted.POSTED);
    assertThat(memory.write(there, 0, bytes, 0, 8, INJECT, "short")).isEqualTo(Posted.POSTED);
    until("both have ended", () -> writer.poll() >= 0 && writer.sent.size() == 2);
    assertThat(writer.sent).allMatch(ended -> ended instanceof Completion.Accessed);
    FabricException refused = failure(memory.futures().flush(there.peer()));
    assertThat(refused.error()).isEqualTo(FabricError.ACCESS);
    assertThat(refused).hasMessageContaining("lengthBytes=" + length);
    result(memory.futures().flush(there.peer()));
  }

  @Test
  void shouldEndWhenThePeerGoesWhileCopiesWait() {
    Side writer = bouncing();
    Side target = strict();
    EndpointMemory memory = writer.endpoint.memory();
    Region region = farDomain.register(new UnsafeBuffer(new byte[BYTES]), RegionRight.all());
    RemoteRegion there = new RemoteRegion(writer.indexOf(target), region.descriptor());
    result(memory.futures().writeValue(there, 0, 1));
    for (int i = 0; i < 20; i++) {
      write(memory, there, pattern(BYTES, i), 0);
    }
    CompletableFuture<?> flush = memory.futures().flush(there.peer()).toCompletableFuture();
    domains.remove(farDomain);
    farDomain.close(Duration.ZERO);
    while (!flush.isDone()) {
      writer.poll();
    }
    until("all writes have ended", () -> writer.poll() >= 0 && writer.sent.size() == 20);
    writer.poll();
    assertThat(writer.sent).as("each has ended once").hasSize(20);
    if (mode == ProgressMode.MANUAL) {
      requireRoomForAllCopies(writer);
    }
  }

  /** What was copied for a peer that is gone takes no room. */
  private void requireRoomForAllCopies(Side writer) {
    farDomain = domain(systems.far());
    Side target = strict();
    EndpointMemory memory = writer.endpoint.memory();
    byte[] bytes = new byte[KEPT * BYTES];
    Region region = farDomain.register(new UnsafeBuffer(bytes), RegionRight.all());
    RemoteRegion there = new RemoteRegion(writer.indexOf(target), region.descriptor());
    CompletableFuture<?> opened = memory.futures().writeValue(there, 0, 1).toCompletableFuture();
    until("the flow is open", () -> writer.poll() + target.poll() >= 0 && opened.isDone());
    for (int i = 0; i < KEPT; i++) {
      write(memory, there, pattern(BYTES, i), i);
    }
    writer.poll();
    assertThat(writer.sent).as("all end at once, copied").hasSize(20 + KEPT);
    CompletableFuture<?> flush = memory.futures().flush(there.peer()).toCompletableFuture();
    until("all is placed", () -> writer.poll() + target.poll() >= 0 && flush.isDone());
    for (int i = 0; i < KEPT; i++) {
      assertThat(Arrays.copyOfRange(bytes, i * BYTES, (i + 1) * BYTES))
          .isEqualTo(Side.pattern(BYTES, i));
    }
  }
}
