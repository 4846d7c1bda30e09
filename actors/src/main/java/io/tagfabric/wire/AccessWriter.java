package io.tagfabric.wire;

import io.tagfabric.wire.sbe.AccessEndEncoder;
import io.tagfabric.wire.sbe.AtomicEncoder;
import io.tagfabric.wire.sbe.FillEncoder;
import io.tagfabric.wire.sbe.FlushEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.ReadDataEncoder;
import io.tagfabric.wire.sbe.ReadEncoder;
import io.tagfabric.wire.sbe.ReadSlicesEncoder;
import io.tagfabric.wire.sbe.WriteEncoder;
import io.tagfabric.wire.sbe.WriteNextEncoder;
import org.agrona.DirectBuffer;

/**
 * Appends the frames of accesses to memory to packets that have room for them. One for each loop,
 * single threaded.
 */
public final class AccessWriter {
  private static final int FRAME_HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

  /** Bytes of a Write before its payload. */
  public static final int WRITE_OVERHEAD = FRAME_HEADER + WriteEncoder.BLOCK_LENGTH;

  /** Bytes of a WriteNext before its payload. */
  public static final int WRITE_NEXT_OVERHEAD = FRAME_HEADER + WriteNextEncoder.BLOCK_LENGTH;

  /** Bytes of a Read. */
  public static final int READ_LENGTH = FRAME_HEADER + ReadEncoder.BLOCK_LENGTH;

  /** Bytes of a ReadData before its payload. */
  public static final int READ_DATA_OVERHEAD = FRAME_HEADER + ReadDataEncoder.BLOCK_LENGTH;

  /** Bytes of an Atomic before its operands. */
  public static final int ATOMIC_OVERHEAD = FRAME_HEADER + AtomicEncoder.BLOCK_LENGTH;

  /** Bytes of a Flush. */
  public static final int FLUSH_LENGTH = FRAME_HEADER + FlushEncoder.BLOCK_LENGTH;

  /** Bytes of a ReadSlices before its pieces. */
  public static final int READ_SLICES_OVERHEAD = FRAME_HEADER + ReadSlicesEncoder.BLOCK_LENGTH;

  /** Bytes of a Fill. */
  public static final int FILL_LENGTH = FRAME_HEADER + FillEncoder.BLOCK_LENGTH;

  /** Bytes that say where a piece is, and how long. */
  public static final int PIECE_HEADER = Long.BYTES + Integer.BYTES;

  /** Bytes of an AccessEnd. */
  public static final int END_LENGTH = FRAME_HEADER + AccessEndEncoder.BLOCK_LENGTH;

  /** Flag of a Write: the immediate data are valid. */
  public static final int HAS_DATA = PacketLayout.HAS_DATA;

  /** Flag of a Write: raise the region's signals when all bytes are placed. */
  public static final int SIGNAL = 8;

  /** Flag of a WriteNext: no more bytes will come. */
  public static final int ABORTED = 16;

  /** Flag of an Atomic: answer with the values before the update. */
  public static final int FETCH = 32;

  /** Flag of a Write, an Atomic or a Fill: answer with AccessEnd, refused or not. */
  public static final int WANTS_END = 64;

  /** Flag of a Write without payload: its sender has placed the bytes itself. */
  public static final int PLACED = 128;

  /** Flag of a Write: its bytes are pieces, each behind its {@link #PIECE_HEADER}. */
  public static final int SLICED = 256;

  private final MessageHeaderEncoder header = new MessageHeaderEncoder();
  private final WriteEncoder write = new WriteEncoder();
  private final WriteNextEncoder writeNext = new WriteNextEncoder();
  private final ReadEncoder read = new ReadEncoder();
  private final ReadDataEncoder readData = new ReadDataEncoder();
  private final AtomicEncoder atomic = new AtomicEncoder();
  private final FlushEncoder flush = new FlushEncoder();
  private final ReadSlicesEncoder readSlices = new ReadSlicesEncoder();
  private final FillEncoder fill = new FillEncoder();
  private final AccessEndEncoder end = new AccessEndEncoder();

