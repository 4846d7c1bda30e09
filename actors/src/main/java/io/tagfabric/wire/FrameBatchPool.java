package io.tagfabric.wire;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Batches of one domain, in two sizes. {@link #acquire} belongs to the domain's loop, batches come
 * back from any thread. An empty pool makes new ones, a full one drops what comes back: the number
 * of batches in use is bounded by the flows' windows, not here.
 */
public final class FrameBatchPool {
  private static final int KEPT_SMALL = 256;
  private static final int KEPT_LARGE = 64;

  private final int smallCapacity;
  private final int largeCapacity;
  private final ArrayDeque<FrameBatch> small = new ArrayDeque<>(KEPT_SMALL);
  private final ArrayDeque<FrameBatch> large = new ArrayDeque<>(KEPT_LARGE);
  private final Consumer<FrameBatch> owner = this::giveBack;
  private final ManyToOneConcurrentArrayQueue<FrameBatch> returned =
      new ManyToOneConcurrentArrayQueue<>(KEPT_SMALL + KEPT_LARGE);

  /**
   * A pool.
   *
   * @param smallCapacity bytes of a batch that a pass begins with, header included
   * @param largeCapacity bytes of the largest packet, header included
   */
  public FrameBatchPool(int smallCapacity, int largeCapacity) {
    if (smallCapacity < FrameBatch.HEADER_LENGTH || largeCapacity < smallCapacity) {
      throw new IllegalArgumentException(
          "smallCapacity="
              + smallCapacity
              + " must be at least "
              + FrameBatch.HEADER_LENGTH
              + " and not above largeCapacity="
              + largeCapacity);
    }
    this.smallCapacity = smallCapacity;
    this.largeCapacity = largeCapacity;
  }

  /** Bytes of the largest packet, header included. */
  public int largeCapacity() {
    return largeCapacity;
  }

  /** An empty batch with room for frames of {@code frameBytes} in all. */
  public FrameBatch acquire(int frameBytes) {
    int needed = capacityFor(frameBytes);
    takeReturned();
    boolean isSmall = needed <= smallCapacity;
    FrameBatch batch = isSmall ? small.pollLast() : large.pollLast();
    return batch != null
        ? batch.renew()
        : new FrameBatch(isSmall ? smallCapacity : largeCapacity, owner);
  }

  /**
   * An empty batch with room for frames of {@code frameBytes} and no more, which the pool does not
   * keep: for the packets of a set-up, which are odd in size and come many at once.
   */
  public FrameBatch single(int frameBytes) {
    return new FrameBatch(capacityFor(frameBytes), batch -> {});
  }

  private int capacityFor(int frameBytes) {
    int needed = FrameBatch.HEADER_LENGTH + frameBytes;
    if (needed > largeCapacity) {
      throw new IllegalArgumentException(
          "frameBytes="
              + frameBytes
              + " > largest packet's "
              + (largeCapacity - FrameBatch.HEADER_LENGTH));
    }
    return needed;
  }

  /** Moves the frames of a small batch to a large one; gives the small one back. */
  public FrameBatch grow(FrameBatch batch) {
    return grow(batch, acquire(largeCapacity - FrameBatch.HEADER_LENGTH));
  }

  /** Moves the frames of a batch to an empty larger one; gives the first one back. */
  public static FrameBatch grow(FrameBatch batch, FrameBatch larger) {
    larger.copyFrom(batch);
    batch.release();
    return larger;
  }

  private void giveBack(FrameBatch batch) {
    returned.offer(batch);
  }

  private void takeReturned() {
    FrameBatch batch;
    while ((batch = returned.poll()) != null) {
      if (batch.capacity() == smallCapacity) {
        if (small.size() < KEPT_SMALL) {
          small.addLast(batch);
        }
      } else if (large.size() < KEPT_LARGE) {
        large.addLast(batch);
      }
    }
  }
}
