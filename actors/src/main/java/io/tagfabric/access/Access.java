package io.tagfabric.access;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.DirectCopy;
import io.tagfabric.memory.MemoryTarget;
import io.tagfabric.memory.PieceRange;
import io.tagfabric.memory.Pieces;
import io.tagfabric.memory.RegionReach;
import io.tagfabric.memory.Slices;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.BufferRange;
import java.nio.ByteOrder;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What is to be done with memory of a peer. The same access can be posted to a queue ({@link
 * MemoryOperations#post}), started as a future ({@link MemoryFutures#start}), added to an {@link
 * AccessRegion}, told to an endpoint's actor, or deferred until a counter has reached a value; and
 * again when it has completed.
 *
 * <p>{@code offset} counts from the region's first byte. Buffers are the endpoint's from the post
 * to the completion, but for operands, which are copied.
 *
 * <p>Order: what one endpoint asks of one peer's loop, accesses and messages alike, is done there
 * in the order posted. Only reads of more than 1024 bytes, and messages that ask first, take their
 * bytes later: such a read sees all writes posted before it, and may see some that were posted
 * after it. An access to a region that this side reaches ({@link RegionReach#DIRECT}) is done here
 * as soon as all posted before it has left, mostly at the call: before all that is posted later,
 * after the accesses to the same region before it, and perhaps before the peer has done what it was
 * asked before; a fence or a flush waits for that. A receive that has taken a message sees all
 * writes posted before it.
 *
 * <p>Levels of writes and of updates without a fetch: INJECT when the buffer may be used again,
 * TRANSMIT when the peer has acknowledged all packets, DELIVERY when it has said that they are
 * done. If the peer refuses one that has ended so before, the next {@link #flush} to it fails and
 * says which. All else ends with the peer's answer, whatever the level.
 *
 * <p>Refused when it is made: what the descriptor does not allow, with a {@link FabricException}
 * ACCESS; an element that does not begin at a multiple of its bytes, INVALID; an operation that
 * there is not for such elements, OPERATION_NOT_SUPPORTED; more operands than {@link
 * MemoryOperations#query} says, MESSAGE_SIZE; bytes outside their buffer, with an {@link
 * IllegalArgumentException}. The target checks all again: then the completion has the error, and a
 * text with key, offset, length and peer.
 *
 * <p>Thread: any, one at a time.
 *
 * @source libfabric fi_rma(3), fi_atomic(3)
 */
public final class Access {
  private final MemoryOperation.Kind kind;
  private final int peer;
  private final RemoteRegion region;
  private final long offset;

  /** Bytes of the region that it accesses, and from the first of them to the last. */
  private final long bytes;

  private final long span;

  /** What it writes, or its operands; null of a read, a fill or a flush. */
  private DirectBuffer buffer;

  private int bufferOffset;
  private DirectBuffer compares;

  /** Where what was there before goes; null if it does not tell it. */
  private MutableDirectBuffer result;

  private int resultOffset;
  private AtomicOp op;
  private AtomicKind elements;
  private int count;

  /** What it is of if it is of several pieces. */
  private Pieces pieces;

  private byte value;
  private boolean signal;
  private boolean hasData;
  private long data;

  /** Null before {@link #with}. */
  private SendOptions options;

  private Access(
      MemoryOperation.Kind kind, RemoteRegion region, long offset, long bytes, long span) {
    this.kind = kind;
    this.region = Objects.requireNonNull(region, "region");
    this.peer = region.peer();
    this.offset = offset;
    this.bytes = bytes;
    this.span = span;
    // Its rights are looked at when it is posted.
    region.descriptor().require(false, false, false, offset, span);
  }

  private Access(int peer) {
    kind = MemoryOperation.Kind.FLUSH;
    this.peer = peer;
    region = null;
    offset = 0;
    bytes = 0;
    span = 0;
  }

  /**
   * Writes bytes to a region of a peer.
   *
   * @param to the region, and the peer that has it
   * @source libfabric fi_rma(3), fi_write
   */
  public static Access write(
      RemoteRegion to, long offset, DirectBuffer buffer, int bufferOffset, int length) {
    BufferRange.require(buffer, bufferOffset, length);
    Access access = new Access(MemoryOperation.Kind.WRITE, to, offset, length, length);
    access.buffer = buffer;
    access.bufferOffset = bufferOffset;
    return access;
  }

  /** Writes a whole buffer. */
  public static Access write(RemoteRegion to, long offset, DirectBuffer bytes) {
    return write(to, offset, bytes, 0, bytes.capacity());
  }

  /** Writes a value of 8 bytes, little-endian. */
  public static Access writeValue(RemoteRegion to, long offset, long value) {
    return write(to, offset, bytesOf(value));
  }

  /**
   * Reads bytes of a region of a peer.
   *
   * @source libfabric fi_rma(3), fi_read
   */
  public static Access read(
      RemoteRegion from, long offset, MutableDirectBuffer buffer, int bufferOffset, int length) {
    BufferRange.require(buffer, bufferOffset, length);
    Access access = new Access(MemoryOperation.Kind.READ, from, offset, length, length);
    access.result = buffer;
    access.resultOffset = bufferOffset;
    return access;
  }

  /** Reads bytes into a whole buffer. */
  public static Access read(RemoteRegion from, long offset, MutableDirectBuffer bytes) {
    return read(from, offset, bytes, 0, bytes.capacity());
  }

  /**
   * Writes pieces of a buffer to pieces of a region, as one access with one completion. Pieces of a
   * write may not overlap in the region. If it is refused on the way, some pieces may have been
   * written.
   *
   * @param there where they belong in the region
   * @param here where they are in the buffer; as many bytes, which may be cut in another way
   * @source GASNet-EX, vector, indexed and strided put; libfabric fi_rma(3), fi_writev
   */
  public static Access writeSlices(
      RemoteRegion to, Slices there, DirectBuffer buffer, Slices here) {
    Pieces pieces = pieces(there, buffer, here);
    if (pieces.count() < 2) {
      return write(to, pieces.lowest(), buffer, firstOf(pieces), (int) pieces.bytes());
    }
    Access access = of(MemoryOperation.Kind.WRITE, to, pieces);
    access.buffer = buffer;
    return access;
  }

  /**
   * Reads pieces of a region into pieces of a buffer, as one access with one completion.
   *
   * @param there where they are in the region
   * @param here where they belong in the buffer; as many bytes, which may be cut in another way
   * @source GASNet-EX, vector, indexed and strided get; libfabric fi_rma(3), fi_readv
   */
  public static Access readSlices(
      RemoteRegion from, Slices there, MutableDirectBuffer buffer, Slices here) {
    Pieces pieces = pieces(there, buffer, here);
    if (pieces.count() < 2) {
      return read(from, pieces.lowest(), buffer, firstOf(pieces), (int) pieces.bytes());
    }
    Access access = of(MemoryOperation.Kind.READ, from, pieces);
    access.result = buffer;
    return access;
  }

  private static Access of(MemoryOperation.Kind kind, RemoteRegion region, Pieces pieces) {
    Access access = new Access(kind, region, pieces.lowest(), pieces.bytes(), pieces.span());
    access.pieces = pieces;
    return access;
  }

  private static int firstOf(Pieces pieces) {
    return pieces.count() == 0 ? 0 : pieces.here(0);
  }

  /** The pieces that both sides agree on, all of which lie in the buffer. */
  private static Pieces pieces(Slices there, DirectBuffer buffer, Slices here) {
    Pieces pieces = Pieces.of(there, here);
    BufferRange.require(buffer, 0, pieces.hereEnd());
    return pieces;
  }

  /**
   * Sets bytes of a region of a peer to one value, which is all that travels.
   *
   * @param length bytes
   * @source GASNet, gasnet_memset
   */
  public static Access fill(RemoteRegion to, long offset, long length, byte value) {
    Access access = new Access(MemoryOperation.Kind.FILL, to, offset, length, length);
    access.value = value;
    return access;
  }

  /**
   * Updates elements of a region of a peer.
   *
   * @param count elements
   * @source libfabric fi_atomic(3)
   */
  public static Access update(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count) {
    requireUpdate(op, kind, offset, operands, operandsOffset, count);
    return count == 0
        ? write(at, offset, operands, operandsOffset, 0)
        : atomic(at, offset, op, kind, count, operands, operandsOffset);
  }

  /** Returns the bytes of the elements. */
  static int requireUpdate(
      AtomicOp op,
      AtomicKind kind,
      long offset,
      DirectBuffer operands,
      int operandsOffset,
      int count) {
    int bytes = requireElements(op, kind, offset, count);
    if (op.compares() || op.onlyFetches()) {
      throw notSupported(op + " tells what was there before, use fetch or compare");
    }
    BufferRange.require(operands, operandsOffset, bytes);
    return bytes;
  }

  /** Updates as many elements as a buffer has. */
  public static Access update(
      RemoteRegion at, long offset, AtomicOp op, AtomicKind kind, DirectBuffer operands) {
    return update(at, offset, op, kind, operands, 0, elements(operands, kind));
  }

  /**
   * Updates elements and tells what they were before; READ only tells it, and takes no operands.
   *
   * @source libfabric fi_atomic(3), fi_fetch_atomic
   */
  public static Access fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset) {
    requireFetch(op, kind, offset, operands, operandsOffset, count, result, resultOffset);
    return count == 0
        ? read(at, offset, result, resultOffset, 0)
        : atomic(at, offset, op, kind, count, operands, operandsOffset).into(result, resultOffset);
  }

  /** Returns the bytes of the elements. */
  static int requireFetch(
      AtomicOp op,
      AtomicKind kind,
      long offset,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset) {
    int bytes = requireElements(op, kind, offset, count);
    if (op.compares()) {
      throw notSupported(op + " compares, use compare");
    }
    BufferRange.require(result, resultOffset, bytes);
    if (count > 0 && !op.onlyFetches()) {
      BufferRange.require(operands, operandsOffset, bytes);
    }
    return bytes;
  }

  /** Updates as many elements as a buffer of results has. */
  public static Access fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      MutableDirectBuffer result) {
    return fetch(at, offset, op, kind, operands, 0, elements(result, kind), result, 0);
  }

  /**
   * Updates as many elements as a buffer of results has as a comparison with what is given says,
   * and tells what they were before.
   *
   * @source libfabric fi_atomic(3), fi_compare_atomic
   */
  public static Access compare(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer compares,
      DirectBuffer operands,
      MutableDirectBuffer result) {
    int count = elements(result, kind);
    int bytes = requireElements(op, kind, offset, count);
    if (!op.compares()) {
      throw notSupported(op + " does not compare, use update or fetch");
    }
    BufferRange.require(operands, 0, bytes);
    BufferRange.require(compares, 0, bytes);
    if (count == 0) {
      return read(at, offset, result, 0, 0);
    }
    Access access = atomic(at, offset, op, kind, count, operands, 0).into(result, 0);
    access.compares = compares;
    return access;
  }

  private static Access atomic(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      int count,
      DirectBuffer operands,
      int operandsOffset) {
    int bytes = count * kind.bytes();
    Access access = new Access(MemoryOperation.Kind.ATOMIC, at, offset, bytes, bytes);
    access.op = op;
    access.elements = kind;
    access.count = count;
    access.buffer = op.onlyFetches() ? null : operands;
    access.bufferOffset = operandsOffset;
    return access;
  }

  private Access into(MutableDirectBuffer newResult, int newOffset) {
    result = newResult;
    resultOffset = newOffset;
    return this;
  }

  /**
   * Completes when all writes and updates posted before to a peer are done there; fails if it has
   * refused one that no completion has told of.
   */
  public static Access flush(int peer) {
    return new Access(peer);
  }

  /** The same of all peers that were accessed; the completion has no peer. */
  public static Access flushAll() {
    return new Access(MemoryOperation.ALL_PEERS);
  }

  // ---- how ----

  /**
   * Sets how it is done. Without options a write or an update ends at level INJECT in a queue, and
   * at DELIVERY in a future.
   *
   * @throws IllegalArgumentException of level MATCH, as nothing matches an access
   */
  public Access with(SendOptions newOptions) {
    options = Objects.requireNonNull(newOptions, "options");
    if (result == null) {
      requireReached(newOptions);
    }
    return this;
  }

  static void requireReached(SendOptions options) {
    if (options.level() == CompletionLevel.MATCH) {
      throw new IllegalArgumentException(
          "level=MATCH is of messages, nothing matches an access: use DELIVERY");
    }
  }

  /** It ends at a level. */
  public Access level(CompletionLevel level) {
    return with((options == null ? SendOptions.DEFAULT : options).at(level));
  }

  /**
   * A write raises what the target's region names ({@link io.tagfabric.memory.RegionOptions}), when
   * all bytes are placed.
   *
   * @throws IllegalStateException if it is no write of one piece
   * @source GASNet-EX, signalling puts
   */
  public Access signal() {
    requireWrite();
    signal = true;
    return this;
  }

  /**
   * A write carries 8 bytes of immediate data, which the target finds in a completion when all
   * bytes are placed.
   *
   * @throws IllegalStateException if it is no write of one piece
   * @source libfabric fi_rma(3), fi_writedata
   */
  public Access data(long newData) {
    requireWrite();
    hasData = true;
    data = newData;
    return this;
  }

  private void requireWrite() {
    if (kind != MemoryOperation.Kind.WRITE || pieces != null) {
      throw new IllegalStateException(
          kind
              + (pieces == null ? "" : " of pieces")
              + " signals nothing, use a write of one piece");
    }
  }

  // ---- for those who do it ----

  /** How it is done; null if nobody has said it. */
  SendOptions options() {
    return options;
  }

  boolean isFenced() {
    return options != null && options.fenced();
  }

  @InternalApi
  public boolean isImmediate() {
    return options != null && options.immediate();
  }

  int peer() {
    return peer;
  }

  /** The operation that does it once. It has a copy of operands. */
  @InternalApi
  public MemoryOperation operation(CompletionLevel levelUnlessSaid) {
    if (kind == MemoryOperation.Kind.FLUSH) {
      return new MemoryOperation(kind, peer);
    }
    CompletionLevel said = options == null ? levelUnlessSaid : options.level();
    MemoryOperation operation =
        new MemoryOperation(kind, region, offset, result == null ? said : CompletionLevel.DELIVERY);
    switch (kind) {
      case FILL -> operation.divide(new FillDivision(bytes, value), bytes, span);
      case ATOMIC -> {
        operation.update(op, elements, count);
        if (buffer != null) {
          UnsafeBuffer operands = operands();
          operation.show(0, operands, 0, operands.capacity());
        }
      }
      default -> {
        if (pieces != null) {
          operation.divide(
              result == null
                  ? SliceDivision.writing(pieces, buffer)
                  : SliceDivision.reading(pieces, result),
              bytes,
              span);
        } else if (result == null) {
          operation.show(0, buffer, bufferOffset, (int) bytes);
        }
      }
    }
    if (result != null && pieces == null) {
      operation.into(result, resultOffset, (int) bytes);
    }
    if (hasData) {
      operation.showData(data);
    }
    if (signal) {
      operation.signal();
    }
    if (isFenced()) {
      operation.fence();
    }
    return operation;
  }

  private UnsafeBuffer operands() {
    byte[] copy = new byte[(int) (compares == null ? bytes : 2 * bytes)];
    buffer.getBytes(bufferOffset, copy, 0, (int) bytes);
    if (compares != null) {
      compares.getBytes(0, copy, (int) bytes, (int) bytes);
    }
    return new UnsafeBuffer(copy);
  }

  /** Whether it may be done by the calling thread, if the memory is within its reach. */
  boolean mayBeReached() {
    return region != null
        && region.descriptor().reach() == RegionReach.DIRECT
        && !isFenced()
        && (!signals() || options == null || options.level() == CompletionLevel.INJECT)
        && compares == null
        && (buffer == null || lies(buffer, bufferOffset))
        && (result == null || lies(result, resultOffset));
  }

  private boolean lies(DirectBuffer in, int at) {
    return pieces == null ? bytes <= in.capacity() - at : pieces.hereEnd() <= in.capacity();
  }

  /** Does it. */
  FabricError reach(DirectRegion direct, boolean own) {
    return switch (kind) {
      case WRITE ->
          pieces == null
              ? DirectCopy.write(direct, own, offset, buffer, bufferOffset, (int) bytes)
              : DirectCopy.write(direct, own, PieceRange.of(pieces), buffer);
      case READ ->
          pieces == null
              ? DirectCopy.read(direct, own, offset, result, resultOffset, (int) bytes)
              : DirectCopy.read(direct, own, PieceRange.of(pieces), result);
      case ATOMIC ->
          DirectCopy.update(
              direct,
              own,
              offset,
              op,
              elements,
              count,
              buffer,
              bufferOffset,
              0,
              result,
              resultOffset);
      case FILL -> DirectCopy.fill(direct, own, offset, bytes, value);
      case FLUSH, END -> throw new IllegalStateException("a flush is of no region");
    };
  }

  RemoteRegion region() {
    return region;
  }

  long offset() {
    return offset;
  }

  long bytes() {
    return bytes;
  }

  long span() {
    return span;
  }

  boolean writes() {
    return result == null || (op != null && !op.onlyFetches());
  }

  boolean reads() {
    return result != null;
  }

  boolean signals() {
    return signal || hasData;
  }

  long data() {
    return data;
  }

  /** What the frame of a signal says, of {@link AccessWriter}. */
  int signalFlags() {
    return hasData ? AccessWriter.HAS_DATA : AccessWriter.SIGNAL;
  }

  Direction direction() {
    return switch (kind) {
      case READ -> Direction.READ;
      case ATOMIC -> Direction.ATOMIC;
      case WRITE, FILL, FLUSH, END -> Direction.WRITE;
    };
  }

  // ---- elements ----

  static int mostElements(AtomicOp op, AtomicKind kind) {
    return op.takes(kind) ? MemoryTarget.MOST_OPERAND_BYTES / kind.bytes() : 0;
  }

  /** How many elements a whole buffer has. */
  private static int elements(DirectBuffer buffer, AtomicKind kind) {
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

  static FabricException notSupported(String why) {
    return new FabricException(FabricError.OPERATION_NOT_SUPPORTED, why);
  }

  static UnsafeBuffer bytesOf(long value) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[Long.BYTES]);
    bytes.putLong(0, value, ByteOrder.LITTLE_ENDIAN);
    return bytes;
  }
}
