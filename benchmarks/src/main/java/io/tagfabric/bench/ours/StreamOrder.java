package io.tagfabric.bench.ours;

import java.nio.ByteBuffer;

/**
 * What rank 0 tells the ranks of a group: when a run counts, by the clock that all processes of a
 * host share.
 *
 * @param group that takes part, 0 if there are no more runs
 * @param beginNs from here on messages count
 * @param endNs up to here
 */
record StreamOrder(int group, long beginNs, long endNs) {
  static final StreamOrder END = new StreamOrder(0, 0, 0);
  private static final int BYTES = 3 * Long.BYTES;

  byte[] encode() {
    return ByteBuffer.allocate(BYTES).putLong(group).putLong(beginNs).putLong(endNs).array();
  }

  static StreamOrder of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new StreamOrder((int) buffer.getLong(), buffer.getLong(), buffer.getLong());
  }
}
