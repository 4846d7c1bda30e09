package io.tagfabric.exit;

/**
 * A rank in its part as elector: names one leader at a time. Its epochs are its rank and every
 * {@code size}-th number after it, so no two electors share one, and no epoch has two leaders.
 */
final class Elector {
  private static final int NOBODY = -1;

  private final int own;
  private final int size;
  private long epoch;
  private int leader = NOBODY;

  Elector(int rank, int size) {
    this.own = rank;
    this.size = size;
    this.epoch = (long) rank - size;
  }

  /**
   * The leader: the one named before, or else the candidate.
   *
   * @param above the epoch of a new leader is higher than this one
   */
  ExitMessage.ElectReply elect(int candidate, long above) {
    if (leader == NOBODY) {
      leader = candidate;
      do {
        epoch += size;
      } while (epoch <= above);
    }
    return new ExitMessage.ElectReply(epoch, leader);
  }

  /** This rank is asked by itself, which is mail like any other. */
  ExitMessage.ElectReply electSelf(ExitMessage.ElectRequest request, ExitMail mail, long above) {
    mail.count(request);
    ExitMessage.ElectReply reply = elect(own, above);
    mail.count(reply);
    return reply;
  }

  /** Whether it has named a leader that it still trusts. */
  boolean hasNamed() {
    return leader != NOBODY;
  }

  /** The leader named, -1 for nobody. */
  int leader() {
    return leader;
  }

  /** The leader named is lost, or says nothing. */
  void withdraw() {
    leader = NOBODY;
  }
}
