package io.tagfabric.collective.run;

import io.tagfabric.collective.run.ControlMessage.AgreementMessage;
import io.tagfabric.collective.run.ControlMessage.Verdict;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressFuture;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The agreements of one member of a team: those that members call, by their number; those that end
 * the making of a team, by the number of the collective that made it; and those on who has made a
 * call that is overdue, by minus its number, in which every member takes part that hears of it.
 * Some members may agree among themselves. In one JVM the members agree in their {@link TeamCells}.
 * Only passes of the loop touch it.
 */
final class TeamAgreements {
  /** So many that are decided here answer members that are late. */
  private static final int KEPT = 64;

  /** So many of them are told to those who stay. */
  private static final int RECENT = 4;

  /** So many may wait for this member's call; more are no program's. */
  static final int MOST_OPEN = 1024;

  /** Agreements among some members are numbered from here, by a hash of who they are. */
  private static final long AMONG = 1L << 62;

  /** What came for an agreement among some before this member has called it. */
  private record Early(int from, AgreementMessage message) {}

  private final Members members;
  private final TeamCells cells;
  private final Sender sender;
  private final Calls calls;
  private final Agreement.Output allMembers = new AllMembers();
  private final Map<Long, Agreement> all = new LinkedHashMap<>();
  private final Map<Long, ProgressFuture<Decision>> waiting = new HashMap<>();
  private final Map<Long, List<Integer>> groups = new HashMap<>();
  private final Map<List<Integer>, Integer> times = new HashMap<>();
  private final Map<Long, List<Early>> tooEarly = new HashMap<>();
  private int early;

  /** Those by which teams are made, until this member knows how they have ended. */
  private final Set<Long> makings = new HashSet<>();

  /** How to take back what this member has proposed in cells. */
  private final Map<Long, BooleanSupplier> withdrawals = new HashMap<>();

  private BitSet lost = new BitSet();
  private long called;
  private boolean closed;

  /** Why this member takes part in none any more; null if it does. */
  private FabricException abandoned;

  private Runnable onOver = () -> {};

  /** What an agreement on an overdue call asks and tells. */
  interface Calls {
    /** A number for what this member has called; the same for all that call the same. */
    OptionalInt made(long epoch);

    /**
     * Who has made it.
     *
     * @param made by rank, with that number
     * @param gone who need not
     */
    void onMade(long epoch, Map<Integer, Integer> made, BitSet gone);

    /** A member breaks the rules of agreements. */
    void onBroken(TeamFailure failure);
  }

  /** Sends a control message to a member. */
  interface Sender {
    void send(int member, ControlMessage message);
  }

  TeamAgreements(Members members, TeamCells cells, Sender sender, Calls calls) {
    this.calls = calls;
    this.members = members;
    this.cells = cells;
    this.sender = sender;
  }

  /** The next one that all members call. */
  void call(Decision proposal, ProgressFuture<Decision> future) {
    start(2 * called++, proposal, future);
  }

  /** The one that ends the making of a team. */
  void afterCall(long epoch, Decision proposal, ProgressFuture<Decision> future) {
    start(2 * epoch + 1, proposal, future);
  }

  /** A call has taken too long: all members say whether they have made it. */
  void overdue(long epoch) {
    if (!closed) {
      takePart(-1 - epoch);
    }
  }

  private void takePart(long instance) {
    Agreement agreement = agreement(instance);
    if (!agreement.hasStarted()) {
      OptionalInt call = calls.made(-1 - instance);
      MemberNumbers made =
          call.isPresent() ? MemberNumbers.of(members.rank(), call.getAsInt()) : MemberNumbers.NONE;
      agreement.start(new Decision(-1L, lost, made), lost);
      agreement.summon();
    }
  }

