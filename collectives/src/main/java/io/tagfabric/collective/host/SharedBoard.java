package io.tagfabric.collective.host;

import java.lang.invoke.VarHandle;
import java.util.function.IntConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One member's place at the memory of a team on one host: moves it through the stages of its works,
 * which all members count alike, and never waits.
 *
 * <p>In a stage a member writes into its own slot and raises the flag beside it, if the work says
 * so, then reads the slots of others in the order of ranks, each when its flag is up, and says that
 * it has ended the stage. A slot is written again when all members have ended the stage that used
 * it before, so a member may be as many stages ahead of the slowest as there are slots.
 *
 * <p><b>Flags are numbers.</b> A flag holds the number of the stage, and is never taken down: there
 * is nothing to reset, and nobody can take an old flag for a new one. Each is written by one member
 * with release order after the data, and read with acquire order before them.
 *
 * <p><b>Calls.</b> Beside each flag stands a hash of all that its member has called so far, and who
 * reads the flag compares. So a member whose call differs is found by the first that reads it, in
 * that call or in a later one. A member that waits tells in the memory what for, and looks what the
 * one that it waits for does: both wait in different calls, or the other has gone on without the
 * flag. So a difference is no hang.
 *
 * <p><b>Sleepers.</b> A member that raises a flag looks afterwards whether another sleeps; one that
 * is about to sleep says so and looks at the flag once more, and whether who should raise it has
 * left. A full fence, or a compare-and-set, between the two steps of each makes sure that one sees
 * the other; {@code BoardModel} among the tests explores it. Sleepers are counted, so that a member
 * that raises a flag looks at one word while all are awake; the count is never less than the
 * members that say they sleep.
 *
 * <p>Thread: the loop of the member's domain; {@link #announce} and {@link #withdraw} by any
 * thread.
 */
public final class SharedBoard {
  private static final long NOTHING = -1;
  private static final int MEMBER_BITS = 16;
  private static final long MEMBER_MASK = (1L << MEMBER_BITS) - 1;

  private final SharedLayout layout;
  private final UnsafeBuffer buffer;
  private final int rank;
  private final IntConsumer waker;

  private SharedWork work;
  private long stage;
  private int done;
  private boolean written;
  private int next;
  private long endedByAll;

  /** What this member waits for: a stage and a member, all bits set for the slowest one. */
  private volatile long awaited = NOTHING;

  /** A hash of all that was called. */
  private long called;

  private long calls;
  private long firstStage;
  private boolean hasToldCall;

  private boolean closed;

  /**
   * Takes a member's place.
   *
   * @param waker runs with the rank of a member that sleeps and has something to do now
   */
  public SharedBoard(SharedSegment segment, int rank, IntConsumer waker) {
    this.layout = segment.layout();
    this.buffer = segment.buffer();
    this.rank = rank;
    this.waker = waker;
  }

  /** Begins a work; the one before has ended. */
  public void begin(SharedWork next) {
    work = next;
    work.bind(layout, buffer);
    called = following(called, work.signature());
    calls++;
    firstStage = stage;
    hasToldCall = false;
    done = 0;
    enterStage();
  }

  /** Each bit depends on all that was called before. */
  private static long following(long before, long signature) {
    long hash = (before ^ signature) * 0x9E3779B97F4A7C15L;
    return (hash ^ (hash >>> 32)) * 0xBF58476D1CE4E5B9L + signature;
  }

  private void enterStage() {
    work.begin(done);
    written = false;
    next = 0;
  }

  /**
   * Goes on as far as others let it.
   *
   * @return whether anything was done
   * @throws CallMismatchException if another member has called something else
   * @throws MemberLeftException if another member has left and is waited for
   */
  public boolean advance() {
    boolean moved = false;
    while (work != null) {
      if (!written) {
        if (!write()) {
          return moved;
        }
        moved = true;
      }
      int before = next;
      if (!read()) {
        return moved || next > before;
      }
      moved = true;
      endStage();
    }
    return moved;
  }

  /** Whether there is a work that has not ended. */
  public boolean isBusy() {
    return work != null;
  }

  /** False if the slot is in use yet. */
  private boolean write() {
    if (work.writes(done)) {
      if (!isSlotFree()) {
        awaited = stage << MEMBER_BITS | MEMBER_MASK;
        requireAllPresent();
        tellCall();
        return false;
      }
      int flagAt = layout.flagAt(rank, stage);
      work.write(done, at(rank));
      buffer.putLong(flagAt + Long.BYTES, called);
      buffer.putLongOrdered(flagAt, stage + 1);
      wakeSleepers();
    }
    written = true;
    return true;
  }

  /** Where the data of a member are in this stage. */
  private int at(int member) {
    return work.isInline()
        ? layout.flagAt(member, stage) + 2 * Long.BYTES
        : layout.dataAt(member, stage);
  }

  private boolean isSlotFree() {
    long needed = stage - layout.slots + 1;
    if (endedByAll < needed) {
      endedByAll = slowest();
    }
    return endedByAll >= needed;
  }

  private void requireAllPresent() {
    int missing = missing(stage);
    if (missing >= 0) {
      throw new MemberLeftException(missing);
    }
  }

  /** A member that has left and will not free the slot of a stage; negative if there is none. */
  private int missing(long wantedStage) {
    for (int member = 0; member < layout.members; member++) {
      if (hasLeft(member)
          && buffer.getLongVolatile(layout.endedAt(member)) <= wantedStage - layout.slots) {
        return member;
      }
    }
    return -1;
  }

