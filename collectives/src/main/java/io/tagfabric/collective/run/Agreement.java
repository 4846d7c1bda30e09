package io.tagfabric.collective.run;

import io.tagfabric.collective.run.ControlMessage.Proposal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Lets the members of a team that are alive decide the same, although others die meanwhile.
 *
 * <p>Claim: every member that is not lost decides, and all that are not lost decide the same. How:
 * in a round each tells all others what it has heard and from whom, and waits for all that are not
 * lost. Who hears from the same members in two rounds in a row, and all of them say that they have
 * heard from just these in the first, decides and tells; who is told decides the same and tells,
 * too. Without a loss that is one round and {@code 2 p (p - 1)} messages; every loss may cost a few
 * rounds more.
 *
 * <p>Why it is not enough to hear from the same members twice: one that dies may have told its
 * decision to some, and to others not even what it had proposed a round before. Those who hear of
 * each other that they have all heard the same know the same, and have given up, and so do not
 * listen to, whoever might have decided otherwise.
 *
 * <p>It relies on losses being true: who is said to be lost must not speak any more, and is not
 * heard. The membership sees to that by fencing what it has given up.
 *
 * <p>Plain; one thread at a time.
 *
 * @source Cachin, Guerraoui, Rodrigues, "Introduction to reliable and secure distributed
 *     programming", 2nd edition, §5.2.2 (flooding consensus; there what a process has sent before
 *     it decides arrives everywhere)
 */
final class Agreement {
  /** Where messages and the decision go. */
  interface Output {
    void send(int member, Proposal proposal);

    void decided(Decision decision);
  }

  private final int rank;
  private final int size;
  private final int instance;
  private final Output output;
  private final BitSet lost = new BitSet();
  private final List<BitSet> heardFrom = new ArrayList<>();
  private final List<Decision> heard = new ArrayList<>();
  private final BitSet mixed = new BitSet();
  private final List<BitSet> reported = new ArrayList<>();
  private int round;
  private boolean decided;

  /**
   * Prepares one agreement.
   *
   * @param instance its number in the team
   */
  Agreement(int rank, int size, int instance, Output output) {
    this.rank = rank;
    this.size = size;
    this.instance = instance;
    this.output = output;
    BitSet all = new BitSet();
    all.set(0, size);
    heardFrom.add(all);
    heard.add(Decision.NEUTRAL);
    reported.add(all);
  }

  /** No round has a higher number: after the last loss is known to all, two more are enough. */
  static int maxRounds(int size) {
    return 3 * size + 1;
  }

  int instance() {
    return instance;
  }

  /** Proposes, knowing of some losses. */
  void start(Decision own, BitSet knownLost) {
    lost.or(knownLost);
    propose(own);
    decideOrGoOn();
  }

  /** A proposal of another member came; also before {@link #start}. */
  void received(int from, Proposal proposal) {
    if (decided || lost.get(from)) {
      return;
    }
    if (proposal.decided()) {
      decide(proposal.decision());
      return;
    }
    lost.or(proposal.decision().lost());
    lost.clear(rank);
    round(proposal.round()).set(from);
    report(proposal.round(), proposal.heard());
    heard.set(proposal.round(), heard.get(proposal.round()).and(proposal.decision()));
    decideOrGoOn();
  }

  /** A member is lost. */
  void lost(int member) {
    lost.set(member);
    decideOrGoOn();
  }

  private BitSet round(int number) {
    while (heardFrom.size() <= number) {
      heardFrom.add(new BitSet());
      heard.add(Decision.NEUTRAL);
      reported.add(null);
    }
    return heardFrom.get(number);
  }

  /** A member of a round says whom it has heard in the round before. */
  private void report(int number, BitSet members) {
    BitSet before = reported.get(number);
    if (before == null) {
      reported.set(number, members);
    } else if (!before.equals(members)) {
      mixed.set(number);
    }
  }

  private void propose(Decision estimate) {
    round++;
    round(round).set(rank);
    BitSet before = heardFrom.get(round - 1);
    report(round, before);
    heard.set(round, heard.get(round).and(estimate));
    tell(new Proposal(instance, round, false, estimate, before));
  }

  private void decideOrGoOn() {
    while (!decided && round > 0 && hasHeardFromAllAlive()) {
      if (!mixed.get(round) && heardFrom.get(round).equals(heardFrom.get(round - 1))) {
        decide(heard.get(round));
      } else {
        propose(heard.get(round));
      }
    }
  }

  private boolean hasHeardFromAllAlive() {
    for (int member = 0; member < size; member++) {
      if (!lost.get(member) && !heardFrom.get(round).get(member)) {
        return false;
      }
    }
    return true;
  }

  private void decide(Decision decision) {
    decided = true;
    tell(new Proposal(instance, round, true, decision, new BitSet()));
    output.decided(decision);
  }

  private void tell(Proposal proposal) {
    for (int member = 0; member < size; member++) {
      if (member != rank && !lost.get(member)) {
        output.send(member, proposal);
      }
    }
  }
}
