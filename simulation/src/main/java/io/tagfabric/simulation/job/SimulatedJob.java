package io.tagfabric.simulation.job;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.world.Scheduler;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * One run of a rank program from a seed: all ranks in this JVM, one thread at a time, on a virtual
 * clock. The same program, arguments, faults and seed give the same run.
 *
 * <p>Thread: one; runs of different threads do not meet.
 */
public final class SimulatedJob {
  /**
   * How a run has ended.
   *
   * @param codes of the ranks; -1 of one that had not ended when the time was over
   * @param excused ranks that the faults have killed or cut off, whose codes are no failure
   * @param elapsed virtual time
   * @param turns of all that takes turns
   * @param hash of everything that has happened, in order
   */
  public record Outcome(
      List<Integer> codes, Set<Integer> excused, Duration elapsed, long turns, long hash) {
    public Outcome {
      codes = List.copyOf(codes);
      excused = Set.copyOf(excused);
    }

    /** The lowest rank that has failed, or has not ended, by no fault; -1 if there is none. */
    public int failed() {
      for (int rank = 0; rank < codes.size(); rank++) {
        if (codes.get(rank) != 0 && !excused.contains(rank)) {
          return rank;
        }
      }
      return -1;
    }
  }

  private final ProgramCode code;
  private final String mainClass;
  private final List<String> arguments;
  private final int size;
  private final JobFaults faults;
  private final Duration limit;

  /**
   * A program to run.
   *
   * @param size number of ranks
   * @param limit virtual time after which a run is given up
   */
  public SimulatedJob(
      ProgramCode code,
      String mainClass,
      List<String> arguments,
      int size,
      JobFaults faults,
      Duration limit) {
    this.code = code;
    this.mainClass = mainClass;
    this.arguments = List.copyOf(arguments);
    this.size = size;
    this.faults = faults;
    this.limit = limit;
  }

  /**
   * Runs it to its end.
   *
   * @param output takes what ranks print, a line at a time behind its rank
   * @param trace a directory where recorders write what happens, one for each domain and one for
   *     the network, all on the virtual clock; null for none
   */
  public Outcome run(long seed, Consumer<String> output, Path trace) {
    Choices choices = Choices.of(seed);
    Scheduler scheduler = new Scheduler(choices);
    Sites sites = new Sites(choices);
    faults.arm(sites);
    try (JobTrace story = JobTrace.begin(trace, scheduler.clock())) {
      return run(seed, output, trace, choices, scheduler, sites, story);
    }
  }

  private Outcome run(
      long seed,
      Consumer<String> output,
      Path trace,
      Choices choices,
      Scheduler scheduler,
      Sites sites,
      JobTrace story) {
    SimulatedNetwork network = new SimulatedNetwork(scheduler, sites, story);
    UUID key = new UUID(seed, size);
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      List<SimulatedRank> ranks = new ArrayList<>();
      SimulatedCluster cluster = new SimulatedCluster(scheduler, network, ranks, story);
      for (int rank = 0; rank < size; rank++) {
        ranks.add(
            new SimulatedRank(
                rank, size, key, seed, scheduler, network, systems, cluster, code, output, story,
                trace));
      }
      Set<Integer> excused = faults.plan(scheduler, network, ranks, choices);
      cluster.begin();
      ranks.forEach(rank -> rank.start(mainClass, arguments));
      long limitNs = scheduler.clock().nanoTime() + limit.toNanos();
      scheduler.runUntil(() -> ranks.stream().allMatch(SimulatedRank::hasEnded), limitNs);
      cluster.end();
      Outcome outcome =
          new Outcome(
              ranks.stream().map(SimulatedRank::code).toList(),
              excused,
              Duration.ofNanos(scheduler.clock().elapsedNs()),
              scheduler.turns(),
              scheduler.hash().hash());
      ranks.forEach(SimulatedRank::remove);
      return outcome;
    }
  }
}
