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
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
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
  private final int rank;
  private final int size;
  private final ProgressLoop loop;
  private final ProgressFutures futures;
  private final CollectiveSettings settings;
  private final AlgorithmChooser chooser;
  private final TeamPort port;
  private final TeamControl control;
  private final TeamCells cells;
  private final CallWatch watch;
  private final SharedTier host;
  private final TwoLevelTier levels;

  // Only passes of the loop touch these, save that broken is read by any thread.
  private final CallList underWay = new CallList();
  private final CallRun.Listener runEvents = new RunEvents();
  private final BiConsumer<CellRun, TeamFailure> cellEnd = this::onCellEnded;
  private long nextEpoch;
  private boolean closed;
  private volatile TeamException broken;

  private ScheduleRunner(Members members, CollectiveSettings settings) {
    this.members = members;
    this.rank = members.rank();
    this.size = members.size();
    this.loop = members.domain().loop();
    this.futures = members.domain().futures();
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
    if (host != null) {
      control.use(host);
    }
    this.levels =
        sharesMemory && members.hosts().isNested() ? new TwoLevelTier(port, host, settings) : null;
  }

  private void onCellsFailed(TeamFailure failure) {
    loop.execute(() -> breakUp(failure, false));
  }

  /** Joins the team. Nothing is sent: a member may call before the others have opened. */
  public static ScheduleRunner open(Members members, CollectiveSettings settings) {
    ScheduleRunner runner = new ScheduleRunner(members, settings);
    runner.onLoop(runner.control::open);
    return runner;
  }

  /** Runs something on the loop: now if that can be had, else in a later pass. */
  private void onLoop(Runnable work) {
    if (loop.tryEnter()) {
      try {
        work.run();
      } finally {
        loop.leave();
      }
    } else {
      loop.execute(work);
    }
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
    return start(call, timeout, epoch -> {});
  }

  /**
   * Prepares a call to start it many times.
   *
   * @throws IllegalArgumentException as {@link #start(CollectiveCall)}
   */
  public PreparedRun prepare(CollectiveCall call) {
    Shape shape = call.shape(rank, size);
    return new PreparedRun(this, call, shape, algorithmIfSent(call, shape));
  }

  /** Null if it is not sent, unless memory cannot be shared. */
  private Algorithm algorithmIfSent(CollectiveCall call, Shape shape) {
    return usesCell(call) || usesHost(call) ? null : algorithm(call, shape);
  }

  /** Starts a prepared call. On the loop. */
  void begin(PreparedRun prepared) {
    if (isBroken()) {
      prepared.failed(broken);
      return;
    }
    CallRun run = prepared.run();
    if (run == null || !run.again(nextEpoch)) {
      run = run(prepared.call(), prepared.shape(), prepared.algorithm(), nextEpoch, prepared);
      prepared.run(run);
    }
    nextEpoch++;
    begin(run, settings.timeout());
  }

  private ProgressFuture<CollectiveCompletion> start(
      CollectiveCall call, Duration timeout, LongConsumer onBegun) {
    Shape shape = call.shape(rank, size);
    Algorithm algorithm = algorithmIfSent(call, shape);
    ProgressFuture<CollectiveCompletion> future = futures.create();
    TeamException failure = broken;
    if (failure != null) {
      future.completeExceptionally(failure);
    } else {
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
    CallEnd end = CallEnd.of(future, futures);
    if (isBroken()) {
      end.failed(broken);
      return;
    }
    onBegun.accept(nextEpoch);
    begin(run(call, shape, algorithm, nextEpoch++, end), timeout);
  }

  /** Whether the next call cannot begin. */
  private boolean isBroken() {
    TeamFailure gone = control.goneBefore(nextEpoch);
    if (broken == null && gone != null) {
      breakUp(gone, true);
    }
    return broken != null;
  }

  private void begin(CallRun run, Duration timeout) {
    underWay.add(run);
    try {
      if (!(run instanceof CellRun)) {
        watch.add(run, timeout);
      } else if (!timeout.isZero()) {
        watch.limit(run, timeout);
      }
      run.start();
    } catch (Throwable e) { // whatever it is, the others must not wait for this member
      breakUp(TeamFailure.thrown(rank, e), true);
    }
  }

  private CallRun run(
      CollectiveCall call, Shape shape, Algorithm algorithm, long epoch, CallEnd end) {
    if (usesCell(call)) {
      return new CellRun(cells, call, shape, epoch, end, loop.time(), cellEnd);
    }
    if (algorithm == null) {
      return new SharedRun(host, call, shape, epoch, end, runEvents, this::sendInstead);
    }
    if (usesLevels(call, algorithm)) {
      TwoLevel twoLevel = (TwoLevel) algorithm;
      return new TwoLevelRun(levels, call, shape, twoLevel, epoch, end, runEvents);
    }
    return new MessageRun(port, call, shape, algorithm, settings, epoch, end, runEvents);
  }

  /** The host's memory is not used. */
  private void sendInstead(SharedRun run) {
    if (underWay.remove(run)) {
      MessageRun instead =
          new MessageRun(
              port,
              run.call(),
              run.shape(),
              algorithm(run.call(), run.shape()),
              settings,
              run.epoch(),
              run.end(),
              runEvents);
      underWay.add(instead);
      instead.start();
    }
  }

  /** On the thread of the last member to come, which may drive this member's loop, too. */
  private void onCellEnded(CellRun run, TeamFailure failure) {
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
      run.endedWell();
      run.end().completed(run);
    } else {
      breakUp(failure, false);
      run.end().failed(broken);
    }
  }

  /** Ends everything under way. */
  private boolean breakUp(TeamFailure failure, boolean tellOthers) {
    if (broken != null) {
      return false;
    }
    control.noteGone(failure);
    broken = failure.exception(members, gone());
    for (CallRun run : underWay.copy()) {
      if (run.abandon()) {
        underWay.remove(run);
        run.end().failed(broken);
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
    if (failure.isFatal() && failure.member() == rank) {
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
    loop.execute(
        () -> breakUp(TeamFailure.atFault(rank, FabricError.BAD_STATE, "has revoked it"), true));
  }

  /**
   * Agrees with all members that are alive, also in a broken team.
   *
   * @param flag bits; those that all propose come back
   * @param numbers by which this member will tell a new team apart; may be empty
   */
  public CompletionStage<Decision> agree(long flag, MemberNumbers numbers) {
    ProgressFuture<Decision> future = futures.create();
    loop.execute(
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
    ProgressFuture<Decision> future = futures.create();
    loop.execute(() -> control.agreements().among(ranks, control.gone(), number, future));
    return future;
  }

  /**
   * Starts a collective that must be good at all members that are alive, or at none.
   *
   * @return who is gone since; fails at all of them if it has failed at one
   */
  public CompletionStage<Decision> startForAll(CollectiveCall call) {
    AtomicLong epoch = new AtomicLong(-1);
    CompletionStage<CollectiveCompletion> done = start(call, settings.timeout(), epoch::set);
    if (cells != null) { // it ends there for all at once
      return done.thenApply(notUsed -> Decision.NEUTRAL);
    }
    ProgressFuture<Decision> agreed = futures.create();
    done.whenComplete(
        (notUsed, failure) -> {
          if (failure != null) {
            agreed.completeExceptionally(failure);
          }
          if (epoch.get() >= 0) {
            loop.execute(() -> vote(epoch.get(), failure == null, agreed));
          }
        });
    return agreed;
  }

  private void vote(long epoch, boolean isGood, ProgressFuture<Decision> agreed) {
    ProgressFuture<Decision> decided = futures.create();
    CompletionStage<Decision> stage = decided;
    stage.whenComplete(
        (decision, failure) -> {
          if (failure != null) {
            agreed.completeExceptionally(failure);
          } else if (decision.flag() == 1) {
            agreed.complete(decision);
          } else {
            agreed.completeExceptionally(broken != null ? broken : failedElsewhere(decision));
          }
        });
    Decision proposal = new Decision(isGood ? 1 : 0, control.gone(), MemberNumbers.NONE);
    control.agreements().afterCall(epoch, proposal, decided);
  }

  /** Why a call of all is not good, if this member's has ended well. */
  private FabricException failedElsewhere(Decision decision) {
    int gone = decision.lost().nextSetBit(0);
    String team = "team " + members.context() + ": ";
    return gone < 0
        ? new FabricException(FabricError.OTHER, team + "a call has failed at another member")
        : new FabricException(
            FabricError.CONNECTION_RESET, team + members.named(gone) + " is gone");
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
    loop.execute(this::leave);
  }

  private void leave() {
    if (closed) {
      return;
    }
    closed = true;
    long calls = nextEpoch;
    for (CallRun run : underWay.copy()) {
      calls = Math.min(calls, run.epoch());
    }
    control.close(calls);
    leaveHost();
    breakUp(TeamFailure.lost(rank, FabricError.CANCELED, "has closed it"), false);
    if (cells != null) {
      cells.leave(rank, calls);
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
    public void onDone(CallRun run) {
      if (underWay.remove(run)) {
        run.end().completed(run);
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
        cells.leave(rank, 0); // nobody need close the team of an endpoint that is closed
      }
    }

    @Override
    public void onGone(TeamFailure failure, long calls) {
      if (calls == Long.MAX_VALUE && host != null) {
        host.gone(failure.member());
      }
      if (watch.hasAsked(failure.member()) || underWay.has(run -> run.epoch() >= calls)) {
        breakUp(failure, true);
      }
    }
  }
}
