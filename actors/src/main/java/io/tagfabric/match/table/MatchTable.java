package io.tagfabric.match.table;

import io.tagfabric.annotation.InternalApi;
import java.util.function.Consumer;

/**
 * Pairs messages with receives: holds the receives posted before their message and the messages
 * that arrived before their receive. One thread, its owner's, for everything.
 *
 * <p>A message fits a receive when {@code ((sent ^ tag) & ~ignore) == 0} and the receive names its
 * sender or any source. A message takes the earliest posted receive that fits, a receive the
 * earliest arrived message that fits; a more specific one is not preferred. Messages must be
 * offered in the order each sender sent them.
 *
 * @param <P> the receives, with buffer and context
 * @param <U> the messages that wait, with payload
 * @source libfabric fi_tagged(3), fi_msg(3); MPI-4.1 §3.5
 */
@InternalApi
public final class MatchTable<P extends WaitingReceive, U extends WaitingMessage> {
  /*
   * Claim: the answers of two lists walked from the front, at a cost that does not depend on their
   * length.
   *
   * Receives that ignore the same bits, and agree on whether the source counts, are one class. To a
   * class a message has exactly one key, so each class is a hash table from key to a first-in-
   * first-out queue, and only the first of a queue can be the earliest of its class.
   *
   *   message (tag, source) -+- class {ignore 0, source}   -- key --> 4 - 9 - 12
   *                          +- class {ignore 0, any}      -- key --> 7            earliest: 2
   *                          +- class {ignore 0xff, any}   -- key --> 2 - 31
   *
   * Each receive is in one class; an arrival compares the stamps of at most one receive a class.
   * Each message is in every class that a receive asked for while the queue was long; a receive
   * looks in its own class alone and finds the earliest arrival there.
   *
   * Cost: expected O(classes) for an arrival, O(1) to post (spread over the receives that wait),
   * cancel and search for a receive. A
   * waiting message costs a node in each class, so those classes are capped: beyond the cap a
   * search walks the list (slowScans) until another class has idled long enough to pay for
   * replacing it. A class of receives goes when its last is taken, a class of messages when the
   * queue is short and nothing asked for the class during a window of removals. Up to 16 entries
   * are compared one by one: measured, that is quicker than hashing, and most programs never have
   * more. Receives that all take the same messages, as a window of equal ones does, stay in their
   * list however many they are: the earliest speaks for all. The first one that differs has them
   * hashed, once until the queue is empty, so a receive pays for that at most once.
   *
   * Memory: links live in the entries; tables and nodes are kept for the next burst, and go when
   * about as many removals as the burst had entries passed without need for them. Warm, nothing
   * allocates.
   *
   * Not taken: one list with wildcards merged by stamp (who uses wildcards is back at linear cost);
   * buckets that mix keys in one queue (order inside a bucket costs a walk); open addressing over
   * primitive keys (a further cache line a lookup, since the entry is needed anyway, and removals
   * leave holes); hashing from the first entry on (slower at the depths that ping-pong has); locks
   * (the owner is one thread).
   *
   * Sources: PSM3 psm_mq.c (learnt classes, only long queues are hashed); UCX tag_match.inl (exact
   * hash, wildcards by sequence number); Flajslik, Dinan, Underwood, "Mitigating MPI Message
   * Matching Misery", 2016; Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
   * 2014, with Stafford's variant 13 (the mixing constants).
   */

  /** Classes of receives that waiting messages are sorted for, unless told otherwise. */
  public static final int DEFAULT_UNEXPECTED_CLASSES = 8;

  private final PostedQueue posted = new PostedQueue();
  private final UnexpectedQueue unexpected;

  /** An empty table with {@link #DEFAULT_UNEXPECTED_CLASSES}. */
  public MatchTable() {
    this(DEFAULT_UNEXPECTED_CLASSES);
  }

  /**
   * An empty table.
   *
   * @param maxUnexpectedClasses for how many different (ignored bits, source or any) of receives
   *     waiting messages are hashed; each costs a node a message
   * @throws IllegalArgumentException if {@code maxUnexpectedClasses} is below 1
   */
  public MatchTable(int maxUnexpectedClasses) {
    if (maxUnexpectedClasses < 1) {
      throw new IllegalArgumentException(
          "maxUnexpectedClasses=" + maxUnexpectedClasses + " < 1, pass at least 1");
    }
    unexpected = new UnexpectedQueue(maxUnexpectedClasses);
  }

