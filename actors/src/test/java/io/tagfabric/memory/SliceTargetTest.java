package io.tagfabric.memory;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.trace.AccessTrace;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.agrona.concurrent.UnsafeBuffer;

/** The target of slices and fills against a naive model, under frames that say anything. */
class SliceTargetTest {
  private static final int BYTES = 96;
  private static final int CANARY = 32;
  private static final int HEAD = AccessWriter.PIECE_HEADER;
  private static final AtomicInteger DOMAINS = new AtomicInteger();

  private static ActorSystem<Void> system;

  private final PacketPool pool = new PacketPool(4096, 16 * 1024);
  private final FrameWriter seals = new FrameWriter();
  private final AccessWriter writer = seals.accesses();
  private final FrameCursor cursor = new FrameCursor();
  private final MessageView view = new MessageView();
  private final UnsafeBuffer around = new UnsafeBuffer(new byte[BYTES + 2 * CANARY]);
  private FrameServices services;
  private Random random;
  private byte[] expected;
  private RecordingOrigin origin;
  private MemoryTarget target;

  /** Pieces as they travel, some of which may be wrong. */
  private static final class Packed {
    final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2_000]);
    int length;
    int sum;
    boolean outside;
    boolean malformed;
  }

  @BeforeContainer
  static void start() {
    system = ActorSystem.create(Behaviors.empty(), "slice-target");
  }

  @AfterContainer
  static void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Property(tries = 60)
  void shouldDoWhatTheModelDoesAndNothingElse(@ForAll Random seed) {
    random = seed;
    services = new FrameServices();
    Domain domain =
        Fabric.get(system).openDomain("s" + DOMAINS.incrementAndGet(), ProgressMode.MANUAL);
    try {
      RegionTable table =
          new RegionTable(
              domain.loop(),
              domain.futures(),
              random::nextLong,
              1,
              Duration.ofSeconds(1),
              RegionTest.NO_ACTOR);
      target =
          new MemoryTarget(
              table, true, true, 2, domain.openCompletionQueue(4), AccessTrace.OFF, delayNs -> {});
      target.register(services);
      random.nextBytes(around.byteArray());
      expected = around.byteArray().clone();
      table.register(new UnsafeBuffer(around, CANARY, BYTES), RegionRight.all(), options());
      origin = new RecordingOrigin(pool);
      for (int i = 1; i <= 200; i++) {
        switch (random.nextInt(3)) {
          case 0 -> write(i);
          case 1 -> read(i);
          default -> fill(i);
        }
        assertThat(Arrays.mismatch(around.byteArray(), expected)).isEqualTo(-1);
      }
    } finally {
      domain.close(Duration.ZERO);
    }
  }

  private static RegionOptions options() {
    return RegionOptions.DEFAULT.withKey(7);
  }

  private long someOffset() {
    return switch (random.nextInt(20)) {
      case 0 -> random.nextLong();
      case 1 -> Long.MAX_VALUE - random.nextInt(40);
      case 2 -> -random.nextInt(40);
      default -> random.nextInt(BYTES - 16);
    };
  }

  private static boolean isInside(long at, long length) {
    return at >= 0 && length >= 0 && at <= BYTES && length <= BYTES - at;
  }

  /** Appends a piece; of a write its bytes too, which the model places if all before were right. */
  private void append(Packed packed, boolean writes) {
    long at = someOffset();
    int length = random.nextInt(30) == 0 ? random.nextInt() : 1 + random.nextInt(16);
    packed.bytes.putLong(packed.length, at, ByteOrder.LITTLE_ENDIAN);
    packed.bytes.putInt(packed.length + 8, length, ByteOrder.LITTLE_ENDIAN);
    packed.length += HEAD;
    packed.malformed |= length < 1;
    packed.outside |= length < 1 || !isInside(at, length);
    packed.sum += length;
    for (int i = 0; writes && i < length && i < 16; i++) {
      byte value = (byte) random.nextInt();
      packed.bytes.putByte(packed.length++, value);
      if (!packed.outside) {
        expected[CANARY + (int) at + i] = value;
      }
    }
  }

  private void write(int operation) {
    Packed packed = new Packed();
    for (int count = 1 + random.nextInt(6); count > 0; count--) {
      append(packed, true);
    }
    boolean torn = random.nextInt(8) == 0 && !packed.outside;
    if (torn) {
      packed.length += 1 + random.nextInt(HEAD - 1); // the beginning of one more
    }
    int sent = 0;
    while (sent < packed.length && origin.breaches.isEmpty()) {
      int part = 1 + random.nextInt(packed.length - sent);
      Packet packet = pool.acquire(4096);
      view.show(0, packed.bytes, 0, packed.length);
      if (sent == 0) {
        int flags = AccessWriter.SLICED | AccessWriter.WANTS_END;
        writer.write(packet, operation, 7, 0, 0, view, flags, part);
      } else {
        writer.writeNext(packet, sent, 0, view, part);
      }
      assertThat(hear(packet)).isTrue();
      sent += part;
    }
    if (torn) {
      assertThat(origin.breaches).hasSize(1);
      target.lost(origin);
      origin = new RecordingOrigin(pool);
      return;
    }
    origin.requireEnd(operation, packed.outside ? FabricError.ACCESS : null);
    origin.requireNothingMore();
  }

  private void read(int operation) {
    Packed packed = new Packed();
    byte[] wanted = new byte[0];
    for (int count = 1 + random.nextInt(6); count > 0; count--) {
      int before = packed.length;
      append(packed, false);
      if (!packed.outside) {
        int at = CANARY + (int) packed.bytes.getLong(before, ByteOrder.LITTLE_ENDIAN);
        int length = packed.bytes.getInt(before + 8, ByteOrder.LITTLE_ENDIAN);
        int had = wanted.length;
        wanted = Arrays.copyOf(wanted, had + length);
        System.arraycopy(expected, at, wanted, had, length);
      }
    }
    boolean lies = random.nextInt(20) == 0;
    int sum = lies ? packed.sum + 1 : packed.sum;
    Packet packet = pool.acquire(4096);
    view.show(0, packed.bytes, 0, packed.length);
    writer.readSlices(packet, operation, 7, 0, sum, view);
    boolean malformed = lies || packed.malformed || sum < 1 || sum > 1024;
    assertThat(hear(packet)).isEqualTo(!malformed);
    if (malformed) {
      return;
    }
    if (packed.outside) {
      origin.requireEnd(operation, FabricError.ACCESS);
    } else {
      origin.requireBytes(operation, wanted);
    }
    origin.requireNothingMore();
  }

  private void fill(int operation) {
    long at = someOffset();
    int length = random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(20);
    byte value = (byte) random.nextInt();
    Packet packet = pool.acquire(4096);
    writer.fill(packet, operation, 7, 0, at, length, value, AccessWriter.WANTS_END);
    boolean malformed = length < 0 || length > MemoryTarget.MOST_FILLED_BYTES;
    assertThat(hear(packet)).isEqualTo(!malformed);
    if (malformed) {
      return;
    }
    boolean inside = isInside(at, length);
    if (inside) {
      int from = CANARY + (int) at;
      Arrays.fill(expected, from, from + length, value);
    }
    origin.requireEnd(operation, inside ? null : FabricError.ACCESS);
    origin.requireNothingMore();
  }

  /** Whether the frame follows the schema. */
  private boolean hear(Packet packet) {
    seals.sealUncounted(packet, 1, 5);
    Packet received = Packet.received(Arrays.copyOf(packet.array(), packet.length()));
    packet.release();
    assertThat(cursor.wrap(received)).isTrue();
    int kind;
    while ((kind = cursor.nextFrame()) != 0) {
      services.of(kind).onFrame(origin, cursor);
    }
    return !cursor.isMalformed();
  }
}
