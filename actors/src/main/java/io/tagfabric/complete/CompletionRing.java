package io.tagfabric.complete;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.SoleThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * The completions of one queue between the loop that publishes them and the threads that read them;
 * it can never overrun, because a slot is reserved before an operation is accepted.
 *
 * <p>Threads: any may reserve and release, one publishes, any may read (one at a time; the others
 * find the ring busy). Nothing blocks. Nothing allocates while no more entries wait than have
 * waited before, but for one entry a burst of more than 128.
 *
 * @source libfabric fi_cq(3); fi_domain(3), resource management
 */
public final class CompletionRing {
  /*
   * Claim: every published entry is read exactly once, in the order published, and a publish always
   * finds room.
   *
   * Three counts, always read <= published <= reserved <= read + capacity:
   *
   *   read         written by the reader that holds the ring, with release
   *   published    written by the loop, with release
   *   reserved     posters compare-and-set it; the only count that may go back (release())
   *
   * - published: release by the loop and acquire by readers carry the entry's fields across.
   * - read -> reserved -> published: a reader swaps a spare into the slot and releases `read`; the
   *   poster whose reservation needs that slot acquired `read`; its compare-and-set is volatile and
   *   the loop acquires `reserved`. So the loop sees the spare without looking at `read` at all.
   * - Reading takes an entry out, puts a spare in and frees the slot BEFORE the handler runs. So a
   *   handler may start the next operation even in a ring of one slot, and if it throws, its entry
   *   counts as read and the rest stays.
   * - Entries change hands by reference (batch -> slot -> reader -> spares -> batch): nothing is
   *   copied. What comes back is cleared, so no context outlives its completion.
   * - Spares go round in a ring of their own, from the reader to the loop, which is short: so as
   *   many entries are in use as completions wait, not one a slot, and they stay in the nearest
   *   cache. A spare that finds it full stays in the slot of the entry that is read next, where the
   *   loop meets it a lap later; if the ring of spares is full then too, the burst is over that
   *   needed so many, and it is left to the collector.
   * - Where one thread has the loop for itself it is the only one that reserves and reads: it moves
   *   counts by stores. Another thread gets the loop only when the holder gives it up, or when the
   *   domain closes; a post that the close overtakes may leave a slot reserved, which nobody needs.
   * - The slots are made by the loop with the first entry, before it releases `published`: most
   *   endpoints of a team of thousands never publish one, as listeners hear of their operations.
   * - The counts lie 128 bytes apart (two cache lines, neighbours are fetched in pairs), because
   *   posters, loop and readers are different threads.
   *
   * Not taken: a queue of many producers (the loop is one thread); locks for readers (one that
   * finds the ring busy may return: the holder or the next call reads those entries); freeing slots
   * once a batch (a handler that posts again would be refused); an overflow list (no bound).
   *
   * Sources: libfabric fi_cq(3) on overruns; Agrona OneToOneConcurrentArrayQueue on cursors and
   * padding.
   */

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PADDING = 16;
  private static final int RESERVED = PADDING;
  private static final int PUBLISHED = 2 * PADDING;
  private static final int READ = 3 * PADDING;
  private static final int BUSY = 4 * PADDING;
  private static final int SPARES_GIVEN = 5 * PADDING;
  private static final int SPARES_TAKEN = 6 * PADDING;
  private static final int MOST_SPARES = 128; // a power of two
  private static final int MAX_CAPACITY = 1 << 30;

  private final int capacity;
  private final int mask;
  private final int mostSpares;

  /** Whose calls need no compare-and-set; null for nobody's. */
  private final SoleThread sole;

  private final long[] counts = new long[7 * PADDING];

  // Null before the first entry; written by the loop alone, read behind published.
  private CompletionEntry[] slots;

  // Made with the slots. Behind SPARES_GIVEN the loop takes, behind SPARES_TAKEN readers give.
  private CompletionEntry[] spares;

  // Only the thread that holds BUSY touches it.
  private CompletionEntry spare;

  /**
   * A ring for this many operations accepted and unread.
   *
   * @throws IllegalArgumentException if {@code capacity} is below 1 or above 2^30
   */
  public CompletionRing(int capacity) {
    this(capacity, null);
  }

  /**
   * The same beside a loop that one thread may have for itself.
   *
   * @param sole that thread; null where any may come
   */
  @InternalApi
  public CompletionRing(int capacity, SoleThread sole) {
    this(capacity, sole, MOST_SPARES);
  }

