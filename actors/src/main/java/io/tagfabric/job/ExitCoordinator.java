package io.tagfabric.job;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.exit.ExitKind;
import io.tagfabric.exit.ExitMessage;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.exit.ExitOutput;
import io.tagfabric.exit.ExitPlan;
import io.tagfabric.exit.ExitProtocol;
import io.tagfabric.exit.ExitResult;
import io.tagfabric.exit.Verdict;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.Mail;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A rank's part in the end of its job: an {@link ExitProtocol}, its clock and its mail. Runs on a
 * thread of its own, so neither a spinning application nor a blocked dispatcher holds it up.
 */
final class ExitCoordinator extends AbstractBehavior<ExitCoordinator.Command>
    implements ExitOutput {
  /** Name of the actor below {@code /system}. */
  static final String NAME = "tagfabric-exit";

  /** The dispatcher it runs on: a thread each, as for the threads that make progress. */
  static final String DISPATCHER = "tagfabric.progress.dispatcher";

  /** What the coordinator can be told. */
  sealed interface Command {}

  /** Mail of another rank. */
  record Letter(int from, ExitMessage message) implements Command, JobMessage {}

  /** This rank wants the job to end. */
  record Ask(ExitKind kind, int code) implements Command {}

  /** All ranks have met; addresses by rank. */
  record Formed(List<EndpointAddress> addresses) implements Command {}

  /** A rank has come; all are not there yet. */
  record Came(int rank, String node) implements Command {}

  /** A rank is gone. */
  record RankGone(int rank, boolean orderly) implements Command {}

  /** This rank has done its work and leaves the job by itself. */
  enum Leaving implements Command {
    INSTANCE
  }

  /** The exit hooks are over. */
  enum HooksDone implements Command {
    INSTANCE
  }

  private enum Tick implements Command {
    INSTANCE
  }

  /**
   * What a coordinator needs.
   *
   * @param protocol times and policies
   * @param seed address of rank 0's ActorSystem
   * @param hold where the rank stands still, for tests
   * @param hooks runs once, when the job begins to end; must not block
   * @param ended runs once, when the job has ended, and gets how; must not block
   */
  record Plan(
      ExitPlan protocol,
      String seed,
      ExitHold hold,
      Consumer<ExitNotice> hooks,
      Consumer<ExitResult> ended) {}

  private final TimerScheduler<Command> timers;
  private final Plan plan;
  private final int rank;
  private final ExitProtocol protocol;
  private final TimeSource time;
  private final InstantSource wallClock;
  private final Mail mail;

  /** The nodes of those that can be told something, by rank. */
  private final Map<Integer, String> peers = new HashMap<>();

  private ExitCoordinator(
      ActorContext<Command> context, TimerScheduler<Command> timers, Plan plan) {
    super(context);
    this.timers = timers;
    this.plan = plan;
    Environment environment = Environment.of(context.getSystem());
    time = environment.time();
    wallClock = environment.wallClock();
    mail = environment.mail(context.getSystem());
    rank = plan.protocol().rank();
    protocol = new ExitProtocol(plan.protocol(), this);
    peers.put(0, plan.seed());
  }

  /** The coordinator of one rank. */
  static Behavior<Command> create(Plan plan) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new ExitCoordinator(context, timers, plan)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Letter.class, this::onLetter)
        .onMessage(Ask.class, this::onAsk)
        .onMessage(HooksDone.class, notUsed -> onHooksDone())
        .onMessage(Tick.class, notUsed -> onTick())
        .onMessage(Formed.class, this::onFormed)
        .onMessage(Came.class, this::onCame)
        .onMessage(RankGone.class, this::onRankGone)
        .onMessage(Leaving.class, notUsed -> onLeaving())
        .build();
  }

  private Behavior<Command> onLetter(Letter letter) {
    if (letter.from() != rank && peers.containsKey(letter.from())) {
      protocol.onMessage(letter.from(), letter.message(), time.nanoTime());
    }
    return again();
  }

  private Behavior<Command> onAsk(Ask ask) {
    long nowNs = time.nanoTime();
    protocol.exit(ask.kind(), new Verdict(ask.code(), wallClock.millis(), rank), nowNs);
    return again();
  }

  private Behavior<Command> onHooksDone() {
    protocol.onHooksDone(time.nanoTime());
    return again();
  }

  private Behavior<Command> onTick() {
    protocol.onTime(time.nanoTime());
    return again();
  }

  private Behavior<Command> onFormed(Formed formed) {
    for (int other = 0; other < formed.addresses().size(); other++) {
      peers.put(other, formed.addresses().get(other).node());
    }
    protocol.onFormed();
    return again();
  }

  private Behavior<Command> onCame(Came came) {
    peers.put(came.rank(), came.node());
    if (came.rank() != rank) {
      protocol.onKnown(came.rank());
    }
    return again();
  }

  private Behavior<Command> onRankGone(RankGone gone) {
    protocol.onGone(gone.rank(), gone.orderly(), time.nanoTime());
    return again();
  }

  private Behavior<Command> onLeaving() {
    protocol.onLeaving();
    return again();
  }

  private Behavior<Command> again() {
    plan.hold().at(protocol.phase());
    long nextNs = protocol.nextNs();
    if (nextNs == Long.MAX_VALUE) {
      timers.cancel(Tick.INSTANCE);
    } else {
      long waitNs = Math.max(1, nextNs - time.nanoTime());
      timers.startSingleTimer(Tick.INSTANCE, Duration.ofNanos(waitNs));
    }
    return this;
  }

  @Override
  public void send(int to, ExitMessage message) {
    plan.hold().at(protocol.phase());
    String node = peers.get(to);
    if (node != null) {
      mail.tell(node, NAME, new Letter(rank, message));
    }
  }

  @Override
  public void runHooks(ExitNotice notice) {
    plan.hooks().accept(notice);
  }

  @Override
  public void end(ExitResult result) {
    plan.hold().at(protocol.phase());
    plan.ended().accept(result);
  }
}