  private void start(long instance, Decision proposal, ProgressFuture<Decision> future) {
    if (closed) {
      failClosed(future);
      return;
    }
    waiting.put(instance, future);
    if (instance % 2 != 0 || !proposal.numbers().isEmpty()) {
      makings.add(instance);
    }
    if (cells != null) {
      agreeInCells(members.everybody(), members.rank(), instance, proposal);
      return;
    }
    Agreement agreement = agreement(instance);
    if (agreement.decision() == null) {
      agreement.start(proposal.losing(lost), lost);
    } else {
      decided(instance, agreement.decision());
    }
  }

  private void agreeInCells(List<Integer> ranks, int place, long instance, Decision proposal) {
    withdrawals.put(
        instance,
        cells.agree(
            ranks,
            place,
            instance,
            proposal,
            decision -> members.domain().loop().execute(() -> decided(instance, decision))));
  }

  /** Agrees with some members only; each list of ranks counts its agreements. */
  void among(List<Integer> ranks, BitSet gone, int number, ProgressFuture<Decision> future) {
    if (closed) {
      failClosed(future);
      return;
    }
    int time = times.merge(ranks, 1, Integer::sum);
    long instance = AMONG | CallSignature.mix(hashOf(ranks), time) >>> 2;
    int place = ranks.indexOf(members.rank());
    waiting.put(instance, future);
    makings.add(instance);
    Decision proposal = new Decision(-1L, new BitSet(), MemberNumbers.of(place, number));
    if (cells != null) {
      agreeInCells(ranks, place, instance, proposal);
      return;
    }
    Agreement agreement = new Agreement(place, ranks.size(), instance, new GroupOutput(ranks));
    groups.put(instance, ranks);
    all.put(instance, agreement);
    for (int other = 0; other < ranks.size(); other++) {
      if (gone.get(ranks.get(other))) {
        agreement.lost(other);
      }
    }
    agreement.start(proposal, new BitSet());
    List<Early> came = tooEarly.remove(instance);
    if (came != null) {
      early -= came.size();
      came.forEach(each -> received(each.from, each.message));
    }
  }

  private static long hashOf(List<Integer> ranks) {
    long hash = ranks.size();
    for (int rank : ranks) {
      hash = CallSignature.mix(hash, rank);
    }
    return hash;
  }

  private Agreement agreement(long instance) {
    Agreement known = all.get(instance);
    if (known == null) {
      known = new Agreement(members.rank(), members.size(), instance, allMembers);
      all.put(instance, known);
      lost.stream().forEach(known::lost);
    }
    return known;
  }

  private void decided(long instance, Decision decision) {
    if (instance < 0) {
      Map<Integer, Integer> made = new HashMap<>();
      decision.numbers().forEach(made::put);
      calls.onMade(-1 - instance, made, decision.lost());
    }
    withdrawals.remove(instance);
    ProgressFuture<Decision> future = waiting.remove(instance);
    if (future != null) {
      members.domain().futures().complete(future, decision);
    }
    forgetOldest();
    if (makings.remove(instance) && closed && makings.isEmpty()) {
      onOver.run();
    }
  }

  private void forgetOldest() {
    Iterator<Agreement> oldest = all.values().iterator();
    for (int surplus = all.size() - KEPT; surplus > 0 && oldest.hasNext(); surplus--) {
      Agreement agreement = oldest.next();
      if (agreement.decision() != null) {
        oldest.remove();
        groups.remove(agreement.instance());
      }
    }
  }

  void received(int from, AgreementMessage message) {
    if (abandoned != null) {
      return;
    }
    if (message.instance() >= AMONG) {
      List<Integer> ranks = groups.get(message.instance());
      if (ranks == null) {
        keep(new Early(from, message));
      } else if (ranks.contains(from)) {
        all.get(message.instance()).received(ranks.indexOf(from), message);
      }
      return;
    }
    if (!all.containsKey(message.instance()) && all.size() >= KEPT + MOST_OPEN) {
      tooMany(from, "agreements");
      return;
    }
    agreement(message.instance()).received(from, message);
    if (message.instance() < 0 && !closed) {
      takePart(message.instance());
    }
  }

