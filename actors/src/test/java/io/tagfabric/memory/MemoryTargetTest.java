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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The target of accesses against a naive model, under frames that say anything. Each run has
 * regions that come and go, and two peers whose writes come in parts.
 */
class MemoryTargetTest {
  private static final int BYTES = 96;
  private static final int CANARY = 32;
  private static final int KEYS = 4;
  private static final AtomicInteger DOMAINS = new AtomicInteger();

  private static ActorSystem<Void> system;

  private final PacketPool pool = new PacketPool(4096, 16 * 1024);
  private final FrameWriter seals = new FrameWriter();
  private final AccessWriter writer = seals.accesses();
  private final FrameCursor cursor = new FrameCursor();
  private final Map<Long, Modelled> model = new HashMap<>();
  private final MessageView view = new MessageView();

  private FrameServices services;
  private Domain domain;
  private MemoryTarget target;
  private SplittableRandom random;
  private long operations;

  /** A region and what it should hold. */
  private static final class Modelled {
    final UnsafeBuffer around = new UnsafeBuffer(new byte[BYTES + 2 * CANARY]);
    final byte[] expected;
    final Region region;
    final Set<RegionRight> rights;
    boolean closed;

    Modelled(RegionTable table, long key, Set<RegionRight> rights, SplittableRandom random) {
      random.nextBytes(around.byteArray());
      expected = around.byteArray().clone();
      this.rights = rights;
      region =
          table.register(
              new UnsafeBuffer(around, CANARY, BYTES), rights, RegionOptions.DEFAULT.withKey(key));
    }

    void requireExpected() {
      assertThat(Arrays.mismatch(around.byteArray(), expected)).isEqualTo(-1);
    }
  }

  @BeforeContainer
  static void start() {
    system = ActorSystem.create(Behaviors.empty(), "memory-target");
  }