  /**
   * Takes out the earliest posted receive that fits a message; without one the caller continues
   * with {@link #addUnexpected}.
   *
   * @param source the sender's peer index, or -1 if it has none: then only any-source receives fit
   * @return the receive, or null
   */
  public P matchArrival(long tag, int source) {
    P receive = peekArrival(tag, source);
    if (receive != null) {
      posted.remove(receive);
    }
    return receive;
  }

  /** As {@link #matchArrival}, but the receive stays posted and keeps its place. */
  public P peekArrival(long tag, int source) {
    return posted.count() == 0 ? null : ownReceive(posted.find(tag, source));
  }

  /**
   * Takes out the earliest arrived message that fits a receive; without one the caller continues
   * with {@link #addPosted}.
   *
   * @return the message, or null
   */
  public U matchPost(long tag, long ignore, int source) {
    U message = peek(tag, ignore, source);
    if (message != null) {
      unexpected.remove(message);
    }
    return message;
  }

  /** As {@link #matchPost}, but the message stays and keeps its place. */
  public U peek(long tag, long ignore, int source) {
    return unexpected.count() == 0 ? null : ownMessage(unexpected.find(tag, ignore, source));
  }

  /**
   * Appends a receive to those posted.
   *
   * @throws IllegalStateException if it is posted already
   */
  public void addPosted(P receive) {
    posted.add(receive);
  }

  /**
   * Appends a message to those that wait.
   *
   * @throws IllegalStateException if it is queued already
   */
  public void addUnexpected(U message) {
    unexpected.add(message);
  }

  /** Takes a receive out; false if it is not posted in this table. */
  public boolean remove(P receive) {
    return posted.remove(receive);
  }

  /** Takes a message out; false if it does not wait in this table. */
  public boolean remove(U message) {
    return unexpected.remove(message);
  }

  /** How many receives are posted. */
  public int postedCount() {
    return posted.count();
  }

  /** How many messages wait. */
  public int unexpectedCount() {
    return unexpected.count();
  }

  /**
   * Visits the receives in post order. The action may add and remove entries; it sees no receive
   * that was removed or added meanwhile. Slow (copies and sorts): for shutdown and lost peers.
   */
  public void forEachPosted(Consumer<? super P> action) {
    long end = posted.nextStamp();
    for (WaitingReceive receive : posted.snapshot()) {
      if (receive.queue == posted && receive.stamp < end) {
        action.accept(ownReceive(receive));
      }
    }
  }

  /**
   * Visits the messages in the order of arrival. The action may add and remove entries; it sees no
   * message that was removed or added meanwhile. Slow (copies): for shutdown and lost peers.
   */
  public void forEachUnexpected(Consumer<? super U> action) {
    long end = unexpected.nextStamp();
    for (WaitingMessage message : unexpected.snapshot()) {
      if (message.queue == unexpected && message.stamp < end) {
        action.accept(ownMessage(message));
      }
    }
  }

  /** Searches that walked all waiting messages because too many classes of receives are in use. */
  public long slowScans() {
    return unexpected.slowScans();
  }

  /** Classes of receives among those posted; 0 while there are few. */
  public int postedClasses() {
    return posted.tableCount();
  }

  /** Classes of receives that waiting messages are hashed for. */
  public int unexpectedClasses() {
    return unexpected.tableCount();
  }

  /** Nodes looked at so far: the cost that the claim is about. */
  long steps() {
    return posted.steps() + unexpected.steps();
  }

  /** Hash buckets and spare nodes held. */
  int retained() {
    return posted.retained() + unexpected.retained();
  }

  /** Only this table's add methods fill the queues, so what comes out of them has its type. */
  @SuppressWarnings("unchecked")
  private P ownReceive(WaitingReceive receive) {
    return (P) receive;
  }

  @SuppressWarnings("unchecked")
  private U ownMessage(WaitingMessage message) {
    return (U) message;
  }
}
