package io.tagfabric.name;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
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
import java.util.function.Predicate;

/**
 * Names endpoints and finds them by name on all nodes of a job. Without a cluster it serves its own
 * ActorSystem.
 *
 * <p>With {@code host:port/name} for a name it asks the ActorSystem that listens there by Artery,
 * and that one alone, in a cluster with it or not. That system has the name of this one, unless
 * {@code system@} stands before the host; host and port are those of its {@code
 * akka.remote.artery.canonical}, an IPv6 address in brackets. It answers to nodes that have its job
 * key and its partition key. A node that has left the cluster of this one is not asked again until
 * it joins again.
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

  /** Of a search whose caller has named no time. */
  static final Duration FOR_EVER = Duration.ofDays(20);

  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** What a name service can be told. */
  public sealed interface Command {}

  /** Give an endpoint of this ActorSystem a name; the same one may have several. */
  public record Register(String name, EndpointAddress address, ActorRef<RegisterOutcome> replyTo)
      implements Command {
    public Register {
      NameRule.requirePlain(name);
      Objects.requireNonNull(address, "address");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Give an endpoint of this ActorSystem a name by which it is found as {@code host:port/name}; no
   * other node has a say in it.
   */
  record RegisterHere(String name, EndpointAddress address, ActorRef<RegisterOutcome> replyTo)
      implements Command {
    RegisterHere {
      NameRule.requirePlain(name);
      Objects.requireNonNull(address, "address");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Tell the endpoint of a name once there is one.
   *
   * @param name a plain one, or {@code host:port/name}
   * @param timeout how long to wait for it, at most 20 days
   */
  public record Resolve(String name, Duration timeout, ActorRef<ResolveOutcome> replyTo)
      implements Command {
    public Resolve {
      NameRule.requireText(name);
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
      NameRule.requireName(name);
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

  /**
   * The endpoint has the name.
   *
   * @param lost completes with the endpoint that has the name instead, if this one has lost it:
   *     both had been given the name while their nodes could not hear each other, and the claim of
   *     the other was the earlier one. Never completes if the name is given up. Runs what is added
   *     to it on a thread of the ActorSystem
   */
  public record Registered(
      String name, EndpointAddress address, CompletionStage<EndpointAddress> lost)
      implements RegisterOutcome {}

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

  /**
   * Nothing comes of it. A claim: this node has not become a member of its cluster in time
   * (TIMED_OUT) or is no longer one (SHUTDOWN). A search: the same of this node, so it has asked
   * nobody (NO_ENTRY), no name service has answered at the place (HOST_UNREACHABLE) or it refuses
   * this node (KEY_REJECTED), the text names no place or one that speaks other protocols than this
   * node (INVALID), or this ActorSystem has no address to be answered at (ADDRESS_NOT_AVAILABLE);
   * no endpoint had the name in time, but some members have not been asked, as they speak other
   * protocols (NO_ENTRY).
   *
   * @param why for people
   */
  public record Refused(String name, FabricError error, String why)
      implements RegisterOutcome, ResolveOutcome {}

  /** Answer to {@link Unregister}. */
  public record Unregistered(String name, boolean wasHeld) {}

  /** Another node claims a name. */
  record Claim(String name, Stamp stamp, EndpointAddress address, ActorRef<Command> replyTo)
      implements Command, NameQuestion {}

  /** Another node votes; for the claim if the holder is null. */
  record Vote(String name, Stamp stamp, Node voter, EndpointAddress holder)
      implements Command, NameMessage {}

  /** Another node looks for a name. */
  record Ask(String name, ActorRef<Command> replyTo) implements Command, NameQuestion {}

  /** Another node's answer, with null if it does not hold the name, and the names it holds. */
  record Answer(String name, EndpointAddress address, Node node, List<String> held)
      implements Command, NameMessage {}

  /** A node that need not be in the cluster looks for a name here. */
  record Enquiry(long number, int partitionKey, String name, ActorRef<Command> replyTo)
      implements Command, NameQuestion {}

  /**
   * The answer to an enquiry.
   *
   * @param number of the enquiry
   * @param admitted whether the asker is told anything
   * @param address null if the name is not held
   * @param held names that are
   */
  record Finding(long number, boolean admitted, EndpointAddress address, List<String> held)
      implements Command, NameMessage {}

  /** What another node holds. */
  record Holdings(List<NameTable.Holding> holdings, ActorRef<Command> replyTo)
      implements Command, NameQuestion {}

  /** A question of a node that has no protocol in common with this one; nobody has read it. */
  record Unreadable(Protocols protocols, long number, ActorRef<Command> replyTo)
      implements Command {}

  /**
   * The answer of another node to a question that it cannot read. All builds can read this.
   *
   * @param protocols that it speaks
   * @param number of the question
   * @param node which refuses
   * @param why for people
   */
  record Refusal(Protocols protocols, long number, Node node, String why)
      implements Command, NameMessage {}

  /** A node came or went, or can be heard again. */
  record NodeNoticed(MembershipNotice notice) implements Command {}

  /** A claim has waited long enough for this node to become a member. */
  record JoinTick(Register register) implements Command {}

  /** The vote on a claim has lasted long enough. */
  record ClaimTick(String name, Stamp stamp) implements Command {}

  /**
   * A search has lasted long enough.
   *
   * @param ifSilent only if the place it asks has never answered
   */
  record ResolveTick(Resolve resolve, boolean ifSilent) implements Command {}

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
  private final Duration registerTimeout;

  /**
   * A service.
   *
   * @param ref null if there is none
   */
  private NameService(ActorSystem<?> system, ActorRef<Command> ref, Duration registerTimeout) {
    this.system = system;
    this.ref = ref;
    this.registerTimeout = registerTimeout;
  }

  /**
   * Starts the service of an ActorSystem; at most one.
   *
   * @param membership of the system's node
   * @param mail between the services
   * @param hasNoFabric whether the node at an address is known to have none; it is not asked
   */
  @InternalApi
  public static NameService start(
      ActorSystem<?> system,
      Membership membership,
      Mail mail,
      NameSettings settings,
      Predicate<String> hasNoFabric) {
    return new NameService(
        system,
        system.systemActorOf(
            NameServiceActor.create(membership, mail, settings, hasNoFabric),
            ACTOR,
            GuardedMailbox.props()),
        settings.connectTimeout().plus(settings.claimTimeout()).plus(ANSWER));
  }

  /** What an ActorSystem without the service has: whatever it is asked for fails at once. */
  @InternalApi
  public static NameService off(ActorSystem<?> system) {
    return new NameService(system, null, Duration.ZERO);
  }

  /**
   * Whether there is the service: {@code tagfabric.names.enabled}. If not, all calls fail at once
   * with OPERATION_NOT_SUPPORTED.
   */
  public boolean isOn() {
    return ref != null;
  }

  /**
   * The actor.
   *
   * @throws FabricException OPERATION_NOT_SUPPORTED if there is none
   */
  public ActorRef<Command> ref() {
    if (ref == null) {
      throw isOff();
    }
    return ref;
  }

  private static FabricException isOff() {
    return new FabricException(
        FabricError.OPERATION_NOT_SUPPORTED,
        "tagfabric.names.enabled=off, so this ActorSystem has no name service: set it to on, or"
            + " give the address of the endpoint to AddressVector.insert");
  }

  /**
   * Gives an endpoint of this ActorSystem a name. On a node of a cluster the claim waits until the
   * node is {@code Up}, because the members vote on it.
   *
   * @param name up to 255 characters, but not {@code host:port/name}
   * @return completes when the endpoint has the name, which it can lose again ({@link
   *     Registered#lost}). Fails with ADDRESS_IN_USE if another endpoint has the name; the text
   *     says which. Fails with TIMED_OUT if the node is not {@code Up} within {@code
   *     tagfabric.flow.connect-timeout}, with SHUTDOWN if it is no longer a member
   */
  public CompletionStage<Registered> register(String name, EndpointAddress address) {
    NameRule.requirePlain(name);
    Objects.requireNonNull(address, "address");
    return this.<RegisterOutcome>ask(
            replyTo -> new Register(name, address, replyTo), registerTimeout)
        .thenApply(NameService::registered);
  }

  /**
   * Gives an endpoint of this ActorSystem a name that no other node has a say in, in a cluster or
   * not: it must be found as {@code host:port/name} alone.
   *
   * @return fails with ADDRESS_IN_USE if another endpoint of this ActorSystem has the name
   */
  @InternalApi
  public CompletionStage<Registered> registerHere(String name, EndpointAddress address) {
    NameRule.requirePlain(name);
    Objects.requireNonNull(address, "address");
    return this.<RegisterOutcome>ask(
            replyTo -> new RegisterHere(name, address, replyTo), registerTimeout)
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
    if (outcome instanceof Refused refused) {
      throw new FabricException(refused.error(), refused.why());
    }
    return (Registered) outcome;
  }

  /**
   * The endpoint of a name; waits until there is one.
   *
   * @param name a plain one, or {@code host:port/name}
   * @return fails with HOST_UNREACHABLE if no name service has answered at {@code host:port} within
   *     {@code tagfabric.flow.connect-timeout}; else as with a timeout, which is 20 days
   */
  public CompletionStage<EndpointAddress> resolve(String name) {
    return resolve(name, FOR_EVER);
  }

  /**
   * The endpoint of a name.
   *
   * @param name a plain one, or {@code host:port/name}
   * @return fails with NO_ENTRY if no endpoint has the name in time; the text says which names
   *     there are. With {@code host:port/name} also with HOST_UNREACHABLE if no name service there
   *     has answered in time, and at once with KEY_REJECTED if that one is of another partition,
   *     INVALID if the text has a mistake, ADDRESS_NOT_AVAILABLE if this ActorSystem has no
   *     remoting
   */
  public CompletionStage<EndpointAddress> resolve(String name, Duration timeout) {
    NameRule.requireText(name);
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
    if (outcome instanceof Refused refused) {
      throw new FabricException(refused.error(), refused.why());
    }
    return ((Resolved) outcome).address();
  }

  /** Frees a name that an endpoint of this ActorSystem holds. */
  public CompletionStage<Unregistered> unregister(String name) {
    NameRule.requireName(name);
    return ask(replyTo -> new Unregister(name, replyTo), ANSWER);
  }

  /** Frees all names of an endpoint. */
  public void unregisterAll(EndpointAddress address) {
    if (ref != null) {
      ref.tell(new UnregisterAll(address));
    }
  }

  private <R> CompletableFuture<R> ask(Function<ActorRef<R>, Command> message, Duration timeout) {
    if (ref == null) {
      return CompletableFuture.failedFuture(isOff());
    }
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
        "the name service does not answer, its ActorSystem may be ending",
        failure);
  }
}
