package io.tagfabric.wire;

/**
 * Names a flow in a record of a short message: the receiver's number of the flow, and 32 bits of
 * job, partition and the sender's incarnation, by which the receiver knows that the sender means
 * its flow. It is one long, because a short message has no room for more.
 *
 * <pre>
 *  63                            32 31 30                             0
 *  +-------------------------------+--+-------------------------------+
 *  | check                         |0 | number                        |
 *  +-------------------------------+--+-------------------------------+
 * </pre>
 */
public final class FlowKey {
  /** Left free, for the record to say whether the message has immediate data. */
  static final long DATA_BIT = 1L << 31;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private FlowKey() {}

  /**
   * The key of a flow.
   *
   * @param number the receiver's, not negative
   * @param isolation of the sender's job and partition
   * @param incarnation the sender's
   */
  public static long of(int number, int isolation, long incarnation) {
    long check = (incarnation * MIX) ^ ((long) isolation << 32);
    return (check & 0xFFFFFFFF00000000L) | number;
  }

  /** The receiver's number of the flow. */
  public static int number(long key) {
    return (int) key & 0x7FFFFFFF;
  }
}