  private long slowest() {
    long least = Long.MAX_VALUE;
    for (int member = 0; member < layout.members; member++) {
      if (member != rank) {
        least = Math.min(least, buffer.getLongVolatile(layout.endedAt(member)));
      }
    }
    return least;
  }

  /** False if a flag is not up yet. */
  private boolean read() {
    while (next < layout.members) {
      if (next == rank) {
        work.readOwn(done, at(rank));
      } else if (work.reads(done, next)) {
        int flagAt = layout.flagAt(next, stage);
        if (buffer.getLongVolatile(flagAt) != stage + 1) {
          awaited = stage << MEMBER_BITS | next;
          requirePresent(next, flagAt);
          tellCall();
          requireInCall(next, flagAt);
          return false;
        }
        if (buffer.getLong(flagAt + Long.BYTES) != called) {
          throw new CallMismatchException(next);
        }
        work.read(done, next, at(next));
      }
      next++;
    }
    return true;
  }

  /** A member that has left raises no flag any more, but may have raised this one before. */
  private void requirePresent(int member, int flagAt) {
    if (hasLeft(member) && buffer.getLongVolatile(flagAt) != stage + 1) {
      throw new MemberLeftException(member);
    }
  }

  /** Says in which call this member waits; once a call, as most end without. */
  private void tellCall() {
    if (!hasToldCall) {
      hasToldCall = true;
      // In this order, each a release: who sees the number of the call sees the rest of it. None
      // while it is written: it stands where an earlier call stood, which may be the last told.
      buffer.putLongOrdered(layout.waitingAt(rank), 0);
      buffer.putLongOrdered(layout.firstStageAt(rank, calls), firstStage);
      buffer.putLongOrdered(layout.calledAt(rank, calls), called);
      buffer.putLongVolatile(layout.waitingAt(rank), calls);
    }
  }

  /** A member that has gone on, or waits in another call, will not raise the flag. */
  private void requireInCall(int member, int flagAt) {
    boolean hasGoneOn = buffer.getLongVolatile(layout.endedAt(member)) > stage;
    if (hasGoneOn && buffer.getLongVolatile(flagAt) != stage + 1) {
      throw new CallMismatchException(member);
    }
    long waitsIn = buffer.getLongVolatile(layout.waitingAt(member));
    long began = buffer.getLongVolatile(layout.firstStageAt(member, waitsIn));
    long theirs = buffer.getLongVolatile(layout.calledAt(member, waitsIn));
    boolean isOld = buffer.getLongVolatile(layout.waitingAt(member)) != waitsIn;
    if (!isOld && waitsIn > 0 && began == firstStage && theirs != called) {
      throw new CallMismatchException(member);
    }
  }

  private void endStage() {
    work.end(done);
    stage++;
    buffer.putLongOrdered(layout.endedAt(rank), stage);
    wakeSleepers();
    if (++done == work.stages()) {
      work = null;
      awaited = NOTHING;
    } else {
      enterStage();
    }
  }

  private void wakeSleepers() {
    VarHandle.fullFence();
    if (buffer.getLongVolatile(SharedLayout.SLEEPERS_AT) == 0) {
      return;
    }
    for (int member = 0; member < layout.members; member++) {
      if (member != rank && takeDown(member)) {
        waker.accept(member);
      }
    }
  }

  private boolean takeDown(int member) {
    int at = layout.asleepAt(member);
    if (buffer.getIntVolatile(at) == 0 || !buffer.compareAndSetInt(at, 1, 0)) {
      return false;
    }
    buffer.getAndAddLong(SharedLayout.SLEEPERS_AT, -1);
    return true;
  }

  /**
   * Says that nobody looks from now on; a thread is about to sleep.
   *
   * @return false if there is something to do already; then nothing is said
   */
  public synchronized boolean announce() {
    if (closed || awaited == NOTHING) {
      return true;
    }
    // Counted first: a member that took the flag down before it is counted would hide another
    // sleeper.
    buffer.getAndAddLong(SharedLayout.SLEEPERS_AT, 1);
    if (!buffer.compareAndSetInt(layout.asleepAt(rank), 0, 1)) {
      buffer.getAndAddLong(SharedLayout.SLEEPERS_AT, -1);
    }
    if (isThere(awaited)) {
      withdraw();
      return false;
    }
    return true;
  }

  private boolean isThere(long what) {
    if (what == NOTHING) {
      return false;
    }
    long awaitedStage = what >> MEMBER_BITS;
    long member = what & MEMBER_MASK;
    return member == MEMBER_MASK
        ? slowest() >= awaitedStage - layout.slots + 1 || missing(awaitedStage) >= 0
        : buffer.getLongVolatile(layout.flagAt((int) member, awaitedStage)) == awaitedStage + 1
            || hasLeft((int) member);
  }

  private boolean hasLeft(int member) {
    return buffer.getIntVolatile(layout.leftAt(member)) != 0;
  }

  /** Says that somebody looks again. */
  public synchronized void withdraw() {
    if (!closed) {
      takeDown(rank);
    }
  }

  /** Tells the others that this member takes part in nothing more. */
  public void leave() {
    buffer.putIntVolatile(layout.leftAt(rank), 1);
    wakeSleepers();
  }

  /** Says it for a member that has ended without a word: members that wait for it need not. */
  public void absent(int member) {
    buffer.putIntVolatile(layout.leftAt(member), 1);
    wakeSleepers();
  }

  /** Touches the memory no more. */
  public synchronized void close() {
    if (!closed) {
      takeDown(rank);
      closed = true;
      work = null;
    }
  }
}
