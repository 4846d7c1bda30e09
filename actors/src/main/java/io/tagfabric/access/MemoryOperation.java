package io.tagfabric.access;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.PendingAccess;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.DirectCopy;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Packet;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An access with what its program wants to hear of it. */
@InternalApi
public final class MemoryOperation extends PendingAccess {
  /** What it does. */
  enum Kind {
    WRITE,
    READ,
    ATOMIC,
    FILL,
    FLUSH,
    /** The end of an access region, which asks nothing of a peer. */
    END
  }

  /** The peer of a flush of all peers. */
  static final int ALL_PEERS = -1;

  public static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  private final Kind kind;
  private final RegionDescriptor region;
  private final long regionOffset;

  private AccessListener listener;

  private int flags;
  private AtomicOp op;
  private AtomicKind elements;
  private int count;
  private MutableDirectBuffer result;
  private int resultAt;
  private int resultBytes;

  /** What it is shown if it is of pieces; else null. */
  private PackedPieces packed;

  private byte value;
  private int filledBytes;

  /** How it is done as several; null if it is not. */
  private Division division;

  private long wholeBytes;
  private long spanBytes = -1;
  private boolean implicit;

  /** Where its bytes may be copied while it waits, and how many were. */
  private BounceBuffers bounces;

  private int bouncedBytes;
  private FabricError failure;
  private String failureDetail;

  /** An access to a region. */
  MemoryOperation(Kind kind, RemoteRegion to, long offset, CompletionLevel level) {
    this(kind, to.peer(), to.descriptor(), offset, level);
  }

  /** A flush of a peer, or of all; or an end. */
  MemoryOperation(Kind kind, int peer) {
    this(kind, peer, null, 0, CompletionLevel.DELIVERY);
  }

  private MemoryOperation(
      Kind kind, int peer, RegionDescriptor region, long regionOffset, CompletionLevel level) {
    super(peer, level, null);
    this.kind = kind;
    this.region = region;
    this.regionOffset = regionOffset;
    show(0, NOTHING, 0, 0);
  }

  /** Sets what hears of its end, and what with; without a listener it is the transmit queue. */
  public MemoryOperation telling(Object context, AccessListener newListener) {
    bring(context);
    listener = newListener;
    return this;
  }

  /** A write raises the signals of its region. */
  public void signal() {
    flags |= AccessWriter.SIGNAL;
  }

  /** Where the answer goes. */
  void into(MutableDirectBuffer buffer, int at, int bytes) {
    result = buffer;
    resultAt = at;
    resultBytes = bytes;
  }

  /** It updates elements; it is shown its operands. */
  void update(AtomicOp newOp, AtomicKind newElements, int newCount) {
    op = newOp;
    elements = newElements;
    count = newCount;
  }

  /** It is of pieces, at least one of them. */
  void pack(PackedPieces pieces) {
    packed = pieces;
    spanBytes = pieces.range().span();
    if (kind == Kind.READ) {
      resultBytes = pieces.range().bytes();
    }
  }

  /** It sets bytes to a value. */
  void fill(int bytes, byte newValue) {
    filledBytes = bytes;
    value = newValue;
  }

  /**
   * It is done as several.
   *
   * @param bytes of all of them
   * @param span bytes of the region from the first to the last
   */
  void divide(Division newDivision, long bytes, long span) {
    division = newDivision;
    wholeBytes = bytes;
    spanBytes = span;
  }

  /** How it is done as several; null if it is not. */
  Division division() {
    return division;
  }

  /** A part of it, of which it says neither bytes nor what hears of it. */
  MemoryOperation part(long offset) {
    return new MemoryOperation(kind, peer(), region, offset, level());
  }

  /** It is one of an access region's, of which there may be many. */
  void implicit() {
    implicit = true;
  }

  /** Whether there is a limit to how many of it are under way. */
  boolean isLimited() {
    return listener != null && !implicit && !isInternal();
  }

  /** Its bytes may be copied while it waits. */
  void mayBounce(BounceBuffers buffers) {
    bounces = buffers;
  }

