package io.tagfabric.collective.run;

import io.tagfabric.collective.run.ControlMessage.AgreementMessage;
import io.tagfabric.collective.run.ControlMessage.Estimate;
import io.tagfabric.collective.run.ControlMessage.Gather;
import io.tagfabric.collective.run.ControlMessage.Report;
import io.tagfabric.collective.run.ControlMessage.Verdict;
import java.util.BitSet;

/**
 * Lets the members of a team that are alive decide the same, although others die meanwhile.
 *
 * <p>Claim: every member that is not lost decides, and all that are not lost decide the same. How:
 * answers go up a tree and are joined on their way; its root, the lowest member that is not lost,
 * decides, and its verdict goes down the tree. Without a loss that is {@code 2 (p - 1)} messages in
 * {@code 2 log2 p} steps, and a member speaks to its neighbours in the tree only.
 *
 * <p>A root that learns of a loss begins again: it gathers in a tree without the lost, under a
 * higher ballot, and who has begun with a ballot takes part in no lower one. When the root is lost,
 * the lowest that is left does that. A member that has decided answers with its decision, which the
 * root takes over. Who learns of a loss reports it up the tree, or to the root if its own parent is
 * lost, and a member that has decided answers a report with the verdict.
 *
 * <p>Why all decide the same: a root decides when everybody that it does not know to be lost has
 * answered. If one of these has decided before, the root takes that over; who has not, has begun
 * with this ballot, so it does not listen to earlier roots any more: they are lost. A decision that
 * is known to lost members only binds nobody.
 *
 * <p>It relies on losses being true: who is said to be lost must not speak any more, and is not
 * heard. The membership sees to that by fencing what it has given up.
 *
 * <p>Plain; one thread at a time.
 *
 * @source Herault and others, "Practical scalable consensus for pseudo-synchronous distributed
 *     systems", SC 2015 (agreement of ULFM by a tree); Lamport, "The part-time parliament", 1998
 *     (ballots)
 */
final class Agreement {
  /** Where messages and the decision go. */
  interface Output {
    void send(int member, AgreementMessage message);

    void decided(long instance, Decision decision);
  }

  private static final BitSet NOBODY = new BitSet();

  private final int rank;
  private final int size;
  private final long instance;
  private final Output output;

  /** These three are never changed, but exchanged for others: many of a team are empty. */
  private BitSet lost = NOBODY;

  private BitSet reported = NOBODY;

  /** The present ballot, the members that it leaves out, and its tree. */
  private long ballot;

  private BitSet without = NOBODY;

  /** Both null once it is decided: what is kept for members that are late should be little. */
  private BinomialTree tree;

  private BitSet answers = new BitSet();

  private Decision gathered = Decision.NEUTRAL;
  private boolean hasAnswered;
  private Decision own;
  private Decision decision;
  private long spread = -1;

  /**
   * Prepares one agreement.
   *
   * @param instance its number in the team
   */
  Agreement(int rank, int size, long instance, Output output) {
    this.rank = rank;
    this.size = size;
    this.instance = instance;
    this.output = output;
    this.tree = new BinomialTree(rank, size, without);
  }

  /** A root begins again once for each loss; a later root has higher ballots than all earlier. */
  static long ballotsBefore(int root, int size) {
    return root * (size + 1L);
  }

  long instance() {
    return instance;
  }

  /** Null before it is decided. */
  Decision decision() {
    return decision;
  }

  /** Proposes, knowing of some losses. */
  void start(Decision proposal, BitSet knownLost) {
    own = decision == null ? proposal : Decision.NEUTRAL;
    lost = both(lost, knownLost);
    if (decision == null) {
      followLosses();
      goOn();
    }
  }

  boolean hasStarted() {
    return own != null;
  }

  /** Lets members take part that do not know of it: the root tells all. */
  void summon() {
    if (decision != null || ballot > 0) {
      return;
    }
    if (tree.root() == rank) {
      begin(ballot + 1, lost);
      tellChildren(new Gather(instance, ballot, without));
      goOn();
    } else {
      output.send(tree.parent(), new Report(instance, lost));
    }
  }

  /** A member is lost. */
  void lost(int member) {
    if (!lost.get(member)) {
      BitSet more = (BitSet) lost.clone();
      more.set(member);
      lost = more;
      if (decision == null) {
        followLosses();
      }
    }
  }

  /** What a member that leaves has decided. */
  void adopt(int from, Decision decided) {
    if (decision == null && !without.get(from) && !lost.get(from)) {
      decide(decided);
    }
  }

