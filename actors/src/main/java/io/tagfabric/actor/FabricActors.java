package io.tagfabric.actor;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.Extension;
import akka.actor.typed.ExtensionId;
import akka.actor.typed.RecipientRef;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.receptionist.ServiceKey;
import akka.pattern.StatusReply;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.actor.twin.NearActors;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.FabricSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Typed references to actors of other nodes whose messages go over the fabric. They equal Akka's
 * own references to the same actors, are written like them, and can be watched.
 *
 * <p>Thread: any. The first call for an ActorSystem opens a domain, and blocks for that time.
 */
public final class FabricActors implements Extension {
  /** Before the name of an actor among the names of endpoints. */
  static final String PREFIX = "actor=";

  /**
   * What the references of a node have done so far.
   *
   * @param sent messages handed to the fabric
   * @param received messages given to actors of this node
   * @param byArtery messages of twins that went by Akka's remoting: the fabric does not reach their
   *     node, or it has refused them
   * @param overflowed dropped because too much waits for their node
   * @param unwritable dropped because they cannot be written, or are too long
   * @param unreadable of peers, that cannot be read or break a rule
   * @param harmful of peers, such as PoisonPill
   * @param refused twins whose node has not exposed their actor
   * @param dead to nodes that are lost, and answers that nobody waits for any more
   * @param known actors of this node that peers have numbers for, now
   */
  public record Counters(
      long sent,
      long received,
      long byArtery,
      long overflowed,
      long unwritable,
      long unreadable,
      long harmful,
      long refused,
      long dead,
      long known) {}

  /**
   * The name of an actor of this node.
   *
   * @param lost completes with the endpoint of the node whose actor has the name instead, if this
   *     one has lost it: both had been given the name while their nodes could not hear each other,
   *     and the claim of the other was the earlier one. Never completes if the name is given up.
   *     Runs what is added to it on a thread of the ActorSystem
   */
  public record Exposure(String name, CompletionStage<EndpointAddress> lost) {}

  private final RefNode node;
  private final AtomicInteger listings = new AtomicInteger();

  private FabricActors(ActorSystem<?> system) {
    node = new RefNode(system);
  }

  /** The node below; for tests. */
  RefNode node() {
    return node;
  }

  /** Those of an ActorSystem. */
  public static FabricActors get(ActorSystem<?> system) {
    return Id.INSTANCE.apply(system);
  }

  /** The extension's identity, for {@code akka.actor.typed.extensions}. */
  public static final class Id extends ExtensionId<FabricActors> {
    private static final Id INSTANCE = new Id();

    private Id() {}

    /** Called by Akka. */
    public static Id getInstance() {
      return INSTANCE;
    }

    @Override
    public FabricActors createExtension(ActorSystem<?> system) {
      return new FabricActors(system);
    }
  }