  /** How an access region has ended; null if all is done. */
  void endsWith(FabricError error, String detail) {
    failure = error;
    failureDetail = detail;
  }

  FabricError failure() {
    return failure;
  }

  String failureDetail() {
    return failureDetail;
  }

  // ---- for the flow ----

  @Override
  public long generation() {
    return region == null ? 0 : region.generation();
  }

  @Override
  public long key() {
    return region == null ? 0 : region.key();
  }

  @Override
  public boolean signals() {
    return kind == Kind.WRITE && (hasData() || (flags & AccessWriter.SIGNAL) != 0);
  }

  @Override
  public FabricError reach(DirectRegion direct, boolean own) {
    if (packed != null) {
      return packed.hasRoom() ? packed.reach(direct, own) : FabricError.INVALID;
    }
    if (resultBytes > 0 && resultAt + resultBytes > result.capacity()) {
      return FabricError.INVALID;
    }
    return switch (kind) {
      case WRITE -> DirectCopy.write(direct, own, regionOffset, buffer(), offset(), length());
      case READ -> DirectCopy.read(direct, own, regionOffset, result, resultAt, resultBytes);
      case ATOMIC ->
          DirectCopy.update(
              direct,
              own,
              regionOffset,
              op,
              elements,
              count,
              buffer(),
              offset(),
              offset() + count * elements.bytes(),
              result,
              resultAt);
      case FILL -> DirectCopy.fill(direct, own, regionOffset, filledBytes, value);
      case FLUSH, END -> throw new IllegalStateException("a flush is of no region");
    };
  }

  @Override
  public int requestBytes() {
    if (packed != null) {
      return packed.requestBytes();
    }
    return (kind == Kind.WRITE && !isPlaced()) || kind == Kind.ATOMIC ? length() : 0;
  }

  @Override
  public int packedBytes() {
    return packed == null ? 0 : packed.requestBytes();
  }

  @Override
  public void packInto(MutableDirectBuffer buffer) {
    if (packed.hasRoom()) {
      packed.pack(buffer);
      show(0, buffer, 0, packed.requestBytes());
    } else {
      show(0, NOTHING, 0, packed.requestBytes());
    }
  }

  @Override
  public boolean bounce() {
    if (kind != Kind.WRITE || packed != null || bounces == null || lostBytes() != null) {
      return false;
    }
    UnsafeBuffer copy = bounces.copy(buffer(), offset(), length());
    if (copy == null) {
      return false;
    }
    bouncedBytes = length();
    show(0, copy, 0, bouncedBytes);
    return true;
  }

  @Override
  public void unbounce() {
    bounces.giveBack(bouncedBytes);
    bouncedBytes = 0;
  }

  @Override
  public boolean isDivisible() {
    return kind == Kind.WRITE;
  }

  @Override
  public boolean awaitsAnswer() {
    return kind == Kind.READ
        || kind == Kind.FLUSH
        || resultBytes > 0
        || level() == CompletionLevel.DELIVERY;
  }

  @Override
  public int answerBytes() {
    return resultBytes;
  }

  @Override
  public boolean isFlush() {
    return kind == Kind.FLUSH;
  }

  @Override
  public int overheadBytes(int position) {
    return switch (kind) {
      case WRITE -> position == 0 ? AccessWriter.WRITE_OVERHEAD : AccessWriter.WRITE_NEXT_OVERHEAD;
      case READ -> packed == null ? AccessWriter.READ_LENGTH : AccessWriter.READ_SLICES_OVERHEAD;
      case ATOMIC -> AccessWriter.ATOMIC_OVERHEAD;
      case FILL -> AccessWriter.FILL_LENGTH;
      case FLUSH, END -> AccessWriter.FLUSH_LENGTH;
    };
  }