  /** A message of another member came; also before {@link #start}. */
  void received(int from, AgreementMessage message) {
    if (lost.get(from)) {
      return;
    }
    if (message instanceof Gather gather) {
      onGather(from, gather);
    } else if (message instanceof Estimate estimate) {
      onEstimate(from, estimate);
    } else if (message instanceof Verdict verdict) {
      onVerdict(verdict);
    } else if (message instanceof Report report) {
      onReport(from, report);
    }
  }

  private void onGather(int from, Gather gather) {
    if (gather.ballot() <= ballot || gather.without().get(rank)) {
      return;
    }
    lost = both(lost, gather.without());
    begin(gather.ballot(), gather.without());
    if (decision != null) {
      output.send(from, new Estimate(instance, ballot, true, decision));
      return;
    }
    tellChildren(gather);
    followLosses();
    goOn();
  }

  private void onEstimate(int from, Estimate estimate) {
    if (decision != null) {
      if (!estimate.decided()) {
        output.send(from, verdict());
      }
    } else if (estimate.decided()) {
      BinomialTree whole = tree;
      decide(estimate.decision());
      if (whole.root() != rank) {
        output.send(whole.parent(), new Estimate(instance, ballot, true, decision));
      }
    } else if (estimate.ballot() == ballot && tree.children().contains(from)) {
      answers.set(from);
      gathered = gathered.and(estimate.decision());
      goOn();
    }
  }

  private void onVerdict(Verdict verdict) {
    if (decision == null) {
      decide(verdict.decision());
    }
    if (verdict.ballot() > spread && !verdict.without().get(rank)) {
      spread = verdict.ballot();
      for (int child : new BinomialTree(rank, size, verdict.without()).children()) {
        output.send(child, verdict);
      }
    }
  }

  private void onReport(int from, Report report) {
    if (decision != null) {
      output.send(from, verdict());
      return;
    }
    BitSet others = (BitSet) report.lost().clone();
    others.clear(rank);
    lost = both(lost, others);
    followLosses();
  }

  /** Its decision, for others. */
  Verdict verdict() {
    return new Verdict(instance, ballot, without, decision);
  }

  /** Begins again if this is the root, else reports what the root may not know. */
  private void followLosses() {
    if (decision != null || isWithin(lost, without) || isWithin(lost, reported)) {
      return;
    }
    reported = lost;
    int lowest = lost.nextClearBit(0);
    if (lowest == rank) {
      begin(Math.max(ballot + 1, ballotsBefore(rank, size)), lost);
      tellChildren(new Gather(instance, ballot, without));
      goOn();
    } else {
      int to = lost.get(tree.parent()) ? lowest : tree.parent();
      output.send(to, new Report(instance, lost));
    }
  }

  private static BitSet both(BitSet some, BitSet more) {
    if (isWithin(more, some)) {
      return some;
    }
    BitSet all = (BitSet) some.clone();
    all.or(more);
    return all;
  }

  private static boolean isWithin(BitSet some, BitSet all) {
    BitSet rest = (BitSet) some.clone();
    rest.andNot(all);
    return rest.isEmpty();
  }

  private void begin(long number, BitSet leavingOut) {
    ballot = number;
    without = both(NOBODY, leavingOut);
    tree = decision == null ? new BinomialTree(rank, size, without) : null;
    answers = decision == null ? new BitSet() : null;
    gathered = Decision.NEUTRAL;
    hasAnswered = false;
  }

  private void tellChildren(AgreementMessage message) {
    for (int child : tree.children()) {
      output.send(child, message);
    }
  }

  /** Answers, or decides, when all of this part of the tree have answered. */
  private void goOn() {
    if (decision != null || own == null || hasAnswered) {
      return;
    }
    for (int child : tree.children()) {
      if (!answers.get(child)) {
        return;
      }
    }
    hasAnswered = true;
    Decision all = gathered.and(own).losing(lost);
    if (tree.root() == rank) {
      decide(all);
    } else if (!lost.get(tree.parent())) {
      output.send(tree.parent(), new Estimate(instance, ballot, false, all));
    }
  }

  private void decide(Decision decided) {
    decision = decided;
    BinomialTree whole = tree;
    tree = null;
    answers = null;
    reported = null;
    gathered = Decision.NEUTRAL;
    own = own == null ? null : Decision.NEUTRAL;
    spread = Math.max(spread, ballot);
    for (int child : whole.children()) {
      output.send(child, verdict());
    }
    output.decided(instance, decided);
  }
}
