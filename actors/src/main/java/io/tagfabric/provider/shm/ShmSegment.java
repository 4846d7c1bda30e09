package io.tagfabric.provider.shm;

import io.tagfabric.provider.MemoryEnd;
import io.tagfabric.wire.MemoryKey;
import java.lang.invoke.VarHandle;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory of one segment as its owner or a peer has mapped it: one page that holds its number,
 * how many bytes it lends and the epoch, then {@link ShmGates}, then the bytes, then its {@link
 * MemoryEnd}. A key is good as long as its epoch is the segment's, so a changed epoch revokes all
 * of them. Thread: any, one at a time; a peer's own object each.
 */
public final class ShmSegment {
  static final int NUMBER_AT = 0;
  static final int BYTES_AT = 64;
  static final int EPOCH_AT = 128;
  static final int DATA_AT = ShmGates.END;

  private final UnsafeBuffer memory;
  private final int endAt;
  private final MemoryEnd end;

  /** A segment over its memory, what stands before the bytes and behind them included. */
  public ShmSegment(UnsafeBuffer memory) {
    this.memory = memory;
    endAt = memory.capacity() - MemoryEnd.BYTES;
    end = new MemoryEnd(memory, endAt);
  }

  /** A new segment over its memory, which lends so many bytes. */
  public static ShmSegment create(UnsafeBuffer memory, int bytes) {
    ShmSegment segment = new ShmSegment(memory);
    memory.putInt(BYTES_AT, bytes);
    MemoryEnd.write(memory, segment.endAt);
    return segment;
  }

  /** Bytes of the memory of a segment that lends so many. */
  public static long memoryBytes(int bytes) {
    return BitUtil.align((long) DATA_AT + bytes, MemoryEnd.BYTES) + MemoryEnd.BYTES;
  }

  /** Bytes that it lends; what fills up their last cache line is not among them. */
  int bytes() {
    return Math.min(memory.getInt(BYTES_AT), endAt - DATA_AT);
  }

  /** The bytes that it lends. */
  public UnsafeBuffer data(int bytes) {
    return new UnsafeBuffer(memory, DATA_AT, bytes);
  }

  /** What says whether it has lost its file. */
  MemoryEnd end() {
    return end;
  }

  /**
   * A key to bytes of it, good until the next {@link #revoke}.
   *
   * @param segment how peers call it
   * @param at where the bytes begin
   */
  public MemoryKey key(long segment, long at) {
    return new MemoryKey(segment, at, memory.getLongVolatile(EPOCH_AT));
  }

  /** Makes all keys to it worthless. */
  public void revoke() {
    memory.getAndAddLong(EPOCH_AT, 1);
  }

  /** Its owner gives it back: peers that have it mapped reach it no more. */
  public void close() {
    revoke();
  }

  /** Whether a key still opens it. */
  public boolean isGood(MemoryKey key) {
    return end.isThere() && memory.getLongVolatile(EPOCH_AT) == key.epoch();
  }

  /** Whether so many bytes from a position behind the begin of a key lie within it. */
  private boolean reaches(MemoryKey key, long position, int length) {
    long bytes = bytes();
    return key.at() >= 0
        && key.at() <= bytes
        && position >= 0
        && position <= bytes - key.at()
        && length <= bytes - key.at() - position;
  }

  /**
   * Copies bytes out of it.
   *
   * @param position of the first, from where the key points to
   * @return false if the key is no good, or was not any more when the bytes were read
   */
  public boolean read(
      MemoryKey key, long position, MutableDirectBuffer target, int targetOffset, int length) {
    if (!isGood(key) || !reaches(key, position, length)) {
      return false;
    }
    try {
      target.putBytes(targetOffset, memory, at(key, position), length);
      VarHandle.acquireFence();
      return isGood(key);
    } catch (InternalError cut) {
      return false;
    }
  }

  /**
   * Copies bytes into it.
   *
   * @param position of the first, from where the key points to
   * @return false if the key is no good
   */
  public boolean write(
      MemoryKey key, long position, DirectBuffer source, int sourceOffset, int length) {
    if (!isGood(key) || !reaches(key, position, length)) {
      return false;
    }
    try {
      memory.putBytes(at(key, position), source, sourceOffset, length);
      return end.isThere();
    } catch (InternalError cut) {
      return false;
    }
  }

  private static int at(MemoryKey key, long position) {
    return (int) (DATA_AT + key.at() + position);
  }
}
