package io.tagfabric.collective;

/**
 * The tags that collectives send with, all of them and nowhere else.
 *
 * <pre>
 *  63        56 55        48 47                32 31                   8 7          0
 * +------------+------------+--------------------+----------------------+------------+
 * | 0xC7       | operation  | team               | epoch, low 24 bits   | round      |
 * +------------+------------+--------------------+----------------------+------------+
 * </pre>
 *
 * <p>An application leaves tags with the first byte 0xC7 alone: it neither sends with them nor
 * posts receives on the same endpoint that take them, {@link io.tagfabric.tag.TagSelector#any}
 * among these. Where it must, it gives the collectives an endpoint of their own.
 *
 * <p>An epoch may wrap: two members are never more than one epoch apart, and messages of a pair
 * match in the order sent.
 */
final class CollectiveTags {
  /** Teams that one endpoint may belong to, numbered from 0. */
  static final int TEAMS = 1 << 16;

  /** Rounds of one operation. */
  static final int ROUNDS = 1 << 8;

  /** Epochs before the number repeats. */
  static final int EPOCHS = 1 << 24;

  private static final long PREFIX = 0xC7L << 56;
  private static final long BREAK = 0;
  private static final long BARRIER = 1;

  private CollectiveTags() {}

  /** Says that a team can no longer work together, and whose fault it is. */
  static long broken(int team) {
    return tag(BREAK, team, 0, 0);
  }

  /** One step of a barrier. */
  static long barrier(int team, long epoch, int round) {
    return tag(BARRIER, team, epoch, round);
  }

  private static long tag(long operation, int team, long epoch, int round) {
    require(team, TEAMS, "team");
    require(round, ROUNDS, "round");
    return PREFIX | operation << 48 | (long) team << 32 | (epoch & (EPOCHS - 1)) << 8 | round;
  }

  private static void require(int value, int limit, String name) {
    if (value < 0 || value >= limit) {
      throw new IllegalArgumentException(
          name + "=" + value + " is outside 0.." + (limit - 1) + ", choose another " + name);
    }
  }
}
