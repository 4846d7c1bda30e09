package io.tagfabric.memory;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.LocalRegions;
import io.tagfabric.provider.RegionDoor;
import io.tagfabric.provider.RegionPass;
import io.tagfabric.runtime.RandomSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The regions of a domain by their keys. Regions come and go on any thread, the loop looks them up:
 * each change makes a new map, so that a look-up takes no lock and makes no object.
 */
@InternalApi
public final class RegionTable {
  private final ProgressLoop loop;
  private final ProgressFutures futures;
  private final RandomSource random;
  private final long incarnation;
  private final Duration closeTimeout;
  private final Function<Behavior<Region.Command>, ActorRef<Region.Command>> spawner;
  private volatile Long2ObjectHashMap<Region> open = new Long2ObjectHashMap<>();

  /** One for each queue of signals: a queue keeps those that it was asked for. */
  private final Map<CompletionQueue, CompletionOutbox> outboxes = new HashMap<>();

  /** Regions that have begun to close and have not closed yet. */
  private final Set<Region> closing = new LinkedHashSet<>();

  private boolean ended;

  /**
   * An empty table.
   *
   * @param random makes keys and generations
   * @param incarnation uid of the ActorSystem
   * @param closeTimeout what a close without a time gives accesses that are under way
   * @param spawner starts an actor of the domain; outside the loop
   */
  public RegionTable(
      ProgressLoop loop,
      ProgressFutures futures,
      RandomSource random,
      long incarnation,
      Duration closeTimeout,
      Function<Behavior<Region.Command>, ActorRef<Region.Command>> spawner) {
    this.loop = loop;
    this.futures = futures;
    this.random = random;
    this.incarnation = incarnation;
    this.closeTimeout = closeTimeout;
    this.spawner = spawner;
  }

  /**
   * Registers memory. Thread: any.
   *
   * @throws FabricException NO_KEY if a region of the domain has the key
   * @throws IllegalArgumentException if the buffer moves when it grows, or must only be read and
   *     the rights say otherwise
   * @throws IllegalStateException if the domain has closed meanwhile
   */
  public synchronized Region register(
      MutableDirectBuffer buffer, Set<RegionRight> rights, RegionOptions options) {
    Objects.requireNonNull(buffer, "buffer");
    if (buffer.isExpandable()) {
      throw new IllegalArgumentException(
          "a buffer that grows moves its bytes, register one of a fixed capacity");
    }
    if (isReadOnly(buffer)
        && (rights.contains(RegionRight.LOCAL_WRITE)
            || rights.contains(RegionRight.REMOTE_WRITE))) {
      throw new IllegalArgumentException(
          "rights=" + rights + " of a buffer that is read-only, register it without the writes");
    }
    if (ended) {
      throw new IllegalStateException("the domain is closed, open another");
    }
    long key = options.key().orElseGet(this::freeKey);
    if (open.containsKey(key)) {
      throw new FabricException(
          FabricError.NO_KEY,
          "key="
              + Long.toHexString(key)
              + " is that of another region of this domain, close that or take another key");
    }
    long generation = newGeneration();
    RegionPass pass =
        new RegionPass(
            key,
            buffer.capacity(),
            RegionRight.bits(rights),
            rights.contains(RegionRight.REMOTE_WRITE));
    RegionDoor door =
        options.accesses() == null
            ? LocalRegions.open(buffer, generation | RegionDescriptor.DIRECT_BIT, pass)
            : null;
    generation =
        door == null
            ? generation & ~RegionDescriptor.DIRECT_BIT
            : generation | RegionDescriptor.DIRECT_BIT;
    Region region =
        new Region(
            this,
            new UnsafeBuffer(buffer),
            new RegionDescriptor(key, generation, buffer.capacity(), rights, incarnation),
            options,
            options.queue() == null
                ? null
                : outboxes.computeIfAbsent(options.queue(), CompletionQueue::outbox),
            door);
    bind(options, door);
    Long2ObjectHashMap<Region> more = new Long2ObjectHashMap<>(open);
    more.put(key, region);
    open = more;
    return region;
  }

  private static void bind(RegionOptions options, RegionDoor door) {
    Counter first = options.counter();
    try {
      if (first != null) {
        first.bind();
      }
      if (options.accesses() != null) {
        try {
          options.accesses().bind();
        } catch (RuntimeException closed) {
          if (first != null) {
            first.unbind();
          }
          throw closed;
        }
      }
    } catch (RuntimeException closed) {
      if (door != null) {
        door.shut();
        door.release();
      }
      throw closed;
    }
  }

  /** A store into memory that the system maps for reading only would end the process. */
  private static boolean isReadOnly(MutableDirectBuffer buffer) {
    return buffer.byteBuffer() != null && buffer.byteBuffer().isReadOnly();
  }

  private long freeKey() {
    long key;
    do {
      key = random.nextLong();
    } while (open.containsKey(key));
    return key;
  }

  private long newGeneration() {
    long generation = random.nextLong();
    return (generation & ~RegionDescriptor.DIRECT_BIT) == 0 ? newGeneration() : generation;
  }

  /** A region begins to close. */
  synchronized void remove(Region region) {
    Long2ObjectHashMap<Region> fewer = new Long2ObjectHashMap<>(open);
    fewer.remove(region.key());
    open = fewer;
    closing.add(region);
  }

  /** A region has closed. */
  synchronized void closed(Region region) {
    closing.remove(region);
  }

  /** The region that a peer names; null if there is none. Thread: the loop. */
  Region find(long key, long generation) {
    Region region = open.get(key);
    return region == null || !region.hasGeneration(generation) || !region.isOpen() ? null : region;
  }

  /** Refuses every access from now on, as the domain closes. Thread: any, outside the loop. */
  public void shut() {
    refuseMore();
    unclosed().forEach(Region::beginClose);
  }

  /** Accesses that peers do themselves end with their next part. Thread: any, outside the loop. */
  public void cut() {
    unclosed().forEach(Region::cutPeers);
  }

  /** Whether no peer that lives is inside a region. Thread: any, outside the loop. */
  public boolean isQuiet() {
    return unclosed().stream().allMatch(Region::hasNoPeerInside);
  }

  /** Closes all regions of a domain that closes. Thread: any, outside the loop. */
  public void end() {
    refuseMore();
    List<Region> all = unclosed();
    loop.execute(() -> all.forEach(Region::end));
  }

  private synchronized void refuseMore() {
    ended = true;
  }

  private synchronized List<Region> unclosed() {
    List<Region> all = new ArrayList<>(open.values());
    all.addAll(closing);
    return all;
  }

  ActorRef<Region.Command> spawn(Behavior<Region.Command> behavior) {
    loop.requireOutside("ref of a region");
    return spawner.apply(behavior);
  }

  ProgressFutures futures() {
    return futures;
  }

  Duration closeTimeout() {
    return closeTimeout;
  }

  /** Runs something on the loop. */
  void run(Runnable task) {
    loop.execute(task);
    loop.wake();
  }

  /** Runs something on the loop later. */
  void later(long delayNs, Runnable task) {
    loop.timers().schedule(loop.time().nanoTime() + delayNs, task);
  }
}
