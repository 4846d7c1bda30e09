package io.tagfabric.collective;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.TeamException;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A team's member as an actor: a collective is a command, its end a message. Spawn it where you
 * like; it only passes on. The order of its mailbox is the order of the member's calls.
 *
 * <p>Somebody must drive the domain meanwhile: its progress thread, or in MANUAL progress the
 * application.
 */
public final class TeamActor extends AbstractBehavior<TeamActor.Command> {
  /** What it can be told. */
  public sealed interface Command {}

  /**
   * Start a collective.
   *
   * @param context comes back in the outcome, of this command as of all others; may be null
   */
  public record Start(
      CollectiveCall call, Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Start a collective that must end within a time. */
  public record StartWithin(
      CollectiveCall call,
      Duration timeout,
      Object context,
      ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /**
   * Start a collective of objects.
   *
   * @param call which, on what it is given; the stage's value is that of {@link ObjectCompleted}
   */
  public record StartObjects(
      Function<TeamObjects, ? extends CompletionStage<?>> call,
      Object context,
      ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Split the team, as {@link Team#split}; ends with {@link TeamMade}. */
  public record Split(
      int color, int key, Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Split the team by hosts; ends with {@link TeamMade}. */
  public record SplitByHost(Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Make a team of some members, as {@link Team#create}; ends with {@link TeamMade}. */
  public record Create(Ranks ranks, Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Make a team that only its members call for; ends with {@link TeamMade}. */
  public record CreateFrom(Ranks ranks, Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Make a team of the same members; ends with {@link TeamMade}. */
  public record Dup(Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Make a team of the members that are alive; ends with {@link TeamMade}. */
  public record Shrink(Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Break the team at all members. */
  public record Revoke() implements Command {}

  /** Agree on flags with the members that are alive; ends with {@link Agreed}. */
  public record Agree(long flag, Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Leave the team, and stop. */
  public record Close() implements Command {}

  /** How a command with a {@code replyTo} ended. */
  public sealed interface CollectiveOutcome {}

  /** The collective is done here. */
  public record Completed(Object context, CollectiveCompletion completion)
      implements CollectiveOutcome {}

  /** The collective of objects is done here; the value may be null where there is none. */
  public record ObjectCompleted(Object context, Object value) implements CollectiveOutcome {}

  /** The team is made; null at a member that is not in it. */
  public record TeamMade(Object context, Team team) implements CollectiveOutcome {}

  /** The members that are alive have agreed. */
  public record Agreed(Object context, Team.Agreement agreement) implements CollectiveOutcome {}

  /**
   * It was refused, or the team is broken.
   *
   * @param rank whose fault or doing it is; -1 if it is nobody's
   * @param gone members known here to have left or to be lost
   */
  public record Failed(
      Object context, FabricError error, String detail, int rank, List<Integer> gone)
      implements CollectiveOutcome {
    public Failed {
      gone = List.copyOf(gone);
    }
  }

  private static final int NOBODY = -1;

  private final Team team;

  private TeamActor(ActorContext<Command> context, Team team) {
    super(context);
    this.team = team;
  }

  /** The actor of a team's member. */
  public static Behavior<Command> create(Team team) {
    return Behaviors.setup(context -> new TeamActor(context, team));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Start.class, this::onStart)
        .onMessage(StartWithin.class, this::onStartWithin)
        .onMessage(StartObjects.class, this::onStartObjects)
        .onMessage(Split.class, this::onSplit)
        .onMessage(SplitByHost.class, this::onSplitByHost)
        .onMessage(Create.class, this::onCreate)
        .onMessage(CreateFrom.class, this::onCreateFrom)
        .onMessage(Dup.class, this::onDup)
        .onMessage(Shrink.class, this::onShrink)
        .onMessage(Revoke.class, notUsed -> onRevoke())
        .onMessage(Agree.class, this::onAgree)
        .onMessage(Close.class, notUsed -> onClose())
        .build();
  }

  private Behavior<Command> onStart(Start start) {
    return answer(() -> team.start(start.call()), Completed::new, start.context(), start.replyTo());
  }

  private Behavior<Command> onStartWithin(StartWithin start) {
    return answer(
        () -> team.start(start.call(), start.timeout()),
        Completed::new,
        start.context(),
        start.replyTo());
  }

  private Behavior<Command> onStartObjects(StartObjects start) {
    return answer(
        () -> start.call().apply(team.objects()),
        ObjectCompleted::new,
        start.context(),
        start.replyTo());
  }

  private Behavior<Command> onSplit(Split split) {
    return answer(
        () -> team.split(split.color(), split.key()),
        TeamMade::new,
        split.context(),
        split.replyTo());
  }

  private Behavior<Command> onSplitByHost(SplitByHost split) {
    return answer(team::splitByHost, TeamMade::new, split.context(), split.replyTo());
  }

  private Behavior<Command> onCreate(Create create) {
    return answer(
        () -> team.create(create.ranks()), TeamMade::new, create.context(), create.replyTo());
  }

  private Behavior<Command> onCreateFrom(CreateFrom create) {
    return answer(
        () -> team.createFrom(create.ranks()), TeamMade::new, create.context(), create.replyTo());
  }

  private Behavior<Command> onDup(Dup dup) {
    return answer(team::dup, TeamMade::new, dup.context(), dup.replyTo());
  }

  private Behavior<Command> onShrink(Shrink shrink) {
    return answer(team::shrink, TeamMade::new, shrink.context(), shrink.replyTo());
  }

  private Behavior<Command> onRevoke() {
    team.revoke();
    return this;
  }

  private Behavior<Command> onAgree(Agree agree) {
    return answer(() -> team.agree(agree.flag()), Agreed::new, agree.context(), agree.replyTo());
  }

  private Behavior<Command> onClose() {
    team.close();
    return Behaviors.stopped();
  }

  /** Makes the outcome of a command. */
  private interface Outcome<T> {
    CollectiveOutcome of(Object context, T value);
  }

  private <T> Behavior<Command> answer(
      Supplier<? extends CompletionStage<? extends T>> call,
      Outcome<T> outcome,
      Object context,
      ActorRef<? super CollectiveOutcome> replyTo) {
    try {
      call.get()
          .whenComplete(
              (value, failure) ->
                  replyTo.tell(
                      failure == null ? outcome.of(context, value) : failed(context, failure)));
    } catch (RuntimeException refused) {
      replyTo.tell(failed(context, refused));
    }
    return this;
  }

  private static Failed failed(Object context, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String detail = String.valueOf(cause.getMessage());
    if (cause instanceof TeamException team) {
      return new Failed(context, team.error(), detail, team.rank(), team.gone());
    }
    FabricError error =
        cause instanceof FabricException known
            ? known.error()
            : cause instanceof IllegalArgumentException ? FabricError.INVALID : FabricError.OTHER;
    return new Failed(context, error, detail, NOBODY, List.of());
  }
}
