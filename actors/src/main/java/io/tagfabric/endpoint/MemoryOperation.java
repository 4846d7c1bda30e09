package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.PendingAccess;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.DirectCopy;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Packet;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An access with what its program wants to hear of it. */
class MemoryOperation extends PendingAccess {
  /** What it does. */
  enum Kind {
    WRITE,
    READ,
    ATOMIC,
    FLUSH
  }

  /** The peer of a flush of all peers. */
  static final int ALL_PEERS = -1;

  static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

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

  /** An access to a region. */
  MemoryOperation(Kind kind, RemoteRegion to, long offset, CompletionLevel level) {
    this(kind, to.peer(), to.descriptor(), offset, level);
  }

  /** A flush of a peer, or of all. */
  MemoryOperation(int peer) {
    this(Kind.FLUSH, peer, null, 0, CompletionLevel.DELIVERY);
  }

  private MemoryOperation(
      Kind kind, int peer, RegionDescriptor region, long regionOffset, CompletionLevel level) {
    super(peer, level, null);
    this.kind = kind;
    this.region = region;
    this.regionOffset = regionOffset;
    show(0, NOTHING, 0, 0);
  }

  /** What hears of its end, and what with; without a listener it is the transmit queue. */
  final void hears(Object context, AccessListener newListener) {
    bring(context);
    listener = newListener;
  }

  /** A write raises the signals of its region. */
  final void signal() {
    flags |= AccessWriter.SIGNAL;
  }

  /** Where the answer goes. */
  final void into(MutableDirectBuffer buffer, int at, int bytes) {
    result = buffer;
    resultAt = at;
    resultBytes = bytes;
  }

  /** It updates elements; it is shown its operands. */
  final void update(AtomicOp newOp, AtomicKind newElements, int newCount) {
    op = newOp;
    elements = newElements;
    count = newCount;
  }

  // ---- for the flow ----

  @Override
  public final long generation() {
    return region == null ? 0 : region.generation();
  }

  @Override
  public final long key() {
    return region == null ? 0 : region.key();
  }

  @Override
  public final boolean signals() {
    return kind == Kind.WRITE && (hasData() || (flags & AccessWriter.SIGNAL) != 0);
  }

  @Override
  public final FabricError reach(DirectRegion direct, boolean own) {
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
      case FLUSH -> throw new IllegalStateException("a flush is of no region");
    };
  }

  @Override
  public final int requestBytes() {
    return (kind == Kind.WRITE && !isPlaced()) || kind == Kind.ATOMIC ? length() : 0;
  }

  @Override
  public final boolean isDivisible() {
    return kind == Kind.WRITE;
  }

  @Override
  public final boolean awaitsAnswer() {
    return kind == Kind.READ
        || kind == Kind.FLUSH
        || resultBytes > 0
        || level() == CompletionLevel.DELIVERY;
  }

  @Override
  public final int answerBytes() {
    return resultBytes;
  }

  @Override
  public final boolean isFlush() {
    return kind == Kind.FLUSH;
  }

  @Override
  public final int overheadBytes(int position) {
    return switch (kind) {
      case WRITE -> position == 0 ? AccessWriter.WRITE_OVERHEAD : AccessWriter.WRITE_NEXT_OVERHEAD;
      case READ -> AccessWriter.READ_LENGTH;
      case ATOMIC -> AccessWriter.ATOMIC_OVERHEAD;
      case FLUSH -> AccessWriter.FLUSH_LENGTH;
    };
  }

  @Override
  public final void write(
      AccessWriter writer, Packet packet, long number, int position, int bytes, boolean abort) {
    long key = key();
    long generation = generation();
    switch (kind) {
      case WRITE -> {
        if (position == 0 && !abort) {
          int all = flags | (hasData() ? AccessWriter.HAS_DATA : 0) | wantsEnd();
          all |= isPlaced() && length() > 0 ? AccessWriter.PLACED : 0;
          writer.write(packet, number, key, generation, regionOffset, this, all, bytes);
        } else {
          writer.writeNext(packet, position, abort ? AccessWriter.ABORTED : 0, this, bytes);
        }
      }
      case READ -> writer.read(packet, number, key, generation, regionOffset, resultBytes);
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
      case FLUSH -> writer.flush(packet, number);
    }
  }

  private int wantsEnd() {
    return awaitsAnswer() ? AccessWriter.WANTS_END : 0;
  }

  @Override
  public final boolean take(int position, DirectBuffer from, int at, int bytes) {
    if (resultAt + resultBytes > result.capacity()) {
      return false;
    }
    result.putBytes(resultAt + position, from, at, bytes);
    return true;
  }

  @Override
  public final String lostItsRoom() {
    return "offset="
        + resultAt
        + " lengthBytes="
        + resultBytes
        + " do not lie in the buffer any more, capacity="
        + result.capacity()
        + "; leave it alone until the completion";
  }

  // ---- for the endpoint ----

  /**
   * Refuses what its descriptor does not allow.
   *
   * @param own whether the region is of the endpoint itself
   */
  final void requireRights(boolean own) {
    if (region != null) {
      region.require(
          own, writes(), kind == Kind.READ || resultBytes > 0, regionOffset, accessedBytes());
    }
  }

  final Kind kind() {
    return kind;
  }

  /** What hears of its end; null for the endpoint's transmit queue. */
  final AccessListener listener() {
    return listener;
  }

  /** The region it accesses; null of a flush. */
  final RegionDescriptor region() {
    return region;
  }

  @Override
  public final long regionOffset() {
    return regionOffset;
  }

  /** Whether it changes the region. */
  final boolean writes() {
    return kind == Kind.WRITE || (kind == Kind.ATOMIC && !op.onlyFetches());
  }

  /** Which way its bytes go. */
  final Direction direction() {
    return switch (kind) {
      case READ -> Direction.READ;
      case WRITE, FLUSH -> Direction.WRITE;
      case ATOMIC -> Direction.ATOMIC;
    };
  }

  @Override
  public final long accessedBytes() {
    return switch (kind) {
      case WRITE -> length();
      case READ -> resultBytes;
      case ATOMIC -> (long) count * elements.bytes();
      case FLUSH -> 0;
    };
  }
}
