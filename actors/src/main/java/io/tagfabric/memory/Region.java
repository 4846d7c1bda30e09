package io.tagfabric.memory;

import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.Timeouts;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory that peers may access, as far as its rights go. It holds its buffer until it has closed.
 *
 * <p>All accesses by peers run on the domain's loop, one after the other, so an update of an
 * element is atomic against all of them. The owner's threads may read and write the buffer as any
 * other memory; against these nothing is atomic. What a peer has written they see when they have
 * seen the signal of the write, or any completion of the domain after it.
 *
 * <p>Thread: any.
 *
 * @source libfabric fi_mr(3)
 */
public final class Region {
  private final RegionTable table;
  private final RegionDescriptor descriptor;
  private final int rights;
  private final RegionOptions options;
  private final CompletionOutbox outbox;
  private final ProgressFuture<Void> closed;
  private volatile boolean closing;

  // Of the loop.
  private UnsafeBuffer buffer;
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
      CompletionOutbox outbox) {
    this.table = table;
    this.buffer = new UnsafeBuffer(buffer);
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
    return RegionReach.LOOP;
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

  private synchronized void beginClose() {
    if (!closing) {
      closing = true;
      table.remove(this);
    }
  }

  // ---- on the loop ----

  private void drain(long drainNs) {
    if (underWay == 0 || drainNs == 0) {
      cutOff();
    } else if (!cut) {
      table.later(drainNs, this::cutOff);
    }
  }

  /** Its domain closes, and its loop with it. */
  void end() {
    beginClose();
    cutOff();
  }

  private void cutOff() {
    if (!cut) {
      cut = true;
      buffer = null;
      Counter counter = options.counter();
      if (counter != null) {
        counter.unbind();
      }
      table.futures().complete(closed, null);
    }
  }

  /** Its bytes; null when it has closed. */
  UnsafeBuffer buffer() {
    return buffer;
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
    if (underWay == 0 && closing) {
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
