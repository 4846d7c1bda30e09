package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.access.AccessListener;
import io.tagfabric.access.AccessRequests;
import io.tagfabric.access.MemoryOperation;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint.AccessMemory;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Slices;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Makes the messages by which actors access memory of peers: tell them to {@link Endpoint#ref}.
 * They are as the operations of {@code MemoryOperations}, and complete where {@code replyTo} says:
 * an actor is told by {@link AccessListener#telling}. What a descriptor does not allow is refused
 * here; what the endpoint was opened without ends with OPERATION_NOT_SUPPORTED.
 */
public final class Accesses {
  private Accesses() {}

  /** A write, at a level. */
  public static AccessMemory write(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    return to(
        replyTo, context, AccessRequests.write(to, offset, buffer, bufferOffset, length, level));
  }

  /** A write that raises the signals of its region. */
  public static AccessMemory writeSignal(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    MemoryOperation access = AccessRequests.write(to, offset, buffer, bufferOffset, length, level);
    access.signal();
    return to(replyTo, context, access);
  }

  /** A write with immediate data. */
  public static AccessMemory writeData(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      long data,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    MemoryOperation access = AccessRequests.write(to, offset, buffer, bufferOffset, length, level);
    access.showData(data);
    return to(replyTo, context, access);
  }

  /** A read. */
  public static AccessMemory read(
      RemoteRegion from,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      Object context,
      AccessListener replyTo) {
    return to(replyTo, context, AccessRequests.read(from, offset, buffer, bufferOffset, length));
  }

  /** A write of pieces, at a level. */
  public static AccessMemory writeSlices(
      RemoteRegion to,
      Slices there,
      DirectBuffer buffer,
      Slices here,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    return to(replyTo, context, AccessRequests.writeSlices(to, there, buffer, here, level));
  }

  /** A read of pieces. */
  public static AccessMemory readSlices(
      RemoteRegion from,
      Slices there,
      MutableDirectBuffer buffer,
      Slices here,
      Object context,
      AccessListener replyTo) {
    return to(replyTo, context, AccessRequests.readSlices(from, there, buffer, here));
  }

  /** A fill, at a level. */
  public static AccessMemory fill(
      RemoteRegion to,
      long offset,
      long length,
      byte value,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    return to(replyTo, context, AccessRequests.fill(to, offset, length, value, level));
  }

  /** An update without a fetch, at a level. */
  public static AccessMemory update(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      CompletionLevel level,
      Object context,
      AccessListener replyTo) {
    return to(
        replyTo,
        context,
        AccessRequests.update(at, offset, op, kind, operands, operandsOffset, count, level));
  }

  /** An update that tells what was there before. */
  public static AccessMemory fetch(
      RemoteRegion at,
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
    return to(
        replyTo,
        context,
        AccessRequests.fetch(
            at, offset, op, kind, operands, operandsOffset, count, result, resultOffset));
  }

  /** An update as a comparison says, which tells what was there before. */
  public static AccessMemory compare(
      RemoteRegion at,
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
    MemoryOperation access =
        AccessRequests.compare(
            at,
            offset,
            op,
            kind,
            compares,
            comparesOffset,
            operands,
            operandsOffset,
            count,
            result,
            resultOffset);
    return to(replyTo, context, access);
  }

  /** A flush of one peer. */
  public static AccessMemory flush(int peer, Object context, AccessListener replyTo) {
    return to(replyTo, context, AccessRequests.flush(peer));
  }

  /** A flush of all peers that were accessed. */
  public static AccessMemory flushAll(Object context, AccessListener replyTo) {
    return to(replyTo, context, AccessRequests.flushAll());
  }

  /** What {@link AccessListener#telling} says, for the messages of this class. */
  public static AccessListener telling(ActorRef<? super Completion> replyTo) {
    return AccessListener.telling(replyTo);
  }

  private static AccessMemory to(AccessListener replyTo, Object context, MemoryOperation access) {
    return new AccessMemory(access.telling(context, Objects.requireNonNull(replyTo, "replyTo")));
  }
}