  /**
   * The same with room for so many spares.
   *
   * @param mostSpares a power of two
   */
  CompletionRing(int capacity, SoleThread sole, int mostSpares) {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "capacity=" + capacity + " is outside 1.." + MAX_CAPACITY + ", size it by operations");
    }
    this.capacity = capacity;
    this.sole = sole;
    int length = capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    this.mask = length - 1;
    this.mostSpares = Math.min(length, mostSpares);
  }

  private boolean isAlone() {
    return sole != null && sole.isHeldByCaller();
  }

  /** Moves a count from a value that was read; false if another thread was quicker. */
  private boolean move(int count, long from, long to) {
    if (isAlone()) {
      COUNTS.setRelease(counts, count, to);
      return true;
    }
    return COUNTS.compareAndSet(counts, count, from, to);
  }

  /**
   * Reserves the slot that one operation will end in. Thread: any.
   *
   * @return false when {@link #capacity()} operations are accepted and unread
   */
  public boolean tryReserve() {
    while (true) {
      long reserved = (long) COUNTS.getVolatile(counts, RESERVED);
      if (reserved - (long) COUNTS.getAcquire(counts, READ) >= capacity) {
        return false;
      }
      if (move(RESERVED, reserved, reserved + 1)) {
        return true;
      }
    }
  }

  /**
   * Gives back a reservation that will publish nothing: a refused post, or a success that the
   * program did not want to see. Thread: any.
   *
   * @throws IllegalStateException if no reservation is open
   */
  public void release() {
    while (true) {
      // In this order: published must not run past a value of reserved that was read before it.
      long published = (long) COUNTS.getVolatile(counts, PUBLISHED);
      long reserved = (long) COUNTS.getVolatile(counts, RESERVED);
      if (reserved <= published) {
        throw new IllegalStateException("openReservations=0, release only what was reserved");
      }
      if (move(RESERVED, reserved, reserved - 1)) {
        return;
      }
    }
  }

  /**
   * Makes all entries of the batch readable and leaves the batch empty. Thread: the loop's only.
   *
   * @throws IllegalStateException if the batch has more entries than reservations are open; then
   *     nothing was published
   */
  public void publish(CompletionBatch batch) {
    int size = batch.size();
    long published = (long) COUNTS.get(counts, PUBLISHED);
    long open = (long) COUNTS.getAcquire(counts, RESERVED) - published;
    if (size > open) {
      throw new IllegalStateException(
          "batchSize=" + size + " > openReservations=" + open + ", reserve before accepting");
    }
    if (slots == null && size > 0) {
      slots = new CompletionEntry[mask + 1];
      spares = new CompletionEntry[mostSpares];
    }
    for (int i = 0; i < size; i++) {
      int slot = (int) (published + i) & mask;
      slots[slot] = batch.exchange(i, emptyEntry(slots[slot]));
    }
    batch.exchanged();
    COUNTS.setRelease(counts, PUBLISHED, published + size);
  }

  /** A cleared entry, the one that was left in the slot or a spare; null if there is none. */
  private CompletionEntry emptyEntry(CompletionEntry left) {
    long taken = (long) COUNTS.get(counts, SPARES_TAKEN);
    long waiting = (long) COUNTS.getAcquire(counts, SPARES_GIVEN) - taken;
    if (waiting == 0 || (left != null && waiting < mostSpares)) {
      return left;
    }
    CompletionEntry entry = spares[(int) taken & (mostSpares - 1)];
    COUNTS.setRelease(counts, SPARES_TAKEN, taken + 1);
    return entry;
  }

  /** Lets the loop have a cleared entry. Thread: the one that holds BUSY. */
  private void giveSpare(CompletionEntry entry) {
    long given = (long) COUNTS.get(counts, SPARES_GIVEN);
    if (given - (long) COUNTS.getAcquire(counts, SPARES_TAKEN) == mostSpares) {
      spare = entry;
      return;
    }
    spares[(int) given & (mostSpares - 1)] = entry;
    COUNTS.setRelease(counts, SPARES_GIVEN, given + 1);
  }

  /**
   * Hands up to {@code limit} entries to the handler in the order published. Thread: any; while
   * another thread (or the handler itself) is reading, returns 0 at once.
   *
   * <p>The slot of an entry is free again when its handler starts. An exception of the handler
   * passes through: that entry counts as read, the later ones stay.
   *
   * @return how many entries were handled
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public int read(CompletionHandler handler, int limit) {
    Objects.requireNonNull(handler, "handler");
    if (limit < 0) {
      throw new IllegalArgumentException("limit=" + limit + " < 0, pass how many to read");
    }
    long read = (long) COUNTS.getAcquire(counts, READ);
    if (read >= (long) COUNTS.getAcquire(counts, PUBLISHED) || !takeReading()) {
      return 0;
    }
    try {
      return readHeld(handler, limit);
    } finally {
      COUNTS.setRelease(counts, BUSY, 0L);
    }
  }

  private boolean takeReading() {
    return (long) COUNTS.getAcquire(counts, BUSY) == 0
        && move(BUSY, 0L, Thread.currentThread().getId());
  }

  private int readHeld(CompletionHandler handler, int limit) {
    long read = (long) COUNTS.get(counts, READ);
    long published = (long) COUNTS.getAcquire(counts, PUBLISHED);
    int count = (int) Math.min(limit, published - read);
    for (int i = 0; i < count; i++) {
      int slot = (int) (read + i) & mask;
      CompletionEntry entry = slots[slot];
      slots[slot] = spare;
      spare = null;
      COUNTS.setRelease(counts, READ, read + i + 1);
      try {
        handler.onCompletion(entry);
      } finally {
        entry.clear();
        giveSpare(entry);
      }
    }
    return count;
  }

  /** Whether the calling thread is inside a handler of this ring. */
  public boolean isReadByCaller() {
    return (long) COUNTS.getVolatile(counts, BUSY) == Thread.currentThread().getId();
  }

  /** How many entries are published and unread; a snapshot when other threads are at work. */
  public int size() {
    long read = (long) COUNTS.getAcquire(counts, READ);
    return (int) Math.min(capacity, (long) COUNTS.getAcquire(counts, PUBLISHED) - read);
  }

  /** How many operations may be accepted and unread. */
  public int capacity() {
    return capacity;
  }

  /** Whether nothing is published and unread. */
  public boolean isEmpty() {
    return size() == 0;
  }
}
