package io.tagfabric.access;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.wire.BufferRange;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes the operations of calls for which no {@link Access} is made. */
final class ShortForms {
  private ShortForms() {}

  static MemoryOperation writing(
      RemoteRegion to, long offset, DirectBuffer buffer, int at, int length, SendOptions options) {
    BufferRange.require(buffer, at, length);
    MemoryOperation operation = operation(MemoryOperation.Kind.WRITE, to, offset, length, options);
    operation.show(0, buffer, at, length);
    return operation;
  }

  static MemoryOperation reading(
      RemoteRegion from, long offset, MutableDirectBuffer buffer, int at, int length) {
    BufferRange.require(buffer, at, length);
    MemoryOperation operation = operation(MemoryOperation.Kind.READ, from, offset, length, null);
    operation.into(buffer, at, length);
    return operation;
  }

  static MemoryOperation updating(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      SendOptions options) {
    int bytes = Access.requireUpdate(op, kind, offset, operands, operandsOffset, count);
    if (count == 0) {
      return writing(at, offset, operands, operandsOffset, 0, options);
    }
    MemoryOperation operation = operation(MemoryOperation.Kind.ATOMIC, at, offset, bytes, options);
    operation.update(op, kind, count);
    operation.show(0, copy(operands, operandsOffset, bytes), 0, bytes);
    return operation;
  }

  static MemoryOperation fetching(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset) {
    int bytes =
        Access.requireFetch(
            op, kind, offset, operands, operandsOffset, count, result, resultOffset);
    if (count == 0) {
      return reading(at, offset, result, resultOffset, 0);
    }
    MemoryOperation operation = operation(MemoryOperation.Kind.ATOMIC, at, offset, bytes, null);
    operation.update(op, kind, count);
    if (!op.onlyFetches()) {
      operation.show(0, copy(operands, operandsOffset, bytes), 0, bytes);
    }
    operation.into(result, resultOffset, bytes);
    return operation;
  }

  private static UnsafeBuffer copy(DirectBuffer operands, int at, int bytes) {
    byte[] copy = new byte[bytes];
    operands.getBytes(at, copy);
    return new UnsafeBuffer(copy);
  }

  /** One that answers, at level DELIVERY, without options. */
  private static MemoryOperation operation(
      MemoryOperation.Kind kind, RemoteRegion region, long offset, int bytes, SendOptions options) {
    Objects.requireNonNull(region, "region");
    region.descriptor().require(false, false, false, offset, bytes);
    if (options == null) {
      return new MemoryOperation(kind, region, offset, CompletionLevel.DELIVERY);
    }
    Access.requireReached(options);
    MemoryOperation operation = new MemoryOperation(kind, region, offset, options.level());
    if (options.fenced()) {
      operation.fence();
    }
    return operation;
  }
}
