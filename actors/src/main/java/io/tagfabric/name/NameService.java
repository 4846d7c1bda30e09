package io.tagfabric.name;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.runtime.Mail;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Names endpoints and finds them by name on all nodes of a job. Without a cluster it serves its own
 * ActorSystem.
 *
 * <p>A name belongs to the first that claims it; of two that claim it at the same time one gets it,
 * on every node the same. It is free again when it is given up, its endpoint closes, or its node is
 * gone. Thread: any.
 *
 * @source libfabric fi_getinfo(3) (node and service), PMI-2 name publishing
 */
public final class NameService {
  /** Name of the actor below {@code /system}; services of other nodes look for it there. */
  static final String ACTOR = "tagfabric-names";

  private static final int MAX_LENGTH = 255;
  private static final Duration FOR_EVER = Duration.ofDays(20);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** What a name service can be told. */
  public sealed interface Command {}

  /** Give an endpoint of this ActorSystem a name; the same one may have several. */
  public record Register(String name, EndpointAddress address, ActorRef<RegisterOutcome> replyTo)
      implements Command {
    public Register {
      requireName(name);
      Objects.requireNonNull(address, "address");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Tell the endpoint of a name once there is one.
   *
   * @param timeout how long to wait for it, at most 20 days
   */
  public record Resolve(String name, Duration timeout, ActorRef<ResolveOutcome> replyTo)
      implements Command {
    public Resolve {
      requireName(name);
      timeout = bounded(timeout);
      Objects.requireNonNull(replyTo, "replyTo");
    }

    private static Duration bounded(Duration timeout) {
      Objects.requireNonNull(timeout, "timeout");
      if (timeout.isNegative()) {
        return Duration.ZERO;
      }
      return timeout.compareTo(FOR_EVER) > 0 ? FOR_EVER : timeout;
    }
  }

  /** Free a name that an endpoint of this ActorSystem holds. */
  public record Unregister(String name, ActorRef<Unregistered> replyTo) implements Command {
    public Unregister {
      requireName(name);
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Free all names of an endpoint, which is closing. */
  public record UnregisterAll(EndpointAddress address) implements Command {
    public UnregisterAll {
      Objects.requireNonNull(address, "address");
    }
  }

  /** Answers to {@link Register}. */
  public sealed interface RegisterOutcome {}

  /** The endpoint has the name. */
  public record Registered(String name, EndpointAddress address) implements RegisterOutcome {}

  /** Another one has. */
  public record Taken(String name, EndpointAddress holder) implements RegisterOutcome {}

  /** The name was given up, or the endpoint closed, before the claim to it had been decided. */
  public record Withdrawn(String name) implements RegisterOutcome {}

  /** Answers to {@link Resolve}. */
  public sealed interface ResolveOutcome {}

  /** The endpoint of the name. */
  public record Resolved(String name, EndpointAddress address) implements ResolveOutcome {}

  /** No endpoint had the name in time; these are the names that some had. */
  public record NotFound(String name, List<String> known) implements ResolveOutcome {}

  /** Answer to {@link Unregister}. */
  public record Unregistered(String name, boolean wasHeld) {}

  /** Another node claims a name. */
  record Claim(String name, Stamp stamp, EndpointAddress address, ActorRef<Command> replyTo)
      implements Command, NameMessage {}

  /** Another node votes; for the claim if the holder is null. */
  record Vote(String name, Stamp stamp, Node voter, EndpointAddress holder)
      implements Command, NameMessage {}

  /** Another node looks for a name. */
  record Ask(String name, ActorRef<Command> replyTo) implements Command, NameMessage {}

  /** Another node's answer, with null if it does not hold the name, and the names it holds. */
  record Answer(String name, EndpointAddress address, Node node, List<String> held)
      implements Command, NameMessage {}

  /** What another node holds. */
  record Holdings(List<NameTable.Holding> holdings, ActorRef<Command> replyTo)
      implements Command, NameMessage {}

  /** A node came or went, or can be heard again. */
  record NodeNoticed(MembershipNotice notice) implements Command {}

  /** The vote on a claim has lasted long enough. */
  record ClaimTick(String name, Stamp stamp) implements Command {}

  /** A search has lasted long enough. */
  record ResolveTick(Resolve resolve) implements Command {}

  /** Forget all searches for names; a node that still searches asks again. */
  enum ForgetTick implements Command {
    INSTANCE
  }

  /** Look again for what is searched. */
  enum AskTick implements Command {
    INSTANCE
  }

  private final ActorSystem<?> system;
  private final ActorRef<Command> ref;
  private final Duration claimTimeout;

  private NameService(ActorSystem<?> system, ActorRef<Command> ref, Duration claimTimeout) {
    this.system = system;
    this.ref = ref;
    this.claimTimeout = claimTimeout;
  }

  /**
   * Starts the service of an ActorSystem; at most one.
   *
   * @param membership of the system's node
   * @param mail between the services
   * @param claimTimeout after which a node that does not vote has no say
   */
  @InternalApi
  public static NameService start(
      ActorSystem<?> system, Membership membership, Mail mail, Duration claimTimeout) {
    return new NameService(
        system,
        system.systemActorOf(
            NameServiceActor.create(membership, mail, claimTimeout), ACTOR, GuardedMailbox.props()),
        claimTimeout);
  }

  /** The actor. */
  public ActorRef<Command> ref() {
    return ref;
  }

  /**
   * Gives an endpoint of this ActorSystem a name.
   *
   * @param name up to 255 characters
   * @return fails with ADDRESS_IN_USE if another endpoint has the name; the text says which
   */
  public CompletionStage<Registered> register(String name, EndpointAddress address) {
    requireName(name);
    Objects.requireNonNull(address, "address");
    return this.<RegisterOutcome>ask(
            replyTo -> new Register(name, address, replyTo), claimTimeout.plus(ANSWER))
        .thenApply(NameService::registered);
  }

  private static Registered registered(RegisterOutcome outcome) {
    if (outcome instanceof Taken taken) {
      throw new FabricException(
          FabricError.ADDRESS_IN_USE,
          "name ["
              + taken.name()
              + "] is held by ["
              + taken.holder()
              + "], unregister it there or choose another");
    }
    if (outcome instanceof Withdrawn withdrawn) {
      throw new FabricException(
          FabricError.CANCELED, "the claim to name [" + withdrawn.name() + "] was withdrawn");
    }
    return (Registered) outcome;
  }

  /** The endpoint of a name; waits until there is one. */
  public CompletionStage<EndpointAddress> resolve(String name) {
    return resolve(name, FOR_EVER);
  }

  /**
   * The endpoint of a name.
   *
   * @return fails with NO_ENTRY if no endpoint has the name in time; the text says which names
   *     there are
   */
  public CompletionStage<EndpointAddress> resolve(String name, Duration timeout) {
    requireName(name);
    Duration bounded = Resolve.bounded(timeout);
    return this.<ResolveOutcome>ask(
            replyTo -> new Resolve(name, bounded, replyTo), bounded.plus(ANSWER))
        .thenApply(outcome -> resolved(outcome, bounded));
  }

  private static EndpointAddress resolved(ResolveOutcome outcome, Duration timeout) {
    if (outcome instanceof NotFound missed) {
      throw new FabricException(
          FabricError.NO_ENTRY,
          "no endpoint had the name ["
              + missed.name()
              + "] within "
              + timeout.toMillis()
              + " ms, the names known are "
              + missed.known());
    }
    return ((Resolved) outcome).address();
  }

  /** Frees a name that an endpoint of this ActorSystem holds. */
  public CompletionStage<Unregistered> unregister(String name) {
    requireName(name);
    return ask(replyTo -> new Unregister(name, replyTo), ANSWER);
  }

  /** Frees all names of an endpoint. */
  public void unregisterAll(EndpointAddress address) {
    ref.tell(new UnregisterAll(address));
  }

  private <R> CompletableFuture<R> ask(Function<ActorRef<R>, Command> message, Duration timeout) {
    return AskPattern.<Command, R>ask(ref, message::apply, timeout, system.scheduler())
        .handleAsync(
            (answer, failure) -> {
              if (failure != null) {
                throw unanswered(failure);
              }
              return answer;
            },
            // not the common pool, whose only worker may be the thread that waits
            system.executionContext())
        .toCompletableFuture();
  }

  private static FabricException unanswered(Throwable failure) {
    return new FabricException(
        FabricError.TIMED_OUT,
        "the name service does not answer, its ActorSystem may be ending or not be a member of its"
            + " cluster yet",
        failure);
  }

  private static void requireName(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isBlank() || name.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "name [" + name + "] must have 1 to " + MAX_LENGTH + " characters and not be blank");
    }
  }
}
