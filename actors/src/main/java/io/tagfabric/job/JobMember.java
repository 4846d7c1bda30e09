package io.tagfabric.job;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.runtime.Mail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * A rank's side of {@link JobCoordinator}: asks until it is answered, keeps the table of ranks, and
 * knows which of them are gone.
 */
final class JobMember extends AbstractBehavior<JobMember.Command> {
  /** Name of the actor below {@code /system}. */
  static final String NAME = JobCoordinator.NAME + "-member";

  /** What a rank's member can be told. */
  sealed interface Command {}

  /** The coordinator lets this rank in. */
  record Welcome(ActorRef<JobCoordinator.Command> coordinator) implements Command, JobMessage {}

  /** The coordinator does not, or the job will never start. */
  record Refused(FabricError error, String why) implements Command, JobMessage {}

  /** The job has not started, because of others. */
  record Waiting(String missing) implements Command, JobMessage {}

  /** The job has started. */
  record Table(RankMap ranks) implements Command, JobMessage {}

  /** All have come to a barrier. */
  record Released(long number) implements Command, JobMessage {}

  /** Some have not. */
  record Absent(long number, List<Integer> ranks) implements Command, JobMessage {}

  /** No rank has anything to do any more. */
  record AllLeaving() implements Command, JobMessage {}

  /** This rank's endpoint is open. */
  record Opened(EndpointAddress address) implements Command {}

  /**
   * Come to the next barrier, or go on waiting at one that timed out.
   *
   * @param timeout how long to wait, null for ever
   */
  record EnterBarrier(Duration timeout, CompletableFuture<Void> released) implements Command {}

  /** A node has gone from the cluster. */
  record NodeGone(String node, long incarnation, boolean orderly, String detail)
      implements Command {}

  /**
   * The launcher says that a rank's process has ended.
   *
   * @param formed whether the ranks had met by then, of which this one may not have heard yet
   */
  record ProcessEnded(int rank, int code, boolean formed) implements Command {}

  /** The job ends. */
  record Ending(ExitNotice notice) implements Command {}

  /** Tell the coordinator that this rank has nothing more to do. */
  enum SayLeaving implements Command {
    INSTANCE
  }

  private enum AskTick implements Command {
    INSTANCE
  }

  private enum StartTick implements Command {
    INSTANCE
  }

  private enum BarrierTick implements Command {
    INSTANCE
  }

  /**
   * What a member needs.
   *
   * @param applicant this rank
   * @param seed node where the coordinator is
   * @param mail to it
   * @param welcomed run once the coordinator has let this rank in
   * @param startTimeout within which all ranks must be there
   * @param started completes with all ranks
   * @param allLeaving completes when every rank has said that it leaves
   * @param listener hears of ranks that leave or are lost
   */
  record Plan(
      Roster.Applicant applicant,
      String seed,
      Mail mail,
      Runnable welcomed,
      Duration startTimeout,
      CompletableFuture<RankMap> started,
      CompletableFuture<Void> allLeaving,
      Listener listener) {}

  /** Is told of the ranks, by the member's actor. */
  interface Listener {
    /** All have met. */
    void onFormed(List<EndpointAddress> addresses);

    /** A rank is gone; orderly if it said so before; leaving if this one leaves itself. */
    void onGone(int rank, boolean orderly, boolean leaving);

    /** This rank has done its work and leaves. */
    void onLeaving();

    /** The process of a rank is dead, whatever the cluster still believes of its node. */
    void onDead(String node);
  }

  /** How long the word that all have met may take that another rank has had before it died. */
  private static final Duration WORD_PATIENCE = Duration.ofSeconds(2);

  private static final Duration ENROLL_AGAIN = Duration.ofMillis(100);
  private static final Duration ASK_AGAIN = Duration.ofMillis(500);

  private final TimerScheduler<Command> timers;
  private final Plan plan;
  private final int rank;
  private final long incarnation;
  private final Departures gone = new Departures();
  private final List<ProcessEnded> endedEarly = new ArrayList<>();
  private final List<NodeGone> goneEarly = new ArrayList<>();
  private ActorRef<JobCoordinator.Command> coordinator;
  private EndpointAddress address;
  private String missing = "";
  private RankMap table;
  private long barrier;
  private boolean barrierReleased = true;

  /** All have come to the barrier while this rank, which had come too, had given up waiting. */
  private boolean releasedUnawaited;

  private List<Integer> absent = List.of();
  private Duration barrierTimeout;
  private CompletableFuture<Void> waiting;
  private boolean leaving;

