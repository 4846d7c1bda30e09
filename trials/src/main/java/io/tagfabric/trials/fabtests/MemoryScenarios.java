package io.tagfabric.trials.fabtests;

import io.tagfabric.access.Access;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/** Regions, reads and writes of memory. */
final class MemoryScenarios {
  private static final Duration LOOK = Duration.ofMillis(5);
  private static final int MOST = 1_200_003;

  private MemoryScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "rma", "rma", "rma_bw", "writes and reads of every length", MemoryScenarios::lengths),
        new Scenario(
            "rma-pingpong",
            "rma",
            "rma_pingpong",
            "each side writes, and waits for what the other writes",
            MemoryScenarios::pingPong),
        new Scenario(
            "rma-inject",
            "rma",
            "fi_inject_write",
            "a buffer overwritten when the write returns",
            MemoryScenarios::inject),
        new Scenario(
            "rma-tx-completion",
            "rma",
            "rma_tx_completion",
            "every level completes, and a flush says that all is there",
            MemoryScenarios::levels),
        new Scenario(
            "rma-event",
            "rma",
            "rdm_rma_event",
            "a counter of the target counts writes when they are placed",
            MemoryScenarios::event),
        new Scenario(
            "rma-cq-data",
            "rma",
            "cq_data",
            "immediate data of writes, behind their bytes",
            MemoryScenarios::data),
        new Scenario(
            "multi-mr", "rma", "multi_mr", "many regions, each by its key", MemoryScenarios::many),
        new Scenario(
            "mr",
            "rma",
            "mr_test",
            "keys, bounds, rights and the close of regions",
            MemoryScenarios::rights),
        new Scenario(
            "mesh-rma",
            "rma",
            "fi_multinode -x rma",
            "four endpoints on each side, all to all",
            MemoryScenarios::mesh));
  }

  // ---- what scenarios share ----

  /** What one side opens to the other. */
  static Region register(Link link, byte[] bytes) {
    return link.domain().register(new UnsafeBuffer(bytes), RegionRight.all());
  }

  /** Gives the other side a region's descriptor, or nothing, and gets its own. */
  static RegionDescriptor exchange(Side side, Region own) {
    byte[] bytes = new byte[RegionDescriptor.LENGTH];
    if (own != null) {
      own.descriptor().encode(new UnsafeBuffer(bytes), 0);
    }
    StringBuilder hex = new StringBuilder();
    for (byte each : bytes) {
      hex.append(String.format("%02x", each));
    }
    String theirs = side.exchange(hex.toString());
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(theirs.substring(2 * i, 2 * i + 2), 16);
    }
    return RegionDescriptor.decode(new UnsafeBuffer(bytes), 0);
  }

  /** The error with which an access ends, at the call or later. */
  static FabricException failure(Side side, Supplier<CompletionStage<?>> access) {
    try {
      side.join(access.get());
    } catch (FabricException e) {
      return e;
    }
    throw new Wrong("an access that must be refused was done");
  }

  static void requireError(FabricException failure, FabricError wanted) {
    Wrong.unless(
        failure.error() == wanted,
        () -> "failed with " + failure.error() + " instead of " + wanted + ": " + failure);
  }

  static void requireEqual(byte[] wanted, byte[] found) {
    int at = Arrays.mismatch(wanted, found);
    Wrong.unless(at < 0, () -> "byte " + at + " of " + wanted.length + " is wrong");
  }

  // ---- scenarios ----

  private static void lengths(Side side) {
    Link link = side.open();
    byte[] target = new byte[MOST];
    RegionDescriptor there = exchange(side, register(link, target));
    if (side.isFirst()) {
      EndpointMemory memory = link.endpoint().memory();
      List<Integer> lengths = new ArrayList<>(List.of(0, MOST));
      for (int bits = 0; bits <= 20; bits += 2) {
        lengths.addAll(List.of((1 << bits) - 1, 1 << bits, (1 << bits) + 1));
      }
      for (int length : lengths) {
        byte[] bytes = Side.bytes(length, length);
        int offset = Math.min(length % 97, MOST - length);
        side.join(
            memory
                .futures()
                .write(new RemoteRegion(link.peer(), there), offset, new UnsafeBuffer(bytes)));
        byte[] back = new byte[length];
        side.join(
            memory
                .futures()
                .read(new RemoteRegion(link.peer(), there), offset, new UnsafeBuffer(back)));
        requireEqual(bytes, back);
      }
      byte[] all = Side.bytes(1, MOST);
      side.join(
          memory.futures().write(new RemoteRegion(link.peer(), there), 0, new UnsafeBuffer(all)));
    }
    side.sync();
    if (!side.isFirst()) {
      requireEqual(Side.bytes(1, MOST), target);
    }
  }

  private static void pingPong(Side side) {
    Link link = side.open();
    UnsafeBuffer own = new UnsafeBuffer(new byte[64]);
    Counter counter = link.domain().openCounter();
    Region region =
        link.domain().register(own, RegionRight.all(), RegionOptions.DEFAULT.counting(counter));
    RegionDescriptor there = exchange(side, region);
    UnsafeBuffer word = new UnsafeBuffer(new byte[64]);
    for (int i = 1; i <= 200; i++) {
      if (side.isFirst()) {
        word.setMemory(0, 64, (byte) i);
        side.join(
            link.endpoint()
                .memory()
                .futures()
                .start(Access.write(new RemoteRegion(link.peer(), there), 0, word).signal()));
      }
      while (!counter.await(i, LOOK)) {
        side.requireTime("a write with a signal");
      }
      for (int at = 0; at < 64; at++) {
        int place = at;
        int round = i;
        Wrong.unless(
            own.getByte(at) == (byte) i,
            () -> "byte " + place + " of round " + round + " is " + own.getByte(place));
      }
      if (!side.isFirst()) {
        word.setMemory(0, 64, (byte) i);
        side.join(
            link.endpoint()
                .memory()
                .futures()
                .start(Access.write(new RemoteRegion(link.peer(), there), 0, word).signal()));
      }
    }
    side.join(region.close());
  }

  private static void inject(Side side) {
    Link link = side.open();
    int most = link.endpoint().settings().injectBytes();
    byte[] target = new byte[50 * most];
    RegionDescriptor there = exchange(side, register(link, target));
    if (side.isFirst()) {
      EndpointMemory memory = link.endpoint().memory();
      for (int i = 0; i < 50; i++) {
        byte[] bytes = Side.bytes(i, i % (most + 1));
        UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        while (memory.injectWrite(
                new RemoteRegion(link.peer(), there), (long) i * most, buffer, 0, bytes.length)
            == Posted.TRY_AGAIN) {
          side.requireTime("room for a write");
          link.pump();
        }
        Arrays.fill(bytes, (byte) -1);
      }
      side.join(memory.futures().flush(link.peer()));
      link.pump();
      Wrong.unless(link.ended().isEmpty(), "a write that succeeded has left an entry");
    }
    side.sync();
    for (int i = 0; i < 50 && !side.isFirst(); i++) {
      int length = i % (most + 1);
      requireEqual(Side.bytes(i, length), Arrays.copyOfRange(target, i * most, i * most + length));
    }
  }

  private static void levels(Side side) {
    Link link = side.open();
    byte[] target = new byte[200_000];
    RegionDescriptor there = exchange(side, register(link, target));
    List<CompletionLevel> levels =
        List.of(CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY);
    if (side.isFirst()) {
      EndpointMemory memory = link.endpoint().memory();
      for (int length : new int[] {8, 5_000, 200_000}) {
        for (CompletionLevel level : levels) {
          Slot slot = new Slot(Side.bytes(length, length), false);
          memory.write(
              new RemoteRegion(link.peer(), there),
              0,
              slot.buffer,
              0,
              length,
              SendOptions.DEFAULT.at(level),
              slot);
          Completion ended = link.await(slot).done;
          Wrong.unless(
              ended.equals(new Completion.Accessed(slot, link.peer(), Direction.WRITE, length)),
              () -> "a write has ended with " + ended);
          // It is the program's again.
          Arrays.fill(slot.bytes, (byte) -1);
        }
      }
      side.join(memory.futures().flushAll());
    }
    side.sync();
    if (!side.isFirst()) {
      requireEqual(Side.bytes(200_000, 200_000), target);
    }
  }

  private static void event(Side side) {
    Link link = side.open();
    Counter counter = link.domain().openCounter();
    byte[] target = new byte[100_000];
    Region region =
        link.domain()
            .register(
                new UnsafeBuffer(target),
                RegionRight.all(),
                RegionOptions.DEFAULT.counting(counter));
    RegionDescriptor there = exchange(side, region);
    for (int i = 1; i <= 20; i++) {
      if (side.isFirst()) {
        byte[] bytes = Side.bytes(i, 100_000);
        link.endpoint()
            .memory()
            .post(
                Access.write(
                        new RemoteRegion(link.peer(), there),
                        0,
                        new UnsafeBuffer(bytes),
                        0,
                        bytes.length)
                    .signal()
                    .with(SendOptions.DEFAULT.silent()),
                null);
      } else {
        while (!counter.await(i, LOOK)) {
          side.requireTime("a count");
        }
        requireEqual(Side.bytes(i, 100_000), target);
      }
      side.sync();
    }
    side.join(region.close());
  }

  private static void data(Side side) {
    int rounds = 100;
    Link link = side.open();
    CompletionQueue queue = link.domain().openCompletionQueue(16);
    byte[] target = new byte[64];
    Region region =
        link.domain()
            .register(
                new UnsafeBuffer(target),
                RegionRight.all(),
                RegionOptions.DEFAULT.withContext("here").to(queue));
    RegionDescriptor there = exchange(side, region);
    if (side.isFirst()) {
      List<CompletionStage<?>> writes = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        writes.add(
            link.endpoint()
                .memory()
                .futures()
                .start(
                    Access.write(
                            new RemoteRegion(link.peer(), there),
                            i % 8,
                            new UnsafeBuffer(Side.bytes(i, 8)))
                        .data(~i)));
      }
      writes.forEach(side::join);
    } else {
      for (int i = 0; i < rounds; i++) {
        Completion told = queue.readBlocking(LOOK);
        while (told == null) {
          side.requireTime("immediate data");
          told = queue.readBlocking(LOOK);
        }
        Completion.AccessedByPeer wanted =
            new Completion.AccessedByPeer(
                "here", link.peer(), Direction.REMOTE_WRITE, i % 8, 8, true, ~i);
        Completion found = told;
        Wrong.unless(told.equals(wanted), () -> "told " + found + " instead of " + wanted);
      }
    }
    side.sync();
  }

  private static void many(Side side) {
    int count = 200;
    Link link = side.open();
    List<byte[]> targets = new ArrayList<>();
    List<Region> regions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      targets.add(new byte[100]);
      regions.add(
          link.domain()
              .register(
                  new UnsafeBuffer(targets.get(i)),
                  RegionRight.all(),
                  RegionOptions.DEFAULT.withKey(10_000L + i)));
    }
    side.sync();
    EndpointMemory memory = link.endpoint().memory();
    List<CompletionStage<?>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RegionDescriptor there = RegionDescriptor.agreed(10_000L + i, 100);
      UnsafeBuffer bytes = new UnsafeBuffer(Side.bytes(i + side.index(), 100));
      writes.add(memory.futures().write(new RemoteRegion(link.peer(), there), 0, bytes));
    }
    writes.forEach(side::join);
    side.sync();
    for (int i = 0; i < count; i++) {
      requireEqual(Side.bytes(i + 1 - side.index(), 100), targets.get(i));
    }
    regions.forEach(region -> side.join(region.close()));
  }

  private static void rights(Side side) {
    Link link = side.open();
    byte[] target = Side.bytes(5, 64);
    UnsafeBuffer buffer = new UnsafeBuffer(target);
    Region readable = link.domain().register(buffer, Set.of(RegionRight.REMOTE_READ));
    RegionDescriptor there = exchange(side, readable);
    Region writable = link.domain().register(buffer, Set.of(RegionRight.REMOTE_WRITE));
    RegionDescriptor other = exchange(side, writable);
    if (side.isFirst()) {
      var futures = link.endpoint().memory().futures();
      int peer = link.peer();
      UnsafeBuffer bytes = new UnsafeBuffer(new byte[9]);
      RegionDescriptor lie =
          new RegionDescriptor(there.key(), there.generation(), 1 << 20, RegionRight.all(), 0);
      RegionDescriptor none =
          new RegionDescriptor(~there.key(), there.generation(), 64, RegionRight.all(), 0);
      requireError(
          failure(side, () -> futures.read(new RemoteRegion(peer, there), 56, bytes)),
          FabricError.ACCESS);
      requireError(
          failure(side, () -> futures.read(new RemoteRegion(peer, lie), 56, bytes)),
          FabricError.ACCESS);
      requireError(
          failure(side, () -> futures.write(new RemoteRegion(peer, there), 0, bytes)),
          FabricError.ACCESS);
      requireError(
          failure(side, () -> futures.write(new RemoteRegion(peer, lie), 0, bytes)),
          FabricError.ACCESS);
      requireError(
          failure(side, () -> futures.read(new RemoteRegion(peer, other), 0, bytes)),
          FabricError.ACCESS);
      requireError(
          failure(side, () -> futures.write(new RemoteRegion(peer, none), 0, bytes)),
          FabricError.NO_KEY);
      requireError(
          failure(side, () -> futures.read(new RemoteRegion(peer, none), 0, bytes)),
          FabricError.NO_KEY);
      side.join(futures.read(new RemoteRegion(peer, there), 55, bytes));
    }
    side.sync();
    requireEqual(Side.bytes(5, 64), target);
    side.join(readable.close());
    side.sync();
    if (side.isFirst()) {
      UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
      requireError(
          failure(
              side,
              () ->
                  link.endpoint()
                      .memory()
                      .futures()
                      .read(new RemoteRegion(link.peer(), there), 0, bytes)),
          FabricError.NO_KEY);
    }
    side.sync();
    side.join(writable.close());
  }

  private static void mesh(Side side) {
    int endpoints = 4;
    int block = 30_000;
    List<Link> links = new ArrayList<>();
    for (int i = 0; i < endpoints; i++) {
      links.add(side.open());
    }
    byte[] target = new byte[endpoints * block];
    RegionDescriptor there = exchange(side, register(links.get(0), target));
    List<CompletionStage<?>> writes = new ArrayList<>();
    for (int i = 0; i < endpoints; i++) {
      UnsafeBuffer bytes = new UnsafeBuffer(Side.bytes(i + 10 * side.index(), block));
      writes.add(
          links
              .get(i)
              .endpoint()
              .memory()
              .futures()
              .write(new RemoteRegion(links.get(i).peer(), there), (long) i * block, bytes));
    }
    writes.forEach(side::join);
    side.sync();
    for (int i = 0; i < endpoints; i++) {
      requireEqual(
          Side.bytes(i + 10 * (1 - side.index()), block),
          Arrays.copyOfRange(target, i * block, (i + 1) * block));
    }
  }
}
