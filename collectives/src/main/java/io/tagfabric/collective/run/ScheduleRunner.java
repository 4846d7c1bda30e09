package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.algorithm.TwoLevel;
import io.tagfabric.collective.choose.AlgorithmChooser;
import io.tagfabric.collective.host.SharedLayout;
import io.tagfabric.collective.run.ControlMessage.CallAnswer;
import io.tagfabric.collective.run.ControlMessage.CallQuestion;
import io.tagfabric.collective.run.ControlMessage.Notice;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressLoop;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Does the collectives of one member of a team: gives each call its number, chooses how it is done,
 * runs its schedules, and ends all of them when the team breaks.
 *
 * <p>The n-th call of a member meets the n-th of every other. Calls may overlap.
 *
 * <p>A team breaks for good when a member is lost, revokes it, or has called something else; then
 * what is under way and every later call fail with an error that names the member. {@link #agree}
 * works on.
 *
 * <p>Thread: any; the state lives on the domain's loop.
 */
@InternalApi
public final class ScheduleRunner {
  private final Members members;
  private final CollectiveSettings settings;
  private final AlgorithmChooser chooser;
  private final TeamPort port;
  private final TeamControl control;
  private final TeamCells cells;
  private final CallWatch watch;
  private final SharedTier host;
  private final TwoLevelTier levels;

  // Only passes of the loop touch these, save that broken is read by any thread.
  private final Set<CallRun> underWay = new LinkedHashSet<>();
  private long nextEpoch;
  private boolean closed;
  private volatile TeamException broken;

  private ScheduleRunner(Members members, CollectiveSettings settings) {
    this.members = members;
    this.settings = settings;
    this.chooser = new AlgorithmChooser(settings.forced(), settings.decisions(), members.hosts());
    this.port = new TeamPort(members);
    this.cells =
        settings.sharedCell() && members.shareVm()
            ? TeamCells.join(members, this::onCellsFailed)
            : null;
    this.watch = new CallWatch(members, cells, underWay, failure -> breakUp(failure, true));
    this.control = new TeamControl(port, cells, new ControlEvents(), watch);
    watch.open(control);
    boolean sharesMemory = cells == null && settings.sharedMemory().serves(members);
    int[] company = sharesMemory ? members.company() : new int[0];
    this.host =
        company.length > 1
            ? new SharedTier(
                members,
                company,
                settings,
                control,
                failure -> breakUp(failure, true),
                watch::differs)
            : null;
    this.levels =
        sharesMemory && members.hosts().isNested() ? new TwoLevelTier(port, host, settings) : null;
  }

  private void onCellsFailed(TeamFailure failure) {
    members.domain().loop().execute(() -> breakUp(failure, false));
  }

  /** Joins the team. Nothing is sent: a member may call before the others have opened. */
  public static ScheduleRunner open(Members members, CollectiveSettings settings) {
    ScheduleRunner runner = new ScheduleRunner(members, settings);
    runner.control.open();
    return runner;
  }

  /** The members. */
  public Members members() {
    return members;
  }

  /** How collectives are done. */
  public CollectiveSettings settings() {
    return settings;
  }

  /**
   * Starts a collective and returns at once.
   *
   * @return completes when this member has its result and may use all memory of the call again;
   *     waiting for it drives the domain. Fails with a {@link FabricException} that names a member
   *     if the team is or gets broken, with CANCELED if this member closes it
   * @throws IllegalArgumentException if lengths do not fit, the operator does not do the kind, or
   *     an algorithm is forced that cannot do the call
   */
  public CompletionStage<CollectiveCompletion> start(CollectiveCall call) {
    return start(call, settings.timeout());
  }

  /**
   * The same within a time.
   *
   * @param timeout after which the team breaks with TIMED_OUT if the call has not ended; the error
   *     names members that have not made it. Zero for never
   */
  public CompletionStage<CollectiveCompletion> start(CollectiveCall call, Duration timeout) {
    return start(prepare(call), timeout, epoch -> {});
  }

  /**
   * A call whose arguments are checked and whose algorithm is chosen.
   *
   * @param algorithm null if none is needed unless memory cannot be shared
   */
  @InternalApi
  public record Prepared(CollectiveCall call, Shape shape, Algorithm algorithm) {}

  /**
   * Prepares a call to start it many times.
   *
   * @throws IllegalArgumentException as {@link #start(CollectiveCall)}
   */
  public Prepared prepare(CollectiveCall call) {
    Shape shape = call.shape(members.rank(), members.size());
    return new Prepared(
        call, shape, usesCell(call) || usesHost(call) ? null : algorithm(call, shape));
  }

  /** Starts a prepared call. */
  public CompletionStage<CollectiveCompletion> start(Prepared prepared) {
    return start(prepared, settings.timeout(), epoch -> {});
  }

  private ProgressFuture<CollectiveCompletion> start(
      Prepared prepared, Duration timeout, LongConsumer onBegun) {
    CollectiveCall call = prepared.call();
    Shape shape = prepared.shape();
    Algorithm algorithm = prepared.algorithm();
    ProgressFuture<CollectiveCompletion> future = members.domain().futures().create();
    TeamException failure = broken;
    if (failure != null) {
      future.completeExceptionally(failure);
    } else {
      ProgressLoop loop = members.domain().loop();
      if (loop.tryEnter()) {
        try {
          begin(call, shape, algorithm, future, timeout, onBegun);
        } finally {
          loop.leave();
        }
      } else {
        loop.execute(() -> begin(call, shape, algorithm, future, timeout, onBegun));
      }
    }
    return future;
  }

  private Algorithm algorithm(CollectiveCall call, Shape shape) {
    return chooser.choose(
        call.collective(),
        call.agreedBytes(shape),
        call.operator() != null && !call.operator().commutative(),
        call.irregular());
  }

  private boolean usesCell(CollectiveCall call) {
    return cells != null && !settings.forced().containsKey(call.collective());
  }

  private boolean usesHost(CollectiveCall call) {
    return host != null
        && levels == null
        && !call.irregular()
        && call.collective() != Collective.NEIGHBOUR_EXCHANGE
        && fitsMemory(call)
        && !settings.forced().containsKey(call.collective());
  }

  /** Whether an element has room in a piece of a host's memory; the same at all members. */
  private boolean fitsMemory(CollectiveCall call) {
    int slice = SharedLayout.sliceBytes(members.hosts().most(), settings.chunkBytes());
    return call.output().kind().bytes() <= slice;
  }

  private boolean usesLevels(CollectiveCall call, Algorithm algorithm) {
    return levels != null
        && algorithm instanceof TwoLevel
        && fitsMemory(call)
        && !settings.forced().containsKey(call.collective());
  }

  private void begin(
      CollectiveCall call,
      Shape shape,
      Algorithm algorithm,
      ProgressFuture<CollectiveCompletion> future,
      Duration timeout,
      LongConsumer onBegun) {
    TeamFailure gone = control.goneBefore(nextEpoch);
    if (broken == null && gone != null) {
      breakUp(gone, true);
    }
    if (broken != null) {
      members.domain().futures().fail(future, broken);
      return;
    }
    onBegun.accept(nextEpoch);
    CallRun run = run(call, shape, algorithm, nextEpoch++, future);
    underWay.add(run);
    try {
      watch.add(run, timeout);
      run.start();
    } catch (Throwable e) { // whatever it is, the others must not wait for this member
      breakUp(TeamFailure.thrown(members.rank(), e), true);
    }
  }

  private CallRun run(
      CollectiveCall call,
      Shape shape,
      Algorithm algorithm,
      long epoch,
      ProgressFuture<CollectiveCompletion> future) {
    if (usesCell(call)) {
      return new CellRun(cells, call.apart(), shape, epoch, future, this::onCellEnded);
    }
    if (algorithm == null) {
      return new SharedRun(host, call, shape, epoch, future, new RunEvents(), this::sendInstead);
    }
    if (usesLevels(call, algorithm)) {
      TwoLevel twoLevel = (TwoLevel) algorithm;
      return new TwoLevelRun(levels, call, shape, twoLevel, epoch, future, new RunEvents());
    }
    return new MessageRun(
        port, call.apart(), shape, algorithm, settings, epoch, future, new RunEvents());
  }

  /** The host's memory is not used. */
  private void sendInstead(SharedRun run) {
    if (underWay.remove(run)) {
      MessageRun instead =
          new MessageRun(
              port,
              run.call().apart(),
              run.shape(),
              algorithm(run.call(), run.shape()),
              settings,
              run.epoch(),
              run.future(),
              new RunEvents());
      underWay.add(instead);
      instead.start();
    }
  }

  /** On the thread of the last member to come, which may drive this member's loop, too. */
  private void onCellEnded(CellRun run, TeamFailure failure) {
    ProgressLoop loop = members.domain().loop();
    if (loop.isDriving()) {
      cellEnded(run, failure);
    } else {
      loop.execute(() -> cellEnded(run, failure));
    }
  }

  private void cellEnded(CellRun run, TeamFailure failure) {
    if (!underWay.remove(run)) {
      return;
    }
    if (failure == null) {
      members.domain().futures().complete(run.future(), run.completion());
    } else {
      breakUp(failure, false);
      members.domain().futures().fail(run.future(), broken);
    }
  }

  /** Ends everything under way. */
  private boolean breakUp(TeamFailure failure, boolean tellOthers) {
    if (broken != null) {
      return false;
    }
    control.noteGone(failure);
    broken =
        new TeamException(
            failure,
            gone().stream().boxed().toList(),
            "team "
                + members.context()
                + ": "
                + members.named(failure.member())
                + " "
                + failure.detail());
    for (CallRun run : List.copyOf(underWay)) {
      if (run.abandon()) {
        underWay.remove(run);
        members.domain().futures().fail(run.future(), broken);
      }
    }
    port.dropLateSteps();
    if (host != null) {
      host.close();
    }
    if (tellOthers) {
      control.tell(Notice.of(failure));
      if (cells != null) {
        cells.fail(failure);
      }
    }
    if (failure.isFatal() && failure.member() == members.rank()) {
      DomainEnd.begin(members.domain(), broken);
    }
    return true;
  }

  /**
   * Breaks the team at all members, also those that wait in a collective. Idempotent.
   *
   * @source MPI-5.0 (ULFM), MPI_Comm_revoke
   */
  public void revoke() {
    members
        .domain()
        .loop()
        .execute(
            () ->
                breakUp(
                    TeamFailure.atFault(members.rank(), FabricError.BAD_STATE, "has revoked it"),
                    true));
  }

  /**
   * Agrees with all members that are alive, also in a broken team.
   *
   * @param flag bits; those that all propose come back
   * @param numbers by which this member will tell a new team apart; may be empty
   */
  public CompletionStage<Decision> agree(long flag, List<Decision.Numbered> numbers) {
    ProgressFuture<Decision> future = members.domain().futures().create();
    members
        .domain()
        .loop()
        .execute(
            () -> control.agreements().call(new Decision(flag, control.gone(), numbers), future));
    return future;
  }

  /**
   * Agrees with some members on the numbers of a new team of them. They call it, and nobody else.
   *
   * @param ranks these members in the order of the new team, this one among them
   * @param number by which this member will tell the new team apart
   * @return with numbers by the places in the new team
   */
  public CompletionStage<Decision> agreeAmong(List<Integer> ranks, int number) {
    ProgressFuture<Decision> future = members.domain().futures().create();
    members
        .domain()
        .loop()
        .execute(() -> control.agreements().among(ranks, control.gone(), number, future));
    return future;
  }

  /**
   * Starts a collective that must be good at all members that are alive, or at none.
   *
   * @return who is gone since; fails at all of them if it has failed at one
   */
  public CompletionStage<Decision> startForAll(CollectiveCall call) {
    AtomicLong epoch = new AtomicLong(-1);
    CompletionStage<CollectiveCompletion> done =
        start(prepare(call), settings.timeout(), epoch::set);
    if (cells != null) { // it ends there for all at once
      return done.thenApply(notUsed -> Decision.NEUTRAL);
    }
    ProgressFuture<Decision> agreed = members.domain().futures().create();
    done.whenComplete(
        (notUsed, failure) -> {
          if (failure != null) {
            agreed.completeExceptionally(failure);
          }
          if (epoch.get() >= 0) {
            members.domain().loop().execute(() -> vote(epoch.get(), failure == null, agreed));
          }
        });
    return agreed;
  }

  private void vote(long epoch, boolean isGood, ProgressFuture<Decision> agreed) {
    ProgressFuture<Decision> decided = members.domain().futures().create();
    CompletionStage<Decision> stage = decided;
    stage.whenComplete(
        (decision, failure) -> {
          if (failure != null) {
            agreed.completeExceptionally(failure);
          } else if (decision.flag() == 1) {
            agreed.complete(decision);
          } else {
            agreed.completeExceptionally(
                broken != null
                    ? broken
                    : new FabricException(
                        FabricError.OTHER,
                        "team " + members.context() + ": a call has failed at another member"));
          }
        });
    Decision proposal = new Decision(isGood ? 1 : 0, control.gone(), List.of());
    control.agreements().afterCall(epoch, proposal, decided);
  }

  /** Messages that wait for a call of {@link #agreeAmong}. For tests; on the loop, or beside it. */
  public int earlyMessages() {
    return control.agreements().early();
  }

  /** Why the team is broken, null if it is not. */
  public TeamException failure() {
    return broken;
  }

  /** The members known to be lost, or to have left. Thread: any. */
  public BitSet gone() {
    BitSet ranks = control.gone();
    if (cells != null) {
      ranks.or(cells.gone());
    }
    return ranks;
  }

  /** Leaves the team. Calls under way fail with CANCELED, here and at the others. Idempotent. */
  public void close() {
    members.domain().loop().execute(this::leave);
  }

  private void leave() {
    if (closed) {
      return;
    }
    closed = true;
    long calls = nextEpoch;
    for (CallRun run : underWay) {
      calls = Math.min(calls, run.epoch());
    }
    control.close(calls);
    leaveHost();
    breakUp(TeamFailure.lost(members.rank(), FabricError.CANCELED, "has closed it"), false);
    if (cells != null) {
      cells.leave(members.rank(), calls);
    }
  }

  /** In a broken team this member is not the one to name. */
  private void leaveHost() {
    if (host != null && broken == null) {
      host.leave();
    }
  }

  private final class RunEvents implements CallRun.Listener {
    @Override
    public void onDone(CallRun run, CollectiveCompletion completion) {
      if (underWay.remove(run)) {
        members.domain().futures().complete(run.future(), completion);
      }
    }

    @Override
    public void onFailed(TeamFailure failure) {
      breakUp(failure, true);
    }

    @Override
    public void onDifferent(int member) {
      watch.differs(member);
    }
  }

  private final class ControlEvents implements TeamControl.Listener {
    @Override
    public boolean onFailure(TeamFailure failure) {
      return breakUp(failure, true);
    }

    @Override
    public void onMessage(int from, ControlMessage message) {
      if (message instanceof CallQuestion question) {
        watch.onQuestion(from, question);
      } else if (message instanceof CallAnswer answer) {
        watch.onAnswer(from, answer);
      } else if (host != null) {
        host.onMessage(from, message);
      }
    }

    /**
     * Others may still be finishing what this member has finished; in a cell all finish together.
     */
    @Override
    public void onClosed(TeamFailure failure) {
      leaveHost();
      breakUp(failure, !underWay.isEmpty());
      if (cells != null) {
        cells.fail(failure);
      }
    }

    @Override
    public void onGone(TeamFailure failure, long calls) {
      if (calls == Long.MAX_VALUE && host != null) {
        host.gone(failure.member());
      }
      if (watch.hasAsked(failure.member())
          || underWay.stream().anyMatch(run -> run.epoch() >= calls)) {
        breakUp(failure, true);
      }
    }
  }
}
