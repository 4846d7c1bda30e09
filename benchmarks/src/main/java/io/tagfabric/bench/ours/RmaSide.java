package io.tagfabric.bench.ours;

import io.tagfabric.access.Access;
import io.tagfabric.access.AccessRegion;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionReach;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One of two sides that access each other's memory, each with a region. Thread: one. */
final class RmaSide {
  /** Words that numbers are added to at random. */
  static final int WORDS = 1 << 17;

  private static final int ORDER_BYTES = 24;
  private static final long TAG = 11;
  private static final long PING = 13;
  private static final int BATCH = 64;
  private static final long POLLING_NS = 1_000_000;
  private static final Duration PATIENCE = Duration.ofMillis(10);
  private static final SendOptions DELIVERED = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);

  private final Endpoint endpoint;
  private final int peer;
  private final int self;
  private final EndpointMemory memory;
  private final FabricMemory allocated;
  private final MutableDirectBuffer own;
  private final MutableDirectBuffer buffer;
  private final Region region;
  private final CompletionQueue signals;
  private final CompletionHandler onEnd = this::onEnd;
  private final CompletionHandler onSignal = this::onSignal;
  private final CompletionHandler onReceived = this::onReceived;
  private final UnsafeBuffer one = new UnsafeBuffer(new byte[Long.BYTES]);
  private final UnsafeBuffer old = new UnsafeBuffer(new byte[Long.BYTES]);
  private RemoteRegion there;
  private long ended;
  private long signalled;
  private long received;
  private int polls;

  /**
   * A side.
   *
   * @param bytes of its region
   * @param fabric whether that is memory that peers of this host reach
   */
  RmaSide(Domain domain, Endpoint endpoint, int peer, int bytes, boolean fabric) {
    this.endpoint = endpoint;
    this.peer = peer;
    self = domain.addressVector().insert(endpoint.address());
    memory = endpoint.memory();
    allocated = fabric ? domain.allocate(bytes) : null;
    own = fabric ? allocated.buffer() : new UnsafeBuffer(new byte[bytes]);
    buffer = new UnsafeBuffer(new byte[bytes]);
    signals = domain.openCompletionQueue();
    region = domain.register(own, RegionRight.all(), RegionOptions.DEFAULT.to(signals));
    one.putLong(0, 1, ByteOrder.LITTLE_ENDIAN);
  }

  /** Tells the other side where this one's memory is, and learns where its is. */
  void meet() {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[RegionDescriptor.LENGTH]);
    region.descriptor().encode(bytes, 0);
    send(bytes.byteArray());
    there = new RemoteRegion(peer, RegionDescriptor.decode(new UnsafeBuffer(receive()), 0));
  }

  /** Who moves the bytes. */
  String reach() {
    return EnumNames.of(there.descriptor().reach());
  }

  /** How the other side is reached. */
  String provider() {
    return endpoint.futures().flows().toCompletableFuture().join().flows().stream()
        .filter(flow -> flow.peer() == peer)
        .map(Endpoint.FlowInfo::provider)
        .findFirst()
        .orElse("none");
  }

  private void send(byte[] bytes) {
    endpoint.futures().sendTagged(peer, bytes, TAG).toCompletableFuture().join();
  }

  private byte[] receive() {
    CompletableFuture<TaggedMessage> message =
        endpoint.futures().receiveTagged(TagSelector.exact(TAG).from(peer)).toCompletableFuture();
    // Where this side has no part in the accesses it sleeps, and takes nothing from the other's
    // core.
    while (isServing() && !message.isDone()) {
      drive();
    }
    return message.join().payload().array();
  }

  /** Whether the other side reaches this one's memory by this one's loop, if not itself. */
  private boolean isServing() {
    return region.descriptor().reach() != RegionReach.DIRECT;
  }

  // ---- one access after the other ----

  private void onEnd(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
    ended++;
  }

  private void onSignal(CompletionEntry entry) {
    signalled++;
  }

  private void onReceived(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
    received++;
  }

  private void drive() {
    if (signals.read(onSignal, BATCH) == 0 && ++polls % BATCH == 0) {
      Thread.yield();
    }
  }

  private void await(Posted posted, long target) {
    if (posted != Posted.POSTED) {
      throw new IllegalStateException("posted=" + posted + " although nothing is under way");
    }
    while (ended < target) {
      if (endpoint.transmitQueue().read(onEnd, BATCH) == 0 && ++polls % BATCH == 0) {
        Thread.yield();
      }
    }
  }

  private void awaitSignal(long target) {
    await(signals, onSignal, () -> signalled < target);
  }

  /** Two that poll on one core would wait for each other's time to end. */
  private static void await(
      CompletionQueue queue, CompletionHandler handler, BooleanSupplier more) {
    long beginNs = 0;
    for (int looks = 1; more.getAsBoolean(); looks++) {
      if (queue.read(handler, BATCH) == 0 && looks % BATCH == 0) {
        long nowNs = System.nanoTime();
        beginNs = beginNs == 0 ? nowNs : beginNs;
        if (nowNs - beginNs > POLLING_NS) {
          int unused = queue.readBlocking(handler, BATCH, PATIENCE);
        } else {
          Thread.yield();
        }
      }
    }
  }

  /** Writes, each when the one before is there; nanoseconds of all. */
  long write(int bytes, int count) {
    order(RmaOp.WRITE, bytes, count);
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      await(memory.write(there, 0, buffer, 0, bytes, DELIVERED, null), ended + 1);
    }
    long spentNs = System.nanoTime() - beginNs;
    receive();
    return spentNs;
  }

  /** Reads, each when the one before is here; nanoseconds of all. */
  long read(int bytes, int count) {
    order(RmaOp.READ, bytes, count);
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      await(memory.read(there, 0, buffer, 0, bytes, null), ended + 1);
    }
    long spentNs = System.nanoTime() - beginNs;
    receive();
    return spentNs;
  }

  // ---- the same without an entry for each, as a window of MPI has none ----

  /** Writes, each when the one before is there; nanoseconds of all. */
  long writeImplicitly(int bytes, int count) {
    order(RmaOp.WRITE, bytes, count);
    AccessRegion all = endpoint.openAccessRegion();
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      await(all.write(there, 0, buffer, 0, bytes, DELIVERED, null), all);
    }
    return ended(all, beginNs);
  }

  /** Reads, each when the one before is here; nanoseconds of all. */
  long readImplicitly(int bytes, int count) {
    order(RmaOp.READ, bytes, count);
    AccessRegion all = endpoint.openAccessRegion();
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      await(all.read(there, 0, buffer, 0, bytes, null), all);
    }
    return ended(all, beginNs);
  }

  /** Adds 1 to the other side's first number, which nobody else does; nanoseconds of all. */
  long fetchAddImplicitly(int count) {
    order(RmaOp.READ, Long.BYTES, count); // the other side does nothing
    AccessRegion all = endpoint.openAccessRegion();
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      await(all.fetch(there, 0, AtomicOp.SUM, AtomicKind.INT64, one, 0, 1, old, 0, null), all);
    }
    return ended(all, beginNs);
  }

  private void await(Posted posted, AccessRegion all) {
    if (posted != Posted.POSTED) {
      throw new IllegalStateException("posted=" + posted + " although nothing is under way");
    }
    while (all.underWay() > 0) {
      drive();
    }
  }

  private long ended(AccessRegion all, long beginNs) {
    long spentNs = System.nanoTime() - beginNs;
    all.end().toCompletableFuture().join();
    receive();
    return spentNs;
  }

  /** Writes with a signal to and fro; nanoseconds of all round trips. */
  long signal(int bytes, int count) {
    order(RmaOp.WRITE_SIGNAL, bytes, count);
    signalled = 0;
    long beginNs = System.nanoTime();
    Access access = signalling(bytes);
    for (int i = 0; i < count; i++) {
      signal(access);
      awaitSignal(i + 1);
    }
    long spentNs = System.nanoTime() - beginNs;
    drainEnds();
    receive();
    return spentNs;
  }

  private Access signalling(int bytes) {
    return Access.write(there, 0, buffer, 0, bytes).signal().with(SendOptions.DEFAULT.silent());
  }

  private void signal(Access access) {
    if (memory.post(access, null) != Posted.POSTED) {
      throw new IllegalStateException("the queue of ends is full");
    }
  }

  private void drainEnds() {
    while (endpoint.transmitQueue().read(onEnd, BATCH) == BATCH) {
      // there may be more
    }
  }

  // ---- beside them ----

  /** Tagged messages to and fro; nanoseconds of all round trips. */
  long tagged(int count) {
    order(RmaOp.TAGGED, Long.BYTES, count);
    received = 0;
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      postTagged();
      sendTagged();
      awaitTagged(i + 1);
    }
    long spentNs = System.nanoTime() - beginNs;
    receive();
    return spentNs;
  }

  private void echoTagged(int count) {
    received = 0;
    for (int i = 0; i < count; i++) {
      postTagged();
      awaitTagged(i + 1);
      sendTagged();
    }
  }

  private void postTagged() {
    if (endpoint.postReceive(old, 0, Long.BYTES, PING, 0, peer, null) != Posted.POSTED) {
      throw new IllegalStateException("the receive queue is full");
    }
  }

  private void sendTagged() {
    while (endpoint.injectTagged(peer, one, 0, Long.BYTES, PING) != Posted.POSTED) {
      endpoint.receiveQueue().read(onReceived, BATCH);
    }
  }

  private void awaitTagged(long target) {
    await(endpoint.receiveQueue(), onReceived, () -> received < target);
  }

  // ---- adding ----

  /** What both sides have added, and how long this one took. */
  record Added(long spentNs, long sum, long due) {}

  /** Adds 1 to words of the other side's memory while it does so too. */
  Added add(int words, int count) {
    order(RmaOp.FETCH_ADD, words, count);
    long beginNs = System.nanoTime();
    addTo(there, words, count, 1);
    long spentNs = System.nanoTime() - beginNs;
    send(new byte[1]);
    long sum = new UnsafeBuffer(receive()).getLong(0);
    return new Added(spentNs, sum, 2L * count);
  }

  private void addTo(RemoteRegion what, int words, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      long offset = words == 1 ? 0 : (long) Long.BYTES * random.nextInt(words);
      await(
          memory.fetch(what, offset, AtomicOp.SUM, AtomicKind.INT64, one, 0, 1, old, 0, null),
          ended + 1);
    }
  }

  private byte[] sum(int words) {
    long sum = 0;
    for (int word = 0; word < words; word++) {
      sum += own.getLong(word * Long.BYTES, ByteOrder.LITTLE_ENDIAN);
    }
    UnsafeBuffer answer = new UnsafeBuffer(new byte[Long.BYTES]);
    answer.putLong(0, sum);
    return answer.byteArray();
  }

  // ---- orders ----

  private void order(RmaOp op, int size, int count) {
    UnsafeBuffer order = new UnsafeBuffer(new byte[ORDER_BYTES]);
    order.putInt(0, op.number());
    order.putInt(8, size);
    order.putInt(16, count);
    send(order.byteArray());
    receive();
  }

  /** The near side: there are no more orders. */
  void end() {
    UnsafeBuffer order = new UnsafeBuffer(new byte[ORDER_BYTES]);
    send(order.byteArray());
    receive();
    close();
  }

  private void close() {
    region.close().toCompletableFuture().join();
    if (allocated != null) {
      allocated.close();
    }
  }

  /** The far side: plays its part until there are no more orders. */
  void serve() {
    while (true) {
      UnsafeBuffer order = new UnsafeBuffer(receive());
      RmaOp op = RmaOp.of(order.getInt(0));
      int size = order.getInt(8);
      int count = order.getInt(16);
      signalled = 0;
      if (op == RmaOp.FETCH_ADD) {
        own.setMemory(0, size * Long.BYTES, (byte) 0);
      }
      send(new byte[1]);
      if (op == null) {
        close();
        return;
      }
      switch (op) {
        case WRITE, READ -> send(new byte[1]);
        case WRITE_SIGNAL -> {
          Access access = signalling(size);
          for (int i = 0; i < count; i++) {
            awaitSignal(i + 1);
            signal(access);
          }
          drainEnds();
          send(new byte[1]);
        }
        case TAGGED -> {
          echoTagged(count);
          send(new byte[1]);
        }
        case FETCH_ADD -> {
          addTo(new RemoteRegion(self, region.descriptor()), size, count, 2);
          receive(); // the other side has done its part
          send(sum(size));
        }
      }
    }
  }
}
