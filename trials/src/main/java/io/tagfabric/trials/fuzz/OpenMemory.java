package io.tagfabric.trials.fuzz;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.fabric.Domain;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory that the victim opens: a region that attackers may write, between bytes that nobody
 * may touch, one that they may only read, and one whose key the friend alone knows. Thread: one.
 */
final class OpenMemory {
  /** The key of what attackers may write. */
  static final long WRITABLE = 1;

  /** The key of what they may only read. */
  static final long READABLE = 2;

  /** Bytes of each region. */
  static final int BYTES = 48 * 1024;

  private static final int GUARD_BYTES = 4096;
  private static final int BATCH = 64;

  private final byte[] around = new byte[BYTES + 2 * GUARD_BYTES];
  private final byte[] untouched;
  private final byte[] readable = new byte[BYTES];
  private final byte[] unwritten;
  private final CompletionQueue signals;
  private final CompletionHandler onSignal = OpenMemory::onSignal;
  private final RegionDescriptor friends;

  OpenMemory(Domain domain, SplittableRandom random) {
    random.nextBytes(around);
    random.nextBytes(readable);
    untouched = around.clone();
    unwritten = readable.clone();
    signals = domain.openCompletionQueue(BATCH);
    domain.register(
        new UnsafeBuffer(around, GUARD_BYTES, BYTES),
        Set.of(RegionRight.REMOTE_READ, RegionRight.REMOTE_WRITE),
        RegionOptions.DEFAULT.withKey(WRITABLE).to(signals));
    domain.register(
        new UnsafeBuffer(readable),
        Set.of(RegionRight.REMOTE_READ),
        RegionOptions.DEFAULT.withKey(READABLE));
    friends =
        domain
            .register(
                new UnsafeBuffer(new byte[BYTES]),
                Set.of(RegionRight.REMOTE_READ, RegionRight.REMOTE_WRITE))
            .descriptor();
  }

  /** What the friend may write and read. */
  RegionDescriptor friends() {
    return friends;
  }

  /** What an attacker may access, or thinks it may. */
  static RegionDescriptor of(SplittableRandom random) {
    return RegionDescriptor.agreed(random.nextInt(3) == 0 ? READABLE : WRITABLE, BYTES);
  }

  /** Looks at what nobody may have written. */
  void check() {
    int end = GUARD_BYTES + BYTES;
    requireEqual(
        Arrays.mismatch(around, 0, GUARD_BYTES, untouched, 0, GUARD_BYTES), "before a region");
    requireEqual(
        Arrays.mismatch(around, end, around.length, untouched, end, around.length),
        "behind a region");
    requireEqual(Arrays.mismatch(readable, unwritten), "of a region that may only be read");
  }

  private static void requireEqual(int at, String where) {
    if (at >= 0) {
      throw new Violation(Promise.BUFFER, "byte " + at + " " + where + " was written");
    }
  }

  /** Reads what signals have come. */
  void drive() {
    signals.read(onSignal, BATCH);
  }

  private static void onSignal(CompletionEntry entry) {
    boolean inside =
        entry.kind() == CompletionEntry.Kind.ACCESSED_BY_PEER
            && entry.offset() >= 0
            && entry.length() >= 0
            && entry.offset() <= BYTES
            && entry.length() <= BYTES - entry.offset();
    if (!inside) {
      throw new Violation(Promise.BUFFER, "a signal tells of what does not lie in it: " + entry);
    }
  }
}
