package io.tagfabric.collective.run;

/**
 * The tags that collectives send with, all of them and nowhere else.
 *
 * <pre>
 *  63        56 55        48 47                        24 23           8 7          0
 * +------------+------------+----------------------------+--------------+------------+
 * | 0xC7       | operation  | team, the receiver's number| epoch, low 16| lane       |
 * +------------+------------+----------------------------+--------------+------------+
 * </pre>
 *
 * <p>An application leaves tags with the first byte 0xC7 alone: it neither sends with them nor
 * posts receives on the same endpoint that take them, {@link io.tagfabric.tag.TagSelector#any}
 * among these. Where it must, it gives the collectives an endpoint of their own.
 *
 * <p>An epoch may wrap: messages of a pair match in the order sent, and of each lane as many are
 * sent as are received.
 */
public final class CollectiveTags {
  /** Numbers of teams on one endpoint. */
  public static final int TEAMS = 1 << 24;

  /** What of one collective may be under way at the same time. */
  public static final int LANES = 1 << 8;

  /** Epochs before the number repeats. */
  public static final int EPOCHS = 1 << 16;

  private static final long PREFIX = 0xC7L << 56;
  private static final long STEP = 2;
  private static final long CONTROL = 3;
  private static final long WATCH = 4;

  private CollectiveTags() {}

  /**
   * A message of a schedule.
   *
   * @param lane tells apart what of one collective may be under way at the same time
   */
  public static long step(int team, long epoch, int lane) {
    return tag(STEP, team, epoch, lane);
  }

  /** Whether collectives send with a tag. */
  static boolean isOne(long tag) {
    return (tag ^ PREFIX) >>> 56 == 0;
  }

  /** Whether a tag of collectives is that of a message of a schedule. */
  static boolean isStep(long tag) {
    return (tag >>> 48 & 0xff) == STEP;
  }

  /** The team's number in a tag of collectives. */
  static int team(long tag) {
    return (int) (tag >>> 24) & TEAMS - 1;
  }

  /** Never sent, as the team's control messages are notes: its receive ends with its endpoint. */
  public static long control(int team) {
    return tag(CONTROL, team, 0, 0);
  }

  /** Never sent: a receive that waits for it ends when its peer is lost. */
  public static long watch(int team) {
    return tag(WATCH, team, 0, 0);
  }

  private static long tag(long operation, int team, long epoch, int lane) {
    require(team, TEAMS, "team");
    require(lane, LANES, "lane");
    return PREFIX | operation << 48 | (long) team << 24 | (epoch & (EPOCHS - 1)) << 8 | lane;
  }

  private static void require(int value, int limit, String name) {
    if (value < 0 || value >= limit) {
      throw new IllegalArgumentException(
          name + "=" + value + " is outside 0.." + (limit - 1) + ", choose another " + name);
    }
  }
}
