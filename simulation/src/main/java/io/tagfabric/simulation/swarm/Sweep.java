package io.tagfabric.simulation.swarm;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Shrinker;
import io.tagfabric.simulation.choice.TraceHash;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Runs of many seeds, by several threads that share nothing but the number of the next seed. It
 * ends with the first seed that fails. One seed in {@link #TWICE_EVERY} runs twice and must do the
 * same.
 */
public final class Sweep {
  /** One seed of so many runs twice. */
  public static final int TWICE_EVERY = 50;

  /** Akka keeps something of each dispatcher that a system ever had, and so of each domain. */
  private static final int RUNS_PER_SYSTEMS = 1_000;

  private static final int SHRINKING_RUNS = 600;
  private static final int SEEDS_PER_REPORT = 20;

  /**
   * What a sweep has done so far.
   *
   * @param seeds that have run
   * @param events of all runs: turns, packets, operations
   * @param turns given by the schedulers
   * @param virtualNs of all runs
   * @param twice seeds that have run twice
   * @param hash of what all of them have done; equal for the same seeds, whatever their order
   * @param probes runs that have met each
   * @param failure the failed run of the smallest seed, null if there is none
   */
  public record Totals(
      long seeds,
      long events,
      long turns,
      long virtualNs,
      long twice,
      long hash,
      Probes probes,
      Outcome failure) {}

  private final SwarmOptions options;
  private final long first;
  private final long last;
  private final int workers;
  private final Consumer<Totals> progress;
  private final AtomicLong next;
  private final Probes probes = new Probes();
  private long seeds;
  private long events;
  private long turns;
  private long virtualNs;
  private long twice;
  private long hash;
  private Outcome failure;

  /**
   * A sweep.
   *
   * @param first seed
   * @param last seed, this one included
   * @param workers threads
   * @param progress hears of it now and then, on any of the threads, one at a time
   */
  public Sweep(
      SwarmOptions options, long first, long last, int workers, Consumer<Totals> progress) {
    if (first > last || workers < 1) {
      throw new IllegalArgumentException(
          "first=" + first + " > last=" + last + " or workers=" + workers + " < 1");
    }
    this.options = options;
    this.first = first;
    this.last = last;
    this.workers = workers;
    this.progress = progress;
    next = new AtomicLong(first);
  }

  /** Runs it, on the calling thread too. */
  public Totals run() {
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < workers; i++) {
      Thread other = new Thread(this::work, "simulate-" + i);
      other.setDaemon(true);
      other.start();
      others.add(other);
    }
    work();
    for (Thread other : others) {
      join(other);
    }
    return totals();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work() {
    boolean goesOn = true;
    while (goesOn) {
      try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
        goesOn = work(systems);
      }
    }
  }

  /** Runs seeds until the systems have served enough of them; false if no seeds are left. */
  private boolean work(SimulatedSystems systems) {
    for (int run = 0; run < RUNS_PER_SYSTEMS; run++) {
      long seed = next.getAndIncrement();
      if (seed > last || Thread.currentThread().isInterrupted() || !isWanted(seed)) {
        return false;
      }
      add(runOne(seed, systems));
    }
    return true;
  }

  /** After a failure only smaller seeds still matter. */
  private synchronized boolean isWanted(long seed) {
    return failure == null || seed < failure.seed();
  }

  private Outcome runOne(long seed, SimulatedSystems systems) {
    Outcome outcome = run(seed, options, systems);
    if (outcome.violation() != null || seed % TWICE_EVERY != 0) {
      return outcome;
    }
    synchronized (this) {
      twice++;
    }
    Outcome again = run(seed, options, systems);
    int step = TraceHash.firstDifference(outcome.hash(), again.hash());
    return step < 0 ? outcome : differing(outcome, again, step);
  }

  private static Outcome differing(Outcome outcome, Outcome again, int step) {
    Violation violation =
        new Violation(
            Invariant.DETERMINISM,
            "two runs of one seed differ first in turn "
                + step
                + " of "
                + outcome.hash().count()
                + " and "
                + again.hash().count());
    return new Outcome(
        outcome.seed(),
        violation,
        outcome.turns(),
        outcome.events(),
        outcome.virtualNs(),
        outcome.hash(),
        outcome.choices(),
        outcome.mix(),
        outcome.sites(),
        outcome.probes());
  }

  private synchronized void add(Outcome outcome) {
    seeds++;
    events += outcome.events();
    turns += outcome.turns();
    virtualNs += outcome.virtualNs();
    hash += mixed(outcome.hash().hash() + mixed(outcome.seed()));
    probes.add(outcome.probes());
    if (outcome.violation() != null && (failure == null || outcome.seed() < failure.seed())) {
      failure = outcome;
    }
    if (seeds % SEEDS_PER_REPORT == 0) {
      progress.accept(totals());
    }
  }

  /** Spreads each bit over all others, so that a sum shows every change. */
  private static long mixed(long bits) {
    long half = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    long whole = (half ^ half >>> 27) * 0x94D049BB133111EBL;
    return whole ^ whole >>> 31;
  }

  private synchronized Totals totals() {
    return new Totals(seeds, events, turns, virtualNs, twice, hash, probes, failure);
  }

  /** The first seed. */
  public long first() {
    return first;
  }

  /** One run of one seed. */
  public static Outcome run(long seed, SwarmOptions options, SimulatedSystems systems) {
    return new SeedRun(seed, Choices.of(seed), options, systems, null).run();
  }

  /**
   * The same, recorded: each domain writes a file, and one more is of the network and the programs.
   *
   * @param directory where the files go
   */
  public static Outcome record(long seed, SwarmOptions options, Path directory) {
    try (SimulatedSystems systems = recorded(directory)) {
      return new SeedRun(seed, Choices.of(seed), options, systems, directory).run();
    }
  }

  private static SimulatedSystems recorded(Path directory) {
    return new SimulatedSystems(
        ConfigFactory.parseMap(
            Map.of(FabricSettings.TRACE_DIRECTORY.fullKey(), directory.toString())));
  }

  /**
   * The plainest run found that fails in the same way as a given one, recorded.
   *
   * @param failed a run that has failed
   * @param directory where the files go
   */
  public static Outcome shrink(Outcome failed, SwarmOptions options, Path directory) {
    int[] choices = failed.choices().numbers();
    if (failed.violation().invariant() != Invariant.DETERMINISM) {
      try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
        choices =
            new Shrinker(
                    fewer -> failed.failsAsSoon(replay(failed, fewer, options, systems, null)),
                    SHRINKING_RUNS)
                .shrink(choices);
      }
    }
    try (SimulatedSystems systems = recorded(directory)) {
      return replay(failed, choices, options, systems, directory);
    }
  }

  private static Outcome replay(
      Outcome failed,
      int[] choices,
      SwarmOptions options,
      SimulatedSystems systems,
      Path directory) {
    return new SeedRun(failed.seed(), Choices.replaying(choices), options, systems, directory)
        .run();
  }
}
