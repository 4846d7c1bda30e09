package io.tagfabric.exit;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The steps of a dissemination among the ranks that are left. In round i each rank sends to the one
 * 2^i places behind it and hears from the one 2^i before; after ceil(log2 n) rounds each has heard
 * of all.
 *
 * <pre>
 *   5 ranks    round 0     round 1     round 2
 *   rank 0     -> 1  4 ->  -> 2  3 ->  -> 4  1 ->
 * </pre>
 *
 * <p>When a rank is lost the others begin again without it. They learn it at different times, so a
 * message names the view of its sender, and those of a view to come are kept.
 *
 * @source Hensgen, Finkel, Manber: Two Algorithms for Barrier Synchronization (1988)
 */
final class ExitReduction {
  private final int rank;
  private final Map<Long, BitSet> heard = new HashMap<>();
  private int[] members = {};
  private long view;
  private int place;
  private int round;
  private int sent = -1;

  ExitReduction(int rank) {
    this.rank = rank;
  }

  /** Begins, or begins again, with these ranks, this one among them. */
  void begin(BitSet ranks) {
    members = ranks.stream().toArray();
    view = 0;
    for (int i = 0; i < members.length; i++) {
      view = view * 0x9E3779B97F4A7C15L + members[i] + 1;
      if (members[i] == rank) {
        place = i;
      }
    }
    round = 0;
    sent = -1;
  }

  /** Notes a message, of this view or of another. */
  void hear(long ofView, int ofRound) {
    heard.computeIfAbsent(ofView, key -> new BitSet()).set(ofRound);
  }

  /**
   * Sends what is due and goes on as far as the messages heard allow.
   *
   * @param verdict of all whom this rank has heard of
   * @return whether it has heard of all
   */
  boolean step(ExitMail mail, Verdict verdict) {
    while (round < rounds()) {
      if (sent < round) {
        sent = round;
        mail.send(receiver(round), new ExitMessage.Reduce(view, round, verdict));
      }
      if (!heard.containsKey(view) || !heard.get(view).get(round)) {
        return false;
      }
      round++;
    }
    return true;
  }

  /** Sends again what may have been lost. */
  void again(ExitMail mail, Verdict verdict) {
    for (int past = 0; past <= sent; past++) {
      mail.again(receiver(past), new ExitMessage.Reduce(view, past, verdict));
    }
  }

  private int rounds() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(members.length - 1);
  }

  private int receiver(int ofRound) {
    return members[(place + (1 << ofRound)) % members.length];
  }
}
