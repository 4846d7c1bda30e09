package io.tagfabric.trials.fuzz;

import io.tagfabric.access.Access;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.Slices;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.trials.fuzz.Ledger.Target;
import java.time.Duration;
import java.util.Set;
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
  private static final CompletionLevel[] LEVELS = {
    CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY
  };

  /** The key of what attackers open to the victim. */
  static final long KEY = 3;

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

  /** Opens memory that the victim reads and writes. */
  static void open(Domain domain) {
    domain.register(
        new UnsafeBuffer(new byte[LONGEST]),
        Set.of(RegionRight.REMOTE_READ, RegionRight.REMOTE_WRITE),
        RegionOptions.DEFAULT.withKey(KEY));
  }

  /** What {@link #open} opens. */
  static RegionDescriptor opened() {
    return RegionDescriptor.agreed(KEY, LONGEST);
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
      if (random.nextInt(3) == 0) {
        access();
      } else {
        send();
      }
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
          endpoint.post(
              TaggedSend.of(victim, outgoing, 0, length, tag).data(random.nextLong()), context);
    } else {
      CompletionLevel[] levels = CompletionLevel.values();
      CompletionLevel level = levels[random.nextInt(levels.length)];
      outcome =
          endpoint.post(TaggedSend.of(victim, outgoing, 0, length, tag).level(level), context);
    }
    if (outcome == Posted.POSTED) {
      sending++;
      if (random.nextInt(24) == 0) {
        endpoint.futures().cancel(context);
      }
    }
  }

  /** An access to the victim's memory, mostly one that is allowed. */
  private void access() {
    RegionDescriptor region = OpenMemory.of(random);
    int length = length() % (OpenMemory.BYTES / 2);
    long offset = random.nextInt(OpenMemory.BYTES - length) & -8L;
    Runnable context =
        () -> {
          sending--;
          patience.renew();
        };
    EndpointMemory memory = endpoint.memory();
    SendOptions options = SendOptions.DEFAULT.at(LEVELS[random.nextInt(LEVELS.length)]);
    Posted outcome =
        switch (random.nextInt(11)) {
          case 8 ->
              memory.post(
                  Access.writeSlices(
                          new RemoteRegion(victim, region),
                          Slices.strided(offset & 1023, 9, new int[] {300}, new long[] {40}),
                          outgoing,
                          Slices.one(0, 2_700))
                      .with(options),
                  context);
          case 9 ->
              memory.post(
                  Access.readSlices(
                      new RemoteRegion(victim, region),
                      Slices.strided(offset & 1023, 9, new int[] {300}, new long[] {40}),
                      incoming,
                      Slices.one(0, 2_700)),
                  context);
          case 10 ->
              memory.post(
                  Access.fill(new RemoteRegion(victim, region), offset, length, (byte) 3)
                      .with(options),
                  context);
          case 0, 1 ->
              memory.write(
                  new RemoteRegion(victim, region), offset, outgoing, 0, length, options, context);
          case 2 ->
              memory.post(
                  Access.write(new RemoteRegion(victim, region), offset, outgoing, 0, length)
                      .data(7)
                      .with(options),
                  context);
          case 3, 4 ->
              memory.read(new RemoteRegion(victim, region), offset, incoming, 0, length, context);
          case 5 ->
              memory.update(
                  new RemoteRegion(victim, region),
                  8,
                  AtomicOp.BXOR,
                  AtomicKind.INT64,
                  outgoing,
                  0,
                  9,
                  options,
                  context);
          case 6 ->
              memory.fetch(
                  new RemoteRegion(victim, region),
                  16,
                  AtomicOp.SUM,
                  AtomicKind.INT32,
                  outgoing,
                  0,
                  5,
                  incoming,
                  0,
                  context);
          default -> memory.flush(victim, context);
        };
    if (outcome == Posted.POSTED) {
      sending++;
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