  /**
   * Gives an actor of this node a name, by which other nodes find it. It has the name until it
   * ends, or until {@link #unexpose}. On a node of a cluster it waits until the node is {@code Up}.
   *
   * @param name must be the name of no other actor of the job
   * @param messages the class of its messages; {@link #ref(String, Class)} must be given the same
   * @return completes when other nodes can find it; {@link Exposure#lost} tells if it loses the
   *     name again. Fails with ADDRESS_IN_USE if another actor has the name, or with an error of
   *     {@link io.tagfabric.name.NameService#register}
   * @throws IllegalArgumentException if the actor is one of another node
   */
  public <T> CompletionStage<Exposure> expose(String name, ActorRef<T> ref, Class<T> messages) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(messages, "messages");
    akka.actor.ActorRef target = Adapter.toClassic(ref);
    if (!NearActors.isLocal(target)) {
      throw new IllegalArgumentException("actor [" + ref + "] is of another node, expose it there");
    }
    Exposed.Named before = node.exposed().enter(name, new Exposed.Named(target, messages));
    if (before != null) {
      return CompletableFuture.failedFuture(
          new FabricException(
              FabricError.ADDRESS_IN_USE,
              "name [" + name + "] is held by actor [" + before.ref() + "], choose another"));
    }
    node.agent().tell(new RefAgent.Named(ref, name));
    return node.fabric()
        .register(PREFIX + name, node.endpoint())
        .handle(
            (registered, failure) -> {
              if (failure != null) {
                node.exposed().takeOut(name, target);
                throw failed(failure);
              }
              return new Exposure(
                  name,
                  registered
                      .lost()
                      .thenApply(
                          winner -> {
                            node.exposed().takeOut(name, target);
                            return winner;
                          }));
            });
  }

  /** Takes a name away; references that were found by it stay. False if no actor here has it. */
  public boolean unexpose(String name) {
    Exposed.Named named = node.exposed().find(name);
    if (named != null) {
      node.unexpose(name, Adapter.toTyped(named.ref()));
    }
    return named != null;
  }

  /** As {@link #ref(String, Class, Duration)} within {@code tagfabric.flow.connect-timeout}. */
  public <T> CompletionStage<ActorRef<T>> ref(String name, Class<T> messages) {
    return ref(name, messages, node.fabric().settings().get(FabricSettings.CONNECT_TIMEOUT));
  }

  /**
   * The actor that a node has exposed by a name; one of this node itself is its own reference.
   *
   * @param name as exposed, or {@code host:port/name}
   * @param messages the class that it was exposed for
   * @return fails with NO_ENTRY if no actor has the name in time, with INVALID if it takes messages
   *     of another class, and as {@link io.tagfabric.name.NameService#resolve(String, Duration)}
   */
  public <T> CompletionStage<ActorRef<T>> ref(String name, Class<T> messages, Duration timeout) {
    Objects.requireNonNull(messages, "messages");
    int slash = name.indexOf('/');
    boolean atPlace = slash > 0 && name.substring(0, slash).matches(".*:\\d+");
    String plain = atPlace ? name.substring(slash + 1) : name;
    String endpoint = atPlace ? name.substring(0, slash + 1) + PREFIX + plain : PREFIX + name;
    return node.fabric()
        .resolve(endpoint, timeout)
        .thenCompose(address -> lookUp(plain, messages, address))
        .handleAsync(
            (ref, failure) -> {
              if (failure != null) {
                throw missing(name, timeout, failure);
              }
              return ref;
            },
            node.fabric().system().executionContext());
  }

  private <T> CompletionStage<ActorRef<T>> lookUp(
      String name, Class<T> messages, EndpointAddress address) {
    if (address.isSameEndpoint(node.endpoint().address())) {
      return own(name, messages);
    }
    return node.roadTo(address)
        .lookUp(name, messages)
        .thenApply(path -> Adapter.toTyped(node.twin(node.near().resolve(path))));
  }

  private <T> CompletionStage<ActorRef<T>> own(String name, Class<T> messages) {
    Exposed.Named named = node.exposed().find(name);
    if (named == null) {
      return CompletableFuture.failedFuture(
          new FabricException(FabricError.NO_ENTRY, "no actor is exposed as [" + name + "]"));
    }
    if (named.messages() != messages) {
      return CompletableFuture.failedFuture(
          new FabricException(
              FabricError.INVALID,
              RefNode.otherClass(name, named.messages().getName(), messages.getName())));
    }
    return CompletableFuture.completedFuture(Adapter.toTyped(named.ref()));
  }

  private static RuntimeException failed(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  private static RuntimeException missing(String name, Duration timeout, Throwable failure) {
    RuntimeException cause = failed(failure);
    if (cause instanceof FabricException known && known.error() == FabricError.NO_ENTRY) {
      return new FabricException(
          FabricError.NO_ENTRY,
          "no actor was exposed as ["
              + name
              + "] within "
              + timeout.toMillis()
              + " ms: "
              + known.getMessage(),
          known);
    }
    return cause;
  }

  /**
   * A reference to the same actor whose messages go over the fabric if its node is a peer of it;
   * one that was upgraded before, or is of this node, is given back as it is. Messages go by Akka's
   * remoting until the node has announced its fabric, and if it does not let this actor be
   * addressed. Order holds when they move to the fabric.
   */
  public <T> ActorRef<T> ref(ActorRef<T> ref) {
    return node.typedTwin(ref);
  }

  /**
   * The actors that the Receptionist knows by a key, on all nodes of the cluster; those of other
   * nodes as {@link #ref(ActorRef)} gives them. Changes with what the Receptionist learns, until it
   * is closed.
   */
  public <T> ServiceListing<T> ref(ServiceKey<T> key) {
    return new ServiceListing<>(
        node, key, "tagfabric-actors-listing-" + listings.incrementAndGet());
  }

  /** The dispatcher of actors that run on the loop by which messages come. */
  public DispatcherSelector dispatcher() {
    return node.domain().dispatcher();
  }

  /**
   * Tells a message without dropping it for want of room: where a {@code tell} would, it waits
   * until what was told before has left. For senders that must not outrun the receiver's node.
   *
   * @return completes when the message was taken; what is told so to one node is taken in the order
   *     of calls. To an actor that is not reached by the fabric it is a {@code tell}, at once
   */
  public <T> CompletionStage<Done> tellOrWait(ActorRef<T> ref, T message) {
    if (Adapter.toClassic(ref) instanceof FabricRef twin) {
      return twin.tellOrWait(message);
    }
    ref.tell(message);
    return CompletableFuture.completedFuture(Done.getInstance());
  }

  /**
   * Asks as {@link ActorContext#ask} does, but quicker. Akka's method, called from Java, passes
   * each answer through a thread of another pool before the actor gets it. This one puts the answer
   * into the actor's mailbox at once, on the thread that has received it. Thread: the actor's.
   *
   * @param context of the actor that asks
   * @param answers the class of the answers
   * @param question makes the question for the reference that takes its answer
   * @param adapt makes the actor's own message of the answer, or of a {@link
   *     java.util.concurrent.TimeoutException} or another failure; runs in the actor
   */
  public static <T, Q, A> void ask(
      ActorContext<T> context,
      Class<A> answers,
      RecipientRef<Q> target,
      Duration timeout,
      Function<ActorRef<A>, Q> question,
      BiFunction<A, Throwable, T> adapt) {
    Objects.requireNonNull(answers, "answers");
    Objects.requireNonNull(adapt, "adapt");
    CompletionStage<A> answer =
        AskPattern.ask(target, question::apply, timeout, context.getSystem().scheduler());
    pipe(context, answer, adapt);
  }

  /**
   * Asks as {@link ActorContext#askWithStatus} does, in the way of {@link #ask}: the answer is a
   * {@link StatusReply}, which has either a value or an error.
   *
   * @param answers the class of the value
   * @param adapt gets the value of a reply that has one; otherwise the error of the reply, a {@link
   *     java.util.concurrent.TimeoutException} or another failure
   */
  public static <T, Q, A> void askWithStatus(
      ActorContext<T> context,
      Class<A> answers,
      RecipientRef<Q> target,
      Duration timeout,
      Function<ActorRef<StatusReply<A>>, Q> question,
      BiFunction<A, Throwable, T> adapt) {
    Objects.requireNonNull(answers, "answers");
    Objects.requireNonNull(adapt, "adapt");
    CompletionStage<A> answer =
        AskPattern.askWithStatus(target, question::apply, timeout, context.getSystem().scheduler());
    pipe(context, answer, adapt);
  }

  private static <T, A> void pipe(
      ActorContext<T> context, CompletionStage<A> answer, BiFunction<A, Throwable, T> adapt) {
    context.pipeToSelf(
        answer.toCompletableFuture().copy(),
        (value, failure) ->
            adapt.apply(
                value,
                failure instanceof CompletionException copied && copied.getCause() != null
                    ? copied.getCause()
                    : failure));
  }

  /**
   * Waits for a stage while this thread drives the loop by which messages come: quicker than a
   * plain join, because nobody must be woken.
   *
   * @throws FabricException TIMED_OUT if it is not complete in time
   * @throws CompletionException as {@link CompletableFuture#join} if it fails
   */
  public <T> T await(CompletionStage<T> stage, Duration timeout) {
    // A stage of Akka's asks runs what is added to it on another thread; its copy does not.
    CompletableFuture<T> future = stage.toCompletableFuture().copy();
    future.minimalCompletionStage().whenComplete((value, failure) -> node.domain().loop().wake());
    if (!node.domain().await(future::isDone, timeout)) {
      throw new FabricException(
          FabricError.TIMED_OUT, "nothing came within " + timeout.toMillis() + " ms");
    }
    return future.join();
  }

  /** What the references of this node have done so far. */
  public Counters counters() {
    ActorCounters now = node.counters();
    return new Counters(
        now.sent.sum(),
        now.received.sum(),
        now.byArtery.sum(),
        now.overflowed.sum(),
        now.unwritable.sum(),
        now.unreadable.sum(),
        now.harmful.sum(),
        now.refused.sum(),
        now.dead.sum(),
        now.known.sum());
  }
}
