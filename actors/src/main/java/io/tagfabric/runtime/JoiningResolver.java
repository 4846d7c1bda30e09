package io.tagfabric.runtime;

import akka.actor.Address;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.ClusterEvent;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.UniqueAddress;
import akka.cluster.sbr.SplitBrainResolverProvider;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import akka.cluster.typed.Subscribe;
import com.typesafe.config.Config;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.progress.TimeSource;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Keeps the majority of a job's ranks when the network splits before the cluster has moved them to
 * {@code Up}. Akka's split-brain resolver decides nothing on a node that is not up, and a node that
 * has lost others before never will be: the smaller side would stay for ever.
 *
 * <p>Decides as {@code keep-majority} does, and once what is unreachable has been the same for
 * {@code akka.cluster.split-brain-resolver.stable-after}. A rank that this one knows nothing of
 * counts as unreachable. Ends when this node is up.
 */
final class JoiningResolver extends AbstractBehavior<JoiningResolver.Command> {
  static final String NAME = "tagfabric-joining-resolver";

  private static final String PROVIDER = "akka.cluster.downing-provider-class";
  private static final String STRATEGY = "akka.cluster.split-brain-resolver.active-strategy";
  private static final String STABLE_AFTER = "akka.cluster.split-brain-resolver.stable-after";
  private static final int LOOKS_PER_STABLE = 6;

  /** Its messages. */
  sealed interface Command {}

  private record Changed(ClusterEvent.MemberEvent event) implements Command {}

  private enum Look implements Command {
    INSTANCE
  }

  private final Cluster cluster;
  private final TimeSource time;
  private final int size;
  private final Address seed;
  private final long stableNs;

  /** Those that will not come back, which no majority needs. */
  private final Set<UniqueAddress> gone = new LinkedHashSet<>();

  private Set<UniqueAddress> unreachable = Set.of();
  private long changedNs;

  private JoiningResolver(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      int size,
      Address seed,
      Duration stableAfter) {
    super(context);
    this.size = size;
    this.seed = seed;
    stableNs = stableAfter.toNanos();
    cluster = Cluster.get(context.getSystem());
    time = Environment.of(context.getSystem()).time();
    ActorRef<ClusterEvent.MemberEvent> members =
        context.messageAdapter(ClusterEvent.MemberEvent.class, Changed::new);
    cluster.subscriptions().tell(Subscribe.create(members, ClusterEvent.MemberEvent.class));
    timers.startTimerWithFixedDelay(Look.INSTANCE, stableAfter.dividedBy(LOOKS_PER_STABLE));
  }

  /**
   * Starts it, if there is anything to decide and nobody has chosen another way to decide it.
   *
   * @param size ranks of the job
   * @param seed node of rank 0, whose side goes on if both are of one size
   */
  static void start(ActorSystem<?> system, int size, Address seed) {
    Config config = system.settings().config();
    boolean keepsMajority =
        config.getString(PROVIDER).equals(SplitBrainResolverProvider.class.getName())
            && config.getString(STRATEGY).equals("keep-majority");
    if (size > 1 && keepsMajority) {
      Duration stableAfter = config.getDuration(STABLE_AFTER);
      system.systemActorOf(create(size, seed, stableAfter), NAME, GuardedMailbox.props());
    }
  }

  private static Behavior<Command> create(int size, Address seed, Duration stableAfter) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new JoiningResolver(context, timers, size, seed, stableAfter)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Changed.class, this::onChanged)
        .onMessage(Look.class, notUsed -> onLook())
        .build();
  }

  private Behavior<Command> onChanged(Changed changed) {
    ClusterEvent.MemberEvent event = changed.event();
    if (event instanceof ClusterEvent.MemberDowned || event instanceof ClusterEvent.MemberRemoved) {
      gone.add(event.member().uniqueAddress());
    }
    return this;
  }

  private Behavior<Command> onLook() {
    Member self = cluster.selfMember();
    if (!self.status().equals(MemberStatus.joining())) {
      return Behaviors.stopped();
    }
    ClusterEvent.CurrentClusterState state = cluster.state();
    Set<UniqueAddress> now =
        state.getUnreachable().stream()
            .filter(member -> !member.status().equals(MemberStatus.down()))
            .map(Member::uniqueAddress)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (!now.equals(unreachable)) {
      unreachable = now;
      changedNs = time.nanoTime();
    } else if (!now.isEmpty() && time.nanoTime() - changedNs > stableNs) {
      resolve(self, state);
      changedNs = time.nanoTime();
    }
    return this;
  }

  private void resolve(Member self, ClusterEvent.CurrentClusterState state) {
    List<Address> reachable =
        StreamSupport.stream(state.getMembers().spliterator(), false)
            .filter(member -> !gone.contains(member.uniqueAddress()))
            .filter(member -> !unreachable.contains(member.uniqueAddress()))
            .map(Member::address)
            .toList();
    boolean stays = staysWith(reachable.size(), size - gone.size(), reachable.contains(seed));
    getContext()
        .getLog()
        .warn(
            "the network has split before this node was up: [{}] of [{}] ranks are reachable, {}",
            reachable.size(),
            size - gone.size(),
            stays ? "the others are downed" : "this node is downed");
    if (stays) {
      unreachable.forEach(this::down);
    } else {
      down(self.uniqueAddress());
    }
  }

  /** Whether a side goes on: the larger one, or of two equal ones that with rank 0. */
  static boolean staysWith(int reachable, int living, boolean withSeed) {
    return 2 * reachable > living || (2 * reachable == living && withSeed);
  }

  private void down(UniqueAddress node) {
    cluster.manager().tell(Down.apply(node.address()));
  }
}