  /** Until this member makes the call, too. */
  private void keep(Early message) {
    if (early == MOST_OPEN) {
      tooMany(message.from, "messages for calls of createFrom");
      return;
    }
    early++;
    tooEarly.computeIfAbsent(message.message.instance(), notUsed -> new ArrayList<>()).add(message);
  }

  private void tooMany(int from, String what) {
    calls.onBroken(
        TeamFailure.atFault(
            from,
            FabricError.INVALID,
            "goes on beyond "
                + MOST_OPEN
                + " "
                + what
                + " that rank "
                + members.rank()
                + " has not made, make the same calls at all members"));
  }

  /** Messages that wait for a call of this member. */
  int early() {
    return early;
  }

  /** A member that leaves tells what it has decided. */
  void adopt(int from, List<Verdict> verdicts) {
    verdicts.forEach(verdict -> agreement(verdict.instance()).adopt(from, verdict.decision()));
  }

  /** What those who stay may not have heard. */
  List<Verdict> recent() {
    List<Verdict> recent = new ArrayList<>();
    for (Agreement each : all.values()) {
      if (each.decision() != null && each.instance() < AMONG) {
        recent.add(each.verdict());
      }
    }
    return recent.subList(Math.max(0, recent.size() - RECENT), recent.size());
  }

  /**
   * A member is gone.
   *
   * @param gone all that are
   */
  void lost(int member, BitSet gone) {
    lost = gone;
    for (Agreement each : List.copyOf(all.values())) {
      List<Integer> ranks = groups.get(each.instance());
      int place = ranks == null ? member : ranks.indexOf(member);
      if (place >= 0) {
        each.lost(place);
      }
    }
  }

  /**
   * Takes no more calls, and fails those that others need not hear the end of.
   *
   * @param whenOver runs once the others cannot make a team any more that this one has begun
   * @return whether it is so already
   */
  boolean close(Runnable whenOver) {
    closed = true;
    onOver = whenOver;
    for (long instance : List.copyOf(waiting.keySet())) {
      BooleanSupplier withdrawal = withdrawals.get(instance);
      if (withdrawal == null ? !makings.contains(instance) : withdrawal.getAsBoolean()) {
        withdrawals.remove(instance);
        makings.remove(instance);
        failClosed(waiting.remove(instance));
      }
    }
    return makings.isEmpty();
  }

  /** Ends all at once, and takes part in none from now on. */
  void abandon(FabricException why) {
    closed = true;
    abandoned = why;
    makings.clear();
    tooEarly.clear();
    early = 0;
    waiting.values().forEach(this::failClosed);
    waiting.clear();
  }

  /** Ends all at once, as the team is closed here. */
  void abandon() {
    abandon(abandoned == null ? closedTeam() : abandoned);
  }

  private void failClosed(ProgressFuture<Decision> future) {
    members.domain().futures().fail(future, abandoned == null ? closedTeam() : abandoned);
  }

  private FabricException closedTeam() {
    return new FabricException(FabricError.CANCELED, "team " + members.context() + " is closed");
  }

  private final class GroupOutput implements Agreement.Output {
    private final List<Integer> ranks;

    GroupOutput(List<Integer> ranks) {
      this.ranks = ranks;
    }

    @Override
    public void send(int place, AgreementMessage message) {
      sender.send(ranks.get(place), message);
    }

    @Override
    public void decided(long instance, Decision decision) {
      TeamAgreements.this.decided(instance, decision);
    }
  }

  private final class AllMembers implements Agreement.Output {
    @Override
    public void send(int member, AgreementMessage message) {
      sender.send(member, message);
    }

    @Override
    public void decided(long instance, Decision decision) {
      TeamAgreements.this.decided(instance, decision);
    }
  }
}
