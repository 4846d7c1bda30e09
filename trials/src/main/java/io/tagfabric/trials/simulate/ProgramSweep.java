package io.tagfabric.trials.simulate;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.simulation.job.SimulatedJob;
import io.tagfabric.trials.exit.ExitJudge;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Runs a program as simulated ranks, from one seed or from many at once. */
final class ProgramSweep implements AutoCloseable {
  private static final int TWICE_EVERY = 50;
  private static final long PROGRESS_NS = 5_000_000_000L;
  private static final int NOT_ENDED = -1;

  private final ProgramOptions program;
  private final SimulateOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final ProgramCode code;
  private final SimulatedJob job;
  private final Optional<ExitJudge> judge;
  private final long beginNs = System.nanoTime();
  private final AtomicLong next;
  private long saidNs = beginNs;
  private long done;
  private Failure failure;

  /** A seed whose run is not as it should be. */
  private record Failure(long seed, String why, List<String> printed) {}

  /**
   * A sweep.
   *
   * @throws IllegalArgumentException if there is no such program, or a fault is none
   */
  ProgramSweep(ProgramOptions program, SimulateOptions options, PrintWriter out, PrintWriter err) {
    this.program = program;
    this.options = options;
    this.out = out;
    this.err = err;
    next = new AtomicLong(options.firstSeed());
    code = program.code();
    judge = ExitJudge.of(program.mainClass(code), program.arguments());
    job = program.job(code, options.run);
  }

  /** The exit code of the command: that of the program for one seed, else 0 or 1. */
  int run() {
    return options.seed != null ? runOne(options.seed) : sweep();
  }

  private int runOne(long seed) {
    List<String> printed = new ArrayList<>();
    Consumer<String> lines =
        line -> {
          printed.add(line);
          out.println(line);
        };
    SimulatedJob.Outcome outcome = options.trace ? traced(seed, lines) : job.run(seed, lines, null);
    out.println(summary(outcome));
    if (judge.isPresent()) {
      String complaint = complaint(outcome, printed);
      out.println(complaint.isEmpty() ? "as the case wants it" : complaint);
      out.flush();
      return complaint.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
    out.flush();
    int failed = outcome.failed();
    if (failed < 0) {
      return ExitCode.OK;
    }
    int failure = outcome.codes().get(failed);
    return failure == NOT_ENDED ? ExitCode.TIMEOUT : failure;
  }

  private SimulatedJob.Outcome traced(long seed, Consumer<String> lines) {
    try (ProgramTrace trace = ProgramTrace.create()) {
      SimulatedJob.Outcome outcome = job.run(seed, lines, trace.directory());
      trace.lines(options.run.ranks).forEach(out::println);
      return outcome;
    }
  }

  static String summary(SimulatedJob.Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "%s; %d turns, %.3f s of virtual time, hash %016x",
        verdict(outcome),
        outcome.turns(),
        outcome.elapsed().toNanos() / 1e9,
        outcome.hash());
  }

  private static String verdict(SimulatedJob.Outcome outcome) {
    int failed = outcome.failed();
    if (failed < 0) {
      return "all ranks ended well" + (outcome.excused().isEmpty() ? "" : " but those of faults");
    }
    int failure = outcome.codes().get(failed);
    return "rank "
        + failed
        + (failure == NOT_ENDED
            ? " had not ended after " + ProgramOptions.LIMIT.toSeconds() + " s of virtual time"
            : " ended with code " + failure);
  }

  /** What is wrong with a run; empty if nothing is. */
  private String complaint(SimulatedJob.Outcome outcome, List<String> printed) {
    return judge
        .map(each -> each.complaint(outcome.codes(), outcome.excused(), printed))
        .orElseGet(() -> outcome.failed() < 0 ? "" : verdict(outcome));
  }

  private int sweep() {
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < options.workers; i++) {
      Thread other = new Thread(this::work, "simulate-" + i);
      other.setDaemon(true);
      other.start();
      others.add(other);
    }
    work();
    for (Thread other : others) {
      join(other);
    }
    Failure found = failure();
    if (found != null) {
      return failed(found.seed, done(), found.why, found.printed);
    }
    if (options.json) {
      out.println(line(done(), "", ""));
    } else {
      out.printf(
          Locale.ROOT,
          "%d seeds in %.1f s: %.1f seeds/s; all ended well%n",
          done(),
          seconds(),
          done() / seconds());
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work() {
    long seed = next.getAndIncrement();
    while (seed <= options.lastSeed()
        && !Thread.currentThread().isInterrupted()
        && isWanted(seed)) {
      try {
        add(runOfSweep(seed));
      } catch (RuntimeException | Error broken) {
        add(new Failure(seed, "the simulation itself has failed: " + broken, List.of()));
      }
      seed = next.getAndIncrement();
    }
  }

  /** After a failure only smaller seeds still matter. */
  private synchronized boolean isWanted(long seed) {
    return failure == null || seed < failure.seed;
  }

  /** What is wrong with a run of a seed, null if nothing is. */
  private Failure runOfSweep(long seed) {
    List<String> printed = new ArrayList<>();
    SimulatedJob.Outcome outcome = job.run(seed, printed::add, null);
    String complaint = complaint(outcome, printed);
    if (complaint.isEmpty()
        && seed % TWICE_EVERY == 0
        && job.run(seed, line -> {}, null).hash() != outcome.hash()) {
      complaint = "two runs of this seed differ";
    }
    return complaint.isEmpty() ? null : new Failure(seed, complaint, printed);
  }

  private synchronized void add(Failure ofRun) {
    done++;
    if (ofRun != null && isWanted(ofRun.seed)) {
      failure = ofRun;
    }
    if (System.nanoTime() - saidNs >= PROGRESS_NS) {
      saidNs = System.nanoTime();
      err.printf(
          Locale.ROOT,
          "simulate: %d of %d seeds, %.1f seeds/s%n",
          done,
          options.lastSeed() - options.firstSeed() + 1,
          done / seconds());
      err.flush();
    }
  }

  private synchronized Failure failure() {
    return failure;
  }

  private synchronized long done() {
    return done;
  }

  private int failed(long seed, long done, String why, List<String> printed) {
    if (options.json) {
      out.println(line(done, Long.toString(seed), why));
    } else {
      printed.forEach(out::println);
      out.println("seed " + seed + ": " + why);
      String faults =
          options.run.faults.isEmpty() ? "" : " --faults " + String.join(",", options.run.faults);
      out.println(
          "again: tagfabric simulate --ranks "
              + options.run.ranks
              + " --seed "
              + seed
              + faults
              + " --trace "
              + program.again());
    }
    out.flush();
    return ExitCode.FAILED;
  }

  private JsonLine line(long done, String failedSeed, String why) {
    return new JsonLine()
        .put("program", program.name())
        .put("first", options.firstSeed())
        .put("seeds", done)
        .put("seconds", seconds())
        .put("seeds_per_second", done / seconds())
        .put("failed_seed", failedSeed)
        .put("failure", why);
  }

  private double seconds() {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  @Override
  public void close() {
    code.close();
  }
}
