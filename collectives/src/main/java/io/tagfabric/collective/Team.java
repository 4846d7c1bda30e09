package io.tagfabric.collective;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.algorithm.Hosts;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.Decision;
import io.tagfabric.collective.run.Members;
import io.tagfabric.collective.run.ScheduleRunner;
import io.tagfabric.collective.run.TeamException;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.job.Job;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.receive.ReceiveContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * An ordered set of endpoints that do collectives together, as one of its members holds it. The
 * endpoints may be ranks of a job, or any number of endpoints in one JVM, or both.
 *
 * <p><b>Calls.</b> All members call the same collectives in the same order; the n-th call of one
 * meets the n-th of every other. A call returns at once. Its stage completes when this member has
 * its result and may use all memory of the call again, which says nothing about other members (save
 * for a barrier). Waiting for a stage drives the domain, so it ends in MANUAL progress too,
 * provided that the other members drive theirs. Calls may overlap.
 *
 * <p><b>Results.</b> Contributions are combined in rank order unless the operator is commutative.
 * For a fixed team, settings and arguments the result is the same in every run, bit for bit, and
 * the same at all members.
 *
 * <p><b>Failure.</b> A team breaks for good when a member is lost, {@link #revoke revokes} it, or
 * calls something else: what is under way and every later call fail, at all members, with a {@link
 * TeamException} that names the member. Then {@link #agree} and {@link #shrink} still work, save at
 * a member that the others have given up.
 *
 * <p>Thread: any; calls of one thread keep their order.
 *
 * @source MPI-4.1 chapters 6 and 7; GASNet-EX specification, teams and collectives
 */
public final class Team implements TeamCollectives, AutoCloseable {
  private final ScheduleRunner runner;
  private final Members members;
  private final CollectiveSettings settings;

  private Team(Members members, CollectiveSettings settings) {
    this.members = members;
    this.settings = settings;
    this.runner = ScheduleRunner.open(members, settings);
  }

  /**
   * The team of all ranks of a job, in their order. Its context is 0.
   *
   * @throws IllegalArgumentException if this rank has opened it before, and not closed it
   */
  public static Team world(Job job) {
    return world(job, 0, CollectiveSettings.of(job.fabric().settings()));
  }

  /**
   * Another team of all ranks of a job.
   *
   * @param context as in {@link #open}
   * @param settings equal at all ranks
   */
  public static Team world(Job job, int context, CollectiveSettings settings) {
    List<EndpointAddress> addresses = new ArrayList<>();
    List<Integer> hosts = new ArrayList<>();
    for (int rank = 0; rank < job.size(); rank++) {
      addresses.add(job.address(rank));
      hosts.add(job.locality(rank).host());
    }
    return new Team(
        Members.named(job.domain(), job.endpoint(), addresses, Hosts.of(hosts), context), settings);
  }

  /**
   * Opens a team of endpoints. Nothing is sent: a member may call before the others have opened.
   * Members whose nodes have the same host name or address count as on one host.
   *
   * @param endpoint this member's; it must not be used for tags that collectives use
   * @param members all of them in the same order everywhere, this one among them
   * @param context tells apart teams that share endpoints, 0..65535; equal at all members, and of
   *     one open team on an endpoint; when that is closed, the context may be used again
   * @throws IllegalArgumentException if the endpoint is not of the domain or not among the members,
   *     a member is there twice, or the context is out of range or in use
   * @throws io.tagfabric.error.FabricException OPERATION_NOT_SUPPORTED if the endpoint shares the
   *     receives of a context, or sends datagrams, or a member is of a scalable endpoint
   */
  public static Team open(
      Domain domain, Endpoint endpoint, List<EndpointAddress> members, int context) {
    return open(
        domain, endpoint, members, context, CollectiveSettings.of(domain.fabric().settings()));
  }

  /** The same with settings that are equal at all members. */
  public static Team open(
      Domain domain,
      Endpoint endpoint,
      List<EndpointAddress> members,
      int context,
      CollectiveSettings settings) {
    ReceiveContext shared = endpoint.bindings().receiveContext();
    if (shared != null) {
      throw new FabricException(
          FabricError.OPERATION_NOT_SUPPORTED,
          "endpoint ["
              + endpoint.address()
              + "] shares the receives of context ["
              + shared.name()
              + "], open the team on an endpoint with receives of its own");
    }
    if (endpoint.bindings().datagrams()) {
      throw new FabricException(
          FabricError.OPERATION_NOT_SUPPORTED,
          "endpoint ["
              + endpoint.address()
              + "] sends datagrams, which may be lost: open the team on one that does not");
    }
    for (EndpointAddress each : members) {
      if (each.contexts() != null) {
        throw new FabricException(
            FabricError.OPERATION_NOT_SUPPORTED,
            "member [" + each + "] is of a scalable endpoint, open the team on other endpoints");
      }
    }
    return new Team(Members.named(domain, endpoint, members, null, context), settings);
  }

  /**
   * A team of some of these members, this one among them.
   *
   * @param numbers by which each of them tells it apart
   */
  Team derive(List<Integer> ranks, int[] numbers) {
    return new Team(members.among(ranks, numbers), settings);
  }

  /** A team of those that are alive by an agreement on their numbers. */
  Team surviving(Decision agreed) {
    return new Team(members.surviving(agreed), settings);
  }

  /** This member's place, from 0. */
  public int rank() {
    return members.rank();
  }

  /** Number of members. */
  public int size() {
    return members.size();
  }

  /**
   * What the team was opened with; of a team made of another, above 65535 and the same at all its
   * members, to be told from others of the same rank 0.
   */
  public int context() {
    return members.context();
  }

  /** Where a member is. */
  public EndpointAddress address(int rank) {
    return members.addresses().get(Objects.checkIndex(rank, size()));
  }

  /** The rank in this team of a member of another; -1 if it is none here. */
  public int translate(Team other, int rank) {
    EndpointAddress wanted = other.address(rank);
    for (int i = 0; i < size(); i++) {
      if (members.addresses().get(i).isSameEndpoint(wanted)) {
        return i;
      }
    }
    return -1;
  }

  /** The domain whose loop moves this member's collectives. */
  public Domain domain() {
    return members.domain();
  }

  /** By which this member takes part. */
  public Endpoint endpoint() {
    return members.endpoint();
  }

  /** How collectives are done. */
  public CollectiveSettings settings() {
    return settings;
  }

  /** Why the team is broken, null if it is not. */
  public TeamException failure() {
    return runner.failure();
  }

  /**
   * The members known here to have left or to be lost, in order. Others may know more or less, see
   * {@link #agree}.
   *
   * @source MPI-5.0, MPI_Comm_get_failed
   */
  public List<Integer> gone() {
    return runner.gone().stream().boxed().toList();
  }

  ScheduleRunner runner() {
    return runner;
  }

  @Override
  public CompletionStage<CollectiveCompletion> start(CollectiveCall call) {
    return runner.start(call);
  }

  /**
   * The same within a time.
   *
   * @param timeout after which the team breaks with TIMED_OUT if the call has not ended; the error
   *     names the members that have not made it. Zero for never, whatever the setting says
   */
  public CompletionStage<CollectiveCompletion> start(CollectiveCall call, Duration timeout) {
    return runner.start(call, timeout);
  }

  /**
   * Prepares a collective that is started again and again with the same memory. Nothing is sent,
   * and it counts as a call only when it is started.
   *
   * @throws IllegalArgumentException as {@link #start}
   */
  public PreparedCollective prepare(CollectiveCall call) {
    return new PreparedCollective(runner.prepare(call));
  }

  /** Collectives of objects. */
  public TeamObjects objects() {
    return new TeamObjects(this);
  }

  /**
   * Splits the team. All members call it, also those that want no part.
   *
   * @param color members with the same color come together; negative for no team
   * @param key order in the new team; equal keys stay in this team's order
   * @return the new team, or null for a negative color
   * @source MPI-4.1 §7.4.2 (MPI_Comm_split); GASNet-EX gex_TM_Split
   */
  public CompletionStage<Team> split(int color, int key) {
    return TeamMaking.split(this, color, key);
  }

  /**
   * A team of some members in the order given. All members of this team call it with the same
   * ranks.
   *
   * @return the new team, or null at members that are not named
   */
  public CompletionStage<Team> create(List<Integer> ranks) {
    return TeamMaking.create(this, ranks);
  }

  /** The ranks of this team, in order. */
  public Ranks group() {
    return Ranks.range(0, size());
  }

  /** As {@link #create(List)}. */
  public CompletionStage<Team> create(Ranks ranks) {
    return create(ranks.list());
  }

  /**
   * A team of some members in the order given, which these call and nobody else, all with the same
   * ranks. It is no call of this team, so several may be made at the same time by different
   * members; the same ranks in the order of their calls.
   *
   * @throws IllegalArgumentException if this member is not among the ranks, or one is none of the
   *     team
   * @source MPI-4.1 §7.4.2 (MPI_Comm_create_group)
   */
  public CompletionStage<Team> createFrom(Ranks ranks) {
    return TeamMaking.createFrom(this, ranks);
  }

  /**
   * The members on the same host as this one, in their order. All members call it.
   *
   * @source MPI-4.1 §7.4.2 (MPI_Comm_split_type, MPI_COMM_TYPE_SHARED)
   */
  public CompletionStage<Team> splitByHost() {
    return split(members.hosts().of(rank()), rank());
  }

  /**
   * A team whose members are the points of a grid: the first of these, in their order. All members
   * call it.
   *
   * @param lengths of the dimensions
   * @param periodic for each dimension whether it is closed to a ring
   * @return the new team, or null at members for which there is no point
   * @throws IllegalArgumentException if the grid has more points than the team members
   * @source MPI-4.1 §8.5.1 (MPI_Cart_create)
   */
  public CompletionStage<CartesianTeam> cartesian(int[] lengths, boolean[] periodic) {
    int points = CartesianTeam.points(lengths, periodic);
    if (points > size()) {
      throw new IllegalArgumentException(
          "points=" + points + " > members=" + size() + ", make the grid smaller");
    }
    return split(rank() < points ? 0 : -1, rank())
        .thenApply(part -> part == null ? null : new CartesianTeam(part, lengths, periodic));
  }

  /** A team of the same members that does not disturb this one. All members call it. */
  public CompletionStage<Team> dup() {
    return TeamMaking.dup(this);
  }

  /**
   * Memory of all members, which each of them reads, writes and updates. All members call it; each
   * part may have another length. A part is memory of {@link Domain#allocate}.
   *
   * @param bytes of this member's part, at least 1
   * @return fails at all members if one cannot allocate its part, with that member's error and name
   * @source MPI-4.1 §12.2.2 (MPI_Win_allocate); GASNet-EX, gex_Segment_Attach
   */
  public CompletionStage<TeamMemory> allocate(int bytes) {
    return TeamMemoryMaking.allocate(this, bytes);
  }

  /**
   * Agrees on what may be done with elements of memory. All members call it with the same
   * arguments.
   *
   * @return fails at all members with INVALID if one names something else, which it says
   * @throws IllegalArgumentException without an operation
   * @throws FabricException OPERATION_NOT_SUPPORTED if there is no such operation for these
   *     elements
   * @source GASNet-EX, gex_AD_Create
   */
  public CompletionStage<AtomicsDomain> atomics(AtomicKind kind, Set<AtomicOp> operations) {
    return AtomicsDomain.make(this, kind, operations);
  }

  /**
   * Breaks the team at all members, also those that wait in a collective of it.
   *
   * @source MPI-5.0, MPI_Comm_revoke
   */
  public void revoke() {
    runner.revoke();
  }

  /**
   * Agrees on flags with all members that are alive, also in a broken team. All of these call it.
   *
   * @param flag bits
   * @return the bits that all have set, and the members that one of them knew to be lost; the same
   *     at all members that are alive. Fails at a member that others cannot reach
   * @source MPI-5.0, MPI_Comm_agree
   */
  public CompletionStage<Agreement> agree(long flag) {
    return TeamMaking.agree(this, flag);
  }

  /**
   * A team of the members that are alive, in their order. All of these call it. A member that is
   * lost meanwhile may be in the new team, which is broken then: shrink it again.
   *
   * @return fails at a member that others cannot reach, as they make the team without it
   * @source MPI-5.0, MPI_Comm_shrink
   */
  public CompletionStage<Team> shrink() {
    return TeamMaking.shrink(this);
  }

  /**
   * Leaves the team. What is under way fails with CANCELED, here and at the others, so close after
   * the last call has completed. A team whose making the others may have ended already is made
   * here, too: its stage completes as if this one were open. Teams made of it go on. Idempotent.
   */
  @Override
  public void close() {
    runner.close();
  }

  @Override
  public String toString() {
    return "Team[" + members + "]";
  }

  /**
   * What members that are alive have agreed on.
   *
   * @param flag bits that all of them have set
   * @param lost ranks that one of them knew to be lost, or to have left, in order
   */
  public record Agreement(long flag, List<Integer> lost) {
    public Agreement {
      lost = List.copyOf(lost);
    }
  }
}
