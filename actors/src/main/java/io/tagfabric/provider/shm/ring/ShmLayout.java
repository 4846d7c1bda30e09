package io.tagfabric.provider.shm.ring;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * What stands where in the file of a domain. All numbers are in the byte order of the machine: a
 * file never leaves it.
 *
 * <pre>
 *       0  magic (8), token (8)                       written once, magic last
 *      16  ring bytes, slots, slot bytes, lanes, lane bytes (4 each)
 *     512  closed (4): the domain will read no more, 1 by its own will, 2 because the ring is broken
 *    1024  asleep (4): a writer of the ring rings the bell then
 *    1536  asks (4): peers ask its loop for each access to memory, 0 if they may do it themselves
 *    2048  lanes in use (8): a bit for each
 *    4096  senders: {@value #SENDERS} entries of {@value #SENDER_BYTES} bytes
 *             0  state (4): free, taken, ready or cut off; above the lowest {@value #STATE_BITS}
 *                bits, while it is taken and not ready, what {@link ShmEntry} makes of the path
 *             4  length of the path (4)
 *             8  the sender's file
 *           384  claims (8): odd while the sender is writing into the ring
 *          ....  ring, with its trailer
 *          ....  lanes, as {@link LaneLayout} says: one for each of the first entries
 *          ....  slot states, one in {@value #STATE_BYTES} bytes: 0 free, 1 lent
 *          ....  slots, aligned to pages
 *          ....  end mark (8): there as long as the file has not been cut
 * </pre>
 *
 * <p>What different processes write lies at least 128 bytes apart: processors fetch cache lines in
 * pairs.
 */
public final class ShmLayout {
  public static final long MAGIC = 0x354d48_5342465447L;

  public static final int MAGIC_AT = 0;
  public static final int TOKEN_AT = 8;
  public static final int RING_BYTES_AT = 16;
  public static final int SLOTS_AT = 20;
  public static final int SLOT_BYTES_AT = 24;
  public static final int LANES_AT = 28;
  public static final int LANE_BYTES_AT = 32;
  public static final int CLOSED_AT = 512;
  public static final int CLOSED = 1;
  public static final int BROKEN = 2;
  public static final int ASLEEP_AT = 1024;
  public static final int ASKS_AT = 1536;
  public static final int LANES_USED_AT = 2048;

  static final int SENDERS_AT = 4096;
  public static final int SENDERS = 512;
  static final int SENDER_BYTES = 512;
  public static final int SENDER_FREE = 0;
  static final int SENDER_TAKEN = 1;
  public static final int SENDER_READY = 2;

  /** Nobody reads what its sender writes, or has it after that one. */
  public static final int SENDER_CUT_OFF = 4;

  static final int STATE_BITS = 3;
  static final int STATE_MASK = (1 << STATE_BITS) - 1;
  public static final int SENDER_PATH_LENGTH = 4;
  public static final int SENDER_PATH = 8;
  public static final int SENDER_CLAIMS = 384;
  public static final int MAX_PATH_BYTES = SENDER_CLAIMS - SENDER_PATH;

  /** Where the ring begins. */
  public static final int RING_AT = SENDERS_AT + SENDERS * SENDER_BYTES;

  static final int STATE_BYTES = 128;
  public static final int SLOT_FREE = 0;
  public static final int SLOT_LENT = 1;

  /** A word has a bit for each lane. */
  public static final int MOST_LANES = Long.SIZE;

  public static final long END_MARK = 0x6b72614d_646e4554L;

  private static final int PAGE = 4096;
  private static final int PAIR_OF_LINES = 128;

  public final int ringBytes;
  public final int lanes;
  public final int laneBytes;
  private final int lanesAt;
  public final int slots;
  public final int slotBytes;
  public final int statesAt;
  public final int slotsAt;
  public final int endMarkAt;

  /** Length of the whole file. */
  public final long fileBytes;

  /**
   * The layout of a file.
   *
   * @throws IllegalArgumentException if the numbers are not those of such a file
   */
  public ShmLayout(int ringBytes, int lanes, int laneBytes, int slots, int slotBytes) {
    if (!isPowerOfTwo(ringBytes)
        || lanes < 0
        || lanes > MOST_LANES
        || !isPowerOfTwo(laneBytes)
        || slots < 0
        || slotBytes < 0) {
      throw new IllegalArgumentException(
          "ringBytes="
              + ringBytes
              + " lanes="
              + lanes
              + " laneBytes="
              + laneBytes
              + " slots="
              + slots
              + " slotBytes="
              + slotBytes);
    }
    this.ringBytes = ringBytes;
    this.lanes = lanes;
    this.laneBytes = laneBytes;
    this.slots = slots;
    this.slotBytes = slotBytes;
    long lanesBegin = BitUtil.align((long) RING_AT + ringTotalBytes(), PAIR_OF_LINES);
    long states = lanesBegin + (long) lanes * laneMemoryBytes();
    long slotsBegin = BitUtil.align(states + (long) slots * STATE_BYTES, PAGE);
    long slotsEnd = slotsBegin + (long) slots * slotBytes;
    fileBytes = slotsEnd + Long.BYTES;
    if (fileBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "provider.shm needs " + fileBytes + " > 2 GiB, lower provider.shm.slots");
    }
    lanesAt = (int) lanesBegin;
    statesAt = (int) states;
    slotsAt = (int) slotsBegin;
    endMarkAt = (int) slotsEnd;
  }

  /**
   * The layout that a file says it has.
   *
   * @throws IllegalArgumentException if that is none
   */
  public static ShmLayout of(UnsafeBuffer file) {
    return new ShmLayout(
        file.getInt(RING_BYTES_AT),
        file.getInt(LANES_AT),
        file.getInt(LANE_BYTES_AT),
        file.getInt(SLOTS_AT),
        file.getInt(SLOT_BYTES_AT));
  }

  /** Bytes of the ring and its trailer. */
  public int ringTotalBytes() {
    return ringBytes + RingBufferDescriptor.TRAILER_LENGTH;
  }

  private static boolean isPowerOfTwo(int number) {
    return number > 0 && Integer.bitCount(number) == 1;
  }

  /** Bytes of a lane with its head. */
  public int laneMemoryBytes() {
    return LaneLayout.memoryBytes(laneBytes);
  }

  /** Where a lane is. */
  public int laneAt(int lane) {
    return lanesAt + lane * laneMemoryBytes();
  }

  public int stateAt(int slot) {
    return statesAt + slot * STATE_BYTES;
  }

  public int slotAt(int slot) {
    return slotsAt + slot * slotBytes;
  }

  public static int senderAt(int sender) {
    return SENDERS_AT + sender * SENDER_BYTES;
  }
}
