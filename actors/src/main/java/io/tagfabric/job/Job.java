package io.tagfabric.job;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressFuture;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * What the program of a rank holds: its place in the job, its endpoint, and the other ranks. All
 * ranks have met when a job has started.
 *
 * <p>Thread: any, unless said otherwise.
 *
 * @source MPI-4.1 §11.2 (MPI_Init, MPI_Finalize); GASNet 1.8.1 (gasnet_init, gasnet_attach)
 */
public final class Job implements AutoCloseable {
  private final JobSpec spec;
  private final List<String> arguments;
  private final ActorSystem<?> system;
  private final Fabric fabric;
  private final Domain domain;
  private final Endpoint endpoint;
  private final RankMap ranks;
  private final int[] peers;
  private final ActorRef<JobMember.Command> member;
  private final Losses losses;
  private final RankEnd end;
  private final JobExit exit;

  Job(
      JobSpec spec,
      List<String> arguments,
      Domain domain,
      Endpoint endpoint,
      RankMap ranks,
      ActorRef<JobMember.Command> member,
      Losses losses,
      RankEnd end,
      JobExit exit) {
    this.spec = spec;
    this.arguments = List.copyOf(arguments);
    this.domain = domain;
    this.fabric = domain.fabric();
    this.system = fabric.system();
    this.endpoint = endpoint;
    this.ranks = ranks;
    this.peers = domain.addressVector().insertAll(ranks.addresses());
    this.member = member;
    this.losses = losses;
    this.end = end;
    this.exit = exit;
  }

  /**
   * Starts this process as a rank of the job that its settings describe; without a launcher that is
   * a job of one rank. Blocks until all ranks have met.
   *
   * <p>If that fails the process says why in one sentence and ends with code 1: an ActorSystem that
   * could not start leaves threads behind that nothing else ends. When the main thread ends, the
   * job is closed.
   *
   * @param arguments of the program, kept for {@link #arguments}
   */
  public static Job start(String... arguments) {
    return start(JobOptions.defaults(), arguments);
  }

  /** As {@link #start(String...)}, with a program's own choices. */
  public static Job start(JobOptions options, String... arguments) {
    return JobStarter.startProcess(options, List.of(arguments));
  }

  /**
   * Starts a rank in an ActorSystem of its own, for processes that hold several ranks, such as
   * tests.
   *
   * @throws FabricException if the other ranks do not come or refuse this one
   */
  public static Job open(JobSpec spec, JobOptions options) {
    return JobStarter.open(spec, options);
  }

  /**
   * Makes an existing ActorSystem, which must be able to join a cluster, a rank. {@link #close}
   * leaves the system and its cluster as they are.
   *
   * @throws FabricException if the other ranks do not come or refuse this one; KEY_REJECTED if
   *     {@code tagfabric.job.key} of the system is not the key of {@code spec}
   */
  public static Job join(ActorSystem<?> system, JobSpec spec) {
    return join(system, spec, JobOptions.defaults());
  }

  /** As {@link #join(ActorSystem, JobSpec)}; only choices of domain and endpoint have an effect. */
  public static Job join(ActorSystem<?> system, JobSpec spec, JobOptions options) {
    return JobStarter.join(system, spec, options);
  }

  /**
   * Starts this process as a rank, runs a program in it, and ends the process with the program's
   * code. A program that throws ends with code 1 and one line that says why. If that is not 0 the
   * job ends, or, with {@code exit.on-loss = continue}, this rank alone, and the others learn at
   * once that it is lost.
   */
  public static void run(String[] arguments, JobProgram program) {
    run(JobOptions.defaults(), arguments, program);
  }

  /** As {@link #run(String[], JobProgram)}, with a program's own choices. */
  public static void run(JobOptions options, String[] arguments, JobProgram program) {
    JobStarter.runProcess(options, List.of(arguments), program);
  }

  /** Number of this rank, from 0. */
  public int rank() {
    return spec.rank();
  }

  /** Number of ranks. */
  public int size() {
    return spec.size();
  }

  /** What the rank was started with. */
  public JobSpec spec() {
    return spec;
  }

