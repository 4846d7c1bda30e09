package io.tagfabric.node;

import akka.actor.ActorIdentity;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.runtime.Mail;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Which nodes have a fabric, and which they have. A node asks each other one as soon as it is a
 * member, and one that is none when a message is to go there. It first looks with Akka's {@code
 * Identify} whether there is a directory at all: a node without Tagfabric answers that there is
 * none, and hears nothing else. A node that opens its fabric late tells all members. Nothing waits
 * for an answer; until it comes, messages go by Akka's remoting. Thread: any.
 */
public final class NodeDirectory {
  /** Name of the actor below {@code /system}, the same in all builds. */
  static final String ACTOR = "tagfabric-node";

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_RETRY = Duration.ofSeconds(16);

  /** What is known of a node. */
  public enum Presence {
    /** Nothing: it has not answered. */
    UNKNOWN,
    /** It has no fabric now. */
    ABSENT,
    /** It has said which it has. */
    PRESENT
  }

  /** What the actor can be told. */
  public sealed interface Command permits Announcement, Ask, Identified, Noticed, Publish, Retry {}

  private record Noticed(MembershipNotice notice) implements Command {}

  private record Identified(ActorIdentity identity) implements Command {}

  private record Ask(String node) implements Command {}

  private record Publish(String actors) implements Command {}

  private record Retry(String node, Duration after) implements Command {}

  private final Announcement own;
  private final NodeTable table;
  private final List<Consumer<Announcement>> listeners = new CopyOnWriteArrayList<>();
  private final ActorRef<Command> ref;

  private NodeDirectory(ActorSystem<?> system, Membership membership, Mail mail, Announcement own) {
    this.own = own;
    table = new NodeTable(own);
    ref =
        system.systemActorOf(
            Behaviors.setup(
                context ->
                    Behaviors.withTimers(
                        timers -> new Directory(context, timers, membership, mail, this))),
            ACTOR,
            GuardedMailbox.props());
  }

  /**
   * Starts the directory of an ActorSystem; at most one.
   *
   * @param own what the node says of itself, as long as it has no endpoint for references
   */
  public static NodeDirectory start(
      ActorSystem<?> system, Membership membership, Mail mail, Announcement own) {
    return new NodeDirectory(system, membership, mail, own);
  }

  /** What is known of the node at an address. */
  public Presence presence(String node) {
    return table.presence(node);
  }

  /** What the node at an address has said last. */
  public Optional<Announcement> announced(String node) {
    return table.announced(node);
  }

  /** What this node says of itself. */
  public Announcement own() {
    return own;
  }

  /** Asks a node that nothing is known of. */
  public void ask(String node) {
    ref.tell(new Ask(node));
  }

  /** Tells the others the address of the endpoint behind this node's references; or none. */
  public void publish(String actors) {
    ref.tell(new Publish(actors));
  }

  /**
   * Tells of each announcement from now on; of a node that is not the one at its address only that
   * its endpoint has ended. Thread of the listener: that of the actor.
   */
  public void onAnnounced(Consumer<Announcement> listener) {
    listeners.add(listener);
  }

  private static final class Directory extends AbstractBehavior<Command> {
    private final TimerScheduler<Command> timers;
    private final Mail mail;
    private final NodeDirectory directory;
    private final ActorRef<ActorIdentity> identities;

    Directory(
        ActorContext<Command> context,
        TimerScheduler<Command> timers,
        Membership membership,
        Mail mail,
        NodeDirectory directory) {
      super(context);
      this.timers = timers;
      this.mail = mail;
      this.directory = directory;
      identities = context.messageAdapter(ActorIdentity.class, Identified::new);
      membership.subscribe(context.messageAdapter(MembershipNotice.class, Noticed::new));
    }

    @Override
    public Receive<Command> createReceive() {
      return newReceiveBuilder()
          .onMessage(Noticed.class, this::onNoticed)
          .onMessage(Ask.class, this::onAsk)
          .onMessage(Retry.class, this::onRetry)
          .onMessage(Identified.class, this::onIdentified)
          .onMessage(Announcement.class, this::onAnnouncement)
          .onMessage(Publish.class, this::onPublish)
          .build();
    }

    private Behavior<Command> onNoticed(Noticed noticed) {
      MembershipNotice notice = noticed.notice();
      String node = notice.node().address();
      switch (notice.news()) {
        case SEEN, UP -> {
          if (directory.table.joined(notice.node())) {
            identify(node, FIRST_RETRY);
          }
        }
        case LEFT -> {
          directory.table.left(notice.node());
          timers.cancel(node);
        }
        case DOWNED, REMOVED -> {
          directory.table.gone(notice.node());
          if (!directory.table.isMember(node)) {
            timers.cancel(node);
          }
        }
        case UNREACHABLE, REACHABLE -> {}
      }
      return this;
    }

    private Behavior<Command> onAsk(Ask ask) {
      boolean isOwn = ask.node.equals(directory.own.node().address());
      if (!isOwn && isUnknown(ask.node) && !timers.isTimerActive(ask.node)) {
        identify(ask.node, FIRST_RETRY);
      }
      return this;
    }

    private boolean isUnknown(String node) {
      return directory.table.presence(node) == Presence.UNKNOWN;
    }

    /** A member is asked until it answers, another node a few times. */
    private void identify(String node, Duration retry) {
      mail.identify(node, ACTOR, identities);
      boolean isLast = retry.compareTo(LAST_RETRY) > 0;
      if (!isLast || directory.table.isMember(node)) {
        Duration wait = isLast ? LAST_RETRY : retry;
        timers.startSingleTimer(node, new Retry(node, wait), wait);
      }
    }

    /** A member tells when it opens a fabric; another node without one may be asked again now. */
    private Behavior<Command> onRetry(Retry retry) {
      if (isUnknown(retry.node)) {
        identify(retry.node, retry.after.multipliedBy(2));
      } else {
        directory.table.forgetAbsent(retry.node);
      }
      return this;
    }

    private Behavior<Command> onIdentified(Identified identified) {
      if (!(identified.identity.correlationId() instanceof String node)) {
        return this;
      }
      if (identified.identity.getActorRef().isPresent()) {
        say(List.of(directory.table.question(node)));
      } else {
        directory.table.absent(node);
        timers.startSingleTimer(node, new Retry(node, LAST_RETRY), LAST_RETRY);
      }
      return this;
    }

    private Behavior<Command> onAnnouncement(Announcement announcement) {
      boolean isOfAnother = directory.table.isOfAnother(announcement.node());
      say(directory.table.heard(announcement));
      if (isOfAnother && !announcement.hasEnded()) {
        return this;
      }
      if (!isOfAnother) {
        timers.cancel(announcement.node().address());
      }
      directory.listeners.forEach(each -> each.accept(announcement));
      return this;
    }

    private Behavior<Command> onPublish(Publish publish) {
      say(directory.table.publish(publish.actors));
      return this;
    }

    private void say(List<NodeTable.Outgoing> all) {
      all.forEach(each -> mail.tell(each.node(), ACTOR, each.said()));
    }
  }
}