  @Override
  public void write(
      AccessWriter writer, Packet packet, long number, int position, int bytes, boolean abort) {
    long key = key();
    long generation = generation();
    switch (kind) {
      case WRITE -> {
        if (position == 0 && !abort) {
          int all = flags | (hasData() ? AccessWriter.HAS_DATA : 0) | wantsEnd();
          all |= packed == null ? 0 : AccessWriter.SLICED;
          all |= isPlaced() && length() > 0 ? AccessWriter.PLACED : 0;
          writer.write(packet, number, key, generation, regionOffset, this, all, bytes);
        } else {
          writer.writeNext(packet, position, abort ? AccessWriter.ABORTED : 0, this, bytes);
        }
      }
      case READ -> {
        if (packed == null) {
          writer.read(packet, number, key, generation, regionOffset, resultBytes);
        } else {
          writer.readSlices(packet, number, key, generation, resultBytes, this);
        }
      }
      case ATOMIC ->
          writer.atomic(
              packet,
              number,
              key,
              generation,
              regionOffset,
              count,
              op.number(),
              elements.number(),
              resultBytes > 0 ? AccessWriter.FETCH : wantsEnd(),
              this);
      case FILL ->
          writer.fill(
              packet, number, key, generation, regionOffset, filledBytes, value, wantsEnd());
      case FLUSH, END -> writer.flush(packet, number);
    }
  }

  private int wantsEnd() {
    return awaitsAnswer() ? AccessWriter.WANTS_END : 0;
  }

  @Override
  public boolean take(int position, DirectBuffer from, int at, int bytes) {
    if (packed != null) {
      boolean hasRoom = packed.hasRoom();
      if (hasRoom) {
        packed.take(from, at, bytes);
      }
      return hasRoom;
    }
    if (resultAt + resultBytes > result.capacity()) {
      return false;
    }
    result.putBytes(resultAt + position, from, at, bytes);
    return true;
  }

  @Override
  public String lostItsRoom() {
    return "offset="
        + resultAt
        + " lengthBytes="
        + resultBytes
        + " do not lie in the buffer any more, capacity="
        + (packed == null ? result.capacity() : packed.capacity())
        + "; leave it alone until the completion";
  }

  // ---- for the endpoint ----

  /**
   * Refuses what its descriptor does not allow.
   *
   * @param own whether the region is of the endpoint itself
   */
  void requireRights(boolean own) {
    if (region != null) {
      region.require(
          own,
          writes(),
          kind == Kind.READ || resultBytes > 0,
          regionOffset,
          spanBytes < 0 ? accessedBytes() : spanBytes);
    }
  }

  Kind kind() {
    return kind;
  }

  /** What hears of its end; null for the endpoint's transmit queue. */
  AccessListener listener() {
    return listener;
  }

  /** What traces say that it does. */
  TraceKind.Access does() {
    return switch (kind) {
      case WRITE -> signals() ? TraceKind.Access.WRITE_WITH_SIGNAL : TraceKind.Access.WRITE;
      case READ -> TraceKind.Access.READ;
      case ATOMIC -> TraceKind.Access.ATOMIC;
      case FILL -> TraceKind.Access.FILL;
      case FLUSH, END -> TraceKind.Access.FLUSH;
    };
  }

  /** Whether it is a flush or an end. */
  boolean isOfNoRegion() {
    return region == null;
  }

  /** The region it accesses; null of a flush. */
  RegionDescriptor region() {
    return region;
  }

  @Override
  public long regionOffset() {
    return regionOffset;
  }

  /** Whether it changes the region. */
  boolean writes() {
    return kind == Kind.WRITE || kind == Kind.FILL || (kind == Kind.ATOMIC && !op.onlyFetches());
  }

  /** Which way its bytes go. */
  Direction direction() {
    return switch (kind) {
      case READ -> Direction.READ;
      case WRITE, FILL, FLUSH, END -> Direction.WRITE;
      case ATOMIC -> Direction.ATOMIC;
    };
  }

  @Override
  public long accessedBytes() {
    if (division != null) {
      return wholeBytes;
    }
    if (packed != null) {
      return spanBytes;
    }
    return switch (kind) {
      case WRITE -> length();
      case READ -> resultBytes;
      case ATOMIC -> (long) count * elements.bytes();
      case FILL -> filledBytes;
      case FLUSH, END -> 0;
    };
  }
}