  /** Appends the beginning of a write with its first bytes. */
  public void write(
      Packet packet,
      long operation,
      long key,
      long generation,
      long offset,
      MessageView bytes,
      int flags,
      int length) {
    int at = packet.length();
    write
        .wrapAndApplyHeader(packet.buffer(), at, header)
        .operation(operation)
        .key(key)
        .generation(generation)
        .regionAt(offset)
        .total(bytes.length())
        .data(bytes.data())
        .flags(flags);
    finish(packet, WRITE_OVERHEAD, bytes.buffer(), bytes.offset(), length);
  }

  /** Appends a write whose sender has placed the bytes itself. */
  public void writePlaced(
      Packet packet,
      long operation,
      long key,
      long generation,
      long offset,
      int bytes,
      long data,
      int flags) {
    write
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .operation(operation)
        .key(key)
        .generation(generation)
        .regionAt(offset)
        .total(bytes)
        .data(data)
        .flags(bytes > 0 ? flags | PLACED : flags);
    packet.append(WRITE_OVERHEAD);
  }

  /** Appends more bytes of a write. */
  public void writeNext(Packet packet, long position, int flags, MessageView bytes, int length) {
    writeNext
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .position(position)
        .flags(flags);
    finish(packet, WRITE_NEXT_OVERHEAD, bytes.buffer(), bytes.offset() + (int) position, length);
    packet.markBulk();
  }

  /** Appends the question for bytes. */
  public void read(
      Packet packet, long operation, long key, long generation, long offset, long length) {
    read.wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .operation(operation)
        .key(key)
        .generation(generation)
        .regionAt(offset)
        .length(length);
    packet.append(READ_LENGTH);
  }

  /** Appends bytes that were asked for. */
  public void readData(
      Packet packet, long operation, long position, DirectBuffer bytes, int from, int length) {
    readData
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .operation(operation)
        .position(position);
    finish(packet, READ_DATA_OVERHEAD, bytes, from, length);
    packet.markBulk();
  }

  /**
   * Appends an update.
   *
   * @param operands shows the operands, and behind them what elements are compared with
   */
  public void atomic(
      Packet packet,
      long operation,
      long key,
      long generation,
      long offset,
      int count,
      int update,
      int kind,
      int flags,
      MessageView operands) {
    atomic
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .operation(operation)
        .key(key)
        .generation(generation)
        .regionAt(offset)
        .count(count)
        .update(update)
        .kind(kind)
        .flags(flags);
    finish(packet, ATOMIC_OVERHEAD, operands.buffer(), operands.offset(), operands.length());
  }

  /**
   * Appends the question for pieces.
   *
   * @param length bytes of all pieces
   * @param pieces shows where they are
   */
  public void readSlices(
      Packet packet, long operation, long key, long generation, int length, MessageView pieces) {
    readSlices
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .operation(operation)
        .key(key)
        .generation(generation)
        .length(length);
    finish(packet, READ_SLICES_OVERHEAD, pieces.buffer(), pieces.offset(), pieces.length());
  }

  /** Appends that bytes are to have one value. */
  public void fill(
      Packet packet,
      long operation,
      long key,
      long generation,
      long offset,
      int length,
      byte value,
      int flags) {
    fill.wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .operation(operation)
        .key(key)
        .generation(generation)
        .regionAt(offset)
        .length(length)
        .value(value)
        .flags(flags);
    packet.append(FILL_LENGTH);
  }

  /** Appends the question whether all before is done. */
  public void flush(Packet packet, long operation) {
    flush.wrapAndApplyHeader(packet.buffer(), packet.length(), header).operation(operation);
    packet.append(FLUSH_LENGTH);
  }

  /**
   * Appends the end of an access.
   *
   * @param error 0 if it is done
   * @param limit bytes of the region if the access does not lie in it, otherwise -1
   */
  public void end(
      Packet packet, long operation, int error, long limit, long key, long offset, long length) {
    end.wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .operation(operation)
        .errorCode(error)
        .regionBytes(limit)
        .key(key)
        .regionAt(offset)
        .length(length);
    packet.append(END_LENGTH);
  }

  private static void finish(
      Packet packet, int overhead, DirectBuffer bytes, int from, int length) {
    if (length > 0) {
      packet.put(packet.length() + overhead, bytes, from, length);
    }
    packet.append(overhead + length);
  }
}
