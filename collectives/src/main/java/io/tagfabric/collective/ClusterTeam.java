package io.tagfabric.collective;

import akka.actor.typed.ActorSystem;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Teams of the members of a running Akka Cluster, without a launcher: of those that are up, have a
 * role and can be reached, the oldest, in the order of their age. Every such member has one and
 * calls {@link #form}, once at the beginning and again after a loss; younger members than are
 * needed wait until one is missing.
 *
 * <p>The oldest member invites: it tells all the list of endpoints and a context, so these are the
 * same everywhere. A team is there when a first barrier has gone through at all its members; if one
 * is missing there, the oldest invites again.
 *
 * <p>It opens a domain in AUTO progress and an endpoint of its own, which also carries the
 * invitations. Thread: any.
 */
public final class ClusterTeam implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterTeam.class);

  /** The tag of invitations, which no collective has. */
  private static final long INVITATION = 0x7465616d_696e7669L;

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration FIRST_BARRIER = Duration.ofSeconds(10);
  private static final long LOOK_MS = 200;
  private static final int CONTEXTS = 1 << 16;

  private final Cluster cluster;
  private final String role;
  private final int size;
  private final Domain domain;
  private final Endpoint endpoint;
  private final ExecutorService forming;
  private CompletionStage<TaggedMessage> invitation;
  private int lastContext;
  private Team team;
  private volatile boolean closed;

  /** What the oldest member says. */
  private record Invitation(int context, List<EndpointAddress> members) {
    static Invitation parse(byte[] bytes) {
      String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n");
      return new Invitation(
          Integer.parseInt(lines[0]),
          Arrays.stream(lines).skip(1).map(EndpointAddress::parse).toList());
    }

    byte[] encode() {
      StringBuilder text = new StringBuilder().append(context);
      members.forEach(member -> text.append('\n').append(member.encode()));
      return text.toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  private ClusterTeam(ActorSystem<?> system, String role, int size) {
    this.cluster = Cluster.get(system);
    this.role = role;
    this.size = size;
    Fabric fabric = Fabric.get(system);
    domain = fabric.openDomain("cluster-team-" + role, ProgressMode.AUTO);
    endpoint = domain.openEndpoint(nameOf(cluster.selfMember()));
    try {
      fabric.register(nameOf(cluster.selfMember()), endpoint).toCompletableFuture().join();
    } catch (CompletionException e) {
      domain.close();
      throw e.getCause() instanceof FabricException cause ? cause : e;
    }
    invitation = endpoint.futures().receiveTagged(TagSelector.exact(INVITATION));
    forming =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "tagfabric-cluster-team-" + role);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * This node's part in the teams of a cluster. It joins nothing by itself: the node must be, or
   * become, a member of the cluster.
   *
   * @param role that members must have; it names the domain, so one of a role on a node
   * @param size members of a team, equal at all nodes, at least 1
   * @throws IllegalArgumentException if {@code size} is below 1, or this node does not have the
   *     role
   * @throws FabricException OPERATION_NOT_SUPPORTED if {@code tagfabric.names.enabled} is off here
   */
  public static ClusterTeam of(ActorSystem<?> system, String role, int size) {
    if (size < 1) {
      throw new IllegalArgumentException("size=" + size + " < 1, a team has a member");
    }
    if (!Cluster.get(system).selfMember().hasRole(role)) {
      throw new IllegalArgumentException(
          "role="
              + role
              + " is not among the roles "
              + Cluster.get(system).selfMember().getRoles()
              + " of this node, add it to akka.cluster.roles");
    }
    return new ClusterTeam(system, role, size);
  }

  private String nameOf(Member member) {
    return "cluster-team-" + role + "-" + member.address() + "-" + member.uniqueAddress().longUid();
  }

  /**
   * The next team; waits for as many members as it needs. The one before is closed here. After a
   * loss all members that are left call it again.
   *
   * @return never, while there are too few members; fails with a {@link FabricException} or
   *     IllegalStateException when this is closed
   */
  public CompletionStage<Team> form() {
    return CompletableFuture.supplyAsync(this::formNext, forming);
  }

  private Team formNext() {
    try {
      if (formed()) {
        return team;
      }
    } catch (RuntimeException failure) {
      if (!closed) {
        throw failure;
      }
    }
    throw new IllegalStateException("the cluster team of role [" + role + "] is closed");
  }

  /** False when this is closed. */
  private boolean formed() {
    closeTeam();
    while (!closed) {
      List<Member> oldest = oldest();
      boolean invites =
          oldest.size() == size && oldest.get(0).uniqueAddress().equals(self().uniqueAddress());
      Invitation invited = invites ? invite(oldest) : latest();
      if (invited != null && follow(invited)) {
        return true;
      }
    }
    return false;
  }

  private Member self() {
    return cluster.selfMember();
  }

  /** The oldest that are up and can be reached; as many as are needed, or fewer. */
  private List<Member> oldest() {
    var state = cluster.state();
    var unreachable = state.getUnreachable();
    return StreamSupport.stream(state.getMembers().spliterator(), false)
        .filter(member -> member.status().equals(MemberStatus.up()) && member.hasRole(role))
        .filter(member -> !unreachable.contains(member))
        .sorted((one, other) -> one.isOlderThan(other) ? -1 : other.isOlderThan(one) ? 1 : 0)
        .limit(size)
        .toList();
  }

  /** Tells the others; null if one cannot be found, or members are not yet those in sight. */
  private Invitation invite(List<Member> members) {
    try {
      List<EndpointAddress> addresses = new ArrayList<>();
      for (Member member : members) {
        addresses.add(
            member.uniqueAddress().equals(self().uniqueAddress())
                ? endpoint.address()
                : domain.fabric().resolve(nameOf(member), CONNECT).toCompletableFuture().join());
      }
      lastContext = (lastContext + 1) % CONTEXTS;
      Invitation invited = new Invitation(lastContext, addresses);
      for (EndpointAddress address : addresses) {
        if (!address.isSameEndpoint(endpoint.address())) {
          endpoint
              .futures()
              .sendTagged(domain.addressVector().insert(address), invited.encode(), INVITATION)
              .toCompletableFuture()
              .join();
        }
      }
      return invited;
    } catch (CompletionException notThere) {
      LOG.debug("the team of role [{}] is not complete: {}", role, notThere.toString());
      pause(() -> false);
      return null;
    }
  }

  /** The last invitation that has come, null if none comes for a while. */
  private Invitation latest() {
    pause(() -> invitation.toCompletableFuture().isDone());
    Invitation latest = null;
    while (invitation.toCompletableFuture().isDone()) {
      byte[] bytes = invitation.toCompletableFuture().join().payload().array();
      invitation = endpoint.futures().receiveTagged(TagSelector.exact(INVITATION));
      try {
        latest = Invitation.parse(bytes);
      } catch (IllegalArgumentException e) {
        LOG.warn(
            "what has come for the team of role [{}] is no invitation: {}", role, e.toString());
      }
    }
    return latest;
  }

  private void pause(BooleanSupplier isOver) {
    domain.await(() -> closed || isOver.getAsBoolean(), Duration.ofMillis(LOOK_MS));
  }

  /** Opens a team and waits for its members; false if it does not come about. */
  private boolean follow(Invitation invited) {
    lastContext = invited.context();
    try {
      team = Team.open(domain, endpoint, invited.members(), invited.context());
      team.start(CollectiveCall.barrier(), FIRST_BARRIER)
          .toCompletableFuture()
          .get(2 * FIRST_BARRIER.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException | IllegalArgumentException notComplete) {
      LOG.debug("the team of role [{}] has not come about: {}", role, notComplete.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
    }
    closeTeam();
    return false;
  }

  private void closeTeam() {
    if (team != null) {
      team.close();
      team = null;
    }
  }

  /** Leaves the present team, and forms no more; the domain is closed. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      domain.close();
      // Not interrupted: the thread may be in an actor, as it drives the loop while it waits.
      forming.shutdown();
    }
  }
}
