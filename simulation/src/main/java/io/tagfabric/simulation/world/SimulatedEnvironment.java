package io.tagfabric.simulation.world;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.LoopDriver;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.runtime.RandomSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a simulated node gets from outside: the clock and the random numbers of the run that its
 * system belongs to at the moment, no threads, and no cluster unless its run has one. Thread: the
 * simulation's.
 */
final class SimulatedEnvironment implements Environment {
  private final SystemRuntime runtime;
  private final Membership membership;

  /**
   * An environment.
   *
   * @param number of the node
   * @param members give it its membership
   */
  SimulatedEnvironment(SystemRuntime runtime, int number, Function<NodeId, Membership> members) {
    this.runtime = runtime;
    membership = members.apply(new NodeId("akka://simulated@node-" + number + ":1", number));
  }

  /** The membership of a node that has none. */
  static Membership alone(NodeId self) {
    return new Alone(self);
  }

  private static final class Time implements TimeSource {
    private final SystemRuntime runtime;

    Time(SystemRuntime runtime) {
      this.runtime = runtime;
    }

    @Override
    public long nanoTime() {
      return runtime.clock().nanoTime();
    }

    @Override
    public void park(Object blocker, long maxNs) {
      runtime.clock().park(blocker, maxNs);
    }

    @Override
    public void unpark(Thread sleeper) {
      runtime.clock().unpark(sleeper);
    }
  }

  private record Alone(NodeId self) implements Membership {
    @Override
    public Status status() {
      return Status.ALONE;
    }

    @Override
    public void subscribe(ActorRef<MembershipNotice> subscriber) {
      // There is nothing to be a member of, so it is never told anything.
    }

    @Override
    public void join(String seed) {
      refuse();
    }

    @Override
    public void leave() {
      refuse();
    }

    @Override
    public void down(String address) {
      refuse();
    }

    @Override
    public void keepMajority(int size, String seed) {
      refuse();
    }

    private static void refuse() {
      throw new UnsupportedOperationException(
          "a simulated node without a job has no membership, simulate a job for that");
    }
  }

  /** Numbers of one length: a system serves many runs, and an address is longer by each digit. */
  @Override
  public int firstEndpoint() {
    return 1_000_000;
  }

  @Override
  public TimeSource time() {
    return new Time(runtime);
  }

  @Override
  public InstantSource wallClock() {
    return () -> Instant.EPOCH.plusNanos(runtime.clock().nanoTime());
  }

  @Override
  public RandomSource random() {
    return () -> runtime.random().nextLong();
  }

  @Override
  public String vm() {
    return "simulated";
  }

  /** The simulation drives all loops, also those of closed domains. */
  @Override
  public Optional<LoopDriver> loopDriver() {
    return Optional.of(
        new LoopDriver() {
          @Override
          public void opened(String domain, ProgressLoop loop, ProgressMode mode) {
            // Its node takes turns.
          }

          @Override
          public void closed(String domain, ProgressLoop loop) {
            // Who closes it drives it to its end.
          }
        });
  }

  @Override
  public Membership membership(ActorSystem<?> system) {
    return membership;
  }
}