  private JobMember(ActorContext<Command> context, TimerScheduler<Command> timers, Plan plan) {
    super(context);
    this.timers = timers;
    this.plan = plan;
    rank = plan.applicant().rank();
    incarnation = plan.applicant().incarnation();
    timers.startSingleTimer(StartTick.INSTANCE, plan.startTimeout());
    ask();
  }

  /** The member of one rank. */
  static Behavior<Command> create(Plan plan) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new JobMember(context, timers, plan)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Released.class, this::onReleased)
        .onMessage(EnterBarrier.class, this::onEnterBarrier)
        .onMessage(Absent.class, this::onAbsent)
        .onMessage(AskTick.class, notUsed -> onAskTick())
        .onMessage(BarrierTick.class, notUsed -> onBarrierTick())
        .onMessage(Welcome.class, this::onWelcome)
        .onMessage(Opened.class, this::onOpened)
        .onMessage(Waiting.class, this::onWaiting)
        .onMessage(Table.class, this::onTable)
        .onMessage(Refused.class, this::onRefused)
        .onMessage(StartTick.class, notUsed -> onStartTick())
        .onMessage(NodeGone.class, this::onNodeGone)
        .onMessage(ProcessEnded.class, this::onProcessEnded)
        .onMessage(Ending.class, this::onEnding)
        .onMessage(SayLeaving.class, notUsed -> onSayLeaving())
        .onMessage(AllLeaving.class, notUsed -> onAllLeaving())
        .build();
  }

  private Behavior<Command> onWelcome(Welcome welcome) {
    if (coordinator == null) {
      coordinator = welcome.coordinator();
      plan.welcomed().run();
      ask();
    }
    return this;
  }

  private Behavior<Command> onOpened(Opened opened) {
    address = opened.address();
    ask();
    return this;
  }

  private Behavior<Command> onWaiting(Waiting waits) {
    missing = waits.missing();
    return this;
  }

  private Behavior<Command> onTable(Table started) {
    if (rank != 0) {
      coordinator.tell(new JobCoordinator.Seen(rank, incarnation));
    }
    if (table == null) {
      table = started.ranks();
      timers.cancel(StartTick.INSTANCE);
      timers.cancel(AskTick.INSTANCE);
      plan.listener().onFormed(table.addresses());
      plan.started().complete(table);
      goneEarly.forEach(this::onNodeGone);
      goneEarly.clear();
      endedEarly.forEach(timers::cancel);
      endedEarly.forEach(this::onProcessEnded);
    }
    return this;
  }

  private Behavior<Command> onRefused(Refused refused) {
    if (table == null) {
      timers.cancelAll();
      plan.started().completeExceptionally(new FabricException(refused.error(), refused.why()));
    }
    return this;
  }

  private Behavior<Command> onStartTick() {
    String text;
    if (coordinator == null) {
      text =
          "rank 0 does not answer at "
              + plan.seed()
              + ", is it running and listening there, and has it the same "
              + JobSettings.KEY.fullKey()
              + "?";
    } else if (address == null) {
      text = "this rank did not open its endpoint";
    } else {
      text = missing.isEmpty() ? "rank 0 stopped answering" : missing;
    }
    timers.cancelAll();
    plan.started()
        .completeExceptionally(
            new FabricException(
                FabricError.TIMED_OUT,
                "the job did not start within "
                    + JobSettings.START_TIMEOUT.fullKey()
                    + "="
                    + plan.startTimeout().toMillis()
                    + " ms: "
                    + text));
    return this;
  }

  private Behavior<Command> onEnterBarrier(EnterBarrier enter) {
    if (waiting != null) {
      enter
          .released()
          .completeExceptionally(
              new FabricException(
                  FabricError.BUSY, "another thread of this rank waits at the barrier already"));
      return this;
    }
    if (releasedUnawaited) {
      releasedUnawaited = false;
      enter.released().complete(null);
      return this;
    }
    if (!gone.isEmpty()) {
      enter.released().completeExceptionally(gone.failure("barrier"));
      return this;
    }
    if (barrierReleased) {
      barrier++;
      barrierReleased = false;
    }
    waiting = enter.released();
    absent = List.of();
    barrierTimeout = enter.timeout();
    if (barrierTimeout != null) {
      timers.startSingleTimer(BarrierTick.INSTANCE, barrierTimeout);
    }
    ask();
    return this;
  }

  private Behavior<Command> onReleased(Released released) {
    if (released.number() == barrier && !barrierReleased) {
      barrierReleased = true;
      timers.cancel(BarrierTick.INSTANCE);
      timers.cancel(AskTick.INSTANCE);
      if (waiting == null) {
        releasedUnawaited = true;
      } else {
        CompletableFuture<Void> ended = waiting;
        waiting = null;
        ended.complete(null);
      }
    }
    return this;
  }

  private Behavior<Command> onAbsent(Absent missed) {
    if (missed.number() == barrier) {
      absent = missed.ranks();
    }
    return this;
  }

  private Behavior<Command> onBarrierTick() {
    if (waiting != null) {
      String who = absent.isEmpty() ? "rank 0 does not answer" : ranks(absent) + " did not come";
      failBarrier(
          new FabricException(
              FabricError.TIMED_OUT,
              "barrier: " + who + " within " + barrierTimeout.toMillis() + " ms"));
    }
    return this;
  }

  private Behavior<Command> onNodeGone(NodeGone left) {
    if (table == null) {
      goneEarly.add(left);
      return this;
    }
    for (int other = 0; other < table.size(); other++) {
      EndpointAddress theirs = table.address(other);
      if (theirs.incarnation() == left.incarnation()
          && theirs.node().equals(left.node())
          && other != rank
          && gone.add(other, left.orderly(), left.detail())) {
        plan.listener().onGone(other, left.orderly(), leaving);
        if (waiting != null) {
          failBarrier(gone.failure("barrier"));
        }
      }
    }
    return this;
  }

  private Behavior<Command> onProcessEnded(ProcessEnded ended) {
    if (ended.code() == ExitCode.OK || ended.rank() == rank || gone.contains(ended.rank())) {
      return this;
    }
    if (table != null) {
      plan.listener().onDead(table.address(ended.rank()).node());
    } else if (ended.formed()) {
      endedEarly.add(ended);
      if (rank == 0) {
        coordinator.tell(new JobCoordinator.Ended(ended.rank()));
      }
      // It may have died with the word that all have met; the ranks that live repeat it.
      timers.startSingleTimer(
          ended, new ProcessEnded(ended.rank(), ended.code(), false), WORD_PATIENCE);
    } else if (!leaving) {
      timers.cancelAll();
      plan.started()
          .completeExceptionally(
              new FabricException(
                  FabricError.CONNECTION_RESET,
                  "the job cannot start: rank "
                      + ended.rank()
                      + " "
                      + ExitCode.describe(ended.code())
                      + " before the ranks had met"));
    }
    return this;
  }

  private Behavior<Command> onEnding(Ending ending) {
    ExitNotice notice = ending.notice();
    FabricException end =
        new FabricException(
            FabricError.SHUTDOWN,
            "the job ends with code " + notice.code() + ", asked for by rank " + notice.rank());
    leaving = true;
    timers.cancelAll();
    plan.started().completeExceptionally(end);
    if (waiting != null) {
      failBarrier(new FabricException(end.error(), "barrier: " + end.getMessage()));
    }
    return this;
  }

  private Behavior<Command> onSayLeaving() {
    leaving = true;
    plan.listener().onLeaving();
    ask();
    return this;
  }

  private Behavior<Command> onAllLeaving() {
    timers.cancelAll();
    plan.allLeaving().complete(null);
    return this;
  }

  private Behavior<Command> onAskTick() {
    ask();
    return this;
  }

  /** Says what this rank wants of the coordinator, and again until there is an answer. */
  private void ask() {
    ActorRef<Command> self = getContext().getSelf();
    Duration again = ASK_AGAIN;
    if (coordinator == null) {
      plan.mail()
          .tell(
              plan.seed(), JobCoordinator.NAME, new JobCoordinator.Enroll(plan.applicant(), self));
      again = ENROLL_AGAIN;
    } else if (leaving) {
      coordinator.tell(new JobCoordinator.Leave(rank, incarnation, self));
    } else if (table == null && address != null) {
      coordinator.tell(new JobCoordinator.Ready(rank, incarnation, address, self));
    } else if (waiting != null) {
      coordinator.tell(new JobCoordinator.Enter(rank, incarnation, barrier, self));
    }
    timers.startSingleTimer(AskTick.INSTANCE, again);
  }

  private void failBarrier(FabricException failure) {
    CompletableFuture<Void> ended = waiting;
    waiting = null;
    timers.cancel(BarrierTick.INSTANCE);
    timers.cancel(AskTick.INSTANCE);
    ended.completeExceptionally(failure);
  }

  private static String ranks(List<Integer> ranks) {
    String list = ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return (ranks.size() == 1 ? "rank " : "ranks ") + list;
  }
}
