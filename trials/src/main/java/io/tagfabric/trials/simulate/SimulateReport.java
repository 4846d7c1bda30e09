package io.tagfabric.trials.simulate;

import io.tagfabric.report.JsonLine;
import io.tagfabric.simulation.swarm.Outcome;
import io.tagfabric.simulation.swarm.Probe;
import io.tagfabric.simulation.swarm.Sweep;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints what a sweep finds. */
final class SimulateReport {
  private static final long PROGRESS_NS = 5_000_000_000L;

  private final SimulateOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final long beginNs = System.nanoTime();
  private long saidNs = beginNs;

  SimulateReport(SimulateOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
  }

  private double seconds() {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  /** Called now and then. */
  void progress(Sweep.Totals totals) {
    long nowNs = System.nanoTime();
    if (nowNs - saidNs >= PROGRESS_NS) {
      saidNs = nowNs;
      err.printf(
          Locale.ROOT,
          "simulate: %d of %d seeds, %.0f seeds/s, %.0f events/s%n",
          totals.seeds(),
          options.lastSeed() - options.firstSeed() + 1,
          totals.seeds() / seconds(),
          totals.events() / seconds());
      err.flush();
    }
  }

  /** The end of a sweep, with the plainest run that fails, if one has. */
  void end(Sweep.Totals totals, TracedRun shortest) {
    if (options.json) {
      out.println(line(totals, shortest));
    } else {
      print(totals);
      if (totals.failure() != null) {
        print(totals.failure(), shortest);
      }
    }
    out.flush();
  }

  private JsonLine line(Sweep.Totals totals, TracedRun shortest) {
    Outcome failure = totals.failure();
    JsonLine line =
        new JsonLine()
            .put("first", options.firstSeed())
            .put("seeds", totals.seeds())
            .put("twice", totals.twice())
            .put("events", totals.events())
            .put("turns", totals.turns())
            .put("virtual_seconds", totals.virtualNs() / 1e9)
            .put("hash", String.format(Locale.ROOT, "%016x", totals.hash()))
            .put("seconds", seconds())
            .put("seeds_per_second", totals.seeds() / seconds())
            .put("events_per_second", totals.events() / seconds())
            .put("probes_missed", String.join(" ", missed(totals)))
            .put("failed_seed", failure == null ? "" : Long.toString(failure.seed()));
    if (failure != null) {
      line.put("invariant", failure.violation().invariant().label())
          .put("violation", failure.violation().getMessage())
          .put("mix", failure.mix())
          .put("faults", failure.sites())
          .put("choices", failure.choices().length())
          .put("choices_shortest", shortest.outcome().choices().length())
          .put("trace", String.join("\n", shortest.lines()));
    }
    return line;
  }

  static java.util.List<String> missed(Sweep.Totals totals) {
    return totals.probes().missed().stream().map(Probe::label).toList();
  }

  private void print(Sweep.Totals totals) {
    out.printf(
        Locale.ROOT,
        "%d seeds, %d of them twice, in %.1f s: %.0f seeds/s, %.0f events/s; %.0f s of virtual"
            + " time, hash %016x%n",
        totals.seeds(),
        totals.twice(),
        seconds(),
        totals.seeds() / seconds(),
        totals.events() / seconds(),
        totals.virtualNs() / 1e9,
        totals.hash());
    if (!missed(totals).isEmpty()) {
      out.println("never reached: " + String.join(", ", missed(totals)));
    }
  }

  private void print(Outcome failure, TracedRun shortest) {
    out.printf(
        Locale.ROOT,
        "seed %d violates %s: %s%n",
        failure.seed(),
        failure.violation().invariant().label(),
        failure.violation().getMessage());
    out.println("mix: " + failure.mix());
    out.println("faults: " + failure.sites());
    out.printf(
        Locale.ROOT,
        "shortest run found: %d choices instead of %d%n",
        shortest.outcome().choices().length(),
        failure.choices().length());
    shortest.lines().forEach(out::println);
    out.printf(Locale.ROOT, "again: tagfabric simulate --seed %d --trace%n", failure.seed());
  }

  /** One run with its trace. */
  void run(TracedRun run) {
    Outcome outcome = run.outcome();
    out.println("mix: " + outcome.mix());
    out.println("faults: " + outcome.sites());
    run.lines().forEach(out::println);
    out.printf(
        Locale.ROOT,
        "%d turns, %d events, %.3f s of virtual time, hash %016x%n",
        outcome.turns(),
        outcome.events(),
        outcome.virtualNs() / 1e9,
        outcome.hash().hash());
    out.println(
        outcome.violation() == null
            ? "everything held"
            : "violates "
                + outcome.violation().invariant().label()
                + ": "
                + outcome.violation().getMessage());
    out.flush();
  }
}
