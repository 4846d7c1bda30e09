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
 * waited lately.
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
   * - read -> reserved -> published: a reader has done with an entry before it releases `read` for
   *   the one after the next; the poster whose reservation needs that slot acquired `read`; its
   *   compare-and-set is volatile and the loop acquires `reserved`. So the loop sees a cleared
   *   entry in each slot that it writes.
   * - Reading frees the slot BEFORE the handler runs. So a handler may start the next operation
   *   even in a ring of one slot, and if it throws, its entry counts as read and the rest stays.
   *   The entry stays in its slot meanwhile: there is always one slot more than entries wait, so
   *   the loop keeps off the one that was read last, and no other entry is in a handler's hands.
   * - Entries change hands by reference (batch <-> slot): nothing is copied. A reader clears the
   *   entry in its slot, so no context outlives its completion.
   * - The slots are as many as entries have waited, not as many as may: so those in use stay in the
   *   nearest cache. The loop makes an array twice as long when more entries wait than ever, and
   *   one half as long when for two laps an eighth of the slots or less were in use. It takes over
   *   the entries that wait. A reader under way goes on with the old array, in which nothing is
   *   written any more; one that finds an entry in `published` finds the array that it lies in.
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
  private static final int FIRST_LENGTH = 16; // a power of two
  private static final int LOOKS_PER_LAP = 4;
  private static final int QUIET_LOOKS = 2 * LOOKS_PER_LAP;

  /** An array twice as long can be made for it, and has a slot more than entries may wait. */
  private static final int MAX_CAPACITY = (1 << 30) - 1;

  private final int capacity;
  private final int firstLength;

  /** Whose calls need no compare-and-set; null for nobody's. */
  private final SoleThread sole;

  private final long[] counts = new long[5 * PADDING];

  // Null before the first entry; written by the loop alone, read behind published.
  private CompletionEntry[] slots;

  // The loop's own: an old value of read, where it looks at it again, and what it has seen since.
  private long readSeen;
  private long nextLook;
  private int looks;
  private long mostWaiting;

  /**
   * A ring for this many operations accepted and unread.
   *
   * @throws IllegalArgumentException if {@code capacity} is not in 1..2^30 - 1
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
    this(capacity, sole, FIRST_LENGTH);
  }

  /**
   * The same with so many slots at first and at least.
   *
   * @param firstLength a power of two, at least 2
   */
  CompletionRing(int capacity, SoleThread sole, int firstLength) {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "capacity=" + capacity + " is outside 1.." + MAX_CAPACITY + ", size it by operations");
    }
    this.capacity = capacity;
    this.sole = sole;
    this.firstLength = firstLength;
  }

  private boolean isAlone() {
    return sole != null && sole.isHeldByCaller();
  }

  /** Moves a count from a value that was read; false if another thread was quicker. */
  private boolean move(int count, long from, long to) {
    return isAlone() ? moveAlone(count, to) : COUNTS.compareAndSet(counts, count, from, to);
  }

  private boolean moveAlone(int count, long to) {
    COUNTS.setRelease(counts, count, to);
    return true;
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
    long end = published + size;
    if (end > nextLook) {
      look(published, end);
    }
    CompletionEntry[] into = slots;
    for (int i = 0; i < size; i++) {
      int slot = (int) (published + i) & (into.length - 1);
      into[slot] = batch.exchange(i, into[slot]);
    }
    batch.exchanged();
    COUNTS.setRelease(counts, PUBLISHED, end);
  }

  /**
   * Sees to it that there are as many slots as entries wait, and one more, but not many more for
   * long.
   *
   * @param end what will be published next
   */
  private void look(long published, long end) {
    readSeen = (long) COUNTS.getAcquire(counts, READ);
    long waiting = end - readSeen;
    mostWaiting = Math.max(mostWaiting, waiting);
    looks++;
    if (slots == null || waiting >= slots.length) {
      resize(published, Math.max(firstLength, Integer.highestOneBit((int) waiting) << 1));
    } else if (looks >= QUIET_LOOKS) {
      if (mostWaiting <= slots.length / (2 * LOOKS_PER_LAP) && slots.length > firstLength) {
        resize(published, slots.length / 2);
      }
      looks = 0;
      mostWaiting = 0;
    }
    long room = slots.length - 1 - waiting;
    nextLook = end + Math.min(room, slots.length / LOOKS_PER_LAP);
  }

  private void resize(long published, int length) {
    CompletionEntry[] fresh = new CompletionEntry[length];
    for (long at = readSeen; at < published; at++) {
      fresh[(int) at & (length - 1)] = slots[(int) at & (slots.length - 1)];
    }
    slots = fresh;
    looks = 0;
    mostWaiting = 0;
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
    if (isEmpty() || !takeReading()) {
      return 0;
    }
    try {
      return readHeld(handler, limit);
    } finally {
      COUNTS.setRelease(counts, BUSY, 0L);
    }
  }

  private boolean takeReading() {
    return !isRead() && move(BUSY, 0L, Thread.currentThread().getId());
  }

  private boolean isRead() {
    return (long) COUNTS.getAcquire(counts, BUSY) != 0;
  }

  private int readHeld(CompletionHandler handler, int limit) {
    long read = (long) COUNTS.get(counts, READ);
    long published = (long) COUNTS.getAcquire(counts, PUBLISHED);
    CompletionEntry[] from = slots;
    int count = (int) Math.min(limit, published - read);
    for (int i = 0; i < count; i++) {
      CompletionEntry entry = from[(int) (read + i) & (from.length - 1)];
      COUNTS.setRelease(counts, READ, read + i + 1);
      try {
        handler.onCompletion(entry);
      } finally {
        entry.clear();
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
    long read = (long) COUNTS.getAcquire(counts, READ);
    return read >= (long) COUNTS.getAcquire(counts, PUBLISHED);
  }
}
