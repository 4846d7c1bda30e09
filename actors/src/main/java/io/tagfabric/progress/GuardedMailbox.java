package io.tagfabric.progress;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.Identify;
import akka.actor.PossiblyHarmful;
import akka.actor.Terminated;
import akka.actor.typed.MailboxSelector;
import akka.actor.typed.Props;
import akka.dispatch.MailboxType;
import akka.dispatch.MessageQueue;
import akka.dispatch.ProducesMessageQueue;
import com.typesafe.config.Config;
import io.tagfabric.annotation.InternalApi;
import java.util.List;
import scala.Option;

/**
 * The mailbox of actors that a stranger who reaches Akka's remoting must not be able to end: it
 * takes the messages of Tagfabric and what typed actors need of Akka, and drops the rest, {@code
 * PoisonPill} and {@code Kill} among it. What it drops is counted, and logged once a second at
 * most.
 *
 * <p>It also counts the mail of a domain's actors ({@link ProgressLoop#mail}), and wakes a domain's
 * {@link ProgressThread} that gets a message.
 *
 * <p>Which actors these are goes by path names, because Akka makes mailboxes: {@link #count} and
 * {@link #wake} come before the actor is spawned. Thread: any.
 */
@InternalApi
public final class GuardedMailbox implements MailboxType, ProducesMessageQueue<GuardedQueue> {
  private static final String PATH = "tagfabric.mailbox";

  /**
   * Akka's own messages to typed actors by the names of their classes, which are not public: of
   * message adapters and asks, and of timers. None of them can be read from remote bytes.
   */
  private static final List<String> OF_AKKA =
      List.of(
          "akka.actor.typed.internal.AdaptMessage",
          "akka.actor.typed.internal.AdaptWithRegisteredMessageAdapter",
          "akka.actor.typed.internal.TimerSchedulerImpl$");

  private final List<String> accepts;
  private final ClassValue<Boolean> accepted =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return accepts(type);
        }
      };

  /** Called by Akka. */
  public GuardedMailbox(ActorSystem.Settings settings, Config config) {
    accepts = List.of(config.getString("accepts").split(","));
  }

  @Override
  public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
    return new GuardedQueue(this, Guards.Id.INSTANCE.get(system.get()), owner.get().path());
  }

  boolean takes(Object message) {
    return accepted.get(message.getClass());
  }

  private boolean accepts(Class<?> type) {
    String name = type.getName();
    if (type == Terminated.class || type == Identify.class) {
      return true;
    }
    return !PossiblyHarmful.class.isAssignableFrom(type)
        && (accepts.stream().anyMatch(name::startsWith)
            || OF_AKKA.stream().anyMatch(name::startsWith));
  }

  /** To spawn an actor with this mailbox on the default dispatcher. */
  public static Props props() {
    return MailboxSelector.fromConfig(PATH);
  }

  /**
   * The same on another dispatcher.
   *
   * @param dispatcher its key in the configuration, or its registered id
   */
  public static Props propsOn(String dispatcher) {
    return props().withDispatcherFromConfig(dispatcher);
  }

  /** The same on the dispatcher of the actor that spawns. */
  public static Props propsOfChild() {
    return props().withDispatcherSameAsParent();
  }

  /** As {@link #propsOn}, for an actor that takes nothing but {@code SpawnProtocol}. */
  public static Props propsOfGuardian(String dispatcher) {
    return MailboxSelector.fromConfig(PATH + ".guardian").withDispatcherFromConfig(dispatcher);
  }

  /** As {@link #propsOfChild}, for an endpoint's matcher. */
  public static Props propsOfMatcher() {
    return MailboxSelector.fromConfig(PATH + ".matcher").withDispatcherSameAsParent();
  }

  /** As {@link #propsOn}, for an actor that takes packets, and answers to {@link Identify}. */
  public static Props propsOfReceiver(String dispatcher) {
    return MailboxSelector.fromConfig(PATH + ".receiver").withDispatcherFromConfig(dispatcher);
  }

  /** As {@link #propsOn}, for a matcher that no endpoint spawns. */
  public static Props propsOfMatcher(String dispatcher) {
    return MailboxSelector.fromConfig(PATH + ".matcher").withDispatcherFromConfig(dispatcher);
  }

  /** Counts the mail of an actor and of those below it as that of a loop. */
  public static void count(ClassicActorSystemProvider system, String actor, ProgressLoop loop) {
    Guards.Id.INSTANCE.get(system).count(actor, loop);
  }

  /** Wakes the resident driver of a loop whenever its actor gets a message. */
  public static void wake(ClassicActorSystemProvider system, String actor, ProgressLoop loop) {
    Guards.Id.INSTANCE.get(system).wake(actor, loop);
  }

  /** Ends what {@link #count} or {@link #wake} began, for mailboxes that are not made yet. */
  public static void forget(ClassicActorSystemProvider system, String actor) {
    Guards.Id.INSTANCE.get(system).forget(actor);
  }

  /** How many messages the guarded mailboxes of a system have dropped so far. */
  public static long dropped(ClassicActorSystemProvider system) {
    return Guards.Id.INSTANCE.get(system).dropped();
  }
}
