package io.tagfabric.memory;

import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;

/** The word that an access is done, or why not. Used again and again. */
final class EndAnswer extends Answer {
  private final ArrayDeque<EndAnswer> pool;
  private FrameOrigin origin;
  private boolean givesCredit;
  private long operation;
  private int error;
  private long limit;
  private long key;
  private long offset;
  private long length;

  private EndAnswer(ArrayDeque<EndAnswer> pool) {
    this.pool = pool;
  }

  /**
   * Takes one from a pool.
   *
   * @param givesCredit whether the credit of the request goes back when it has left
   */
  static EndAnswer take(
      ArrayDeque<EndAnswer> pool, FrameOrigin origin, boolean givesCredit, long operation) {
    EndAnswer answer = pool.isEmpty() ? new EndAnswer(pool) : pool.pollLast();
    answer.origin = origin;
    answer.givesCredit = givesCredit;
    answer.operation = operation;
    answer.error = 0;
    answer.limit = -1;
    answer.key = 0;
    answer.offset = 0;
    answer.length = 0;
    return answer;
  }

  /** It tells a refusal. */
  EndAnswer refusing(int newError, long newLimit, long newKey, long newOffset, long newLength) {
    error = newError;
    limit = newLimit;
    key = newKey;
    offset = newOffset;
    length = newLength;
    return this;
  }

  @Override
  public int overheadBytes() {
    return AccessWriter.END_LENGTH;
  }

  @Override
  public int leftBytes() {
    return 0;
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public void write(AccessWriter writer, Packet packet, int bytes) {
    writer.end(packet, operation, error, limit, key, offset, length);
  }

  @Override
  public void onEnd() {
    FrameOrigin asker = origin;
    boolean gives = givesCredit;
    origin = null;
    pool.addLast(this);
    if (gives) {
      asker.consumed();
    }
  }
}
