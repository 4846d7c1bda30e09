package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint.AccessMemory;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.MemoryTarget;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.wire.BufferRange;
import java.nio.ByteOrder;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes the messages by which actors access memory of peers: tell them to {@link Endpoint#ref}.
 * They are as the operations of {@link MemoryOperations}, and complete where {@code replyTo} says:
 * an actor is told by {@link AccessListener#telling}. What a descriptor does not allow is refused
 * here.
 */
public final class Accesses {
  private Accesses() {}

  /** A write, at a level. */
  public static AccessMemory write(
      int peer,
      RegionDescriptor region,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    Objects.requireNonNull(region, "region");
    BufferRange.require(buffer, bufferOffset, length);
    AccessMemory access =
        new AccessMemory(
            MemoryOperation.Kind.WRITE, peer, region, offset, levelOf(level), context, replyTo);
    access.show(0, buffer, bufferOffset, length);
    return inBounds(access, length);
  }

  /** A write that raises the signals of its region. */
  public static AccessMemory writeSignal(
      int peer,
      RegionDescriptor region,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    AccessMemory access =
        write(peer, region, offset, buffer, bufferOffset, length, level, context, replyTo);
    access.signal();
    return access;
  }

  /** A write with immediate data. */
  public static AccessMemory writeData(
      int peer,
      RegionDescriptor region,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      long data,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    AccessMemory access =
        write(peer, region, offset, buffer, bufferOffset, length, level, context, replyTo);
    access.showData(data);
    return access;
  }

  /** A read. */
  public static AccessMemory read(
      int peer,
      RegionDescriptor region,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      Object context,
      AccessListener replyTo) {
    Objects.requireNonNull(region, "region");
    BufferRange.require(buffer, bufferOffset, length);
    AccessMemory access =
        new AccessMemory(
            MemoryOperation.Kind.READ,
            peer,
            region,
            offset,
            CompletionLevel.DELIVERY,
            context,
            replyTo);
    access.into(buffer, bufferOffset, length);
    return inBounds(access, length);
  }

  /** An update without a fetch, at a level. */
  public static AccessMemory update(
      int peer,
      RegionDescriptor region,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    int bytes = requireElements(op, kind, offset, count);
    if (op.compares() || op.onlyFetches()) {
      throw notSupported(op + " tells what was there before, use fetch or compare");
    }
    AccessMemory access =
        new AccessMemory(
            MemoryOperation.Kind.ATOMIC,
            peer,
            Objects.requireNonNull(region, "region"),
            offset,
            levelOf(level),
            context,
            replyTo);
    access.update(op, kind, count);
    access.show(0, copy(operands, operandsOffset, bytes), 0, bytes);
    return inBounds(access, bytes);
  }

  /** An update that tells what was there before. */
  public static AccessMemory fetch(
      int peer,
      RegionDescriptor region,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context,
      AccessListener replyTo) {
    int bytes = requireElements(op, kind, offset, count);
    if (op.compares()) {
      throw notSupported(op + " compares, use compare");
    }
    AccessMemory access =
        fetching(peer, region, offset, op, kind, count, result, resultOffset, context, replyTo);
    if (!op.onlyFetches()) {
      access.show(0, copy(operands, operandsOffset, bytes), 0, bytes);
    }
    return inBounds(access, bytes);
  }

  /** An update as a comparison says, which tells what was there before. */
  public static AccessMemory compare(
      int peer,
      RegionDescriptor region,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer compares,
      int comparesOffset,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context,
      AccessListener replyTo) {
    int bytes = requireElements(op, kind, offset, count);
    if (!op.compares()) {
      throw notSupported(op + " does not compare, use update or fetch");
    }
    BufferRange.require(operands, operandsOffset, bytes);
    BufferRange.require(compares, comparesOffset, bytes);
    AccessMemory access =
        fetching(peer, region, offset, op, kind, count, result, resultOffset, context, replyTo);
    byte[] both = new byte[2 * bytes];
    operands.getBytes(operandsOffset, both, 0, bytes);
    compares.getBytes(comparesOffset, both, bytes, bytes);
    access.show(0, new UnsafeBuffer(both), 0, both.length);
    return inBounds(access, bytes);
  }

  private static AccessMemory fetching(
      int peer,
      RegionDescriptor region,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context,
      AccessListener replyTo) {
    int bytes = count * kind.bytes();
    BufferRange.require(result, resultOffset, bytes);
    AccessMemory access =
        new AccessMemory(
            MemoryOperation.Kind.ATOMIC,
            peer,
            Objects.requireNonNull(region, "region"),
            offset,
            CompletionLevel.DELIVERY,
            context,
            replyTo);
    access.update(op, kind, count);
    access.into(result, resultOffset, bytes);
    return access;
  }

  /** A flush of one peer. */
  public static AccessMemory flush(int peer, Object context, AccessListener replyTo) {
    return new AccessMemory(
        MemoryOperation.Kind.FLUSH, peer, null, 0, CompletionLevel.DELIVERY, context, replyTo);
  }

  /** A flush of all peers that were accessed. */
  public static AccessMemory flushAll(Object context, AccessListener replyTo) {
    return flush(MemoryOperation.ALL_PEERS, context, replyTo);
  }

  /** What {@link AccessListener#telling} says, for the messages of this class. */
  public static AccessListener telling(ActorRef<? super Completion> replyTo) {
    return AccessListener.telling(replyTo);
  }

  // ---- checks ----

  static int mostElements(AtomicOp op, AtomicKind kind) {
    return op.takes(kind) ? MemoryTarget.MOST_OPERAND_BYTES / kind.bytes() : 0;
  }

  private static int requireElements(AtomicOp op, AtomicKind kind, long offset, int count) {
    int most = mostElements(op, kind);
    if (most == 0) {
      throw notSupported(op + " of " + kind + " elements is not known");
    }
    if (count < 1) {
      throw new IllegalArgumentException("count=" + count + " < 1, give an element at least");
    }
    if (count > most) {
      throw new FabricException(
          FabricError.MESSAGE_SIZE,
          "count=" + count + " of " + kind + " elements > " + most + ", update fewer at a time");
    }
    if (offset % kind.bytes() != 0) {
      throw new FabricException(
          FabricError.INVALID,
          "offset="
              + offset
              + " is no multiple of the elementBytes="
              + kind.bytes()
              + " of "
              + kind);
    }
    return count * kind.bytes();
  }

  private static FabricException notSupported(String why) {
    return new FabricException(FabricError.OPERATION_NOT_SUPPORTED, why);
  }

  private static CompletionLevel levelOf(CompletionLevel level) {
    if (Objects.requireNonNull(level, "level") == CompletionLevel.MATCH) {
      throw new IllegalArgumentException(
          "level=MATCH is of messages, nothing matches an access: use DELIVERY");
    }
    return level;
  }

  /**
   * Refuses what the region's length does not allow; its rights are looked at when it is posted.
   */
  private static AccessMemory inBounds(AccessMemory access, long bytes) {
    access.region().require(false, false, false, access.regionOffset(), bytes);
    return access;
  }

  /** Refuses what the endpoint was opened without. */
  static void require(AccessMemory access, EndpointBindings bindings) {
    if (bindings.datagrams()) {
      throw notSupported("the endpoint sends datagrams, open one without for accesses to memory");
    }
    boolean writes = access.writes();
    boolean reads = access.answerBytes() > 0 || access.kind() == MemoryOperation.Kind.READ;
    if ((writes && !bindings.accesses().contains(EndpointBindings.Access.WRITE))
        || (reads && !bindings.accesses().contains(EndpointBindings.Access.READ))) {
      throw notSupported(
          "the endpoint was opened for accesses="
              + bindings.accesses()
              + ", open it with EndpointBindings.accessing("
              + (writes ? "WRITE" : "READ")
              + ")");
    }
  }

  static UnsafeBuffer copy(DirectBuffer buffer, int offset, int length) {
    BufferRange.require(buffer, offset, length);
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return new UnsafeBuffer(bytes);
  }

  static UnsafeBuffer bytesOf(long value) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[Long.BYTES]);
    bytes.putLong(0, value, ByteOrder.LITTLE_ENDIAN);
    return bytes;
  }
}
