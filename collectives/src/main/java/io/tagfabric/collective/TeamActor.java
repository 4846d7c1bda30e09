package io.tagfabric.collective;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.ReceiveBuilder;
import akka.japi.function.Function;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.TeamException;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * A team's member as an actor: a collective is a command, its end a message. Spawn it where you
 * like; it only passes on. The order of its mailbox is the order of the member's calls.
 *
 * <p>Somebody must drive the domain meanwhile: its progress thread, or in MANUAL progress the
 * application.
 */
public final class TeamActor {
  /** What it can be told. */
  public sealed interface Command {}

  /**
   * Start a collective.
   *
   * @param context comes back in the outcome; may be null
   */
  public record Start(
      CollectiveCall call, Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** Break the team at all members. */
  public record Revoke() implements Command {}

  /** Agree on flags with the members that are alive. */
  public record Agree(long flag, Object context, ActorRef<? super CollectiveOutcome> replyTo)
      implements Command {}

  /** How a command with a {@code replyTo} ended. */
  public sealed interface CollectiveOutcome {}

  /** The collective is done here. */
  public record Completed(Object context, CollectiveCompletion completion)
      implements CollectiveOutcome {}

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

  private TeamActor() {}

  /** The actor of a team's member. */
  public static Behavior<Command> create(Team team) {
    Function<Start, Behavior<Command>> onStart =
        start -> {
          onStart(team, start);
          return Behaviors.same();
        };
    Function<Agree, Behavior<Command>> onAgree =
        agree -> {
          onAgree(team, agree);
          return Behaviors.same();
        };
    Function<Revoke, Behavior<Command>> onRevoke =
        notUsed -> {
          team.revoke();
          return Behaviors.same();
        };
    return ReceiveBuilder.<Command>create()
        .onMessage(Start.class, onStart)
        .onMessage(Agree.class, onAgree)
        .onMessage(Revoke.class, onRevoke)
        .build();
  }

  private static void onStart(Team team, Start start) {
    try {
      team.start(start.call())
          .whenComplete(
              (completion, failure) ->
                  start
                      .replyTo()
                      .tell(
                          failure == null
                              ? new Completed(start.context(), completion)
                              : failed(start.context(), failure)));
    } catch (RuntimeException refused) {
      start.replyTo().tell(failed(start.context(), refused));
    }
  }

  private static void onAgree(Team team, Agree agree) {
    team.agree(agree.flag())
        .whenComplete(
            (agreement, failure) ->
                agree
                    .replyTo()
                    .tell(
                        failure == null
                            ? new Agreed(agree.context(), agreement)
                            : failed(agree.context(), failure)));
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
