package io.tagfabric.trials.gasnet;

import io.tagfabric.access.RemoteRegion;
import io.tagfabric.active.ActiveMessages;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionRight;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/** What cases of active messages share: a partner, patterns of bytes, and waits with a limit. */
final class ActiveTraffic {
  private static final int DESCRIPTOR = 200;

  private final Job job;
  private final Duration limit;
  private final ActiveMessages active;
  private UnsafeBuffer memory;

  ActiveTraffic(Job job, Duration limit) {
    this.job = job;
    this.limit = limit;
    active = job.endpoint().active();
  }

  ActiveMessages active() {
    return active;
  }

  /** The rank beside this one; the last of an odd number asks itself. */
  int partner() {
    int other = job.rank() ^ 1;
    return other < job.size() ? other : job.rank();
  }

  /** Index of the partner in the address vector. */
  int toPartner() {
    return job.peer(partner());
  }

  /** All ranks have registered their handlers, or have done their part. */
  void meet() {
    job.barrier(limit);
  }

  /** Registers memory, and tells the partner of it when asked. */
  Region region(int bytes) {
    memory = new UnsafeBuffer(new byte[bytes]);
    Region region = job.domain().register(memory, RegionRight.all());
    UnsafeBuffer encoded = new UnsafeBuffer(new byte[RegionDescriptor.LENGTH]);
    region.descriptor().encode(encoded, 0);
    active.register(DESCRIPTOR, call -> call.reply(new int[0], encoded.byteArray()));
    return region;
  }

  /** The memory of {@link #region}. */
  UnsafeBuffer memory() {
    return memory;
  }

  /** The partner's memory. */
  RemoteRegion partnersRegion() {
    byte[] encoded = result(active.request(toPartner(), DESCRIPTOR), "descriptor").payload();
    return new RemoteRegion(toPartner(), RegionDescriptor.decode(new UnsafeBuffer(encoded), 0));
  }

  static byte[] pattern(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (seed * 31 + i * 7 + (i >> 8));
    }
    return bytes;
  }

  static int[] arguments(int count, int seed) {
    int[] arguments = new int[count];
    for (int i = 0; i < count; i++) {
      arguments[i] = Integer.rotateLeft(seed * 0x9E3779B9 + i, i);
    }
    return arguments;
  }

  static int[] arguments(ActiveReply reply) {
    int[] arguments = new int[reply.argumentCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = reply.argument(i);
    }
    return arguments;
  }

  <T> T result(CompletionStage<T> stage, String what) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    await(future::isDone, what);
    return future.join();
  }

  /** It fails, and with this. */
  void requireFailure(CompletionStage<?> stage, FabricError error, String what) {
    CompletableFuture<?> future = stage.toCompletableFuture();
    await(future::isDone, what);
    try {
      future.join();
    } catch (CompletionException failure) {
      boolean right = failure.getCause() instanceof FabricException e && e.error() == error;
      require(right, what + " fails with " + failure.getCause() + ", not " + error);
      return;
    }
    require(false, what + " has not failed");
  }

  void await(BooleanSupplier isOver, String what) {
    long endNs = System.nanoTime() + limit.toNanos();
    while (!isOver.getAsBoolean()) {
      require(System.nanoTime() - endNs < 0, "no end within " + limit + " of " + what);
      if (job.domain().loop().advance() == 0) {
        Thread.yield();
      }
    }
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
