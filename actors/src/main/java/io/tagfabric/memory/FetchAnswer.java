package io.tagfabric.memory;

import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Bytes of a region as they were when they were asked for, or before they were updated. Used again
 * and again.
 */
final class FetchAnswer extends Answer {
  private final ArrayDeque<FetchAnswer> pool;
  private final UnsafeBuffer values = new UnsafeBuffer(new byte[MemoryTarget.MOST_OPERAND_BYTES]);
  private FrameOrigin origin;
  private long operation;
  private int length;
  private int position;

  private FetchAnswer(ArrayDeque<FetchAnswer> pool) {
    this.pool = pool;
  }

  /** Takes one from a pool, with a copy of the values. */
  static FetchAnswer take(
      ArrayDeque<FetchAnswer> pool,
      FrameOrigin origin,
      long operation,
      UnsafeBuffer elements,
      int at,
      int length) {
    FetchAnswer answer = take(pool, origin, operation, length);
    answer.values.putBytes(0, elements, at, length);
    return answer;
  }

  /** Takes one from a pool, whose values are still to be put in. */
  static FetchAnswer take(
      ArrayDeque<FetchAnswer> pool, FrameOrigin origin, long operation, int length) {
    FetchAnswer answer = pool.isEmpty() ? new FetchAnswer(pool) : pool.pollLast();
    answer.origin = origin;
    answer.operation = operation;
    answer.length = length;
    answer.position = 0;
    return answer;
  }

  /** The values. */
  UnsafeBuffer values() {
    return values;
  }

  @Override
  public int overheadBytes() {
    return AccessWriter.READ_DATA_OVERHEAD;
  }

  @Override
  public int leftBytes() {
    return length - position;
  }

  @Override
  public boolean isOver() {
    return position == length;
  }

  @Override
  public void write(AccessWriter writer, Packet packet, int bytes) {
    writer.readData(packet, operation, position, values, position, bytes);
    position += bytes;
  }

  @Override
  public void onEnd() {
    FrameOrigin asker = origin;
    origin = null;
    pool.addLast(this);
    asker.consumed();
  }
}
