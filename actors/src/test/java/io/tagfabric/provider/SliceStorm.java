package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Random writes, reads and updates of slices of one region, and a mirror of it: what one endpoint
 * asks of one peer is done in the order posted, so each read must bring what the mirror had then.
 *
 * @source GASNet, testslice and testratomic
 */
final class SliceStorm {
  private static final int LONGEST = 3_000;

  /** A read of more bytes may see what was posted after it. */
  private static final int LONGEST_IN_ORDER = 1_024;

  private final EndpointMemory memory;
  private final CompletionQueue queue;
  private final RemoteRegion region;
  private final Runnable poll;
  private final SplittableRandom random;
  private final byte[] mirror;
  private int open;

  /** A read or a fetch, and what it must bring. */
  private record Wanted(UnsafeBuffer bytes, UnsafeBuffer into) {}

  /**
   * A storm.
   *
   * @param queue of the endpoint's ends
   * @param region zeros
   * @param poll makes progress on all sides; fails when it takes too long
   */
  SliceStorm(
      EndpointMemory memory, CompletionQueue queue, RemoteRegion region, Runnable poll, long seed) {
    this.memory = memory;
    this.queue = queue;
    this.region = region;
    this.poll = poll;
    random = new SplittableRandom(seed);
    mirror = new byte[(int) region.descriptor().lengthBytes()];
  }

  /** Does so many accesses and waits for their ends; returns what the region must hold. */
  byte[] run(int accesses) {
    for (int i = 0; i < accesses; i++) {
      switch (random.nextInt(4)) {
        case 0 -> write();
        case 1 -> read(1 + random.nextInt(LONGEST_IN_ORDER));
        case 2 -> add();
        default -> {
          if (random.nextInt(20) == 0) {
            await(0);
            read(LONGEST_IN_ORDER + 1 + random.nextInt(LONGEST));
            await(0);
          } else {
            write();
          }
        }
      }
    }
    await(0);
    return mirror;
  }

  private int offset(int length, int multiple) {
    return random.nextInt((mirror.length - length) / multiple + 1) * multiple;
  }

  private void write() {
    byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? LONGEST : 64)];
    random.nextBytes(bytes);
    int at = offset(bytes.length, 1);
    CompletionLevel[] levels = {
      CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY
    };
    SendOptions options = SendOptions.DEFAULT.at(levels[random.nextInt(3)]);
    UnsafeBuffer source = new UnsafeBuffer(bytes);
    while (memory.write(region, at, source, 0, bytes.length, options, this) != Posted.POSTED) {
      pump();
    }
    open++;
    System.arraycopy(bytes, 0, mirror, at, bytes.length);
  }

  private void read(int length) {
    int at = offset(length, 1);
    UnsafeBuffer into = new UnsafeBuffer(new byte[length]);
    Wanted wanted = wanted(at, length, into);
    while (memory.read(region, at, into, 0, length, wanted) != Posted.POSTED) {
      pump();
    }
    open++;
  }

  private Wanted wanted(int at, int length, UnsafeBuffer into) {
    return new Wanted(new UnsafeBuffer(Arrays.copyOfRange(mirror, at, at + length)), into);
  }

  private void add() {
    int at = offset(Long.BYTES, Long.BYTES);
    UnsafeBuffer operand = new UnsafeBuffer(new byte[Long.BYTES]);
    operand.putLong(0, random.nextLong(), ByteOrder.LITTLE_ENDIAN);
    UnsafeBuffer old = new UnsafeBuffer(new byte[Long.BYTES]);
    Wanted wanted = wanted(at, Long.BYTES, old);
    while (memory.fetch(region, at, AtomicOp.SUM, AtomicKind.INT64, operand, 0, 1, old, 0, wanted)
        != Posted.POSTED) {
      pump();
    }
    open++;
    UnsafeBuffer there = new UnsafeBuffer(mirror);
    long sum =
        there.getLong(at, ByteOrder.LITTLE_ENDIAN) + operand.getLong(0, ByteOrder.LITTLE_ENDIAN);
    there.putLong(at, sum, ByteOrder.LITTLE_ENDIAN);
  }

  private void await(int left) {
    while (open > left) {
      pump();
    }
  }

  private void pump() {
    poll.run();
    queue.read(this::ended, 64);
  }

  private void ended(CompletionEntry entry) {
    open--;
    Completion end = entry.toCompletion();
    assertThat(end).isInstanceOf(Completion.Accessed.class);
    if (((Completion.Accessed) end).context() instanceof Wanted wanted) {
      assertThat(wanted.into()).isEqualTo(wanted.bytes());
    }
  }
}
