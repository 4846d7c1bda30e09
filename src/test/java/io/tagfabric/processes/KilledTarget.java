package io.tagfabric.processes;

import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.job.Job;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Rank 1 opens a mapped file, rank 0 writes, reads and updates it and kills rank 1 by kill -9 when
 * the first bytes are in the file. Rank 0 says how each of its operations has ended; the file says
 * what was done.
 */
public final class KilledTarget {
  static final int WRITES = 6;
  static final int BLOCK = 3_000_000;

  /** Bytes between blocks, which nobody asks for. */
  static final int GAP = 64;

  /** A counter, behind all blocks. */
  static final int COUNTER_AT = WRITES * (BLOCK + GAP);

  static final int LENGTH = COUNTER_AT + Long.BYTES;

  /** Begins the names of the accesses that are asked for when rank 1 has ended. */
  static final String LATE = "late ";

  /** Where rank 1 leaves its process id; not in the region. */
  private static final int PID_AT = LENGTH;

  private static final long KEY = 0xF11E;
  private static final int QUEUE_SIZE = 64;

  private KilledTarget() {}

  public static void main(String[] args) {
    Job.run(args, KilledTarget::run);
  }

  /** What a write leaves in its block. */
  static byte byteOf(int write, int position) {
    return (byte) (1 + (write * 31 + position * 7 & 0x7F));
  }

  private static int run(Job job) {
    UnsafeBuffer file = map(Path.of(job.arguments().get(0)));
    if (job.rank() == 1) {
      UnsafeBuffer region = new UnsafeBuffer(file, 0, LENGTH);
      job.domain().register(region, RegionRight.all(), RegionOptions.DEFAULT.withKey(KEY));
      file.putLong(PID_AT, ProcessHandle.current().pid());
    }
    job.barrier();
    if (job.rank() == 1) {
      while (true) {
        job.domain().await(() -> false, Duration.ofSeconds(1));
      }
    }
    return access(job, file);
  }

  private static UnsafeBuffer map(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH + Long.BYTES);
      return new UnsafeBuffer(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int access(Job job, UnsafeBuffer file) {
    CompletionQueue queue = job.domain().openCompletionQueue(QUEUE_SIZE);
    Endpoint endpoint = job.domain().openEndpoint("asks", queue, queue);
    RemoteRegion there = new RemoteRegion(job.peer(1), RegionDescriptor.agreed(KEY, LENGTH));
    var memory = endpoint.memory();
    SendOptions delivered = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);
    UnsafeBuffer one = new UnsafeBuffer(new byte[Long.BYTES]);
    one.putLong(0, 1);
    Map<Object, Completion> ends = new HashMap<>();
    Supplier<Integer> read = () -> take(queue, ends);
    int asked = 0;
    for (int i = 0; i < WRITES; i++) {
      UnsafeBuffer block = new UnsafeBuffer(new byte[BLOCK]);
      for (int at = 0; at < BLOCK; at++) {
        block.putByte(at, byteOf(i, at));
      }
      long at = (long) i * (BLOCK + GAP);
      UnsafeBuffer old = new UnsafeBuffer(new byte[Long.BYTES]);
      UnsafeBuffer back = new UnsafeBuffer(new byte[BLOCK]);
      post(memory.write(there, at, block, 0, BLOCK, delivered, "write " + i));
      post(
          memory.fetch(
              there, COUNTER_AT, AtomicOp.SUM, AtomicKind.INT64, one, 0, 1, old, 0, "add " + i));
      post(memory.read(there, at, back, 0, BLOCK, "read " + i));
      post(memory.flush(job.peer(1), "flush " + i));
      asked += 4;
    }
    boolean begun = false;
    while (!begun) {
      begun = read.get() >= 0 && file.getByteVolatile(BLOCK / 2) != 0;
    }
    ProcessHandle target = ProcessHandle.of(file.getLong(PID_AT)).orElseThrow();
    target.destroyForcibly();
    target.onExit().join();
    // Nobody is there to end these, however quick it was with those before.
    post(memory.read(there, 0, one, 0, Long.BYTES, LATE + "read"));
    post(memory.flush(job.peer(1), LATE + "flush"));
    asked += 2;
    while (ends.size() < asked) {
      if (read.get() == 0) {
        job.domain().await(() -> false, Duration.ofMillis(5));
      }
    }
    for (Map.Entry<Object, Completion> end : ends.entrySet()) {
      System.out.println(
          end.getKey()
              + (end.getValue() instanceof Completion.Failed failed
                  ? " failed " + failed.error() + " " + failed.detail()
                  : " done"));
    }
    return 0;
  }

  private static int take(CompletionQueue queue, Map<Object, Completion> ends) {
    int before = ends.size();
    for (Completion end : queue.read(QUEUE_SIZE)) {
      if (ends.put(contextOf(end), end) != null) {
        throw new IllegalStateException("ended twice: " + end);
      }
    }
    return ends.size() - before;
  }

  private static void post(Posted posted) {
    if (posted != Posted.POSTED) {
      throw new IllegalStateException("the queue has no room");
    }
  }

  private static Object contextOf(Completion end) {
    return end instanceof Completion.Failed failed
        ? failed.context()
        : ((Completion.Accessed) end).context();
  }
}
