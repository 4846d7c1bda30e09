package io.tagfabric.complete;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Entries of finished operations. The loop publishes them; the application reads them here without
 * a message, or tells the actor {@link ReadEntries} and gets them as an answer. Where cores hand
 * over by mailbox, that actor publishes.
 *
 * <p>A slot is reserved when an operation is accepted, so the queue never overruns: when all slots
 * are taken by operations under way or entries unread, posting answers TRY_AGAIN.
 *
 * <p>Reading drives progress: a read that finds nothing and every wait run passes of the domain's
 * loop on the calling thread, in MANUAL mode also each 16th read that finds entries. Thread: any;
 * entries are handed to one reader at a time.
 *
 * @source libfabric fi_cq(3)
 */
public final class CompletionQueue {
  /** What a completion queue can be told. */
  public sealed interface Command {}

  /** Entries are in the ring, for actors that wait. From the outboxes. */
  enum EntriesPublished implements Command {
    INSTANCE
  }

  /** Publish the oldest entries that this outbox has told of. */
  record Publish(CompletionOutbox from) implements Command {}

  /**
   * Answers with entries as soon as there is one, and with no entries after a signal.
   *
   * @param max at most so many
   */
  public record ReadEntries(int max, ActorRef<Entries> replyTo) implements Command {
    public ReadEntries {
      if (max < 1) {
        throw new IllegalArgumentException("max=" + max + " < 1, ask for at least one entry");
      }
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Ends one wait, now or when it begins; see {@link CompletionQueue#signal}. */
  public enum Signal implements Command {
    INSTANCE
  }

  /** Answer to {@link ReadEntries}, oldest first. */
  public record Entries(List<Completion> completions) {}

  /** A read that finds nothing looks so often more before it returns. */
  private static final int LOOKS_PER_READ = 8;

  /** What waits is read so often before a read makes progress. */
  private static final int MAX_READS_WITHOUT_PASS = 15;

  private final ActorRef<Command> ref;
  private final CompletionRing ring;
  private final ProgressLoop loop;
  private final ProgressMode mode;
  private final IdlePolicy idle;
  private final AtomicInteger signals = new AtomicInteger();
  private final AtomicInteger waitingActors = new AtomicInteger();
  private final Queue<CompletionOutbox> outboxes = new ConcurrentLinkedQueue<>();

  /** Threads that read at the same time may lose counts of one another: it bounds no less then. */
  private int readsWithoutPass;

  private CompletionQueue(
      CompletionRing ring,
      ProgressLoop loop,
      ProgressMode mode,
      IdlePolicy idle,
      Function<Behavior<Command>, ActorRef<Command>> spawner) {
    this.ring = ring;
    this.loop = loop;
    this.mode = mode;
    this.idle = idle;
    ref = spawner.apply(CompletionQueueActor.create(ring, signals, waitingActors, outboxes));
  }

  /**
   * Opens a queue; called by the domain.
   *
   * @param capacity operations under way and entries unread
   * @param spawner spawns the queue's actor on the domain's dispatcher
   */
  public static CompletionQueue open(
      int capacity,
      ProgressLoop loop,
      ProgressMode mode,
      IdlePolicy idle,
      Function<Behavior<Command>, ActorRef<Command>> spawner) {
    return new CompletionQueue(
        new CompletionRing(capacity, loop.sole()), loop, mode, idle, spawner);
  }

  /** An outbox for one actor of the domain. */
  @InternalApi
  public CompletionOutbox outbox() {
    CompletionOutbox outbox = new CompletionOutbox(ring, loop, ref, waitingActors);
    outboxes.add(outbox);
    return outbox;
  }

  /** The actor. */
  public ActorRef<Command> ref() {
    return ref;
  }

  /** The loop this queue's domain runs on. */
  public ProgressLoop loop() {
    return loop;
  }

  /** The ring behind the queue, to reserve slots in it. */
  public CompletionRing ring() {
    return ring;
  }

  /**
   * Hands out finished operations without waiting. A limit of 0 only makes progress.
   *
   * @return entries handed out
   */
  public int read(CompletionHandler handler, int limit) {
    Objects.requireNonNull(handler, "handler");
    loop.requireCaller();
    if (!loop.isDriving()) {
      if (mode == ProgressMode.MANUAL) {
        drive(limit);
      } else if (limit == 0 || ring.isEmpty()) {
        loop.poll(LOOKS_PER_READ);
      }
    }
    return limit == 0 ? 0 : ring.read(handler, limit);
  }

  /** Entries that wait are read first, but a program that always finds some must drive too. */
  private void drive(int limit) {
    if (limit > 0 && readsWithoutPass < MAX_READS_WITHOUT_PASS && !ring.isEmpty()) {
      readsWithoutPass++;
      loop.settle();
    } else {
      readsWithoutPass = 0;
      loop.advance(LOOKS_PER_READ);
    }
  }

  /** Finished operations as values, oldest first, without waiting; empty if there are none. */
  public List<Completion> read(int limit) {
    List<Completion> completions = new ArrayList<>();
    read(entry -> completions.add(entry.toCompletion()), limit);
    return completions;
  }

  /**
   * Waits for entries and hands them out.
   *
   * @return entries handed out; 0 after the timeout, a {@link #signal} or an interrupt (the flag
   *     stays set)
   * @throws IllegalArgumentException if {@code limit} is below 1
   * @throws IllegalStateException if called from an actor or a listener of this domain, or from a
   *     handler of this queue, which nobody can read meanwhile
   */
  public int readBlocking(CompletionHandler handler, int limit, Duration timeout) {
    Objects.requireNonNull(handler, "handler");
    if (limit < 1) {
      throw new IllegalArgumentException("limit=" + limit + " < 1, wait for at least one entry");
    }
    long timeoutNs = Timeouts.nanos(timeout);
    loop.requireOutside("a blocking read");
    loop.requireCaller();
    if (ring.isReadByCaller()) {
      throw new IllegalStateException(
          "a blocking read inside a completion handler of the same queue can never get an entry;"
              + " read when the handler has returned");
    }
    loop.settle();
    int read = ring.read(handler, limit);
    if (read == 0 && !loop.isDriving() && loop.advance() > 0) {
      // Most waits end with the first pass; only the others need a deadline.
      read = ring.read(handler, limit);
    }
    if (read > 0 || takeSignal()) {
      loop.waited();
      return read;
    }
    long deadlineNs = loop.time().nanoTime() + timeoutNs;
    while (loop.await(() -> !ring.isEmpty() || signals.get() > 0, deadlineNs, idle)) {
      read = ring.read(handler, limit);
      if (read > 0 || takeSignal()) {
        return read;
      }
      // Another reader holds the ring or was quicker; this one does not wait longer for that.
      if (deadlineNs - loop.time().nanoTime() <= 0) {
        return 0;
      }
    }
    return 0;
  }

  /** Waits for one entry; null after the timeout, a {@link #signal} or an interrupt. */
  public Completion readBlocking(Duration timeout) {
    Completion[] read = new Completion[1];
    readBlocking(entry -> read[0] = entry.toCompletion(), 1, timeout);
    return read[0];
  }

  private boolean takeSignal() {
    int pending = signals.get();
    while (pending > 0) {
      if (signals.compareAndSet(pending, pending - 1)) {
        return true;
      }
      pending = signals.get();
    }
    return false;
  }

  /** Ends one blocking read, also one that begins after the signal. Thread: any. */
  public void signal() {
    signals.incrementAndGet();
    ref.tell(Signal.INSTANCE);
    loop.wake();
  }
}
