package io.tagfabric.collective;

import akka.actor.typed.ActorSystem;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.UniqueAddress;
import akka.cluster.typed.Cluster;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
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
import java.util.Objects;
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
 * role, if one is named, and can be reached, the oldest, in the order of their age. Every such
 * member has one and calls {@link #form}, once at the beginning and again after a loss; younger
 * members than are needed wait until one is missing.
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
  private final String name;
  private final int size;
  private final Domain domain;
  private final Endpoint endpoint;
  private final ExecutorService forming;
  private CompletionStage<TaggedMessage> invitation;
  private int lastContext;

  /** Whose invitation this node waits for, null if it has not looked for its endpoint. */
  private UniqueAddress inviter;

  private CompletionStage<EndpointAddress> found;
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
    name = role == null ? "cluster-team" : "cluster-team-" + role;
    Fabric fabric = Fabric.get(system);
    domain = fabric.openDomain(name, ProgressMode.AUTO);
    endpoint = domain.openEndpoint(name);
    try {
      fabric.registerHere(name, endpoint).toCompletableFuture().join();
    } catch (CompletionException e) {
      domain.close();
      throw e.getCause() instanceof FabricException cause ? cause : e;
    }
    invitation = endpoint.futures().receiveTagged(TagSelector.exact(INVITATION));
    forming =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "tagfabric-" + name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * This node's part in the teams of a cluster, of members of any role. It joins nothing by itself:
   * the node must be, or become, a member of the cluster.
   *
   * @param size members of a team, equal at all nodes, at least 1
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws IllegalStateException if this node has such a part already
   * @throws FabricException OPERATION_NOT_SUPPORTED if {@code tagfabric.names.enabled} is off here
   */
  public static ClusterTeam of(ActorSystem<?> system, int size) {
    requireSize(size);
    return new ClusterTeam(system, null, size);
  }

  /**
   * The same of members of one role. It joins nothing by itself: the node must be, or become, a
   * member of the cluster.
   *
   * @param role that members must have; it names the domain, so one of a role on a node
   * @param size members of a team, equal at all nodes, at least 1
   * @throws IllegalArgumentException if {@code size} is below 1, or this node does not have the
   *     role
   * @throws FabricException OPERATION_NOT_SUPPORTED if {@code tagfabric.names.enabled} is off here
   */
  public static ClusterTeam of(ActorSystem<?> system, String role, int size) {
    requireSize(size);
    Objects.requireNonNull(role, "role");
    if (!Cluster.get(system).selfMember().hasRole(role)) {
      throw new IllegalArgumentException(
          "role="
              + role
              + " is not among the roles "
              + Cluster.get(system).selfMember().getRoles()
              + " of this node, add it to akka.cluster.roles, or leave it out to have a team of"
              + " members of any role: ClusterTeam.of(system, size)");
    }
    return new ClusterTeam(system, role, size);
  }

  private static void requireSize(int size) {
    if (size < 1) {
      throw new IllegalArgumentException("size=" + size + " < 1, a team has a member");
    }
  }

  /** The endpoint of a member, asked for at its node; fails if another one runs there now. */
  private EndpointAddress endpointOf(Member member) {
    EndpointAddress address = find(member).toCompletableFuture().join();
    if (address.incarnation() != member.uniqueAddress().longUid()) {
      throw new CompletionException(
          "member [" + member.uniqueAddress() + "] has been started again", null);
    }
    return address;
  }

  private CompletionStage<EndpointAddress> find(Member member) {
    return domain.fabric().resolve(member.address().hostPort() + "/" + name, CONNECT);
  }

  /**
   * The next team; waits for as many members as it needs. The one before is closed here. After a
   * loss all members that are left call it again.
   *
   * @return never, while there are too few members. Fails with a {@link FabricException} or
   *     IllegalStateException when this is closed, with INVALID at once if one of the oldest
   *     members, or the oldest of all, is of a build that speaks other protocols than this node;
   *     the text names both.
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
    throw new IllegalStateException("[" + name + "] is closed");
  }

  /** False when this is closed. */
  private boolean formed() {
    closeTeam();
    while (!closed) {
      List<Member> oldest = oldest();
      boolean invites =
          oldest.size() == size && oldest.get(0).uniqueAddress().equals(self().uniqueAddress());
      if (!invites && oldest.size() == size) {
        requireFit(oldest.get(0));
      }
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
        .filter(member -> member.status().equals(MemberStatus.up()))
        .filter(member -> role == null || member.hasRole(role))
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
                : endpointOf(member));
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
      requireFit(notThere);
      LOG.debug("[{}] is not complete: {}", name, notThere.toString());
      pause(() -> false);
      return null;
    }
  }

  /** Fails if an invitation of a member never comes, as it cannot even find this node. */
  private void requireFit(Member oldest) {
    if (!oldest.uniqueAddress().equals(inviter)) {
      inviter = oldest.uniqueAddress();
      found = find(oldest);
    }
    CompletableFuture<EndpointAddress> answer = found.toCompletableFuture();
    if (answer.isCompletedExceptionally()) {
      inviter = null;
      requireFit(answer.handle((address, failure) -> failure).join());
    }
  }

  /** Throws what tells that a member is of a build that this node's does not fit. */
  private static void requireFit(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof FabricException known && known.error() == FabricError.INVALID) {
      throw known;
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
        LOG.warn("what has come for [{}] is no invitation: {}", name, e.toString());
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
      LOG.debug("[{}] has not come about: {}", name, notComplete.toString());
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