  /** Arguments of the program. */
  public List<String> arguments() {
    return arguments;
  }

  /** The rank's ActorSystem. */
  public ActorSystem<?> system() {
    return system;
  }

  /** The fabric of that system. */
  public Fabric fabric() {
    return fabric;
  }

  /** The domain {@code rank-<number>}. */
  public Domain domain() {
    return domain;
  }

  /** The endpoint {@code rank-<number>}. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** Index of a rank's endpoint in the domain's address vector; of this rank's own too. */
  public int peer(int rank) {
    return peers[Objects.checkIndex(rank, peers.length)];
  }

  /** The rank whose endpoint has an index, -1 if it is no rank's. */
  public int rankOf(int peer) {
    for (int rank = 0; rank < peers.length; rank++) {
      if (peers[rank] == peer) {
        return rank;
      }
    }
    return -1;
  }

  /** Where a rank's endpoint is. */
  public EndpointAddress address(int rank) {
    return ranks.address(rank);
  }

  /** On which host and in which JVM a rank runs. */
  public Locality locality(int rank) {
    return ranks.locality(rank);
  }

  /** All ranks, their endpoints and where they run. */
  public RankMap ranks() {
    return ranks;
  }

  /**
   * Waits, driving the domain, until all ranks have come to a barrier.
   *
   * @throws FabricException CONNECTION_RESET or SHUTDOWN naming the ranks that are lost or have
   *     left, BUSY if another thread waits at a barrier
   */
  public void barrier() {
    enterBarrier(null);
  }

  /**
   * The same within a time; after a timeout the next call goes on waiting at the same barrier.
   *
   * @throws FabricException also TIMED_OUT, naming the ranks that did not come
   */
  public void barrier(Duration timeout) {
    enterBarrier(Objects.requireNonNull(timeout, "timeout"));
  }

  private void enterBarrier(Duration timeout) {
    ProgressFuture<Void> released = domain.futures().create();
    member.tell(new JobMember.EnterBarrier(timeout, released));
    try {
      released.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof FabricException failure) {
        throw new FabricException(failure.error(), failure.getMessage(), failure);
      }
      throw e;
    }
  }

  /**
   * Tells a listener of each rank that is lost: killed, cut off, or ended by a failure; of those
   * that are lost already, at once. It runs on a thread of the ActorSystem and must not block.
   */
  public void onRankLost(IntConsumer listener) {
    losses.listen(listener);
  }

  /** The ranks that are lost now, in order. */
  public List<Integer> lostRanks() {
    return losses.lost();
  }

  /**
   * Begins to end the whole job with a code; see {@link JobExit#exit}. Returns at once.
   *
   * @param code exit code; its low eight bits count
   */
  public void exit(int code) {
    exit.exit(code);
  }

  /** The same, for an end that the other ranks do not expect; see {@link JobExit#exitNow}. */
  public void exitNow(int code) {
    exit.exitNow(code);
  }

  /** Adds what this rank wants to do when its job ends; see {@link JobExit#onExit}. */
  public void onExit(Consumer<ExitNotice> hook) {
    exit.onExit(hook);
  }

  /** Completes with the job's code when {@link #exit}, of any rank, has ended this rank. */
  public CompletionStage<Integer> whenExited() {
    return exit.whenEnded();
  }

  /** Ends the whole job; for those who are not to hold the job itself. */
  public JobExit exits() {
    return exit;
  }

  /** Whether {@link #close} has begun. */
  public boolean isClosed() {
    return end.hasBegun();
  }

  /**
   * Closes the domain, leaves the job and, if it was made for it, ends the ActorSystem; other ranks
   * need not do the same. Blocks for at most {@code job.leave-timeout} and the domain's close
   * timeout. Idempotent.
   */
  @Override
  public void close() {
    end.close(domain);
  }

  /** Leaves as a rank that has failed: the others need not wait to find out. */
  void abandon() {
    end.abandon(domain);
  }

  /** The same when what the rank has sent is to arrive. */
  void leaveAsFailed() {
    end.fail(domain);
  }

  @Override
  public String toString() {
    return "Job[rank " + rank() + " of " + size() + "]";
  }
}
