package io.tagfabric.access;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.MemoryTarget;
import io.tagfabric.memory.Pieces;
import io.tagfabric.memory.Slices;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.wire.BufferRange;
import java.nio.ByteOrder;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes accesses for all faces, and refuses what no access can be made of. */
@InternalApi
public final class AccessRequests {
  private AccessRequests() {}

  public static MemoryOperation write(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      CompletionLevel level) {
    BufferRange.require(buffer, bufferOffset, length);
    MemoryOperation access = of(MemoryOperation.Kind.WRITE, to, offset, levelOf(level));
    access.show(0, buffer, bufferOffset, length);
    return inBounds(access, length);
  }

  public static MemoryOperation read(
      RemoteRegion from, long offset, MutableDirectBuffer buffer, int bufferOffset, int length) {
    BufferRange.require(buffer, bufferOffset, length);
    MemoryOperation access = of(MemoryOperation.Kind.READ, from, offset, CompletionLevel.DELIVERY);
    access.into(buffer, bufferOffset, length);
    return inBounds(access, length);
  }

  public static MemoryOperation fill(
      RemoteRegion to, long offset, long length, byte value, CompletionLevel level) {
    MemoryOperation access = of(MemoryOperation.Kind.FILL, to, offset, levelOf(level));
    access.divide(new FillDivision(length, value), length, length);
    return inBounds(access, length);
  }

  public static MemoryOperation writeSlices(
      RemoteRegion to, Slices there, DirectBuffer buffer, Slices here, CompletionLevel level) {
    Pieces pieces = pieces(there, buffer, here);
    if (pieces.count() < 2) {
      return write(to, pieces.lowest(), buffer, firstOf(pieces), (int) pieces.bytes(), level);
    }
    MemoryOperation access = of(MemoryOperation.Kind.WRITE, to, pieces.lowest(), levelOf(level));
    access.divide(SliceDivision.writing(pieces, buffer), pieces.bytes(), pieces.span());
    return inBounds(access, pieces.span());
  }

  public static MemoryOperation readSlices(
      RemoteRegion from, Slices there, MutableDirectBuffer buffer, Slices here) {
    Pieces pieces = pieces(there, buffer, here);
    if (pieces.count() < 2) {
      return read(from, pieces.lowest(), buffer, firstOf(pieces), (int) pieces.bytes());
    }
    MemoryOperation access =
        of(MemoryOperation.Kind.READ, from, pieces.lowest(), CompletionLevel.DELIVERY);
    access.divide(SliceDivision.reading(pieces, buffer), pieces.bytes(), pieces.span());
    return inBounds(access, pieces.span());
  }

  private static int firstOf(Pieces pieces) {
    return pieces.count() == 0 ? 0 : pieces.here(0);
  }

  /** The pieces that both sides agree on, all of which lie in the buffer. */
  static Pieces pieces(Slices there, DirectBuffer buffer, Slices here) {
    Pieces pieces = Pieces.of(there, here);
    BufferRange.require(buffer, 0, pieces.hereEnd());
    return pieces;
  }

  public static MemoryOperation update(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      CompletionLevel level) {
    int bytes = requireElements(op, kind, offset, count);
    if (op.compares() || op.onlyFetches()) {
      throw notSupported(op + " tells what was there before, use fetch or compare");
    }
    if (count == 0) {
      return write(at, offset, operands, operandsOffset, 0, level);
    }
    MemoryOperation access = of(MemoryOperation.Kind.ATOMIC, at, offset, levelOf(level));
    access.update(op, kind, count);
    access.show(0, copy(operands, operandsOffset, bytes), 0, bytes);
    return inBounds(access, bytes);
  }

  public static MemoryOperation fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset) {
    int bytes = requireElements(op, kind, offset, count);
    if (op.compares()) {
      throw notSupported(op + " compares, use compare");
    }
    if (count == 0) {
      return read(at, offset, result, resultOffset, 0);
    }
    MemoryOperation access = fetching(at, offset, op, kind, count, result, resultOffset);
    if (!op.onlyFetches()) {
      access.show(0, copy(operands, operandsOffset, bytes), 0, bytes);
    }
    return inBounds(access, bytes);
  }

  public static MemoryOperation compare(
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
      int resultOffset) {
    int bytes = requireElements(op, kind, offset, count);
    if (!op.compares()) {
      throw notSupported(op + " does not compare, use update or fetch");
    }
    if (count == 0) {
      return read(at, offset, result, resultOffset, 0);
    }
    BufferRange.require(operands, operandsOffset, bytes);
    BufferRange.require(compares, comparesOffset, bytes);
    MemoryOperation access = fetching(at, offset, op, kind, count, result, resultOffset);
    byte[] both = new byte[2 * bytes];
    operands.getBytes(operandsOffset, both, 0, bytes);
    compares.getBytes(comparesOffset, both, bytes, bytes);
    access.show(0, new UnsafeBuffer(both), 0, both.length);
    return inBounds(access, bytes);
  }

  private static MemoryOperation fetching(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      int count,
      MutableDirectBuffer result,
      int resultOffset) {
    int bytes = count * kind.bytes();
    BufferRange.require(result, resultOffset, bytes);
    MemoryOperation access = of(MemoryOperation.Kind.ATOMIC, at, offset, CompletionLevel.DELIVERY);
    access.update(op, kind, count);
    access.into(result, resultOffset, bytes);
    return access;
  }

  public static MemoryOperation flush(int peer) {
    return new MemoryOperation(MemoryOperation.Kind.FLUSH, peer);
  }

  public static MemoryOperation flushAll() {
    return flush(MemoryOperation.ALL_PEERS);
  }

  // ---- checks ----

  private static MemoryOperation of(
      MemoryOperation.Kind kind, RemoteRegion region, long offset, CompletionLevel level) {
    return new MemoryOperation(kind, Objects.requireNonNull(region, "region"), offset, level);
  }

  static int mostElements(AtomicOp op, AtomicKind kind) {
    return op.takes(kind) ? MemoryTarget.MOST_OPERAND_BYTES / kind.bytes() : 0;
  }

  /** How many elements a whole buffer has. */
  static int elements(DirectBuffer buffer, AtomicKind kind) {
    int bytes = buffer.capacity();
    if (bytes % kind.bytes() != 0) {
      throw new IllegalArgumentException(
          "bytes="
              + bytes
              + " are no multiple of the elementBytes="
              + kind.bytes()
              + " of "
              + kind
              + ", give a buffer of whole elements");
    }
    return bytes / kind.bytes();
  }

  private static int requireElements(AtomicOp op, AtomicKind kind, long offset, int count) {
    int most = mostElements(op, kind);
    if (most == 0) {
      throw notSupported(op + " of " + kind + " elements is not known");
    }
    if (count < 0) {
      throw new IllegalArgumentException("count=" + count + " < 0");
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
  private static MemoryOperation inBounds(MemoryOperation access, long bytes) {
    access.region().require(false, false, false, access.regionOffset(), bytes);
    return access;
  }

  /** Refuses what the endpoint was opened without. */
  static void require(MemoryOperation access, EndpointBindings bindings) {
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