  @AfterContainer
  static void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Property(tries = 60)
  void shouldDoWhatTheModelDoesAndNothingElse(@ForAll Random seed) {
    random = new SplittableRandom(seed.nextLong());
    services = new FrameServices();
    model.clear();
    domain = Fabric.get(system).openDomain("t" + DOMAINS.incrementAndGet(), ProgressMode.MANUAL);
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
      Peer[] peers = {new Peer(), new Peer()};
      for (int i = 0; i < 400; i++) {
        step(table, peers[random.nextInt(2)]);
        model.values().forEach(Modelled::requireExpected);
      }
    } finally {
      domain.close(Duration.ZERO);
    }
  }

  /** A write of a peer that has begun. */
  private static final class Begun {
    Modelled into;
    long at;
    byte[] bytes;
    int filled;
    long operation;
  }

  /** A peer, and what the target has said to it. */
  private final class Peer {
    RecordingOrigin origin = new RecordingOrigin(pool);
    Begun begun;
  }

  private void step(RegionTable table, Peer peer) {
    int what = random.nextInt(20);
    if (what == 0) {
      register(table);
    } else if (what == 1) {
      closeOne();
    } else if (what == 2) {
      target.lost(peer.origin);
      peer.origin = new RecordingOrigin(pool);
      peer.begun = null;
    } else if (peer.begun != null) {
      goOn(peer);
    } else if (what < 9) {
      write(peer);
    } else if (what == 9) {
      signal(peer);
    } else if (what < 14) {
      read(peer);
    } else {
      update(peer);
    }
  }

  private void register(RegionTable table) {
    long key = random.nextInt(KEYS);
    Modelled there = model.get(key);
    if (there != null && !there.closed) {
      return;
    }
    Set<RegionRight> rights = EnumSet.noneOf(RegionRight.class);
    for (RegionRight right : RegionRight.values()) {
      if (random.nextInt(4) > 0) {
        rights.add(right);
      }
    }
    model.put(key, new Modelled(table, key, rights, random));
  }

  private void closeOne() {
    Modelled region = model.get((long) random.nextInt(KEYS));
    if (region != null && !region.closed) {
      region.closed = true;
      region.region.close(Duration.ZERO);
      domain.loop().advance();
      assertThat(region.region.isCut()).isTrue();
    }
  }

  private long someKey() {
    return random.nextInt(8) == 0 ? random.nextLong() : random.nextInt(KEYS);
  }

  private long someOffset() {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextLong();
      case 1 -> Long.MAX_VALUE - random.nextInt(100);
      case 2 -> -1 - random.nextInt(100);
      default -> random.nextInt(BYTES + 4);
    };
  }

  private long someGeneration(Modelled region) {
    return region == null || random.nextInt(6) == 0
        ? random.nextInt(2) == 0 ? 0 : 12345
        : region.region.descriptor().generation();
  }

  /** The error that an access must end with; null if it is allowed. */
  private static FabricError error(
      Modelled region, long generation, boolean writes, boolean reads, long at, long length) {
    if (region == null
        || region.closed
        || (generation != 0 && generation != region.region.descriptor().generation())) {
      return FabricError.NO_KEY;
    }
    boolean inside = at >= 0 && at <= BYTES && at + length <= BYTES;
    boolean allowed =
        (!writes || region.rights.contains(RegionRight.REMOTE_WRITE))
            && (!reads || region.rights.contains(RegionRight.REMOTE_READ));
    return inside && allowed ? null : FabricError.ACCESS;
  }

  private void write(Peer peer) {
    long key = someKey();
    Modelled region = model.get(key);
    long generation = someGeneration(region);
    long at = someOffset();
    byte[] bytes = new byte[random.nextInt(BYTES + 8)];
    random.nextBytes(bytes);
    int first = bytes.length == 0 ? 0 : 1 + random.nextInt(bytes.length);
    view.show(0, new UnsafeBuffer(bytes), 0, bytes.length);
    long operation = ++operations;
    Packet packet = pool.acquire(1024);
    writer.write(packet, operation, key, generation, at, view, AccessWriter.WANTS_END, first);
    hear(peer, packet);
    FabricError error = error(region, generation, true, false, at, bytes.length);
    if (error == null) {
      System.arraycopy(bytes, 0, region.expected, CANARY + (int) at, first);
    } else {
      peer.origin.requireEnd(operation, error);
    }
    if (first < bytes.length) {
      peer.begun = new Begun();
      peer.begun.into = error == null ? region : null;
      peer.begun.at = at;
      peer.begun.bytes = bytes;
      peer.begun.filled = first;
      peer.begun.operation = operation;
    } else if (error == null) {
      peer.origin.requireEnd(operation, null);
    }
    peer.origin.requireNothingMore();
  }

  /** A peer says that it has placed bytes itself, which it cannot have here. */
  private void signal(Peer peer) {
    long key = someKey();
    Modelled region = model.get(key);
    long generation = someGeneration(region);
    long at = someOffset();
    int length = 1 + random.nextInt(BYTES + 8);
    long operation = ++operations;
    Packet packet = pool.acquire(1024);
    int flags = AccessWriter.SIGNAL | AccessWriter.PLACED | AccessWriter.WANTS_END;
    writer.writePlaced(packet, operation, key, generation, at, length, 0, flags);
    hear(peer, packet);
    FabricError error = error(region, generation, true, false, at, length);
    peer.origin.requireEnd(operation, error == null ? FabricError.INVALID : error);
    peer.origin.requireNothingMore();
  }

  private void goOn(Peer peer) {
    Begun begun = peer.begun;
    view.show(0, new UnsafeBuffer(begun.bytes), 0, begun.bytes.length);
    int left = begun.bytes.length - begun.filled;
    int kind = random.nextInt(12);
    if (kind == 0) {
      // Something that breaks the rules: it costs this peer its flow, and nothing else.
      int wrong = random.nextBoolean() ? begun.filled + 1 : begun.filled - 1;
      Packet packet = pool.acquire(1024);
      view.show(0, new UnsafeBuffer(new byte[512]), 0, 512);
      boolean tooLong = random.nextBoolean();
      int position = tooLong ? begun.filled : wrong;
      writer.writeNext(packet, position, 0, view, tooLong ? left + 1 : 1);
      hear(peer, packet);
      assertThat(peer.origin.breaches).hasSize(1);
      target.lost(peer.origin);
      peer.origin = new RecordingOrigin(pool);
      peer.begun = null;
      return;
    }
    boolean abort = kind == 1;
    int part = abort ? 0 : 1 + random.nextInt(left);
    Packet packet = pool.acquire(1024);
    writer.writeNext(packet, begun.filled, abort ? AccessWriter.ABORTED : 0, view, part);
    hear(peer, packet);
    if (abort) {
      peer.begun = null;
      peer.origin.requireNothingMore();
      return;
    }
    if (begun.into != null && begun.into.closed) {
      peer.origin.requireEnd(begun.operation, FabricError.NO_KEY);
      begun.into = null;
    }
    if (begun.into != null) {
      System.arraycopy(
          begun.bytes,
          begun.filled,
          begun.into.expected,
          CANARY + (int) begun.at + begun.filled,
          part);
    }
    begun.filled += part;
    if (begun.filled == begun.bytes.length) {
      if (begun.into != null) {
        peer.origin.requireEnd(begun.operation, null);
      }
      peer.begun = null;
    }
    peer.origin.requireNothingMore();
  }

  private void read(Peer peer) {
    long key = someKey();
    Modelled region = model.get(key);
    long generation = someGeneration(region);
    long at = someOffset();
    long length = random.nextInt(6) == 0 ? random.nextLong() >>> 1 : random.nextInt(BYTES + 8);
    long operation = ++operations;
    Packet packet = pool.acquire(1024);
    writer.read(packet, operation, key, generation, at, length);
    hear(peer, packet);
    FabricError error =
        length > BYTES && region != null && !region.closed
            ? error(region, generation, false, true, at, BYTES + 1)
            : error(region, generation, false, true, at, Math.min(length, BYTES + 1));
    if (error != null) {
      peer.origin.requireEnd(operation, error);
    } else if (length == 0) {
      peer.origin.requireEnd(operation, null);
    } else {
      int from = CANARY + (int) at;
      peer.origin.requireBytes(
          operation, Arrays.copyOfRange(region.expected, from, from + (int) length));
    }
    peer.origin.requireNothingMore();
  }

  private void update(Peer peer) {
    long key = someKey();
    Modelled region = model.get(key);
    long generation = someGeneration(region);
    long at = random.nextInt(3) == 0 ? someOffset() : 4L * random.nextInt(BYTES / 4 + 1);
    int count = 1 + random.nextInt(3);
    UnsafeBuffer operands = new UnsafeBuffer(new byte[4 * count]);
    for (int i = 0; i < count; i++) {
      operands.putInt(4 * i, random.nextInt(), ByteOrder.LITTLE_ENDIAN);
    }
    boolean fetch = random.nextBoolean();
    boolean unknown = random.nextInt(10) == 0;
    view.show(0, operands, 0, operands.capacity());
    long operation = ++operations;
    Packet packet = pool.acquire(1024);
    writer.atomic(
        packet,
        operation,
        key,
        generation,
        at,
        count,
        unknown ? 99 : AtomicOp.SUM.number(),
        AtomicKind.INT32.number(),
        fetch ? AccessWriter.FETCH : AccessWriter.WANTS_END,
        view);
    hear(peer, packet);
    FabricError error =
        unknown
            ? FabricError.OPERATION_NOT_SUPPORTED
            : error(region, generation, true, fetch, at, 4L * count);
    if (error == null && at % 4 != 0) {
      error = FabricError.INVALID;
    }
    if (error != null) {
      peer.origin.requireEnd(operation, error);
    } else {
      UnsafeBuffer expected = new UnsafeBuffer(region.expected);
      int from = CANARY + (int) at;
      byte[] old = Arrays.copyOfRange(region.expected, from, from + 4 * count);
      for (int i = 0; i < count; i++) {
        int sum =
            expected.getInt(from + 4 * i, ByteOrder.LITTLE_ENDIAN)
                + operands.getInt(4 * i, ByteOrder.LITTLE_ENDIAN);
        expected.putInt(from + 4 * i, sum, ByteOrder.LITTLE_ENDIAN);
      }
      if (fetch) {
        peer.origin.requireBytes(operation, old);
      } else {
        peer.origin.requireEnd(operation, null);
      }
    }
    peer.origin.requireNothingMore();
  }

  private void hear(Peer peer, Packet packet) {
    seals.sealUncounted(packet, 1, 5);
    int length = packet.length();
    Packet received = Packet.received(Arrays.copyOf(packet.array(), length));
    packet.release();
    assertThat(cursor.wrap(received)).isTrue();
    int kind;
    List<Integer> kinds = new ArrayList<>();
    while ((kind = cursor.nextFrame()) != 0) {
      kinds.add(kind);
      services.of(kind).onFrame(peer.origin, cursor);
    }
    assertThat(cursor.isMalformed()).as("frame %s", kinds).isFalse();
  }
}
