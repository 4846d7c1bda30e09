package io.tagfabric.provider.shm.ring;

import io.tagfabric.progress.TimeSource;
import io.tagfabric.wire.PayloadCopy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Deflater;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies long payloads into a mapped file without fetching the cache lines that it overwrites,
 * where that is quicker.
 *
 * <p>A reader in another process leaves the lines of a slot in its own cache. A processor that
 * stores into such a line word by word first asks for it, and between distant cores that takes most
 * of the time of a long message. The {@code memcpy} of a C library writes whole lines that it need
 * not have; a JVM has no such copy, but its {@link Deflater} calls it: at level 0 it puts bytes
 * unchanged behind a header of {@value #HEADER_BYTES} bytes (RFC 1951, section 3.2.4). The header,
 * and what a flush adds, fall on bytes of the payload that are written afterwards.
 *
 * <p>Native code that touches memory without a file below it ends the JVM, where other code gets an
 * error. Therefore each such copy looks first whether the file still has its end.
 *
 * <p>Thread: the domain's loop.
 */
public final class WholeLineCopy implements PayloadCopy, AutoCloseable {
  /** Fewer bytes of whole lines are not worth the call. */
  static final int LEAST_BYTES = 4 * 1024;

  private static final int LINE = 64;
  private static final int HEADER_BYTES = 5;

  /** After bytes that the deflater was made to give out stands an empty block. */
  private static final int FLUSH_BYTES = HEADER_BYTES;

  /** So many bytes or more it gives out by itself. */
  private static final int UNASKED_BYTES = 32 * 1024;

  /** A block is shorter than 64 KiB. */
  private static final int MOST_BYTES = 64 * 1024 - LINE;

  /** Blocks stand by themselves, without what a file would have around them. */
  static final boolean RAW_BLOCKS = true;

  private static final byte[] NOTHING = {};

  private final UnsafeBuffer file;
  private final ByteBuffer bytes;
  private final int endMarkAt;
  private final TimeSource time;
  private final CopyChoice choice;
  private final Deflater deflater;
  private final byte[] end = new byte[Long.BYTES];
  private final UnsafeBuffer endMark = new UnsafeBuffer(end);
  private byte[] staged = NOTHING;

  /** The deflater of this JVM does not put bytes through as they are. */
  private boolean useless;

  private long copiedByLines;

  /**
   * A copy into one file.
   *
   * @param file the mapped file
   * @param endMarkAt where its last bytes are, which hold {@link ShmLayout#END_MARK}
   * @param time tells which way is the quicker one
   */
  public WholeLineCopy(ByteBuffer file, int endMarkAt, TimeSource time) {
    this(
        file, endMarkAt, time, new CopyChoice(), new Deflater(Deflater.NO_COMPRESSION, RAW_BLOCKS));
  }

  public WholeLineCopy(
      ByteBuffer file, int endMarkAt, TimeSource time, CopyChoice choice, Deflater deflater) {
    this.file = new UnsafeBuffer(file);
    this.bytes = file.duplicate();
    this.endMarkAt = endMarkAt;
    this.time = time;
    this.choice = choice;
    this.deflater = deflater;
  }

  /** Copies whose lines the deflater has written. */
  public long copiedByLines() {
    return copiedByLines;
  }

  @Override
  public void copy(DirectBuffer from, int fromIndex, UnsafeBuffer to, int toIndex, int length) {
    int headBytes = headBytes(to.addressOffset() + toIndex);
    int lineBytes = Math.min(MOST_BYTES, (length - headBytes - FLUSH_BYTES) & -LINE);
    if (lineBytes < LEAST_BYTES || useless) {
      to.putBytes(toIndex, from, fromIndex, length);
      return;
    }
    from.boundsCheck(fromIndex, length);
    to.boundsCheck(toIndex, length);
    boolean byLines = choice.second();
    long begin = time.nanoTime();
    int done = 0;
    if (byLines && !isCut()) {
      long at = to.addressOffset() + toIndex + headBytes - file.addressOffset();
      useless = !copyLines(from, fromIndex + headBytes, Math.toIntExact(at), lineBytes);
      done = useless ? 0 : headBytes + lineBytes;
    }
    if (done > 0) {
      to.putBytes(toIndex, from, fromIndex, headBytes);
      copiedByLines++;
    }
    to.putBytes(toIndex + done, from, fromIndex + done, length - done);
    choice.took(byLines, length, time.nanoTime() - begin);
  }

  /**
   * Whether the file has lost its end. A load of memory without a file below it may go on with any
   * number, and the error comes later: so the mark is copied, which then leaves no mark.
   */
  private boolean isCut() {
    endMark.putLong(0, 0);
    file.getBytes(endMarkAt, end, 0, Long.BYTES);
    return endMark.getLong(0) != ShmLayout.END_MARK;
  }

  /** Bytes before the first whole line that has room for a header before it. */
  private static int headBytes(long address) {
    return (int) (BitUtil.align(address + HEADER_BYTES, LINE) - address);
  }

  /**
   * Writes whole lines, a header before them and perhaps an empty block behind.
   *
   * @return false if the deflater has done anything else
   */
  private boolean copyLines(DirectBuffer from, int fromIndex, int at, int length) {
    boolean unasked = length >= UNASKED_BYTES;
    int expected = HEADER_BYTES + length + (unasked ? 0 : FLUSH_BYTES);
    bytes.limit(at - HEADER_BYTES + expected).position(at - HEADER_BYTES);
    byte[] array = from.byteArray();
    if (array != null) {
      deflater.setInput(array, from.wrapAdjustment() + fromIndex, length);
    } else {
      // Such memory may lie in a file that is cut.
      deflater.setInput(stage(from, fromIndex, length), 0, length);
    }
    int written = deflater.deflate(bytes, unasked ? Deflater.NO_FLUSH : Deflater.SYNC_FLUSH);
    boolean consumed = deflater.needsInput();
    deflater.setInput(NOTHING);
    return written == expected
        && consumed
        && file.getInt(at - Integer.BYTES, ByteOrder.LITTLE_ENDIAN) == lengthField(length);
  }

  /** How a block says its length: the number and its complement. */
  private static int lengthField(int length) {
    return length | ~length << Short.SIZE;
  }

  private byte[] stage(DirectBuffer from, int fromIndex, int length) {
    if (staged.length < length) {
      staged = new byte[MOST_BYTES];
    }
    from.getBytes(fromIndex, staged, 0, length);
    return staged;
  }

  @Override
  public void close() {
    deflater.end();
  }
}
