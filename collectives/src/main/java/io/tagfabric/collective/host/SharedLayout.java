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
 *     ...  for each member {@value #LINE} bytes: asleep, as to mail (4); at 8 how often others have
 *          written to it, or read what it wrote (8)
 *     ...  for each writer and reader, mail: bytes written (8), messages sent by other means
 *          before, plus 1 (4), at {@value #LINE} bytes read (8), at twice that the bytes
 *     ...  for each member and slot: a slice for each member, and one for results
 * </pre>
 *
 * <p>Each line is written by one member, save that a member that wakes a sleeper clears its word.
 * Lines are 128 bytes apart: processors fetch cache lines in pairs.
 *
 * @source XHC: single-writer flags with sequence numbers, short data beside the flag
 */
public final class SharedLayout {
  static final long MAGIC = 0x324d54_5342465447L;
  private static final int SMALL = 16;
  private static final int LARGE = 64;
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

  /** Bytes of mail on the way from one member to another. */
  final int mailBytes;

  private final int asleep;
  private final int flags;
  private final int mailAsleep;
  private final int mail;
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
    mailAsleep = flags + members * slots * LINE;
    mail = mailAsleep + members * LINE;
    mailBytes = members <= SMALL ? 1024 : members <= LARGE ? 256 : LINE;
    data = (mail + members * members * mailLineBytes() + PAGE - 1) / PAGE * PAGE;
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

  int mailAsleepAt(int member) {
    return mailAsleep + member * LINE;
  }

  int mailCountAt(int member) {
    return mailAsleepAt(member) + Long.BYTES;
  }

  private int mailLineBytes() {
    return 2 * LINE + mailBytes;
  }

  int mailWrittenAt(int from, int to) {
    return mail + (from * members + to) * mailLineBytes();
  }

  int mailNotesAt(int from, int to) {
    return mailWrittenAt(from, to) + Long.BYTES;
  }

  int mailReadAt(int from, int to) {
    return mailWrittenAt(from, to) + LINE;
  }

  int mailDataAt(int from, int to) {
    return mailWrittenAt(from, to) + 2 * LINE;
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
