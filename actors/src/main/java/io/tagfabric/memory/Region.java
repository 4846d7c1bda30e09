package io.tagfabric.memory;

import akka.actor.typed.ActorRef;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.Timeouts;
import io.tagfabric.provider.RegionDoor;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory that peers may access, as far as its rights go. It holds its buffer until it has closed.
 *
 * <p>An update of an element is atomic against all accesses by peers: all of them run on the
 * domain's loop, one after the other, or, if {@link #reach} says DIRECT, all updates are compare
 * and set in the memory. The owner's threads may read and write the buffer as any other memory;
 * against these nothing is atomic. What a peer has written they see when they have seen the signal
 * of the write, or, of writes by the loop, any completion of the domain after it.
 *
 * <p>Thread: any.
 *
 * @source libfabric fi_mr(3)
 */
public final class Region {
  /** What the actor of a region can be told. Local to the JVM. */
  public sealed interface Command permits Read, Write, Atomic, Watch, Close, RegionActor.Gone {}

  /** Tell bytes: {@link Bytes}, or {@link Refused}. */
  public record Read(long offset, int length, ActorRef<? super Answer> replyTo) implements Command {
    public Read {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Write a whole buffer, which is the actor's until it answers: {@link Written}, or {@link
   * Refused}.
   */
  public record Write(long offset, DirectBuffer bytes, ActorRef<? super Answer> replyTo)
      implements Command {
    public Write {
      Objects.requireNonNull(bytes, "bytes");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Update as many elements as there are operands, little-endian: {@link Bytes} with what they were
   * before, or {@link Refused}.
   *
   * @param operands of a READ too, whose values do not matter
   * @param compares what a comparing operation compares with; null of others
   */
  public record Atomic(
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      DirectBuffer compares,
      ActorRef<? super Answer> replyTo)
      implements Command {
    public Atomic {
      Objects.requireNonNull(op, "op");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(operands, "operands");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Tell of each write with a signal by {@link Accessed}, until the region has closed: then, and if
   * it has before, {@link Closed}.
   */
  public record Watch(ActorRef<? super Answer> replyTo) implements Command {
    public Watch {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Close the region: {@link Closed}. */
  public record Close(Duration drainTimeout, ActorRef<? super Answer> replyTo) implements Command {
    public Close {
      Timeouts.requireNotNegative(drainTimeout, "drainTimeout");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** What the actor of a region answers. */
  public sealed interface Answer {}

  /** Bytes that were read, or before they were updated. */
  public record Bytes(long offset, DirectBuffer bytes) implements Answer {}

  /** Bytes are written. */
  public record Written(long offset) implements Answer {}

  /** A peer has written with a signal. */
  public record Accessed(Completion.AccessedByPeer access) implements Answer {}

  /** The region has closed: no byte changes by its key. */
  public record Closed(long key) implements Answer {}

  /** The region does not allow it, or is closed; nothing has changed. */
  public record Refused(FabricError error, String detail) implements Answer {}

  /** When it looks whether peers have left; longer each time. */
  private static final long FIRST_LOOK_NS = 20_000L;

  private static final long MOST_LOOK_NS = 20_000_000L;

  private final RegionTable table;
  private final RegionDescriptor descriptor;
  private final int rights;
  private final RegionOptions options;
  private final CompletionOutbox outbox;

  /** Where peers come in that access it themselves; null if none do. */
  private final RegionDoor door;

  private final ProgressFuture<Void> closed;

  /** Held while the actor starts, for which the loop may be needed. */
  private final Object starting = new Object();

  private ActorRef<Command> ref;

  /** Null before the actor is asked for. */
  private volatile RegionWatchers watchers;

  private volatile boolean closing;

  // Of the loop.
  private UnsafeBuffer buffer;
  private UnsafeBuffer words;
  private int underWay;
  private boolean cut;
  long reads;
  long readBytes;
  long writes;
  long writtenBytes;
  long atomics;
  long signals;
  long refused;

  Region(
      RegionTable table,
      MutableDirectBuffer buffer,
      RegionDescriptor descriptor,
      RegionOptions options,
      CompletionOutbox outbox,
      RegionDoor door) {
    this.table = table;
    this.door = door;
    this.buffer = new UnsafeBuffer(buffer);
    words = door == null ? null : door.words(buffer.capacity());
    this.descriptor = descriptor;
    this.options = options;
    rights = RegionRight.bits(descriptor.rights());
    this.outbox = outbox;
    closed = table.futures().create();
  }

  /** What peers know it by. */
  public long key() {
    return descriptor.key();
  }

  /** What peers need to access it. */
  public RegionDescriptor descriptor() {
    return descriptor;
  }

  /** Its bytes. */
  public long lengthBytes() {
    return descriptor.lengthBytes();
  }

  /** What may be done with it. */
  public Set<RegionRight> rights() {
    return descriptor.rights();
  }

  /** Who moves the bytes of an access. */
  public RegionReach reach() {
    return descriptor.reach();
  }

  /** Whether it accepts accesses. */
  public boolean isOpen() {
    return !closing;
  }

  /** What has been done with it so far. Waiting for the future drives the loop. */
  public CompletionStage<RegionCounters> counters() {
    ProgressFuture<RegionCounters> counters = table.futures().create();
    table.run(
        () ->
            table
                .futures()
                .complete(
                    counters,
                    new RegionCounters(
                        reads, readBytes, writes, writtenBytes, atomics, signals, refused)));
    return counters;
  }

  /**
   * The actor of this region. It answers {@link Read}, {@link Write}, {@link Atomic}, {@link Watch}
   * and {@link Close}; what it may do with the bytes is what the local rights of the region say.
   *
   * <p>The first call starts it; a region that is never asked for its actor has none. It lives
   * until the domain closes, so it still answers after the region has closed: with a refusal.
   *
   * <p>It runs on the domain's loop. A long read or write keeps the loop from other work.
   *
   * @throws IllegalStateException if called by a listener or an actor of the domain the first time
   */
  public ActorRef<Command> ref() {
    synchronized (starting) {
      if (ref == null) {
        ActorRef<Command> started = table.spawn(RegionActor.create(this));
        RegionWatchers those = new RegionWatchers(key());
        watchers = those;
        CompletionStage<Void> end = closed;
        end.thenRun(those::close);
        ref = started;
      }
      return ref;
    }
  }

  /** As {@link #close(Duration)}, with {@code tagfabric.endpoint.close-timeout}. */
  public CompletionStage<Void> close() {
    return close(table.closeTimeout());
  }

  /**
   * Refuses every further access at once. Long reads and writes that are under way get {@code
   * drainTimeout} to end; then they are cut off, and end with NO_KEY. Idempotent: the shortest time
   * counts.
   *
   * @return completes when no access is under way; from then on no byte is changed or told by the
   *     region's key, and its buffer is the program's. Waiting for it drives the loop
   * @throws IllegalArgumentException if {@code drainTimeout} is negative; nothing is closed then
   */
  public CompletionStage<Void> close(Duration drainTimeout) {
    Timeouts.requireNotNegative(drainTimeout, "drainTimeout");
    long drainNs = Timeouts.nanos(drainTimeout);
    beginClose();
    table.run(() -> drain(drainNs));
    return closed;
  }

  /** Refuses every access from now on. Thread: any. */
  synchronized void beginClose() {
    if (!closing) {
      closing = true;
      table.remove(this);
      if (door != null) {
        door.shut();
      }
    }
  }

  /** Whether no peer that lives is inside. Thread: any. */
  boolean hasNoPeerInside() {
    return door == null || door.isQuiet();
  }

  /** Peers that are inside leave it with their next part. Thread: any. */
  void cutPeers() {
    if (door != null) {
      door.cut();
    }
  }

  // ---- on the loop ----

  private void drain(long drainNs) {
    if (cut) {
      return;
    }
    if (isQuiet() || drainNs == 0) {
      cutOff();
    } else {
      table.later(drainNs, this::cutOff);
      if (door != null) {
        awaitQuiet(FIRST_LOOK_NS);
      }
    }
  }

  /** Whether no access is under way, neither here nor by a peer itself. */
  private boolean isQuiet() {
    return underWay == 0 && hasNoPeerInside();
  }

  /** Peers do not say when they have left. */
  private void awaitQuiet(long lookNs) {
    if (closed.isDone()) {
      return;
    }
    if (cut ? door.isQuiet() : isQuiet()) {
      cutOff();
      finish();
    } else {
      table.later(lookNs, () -> awaitQuiet(Math.min(2 * lookNs, MOST_LOOK_NS)));
    }
  }

  /** Its domain closes, and its loop with it. */
  void end() {
    beginClose();
    cutOff();
    // Its memory is not unmapped under a peer that is inside still, which has been cut off.
    finish();
  }

  private void cutOff() {
    if (!cut) {
      cut = true;
      buffer = null;
      words = null;
      unbind(options.counter());
      unbind(options.accesses());
      if (door != null) {
        door.cut();
        if (!door.isQuiet()) {
          awaitQuiet(FIRST_LOOK_NS);
          return;
        }
      }
      finish();
    }
  }

  private static void unbind(Counter counter) {
    if (counter != null) {
      counter.unbind();
    }
  }

  /** A peer's access is done. */
  void accessed(long bytes) {
    Counter counter = options.accesses();
    if (counter != null) {
      counter.count(bytes);
    }
  }

  private void finish() {
    if (!closed.isDone()) {
      if (door != null) {
        door.release();
      }
      table.closed(this);
      table.futures().complete(closed, null);
    }
  }

  /** Whether elements are updated in the memory itself, as others do it too. */
  boolean isShared() {
    return door != null;
  }

  /** Whether its memory has the file below it, if it is of one that others map. */
  boolean hasItsFile() {
    return door == null || door.hasItsFile();
  }

  /** Its bytes; null when it has closed. */
  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Its bytes for updates that others do too; null when it has closed or is not shared. */
  UnsafeBuffer words() {
    return words;
  }

  /** Whether accesses that are under way must end. */
  boolean isCut() {
    return cut;
  }

  /** A long access begins. */
  void enter() {
    underWay++;
  }

  /** It has ended. */
  void leave() {
    underWay--;
    if (closing && isQuiet()) {
      cutOff();
    }
  }

  boolean hasGeneration(long generation) {
    return generation == 0 || generation == descriptor.generation();
  }

  boolean lacks(RegionRight right) {
    return (rights & right.bit()) == 0;
  }

  RegionOptions options() {
    return options;
  }

  /** Who watches it; null if nobody ever asked for its actor. */
  RegionWatchers watchers() {
    return watchers;
  }

  /** Where its signals go; null if it has no queue. */
  CompletionQueue queue() {
    return options.queue();
  }

  CompletionOutbox outbox() {
    return outbox;
  }

  @Override
  public String toString() {
    return "Region[" + Long.toHexString(key()) + ", " + lengthBytes() + " bytes]";
  }
}
