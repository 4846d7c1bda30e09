package io.tagfabric.trials.fuzz;

import io.tagfabric.access.RemoteRegion;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.bench.measure.Allocation;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.trials.fuzz.Canaries.Part;
import io.tagfabric.trials.fuzz.Ledger.Operation;
import io.tagfabric.trials.fuzz.Ledger.Target;
import io.tagfabric.trials.fuzz.Ledger.Use;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The endpoint under attack and what an application does with it: it keeps receives posted, sends
 * to the attackers, answers the friend, and checks what comes of all of it. Thread: one.
 */
final class Victim {
  /** Tags that attackers use are below this. */
  static final int TAGS = 16;

  /** Tags from here to {@link #TAGS} are mostly taken by no receive. */
  private static final int MATCHED_TAGS = 12;

  private static final List<CompletionLevel> LEVELS = List.of(CompletionLevel.values());

  private static final long SENTINEL = FriendMessages.BIT | 1L << 32;
  private static final int PARTS = 40;
  private static final int RECEIVES = 20;
  private static final int FRIEND_RECEIVES = 4;
  private static final int SENDS = 16;
  private static final int LONGEST_SEND = 40 * 1024;
  private static final int LONGEST_ACCESS = 30 * 1024;
  private static final SendOptions ACCESS_OPTIONS =
      SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);
  private static final int QUEUE = 2048;
  private static final int BATCH = 256;
  private static final int STEPS_PER_LOOK = 32;

  /** What two reads of the queues may allocate at most, whatever comes. */
  private static final long PASS_BYTES = 32L << 20;

  private final Domain domain;
  private final SplittableRandom random;
  private final long budgetBytes;
  private final CompletionQueue sent;
  private final CompletionQueue received;
  private final Endpoint endpoint;
  private final Canaries canaries;
  private final OpenMemory memory;
  private final Ledger ledger = new Ledger();
  private final CompletionHandler onSent = this::onSent;
  private final CompletionHandler onReceived = this::onReceived;
  private final UnsafeBuffer outgoing = new UnsafeBuffer(new byte[LONGEST_SEND]);
  private final UnsafeBuffer none = new UnsafeBuffer(new byte[0]);

  /** Receives of the friend's messages that have ended and are not answered, by message. */
  private final Long2ObjectHashMap<Operation> answers = new Long2ObjectHashMap<>();

  private final List<Target> ending = new ArrayList<>();
  private final FuzzCounts counts;
  private CompletableFuture<TagMatcher.State> asked;
  private long askedNs;
  private Target friend;
  private long friendReceives;
  private long friendAnswered;
  private int friendPosted;
  private int posted;
  private int sending;
  private int steps;
  private boolean closing;
  private boolean closedByItself;

  Victim(Domain domain, SplittableRandom random, FuzzCounts counts) {
    this.domain = domain;
    this.random = random;
    this.counts = counts;
    budgetBytes = domain.endpointDefaults().flow().unexpectedBudgetBytes();
    sent = domain.openCompletionQueue(QUEUE);
    received = domain.openCompletionQueue(QUEUE);
    endpoint = domain.openEndpoint("victim", sent, received);
    canaries = new Canaries(PARTS, FriendMessages.longest(), random.nextLong());
    memory = new OpenMemory(domain, random.split());
    endpoint.onClose(() -> closedByItself |= !closing);
  }

  EndpointAddress address() {
    return endpoint.address();
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** What the friend may write and read here. */
  RegionDescriptor friendsMemory() {
    return memory.friends();
  }

  /** Answers whatever comes from this one. */
  void befriend(EndpointAddress address) {
    friend = new Target(domain.addressVector().insert(address));
  }

  /** An attacker begins. */
  Target expect(EndpointAddress address) {
    Target target = new Target(domain.addressVector().insert(address));
    postSentinel(target);
    return target;
  }

  /** One round of an application's work; drives the loop. */
  void step(List<Target> attackers, long nowNs) {
    if (!closing) {
      post(attackers);
      send(attackers);
      if (random.nextInt(64) == 0) {
        canaries.checkAny(random);
        memory.check();
      }
    }
    drive();
    if (++steps % STEPS_PER_LOOK == 0) {
      look(nowNs);
    }
  }

  private void post(List<Target> attackers) {
    while (friend != null && friendPosted < FRIEND_RECEIVES) {
      long tag = FriendMessages.BIT;
      int capacity = FriendMessages.longest();
      if (!post(Use.FRIEND_RECEIVE, friend, tag, FriendMessages.ignored(), capacity)) {
        break;
      }
      friendPosted++;
      friendReceives++;
    }
    while (posted < RECEIVES && postAny(attackers)) {
      posted++;
    }
  }

  private boolean postAny(List<Target> attackers) {
    int capacity = EdgeValues.small(random) % (canaries.partBytes() + 1);
    int choice = random.nextInt(10);
    if (choice < 4 && !attackers.isEmpty()) {
      Target target = attackers.get(random.nextInt(attackers.size()));
      return post(Use.RECEIVE, target, 0, ~FriendMessages.BIT, capacity);
    }
    if (choice < 9) {
      return post(Use.RECEIVE, null, random.nextInt(MATCHED_TAGS), 0, capacity);
    }
    return post(Use.RECEIVE, null, 4L * random.nextInt(TAGS / 4), 3, capacity);
  }

  private boolean post(Use use, Target target, long tag, long ignore, int capacity) {
    Part part = canaries.take(capacity);
    if (part == null) {
      return false;
    }
    Operation operation = ledger.begin(use, target, part);
    operation.number(friendReceives);
    int source = target == null ? -1 : target.peer();
    Posted outcome =
        endpoint.postReceive(
            canaries.buffer(), part.offset(), capacity, tag, ignore, source, operation);
    if (outcome == Posted.TRY_AGAIN) {
      ledger.takeBack(operation);
      canaries.give(part);
      return false;
    }
    if (use == Use.RECEIVE && random.nextInt(32) == 0) {
      endpoint.futures().cancel(operation);
    }
    return true;
  }

  private void postSentinel(Target target) {
    Operation operation = ledger.begin(Use.SENTINEL, target, null);
    if (endpoint.postReceive(none, 0, 0, SENTINEL, 0, target.peer(), operation)
        == Posted.TRY_AGAIN) {
      throw new Violation(Promise.END, "the receive queue has no slot for operations that ended");
    }
  }

  private void send(List<Target> attackers) {
    if (attackers.isEmpty() || sending >= SENDS || random.nextInt(4) != 0) {
      return;
    }
    Target target = attackers.get(random.nextInt(attackers.size()));
    if (random.nextInt(3) == 0) {
      access(target);
      return;
    }
    Operation operation = ledger.begin(Use.SEND, target, null);
    int length = EdgeValues.small(random) % LONGEST_SEND;
    CompletionLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
    Posted outcome =
        endpoint.post(
            TaggedSend.of(target.peer(), outgoing, 0, length, random.nextInt(TAGS)).level(level),
            operation);
    if (outcome == Posted.TRY_AGAIN) {
      ledger.takeBack(operation);
      return;
    }
    sending++;
    if (random.nextInt(32) == 0) {
      endpoint.futures().cancel(operation);
    }
  }

  /** Reads or writes memory of an attacker, whose answers may say anything. */
  private void access(Target target) {
    Part part = canaries.take(EdgeValues.small(random) % LONGEST_ACCESS);
    if (part == null) {
      return;
    }
    Operation operation = ledger.begin(Use.ACCESS, target, part);
    RemoteRegion region = new RemoteRegion(target.peer(), Attacker.opened());
    int bytes = part.capacity();
    Posted outcome =
        random.nextInt(3) == 0
            ? endpoint.memory().write(region, 0, outgoing, 0, bytes, ACCESS_OPTIONS, operation)
            : endpoint.memory().read(region, 8, canaries.buffer(), part.offset(), bytes, operation);
    if (outcome == Posted.TRY_AGAIN) {
      ledger.takeBack(operation);
      canaries.give(part);
      return;
    }
    sending++;
  }

  /**
   * Reads what has ended, and so makes progress; whatever comes, that is bounded and never fails.
   */
  private void drive() {
    long before = Allocation.ofThisThread();
    try {
      received.read(onReceived, BATCH);
      sent.read(onSent, BATCH);
      memory.drive();
    } catch (OutOfMemoryError error) {
      throw new Violation(Promise.MEMORY, "a pass of the victim's loop failed: " + error, error);
    } catch (Violation violation) {
      throw violation;
    } catch (RuntimeException | LinkageError | StackOverflowError error) {
      throw new Violation(Promise.LIFE, "a pass of the victim's loop failed: " + error, error);
    }
    requireBounded(Allocation.ofThisThread() - before);
    // a short message behind a long one may come before it; the answers keep the order
    while (!closing && answers.containsKey(friendAnswered) && answer()) {
      answers.remove(friendAnswered++);
    }
    if (closedByItself) {
      throw new Violation(Promise.LIFE, "the victim's endpoint has closed by itself");
    }
  }

  static void requireBounded(long passBytes) {
    if (passBytes > PASS_BYTES) {
      throw new Violation(
          Promise.MEMORY,
          "reading what has ended allocated " + passBytes + " bytes > " + PASS_BYTES);
    }
  }

  /** From the very bytes that came; their part is given back when the answer has left. */
  private boolean answer() {
    Part part = answers.get(friendAnswered).part();
    Operation operation = ledger.begin(Use.FRIEND_SEND, friend, part);
    Posted outcome =
        endpoint.sendTagged(
            friend.peer(),
            canaries.buffer(),
            part.offset(),
            FriendMessages.length(friendAnswered),
            FriendMessages.tag(friendAnswered),
            operation);
    if (outcome == Posted.TRY_AGAIN) {
      ledger.takeBack(operation);
      return false;
    }
    return true;
  }

  private void onReceived(CompletionEntry entry) {
    Operation operation = (Operation) entry.context();
    ledger.end(operation);
    boolean failed = entry.kind() == CompletionEntry.Kind.FAILED;
    switch (operation.use()) {
      case SENTINEL -> onSentinel(operation.target(), failed ? entry.error() : null);
      case FRIEND_RECEIVE -> onFriend(operation, entry, failed);
      default -> {
        posted--;
        Part part = operation.part();
        canaries.check(part, failed ? part.capacity() : (int) entry.length());
        canaries.give(part);
      }
    }
  }

  private void onSentinel(Target target, FabricError error) {
    if (error == null) {
      // a mutated tag has met it
      if (!closing) {
        postSentinel(target);
      }
      return;
    }
    if (error == FabricError.PROTOCOL) {
      counts.brokenRules++;
    }
    target.ended(System.nanoTime());
    ending.add(target);
  }

  private void onFriend(Operation operation, CompletionEntry entry, boolean failed) {
    friendPosted--;
    Part part = operation.part();
    if (failed) {
      if (!closing) {
        throw new Violation(
            Promise.FRIEND,
            "a receive for the friend failed: " + entry.error() + ", " + entry.detail());
      }
      canaries.check(part, part.capacity());
      canaries.give(part);
      return;
    }
    canaries.check(part, (int) entry.length());
    // the receives of the friend are alike, so they take its messages in the order posted
    long number = operation.number();
    FriendMessages.check(
        "the victim", number, entry.tag(), entry.length(), canaries.buffer(), part.offset());
    answers.put(number, operation);
  }

  private void onSent(CompletionEntry entry) {
    Operation operation = (Operation) entry.context();
    ledger.end(operation);
    if (operation.use() == Use.SEND) {
      sending--;
      return;
    }
    if (operation.use() == Use.ACCESS) {
      sending--;
      canaries.check(operation.part(), operation.part().capacity());
      canaries.give(operation.part());
      return;
    }
    canaries.give(operation.part());
    if (entry.kind() == CompletionEntry.Kind.FAILED && !closing) {
      throw new Violation(
          Promise.FRIEND,
          "an answer to the friend failed: " + entry.error() + ", " + entry.detail());
    }
  }

  private void look(long nowNs) {
    for (int i = ending.size() - 1; i >= 0; i--) {
      ending.get(i).check(nowNs, Friend.PATIENCE_NS);
    }
    if (closing) {
      return;
    }
    if (asked == null) {
      asked = endpoint.futures().matcherState().toCompletableFuture();
      askedNs = nowNs;
    } else if (asked.isDone()) {
      requireWithin(asked.join(), budgetBytes);
      asked = null;
    } else if (nowNs - askedNs > Friend.PATIENCE_NS) {
      throw new Violation(Promise.LIFE, "the matcher has not answered within 10 s");
    }
  }

  static void requireWithin(TagMatcher.State state, long budgetBytes) {
    if (state.peakUnexpectedBytes() > budgetBytes) {
      throw new Violation(
          Promise.MEMORY,
          "unexpected messages held "
              + state.peakUnexpectedBytes()
              + " bytes > flow.unexpected-budget="
              + budgetBytes);
    }
  }

  /** Closes the endpoint; the loop is driven by {@link #step}. */
  CompletableFuture<Endpoint.Closed> close() {
    closing = true;
    return endpoint.close(Duration.ZERO).toCompletableFuture();
  }

  /** After the close: everything has ended. */
  void requireAllEnded() {
    drive();
    ledger.requireAllEnded();
    counts.operations += ledger.accepted();
  }
}
