package io.tagfabric.collective.host;

/**
 * What stands where in the file in which the members of a team on one host meet. All numbers are in
 * the byte order of the machine.
 *
 * <pre>
 *       0  magic (8), token (8), members, slots, slice bytes (4 each)
 *     128  sleepers (8): how many of the words "asleep" are set
 *     256  for each member {@value #LINE} bytes: stages it has ended (8), whether it has left (4);
 *          calls it has begun when it last had to wait (8); of that and the one before: the stage
 *          in which it began (2 * 8), what is called (2 * 8)
 *     ...  for each member {@value #LINE} bytes: asleep (4)
 *     ...  for each member and slot {@value #LINE} bytes, a flag:
 *             0  number of the stage written, plus 1 (8)
 *             8  what is called, this time and before (8)
 *            16  up to {@value #INLINE} bytes of data
 *     ...  for each member and slot: a slice for each member, and one for results
 * </pre>
 *
 * <p>Each line is written by one member, save that a member that wakes a sleeper clears its word.
 * Lines are 128 bytes apart: processors fetch cache lines in pairs.
 *
 * @source XHC: single-writer flags with sequence numbers, short data beside the flag
 */
public final class SharedLayout {
  static final long MAGIC = 0x314d54_5342465447L;
  static final int MAGIC_AT = 0;
  static final int TOKEN_AT = 8;
  static final int MEMBERS_AT = 16;
  static final int SLOTS_AT = 20;
  static final int SLICE_AT = 24;
  static final int SLEEPERS_AT = 128;

  /** Data that stand in the flag's own cache line. */
  static final int INLINE = 48;

  /** Members a file has room for. */
  public static final int MOST_MEMBERS = 64;

  private static final int LINE = 128;
  private static final int HEADER = 256;
  private static final int PAGE = 4096;
  private static final int MOST_SLICES_BYTES = 128 << 10;

  final int members;
  final int slots;

  /** Bytes of a slice, a multiple of 64. */
  final int sliceBytes;

  private final int asleep;
  private final int flags;
  private final int data;

  SharedLayout(int members, int slots, int sliceBytes) {
    if (members < 1 || members > MOST_MEMBERS || slots < 2 || sliceBytes < 64) {
      throw new IllegalArgumentException(
          "members=" + members + " slots=" + slots + " sliceBytes=" + sliceBytes);
    }
    this.members = members;
    this.slots = slots;
    this.sliceBytes = sliceBytes;
    asleep = HEADER + members * LINE;
    flags = asleep + members * LINE;
    data = (flags + members * slots * LINE + PAGE - 1) / PAGE * PAGE;
  }

  /** The layout for a team; in large ones slices are shorter than {@code chunkBytes}. */
  static SharedLayout of(int members, int slots, int chunkBytes) {
    return new SharedLayout(members, slots, sliceBytes(members, chunkBytes));
  }

  /** Bytes of a slice for so many members. */
  public static int sliceBytes(int members, int chunkBytes) {
    int slice = Math.min(chunkBytes, MOST_SLICES_BYTES / members);
    return Math.max(64, slice / 64 * 64);
  }

  long fileBytes() {
    return data + (long) members * slots * slotBytes();
  }

  /** Bytes of a slot: a slice for each member, and one for results. */
  int slotBytes() {
    return (members + 1) * sliceBytes;
  }

  int endedAt(int member) {
    return HEADER + member * LINE;
  }

  int leftAt(int member) {
    return endedAt(member) + Long.BYTES;
  }

  /** In the line of what the member has ended: the calls it has begun to wait in. */
  int waitingAt(int member) {
    return endedAt(member) + 2 * Long.BYTES;
  }

  /** The stage in which a call began that the member waits in, for every other call one place. */
  int firstStageAt(int member, long call) {
    return waitingAt(member) + (1 + (int) (call & 1)) * Long.BYTES;
  }

  /** What was called there. */
  int calledAt(int member, long call) {
    return waitingAt(member) + (3 + (int) (call & 1)) * Long.BYTES;
  }

  int asleepAt(int member) {
    return asleep + member * LINE;
  }

  int flagAt(int member, long stage) {
    return flags + (member * slots + slotOf(stage)) * LINE;
  }

  int dataAt(int member, long stage) {
    return data + (member * slots + slotOf(stage)) * slotBytes();
  }

  private int slotOf(long stage) {
    return (int) (stage % slots);
  }
}
