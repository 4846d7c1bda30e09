package io.tagfabric.trials.fuzz;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.Posted;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.trials.fuzz.Ledger.Target;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An endpoint that sends and receives as any other, until its flow is over; what its channel makes
 * of it is another matter. Thread: one.
 */
final class Attacker {
  private static final int LONGEST = 40 * 1024;
  private static final int STEPS = 60;
  private static final int UNDER_WAY = 5;
  private static final int RECEIVES = 8;

  private final Endpoint endpoint;
  private final int victim;
  private final Target target;
  private final SplittableRandom random;
  private final Patience patience;
  private final UnsafeBuffer outgoing;
  private final UnsafeBuffer incoming;
  private int left = STEPS;
  private int sending;
  private int receiving;

  /**
   * @param victim its index here
   * @param target what it is to the victim
   * @param buffer of messages, whose bytes nobody reads
   */
  Attacker(
      Endpoint endpoint,
      int victim,
      Target target,
      SplittableRandom random,
      Patience patience,
      UnsafeBuffer buffer) {
    this.endpoint = endpoint;
    this.victim = victim;
    this.target = target;
    this.random = random;
    this.patience = patience;
    outgoing = new UnsafeBuffer(buffer, 0, LONGEST);
    incoming = new UnsafeBuffer(buffer, LONGEST, LONGEST);
  }

  /** Room for the messages of all. */
  static UnsafeBuffer buffer() {
    return new UnsafeBuffer(new byte[2 * LONGEST]);
  }

  Target target() {
    return target;
  }

  /** Whether there is more to try with this one. */
  boolean isUseful() {
    return left > 0 && !target.hasEnded() && !patience.isOver();
  }

  /** Some operations more, unless as many as may be are under way. */
  void step() {
    if (sending >= UNDER_WAY) {
      return;
    }
    left--;
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      send();
    }
    if (receiving < RECEIVES && random.nextInt(2) == 0) {
      receive();
    }
  }

  private void send() {
    int length = length();
    long tag = random.nextInt(Victim.TAGS);
    if (length <= endpoint.settings().injectBytes() && random.nextBoolean()) {
      endpoint.injectTagged(victim, outgoing, 0, length, tag);
      return;
    }
    Runnable context =
        () -> {
          sending--;
          patience.renew();
        };
    Posted outcome;
    if (random.nextInt(8) == 0) {
      outcome =
          endpoint.sendTaggedData(victim, outgoing, 0, length, random.nextLong(), tag, context);
    } else {
      CompletionLevel[] levels = CompletionLevel.values();
      CompletionLevel level = levels[random.nextInt(levels.length)];
      outcome = endpoint.sendTagged(victim, outgoing, 0, length, tag, level, context);
    }
    if (outcome == Posted.POSTED) {
      sending++;
      if (random.nextInt(24) == 0) {
        endpoint.futures().cancel(context);
      }
    }
  }

  /** Half of the messages are short, the others of any size class. */
  private int length() {
    return random.nextBoolean() ? random.nextInt(128) : EdgeValues.small(random) % LONGEST;
  }

  private void receive() {
    int capacity = EdgeValues.small(random) % LONGEST;
    Runnable context = () -> receiving--;
    if (endpoint.postReceive(incoming, 0, capacity, 0, -1, TagSelector.ANY_SOURCE, context)
        == Posted.POSTED) {
      receiving++;
    }
  }

  CompletableFuture<Endpoint.Closed> close() {
    return endpoint.close(Duration.ZERO).toCompletableFuture();
  }
}
