package io.tagfabric.trials.collective;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tagfabric collective-check}: all collectives against a sequential model. */
@Command(
    name = "collective-check",
    description = "Check every collective against a sequential model.",
    footer = {
      "",
      "Members of one process call each collective with many kinds, operators, counts",
      "and team sizes: in a cell, by messages, by messages that compare calls, in the",
      "memory of one host, there in short pieces, and in two levels. Every byte of",
      "every output is compared. Ends with code 1 at a wrong one and names the call.",
      "",
      "Example: tagfabric collective-check --all --json"
    })
public final class CollectiveCheck implements Callable<Integer> {
  @Option(
      names = "--all",
      description = "Check all sizes, counts, kinds and operators, not a sample.")
  private boolean all;

  @Option(names = "--json", description = "Print a JSON object for each tier.")
  private boolean json;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Where the values come from (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--self-test",
      description = "Break schedules, and see that each defect is found.")
  private boolean selfTest;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    return selfTest ? selfTest(out, err) : check(out, err);
  }

  private static int selfTest(PrintWriter out, PrintWriter err) {
    List<String> missed = BrokenSchedules.missed();
    if (missed.isEmpty()) {
      out.println(BrokenSchedules.count() + " defects of schedules, all found");
      return ExitCode.OK;
    }
    err.println("collective-check: not found: " + String.join(", ", missed));
    return ExitCode.FAILED;
  }

  private int check(PrintWriter out, PrintWriter err) {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-check", ConfigFactory.empty());
    try {
      CheckPlan plan = new CheckPlan(all, seed);
      for (CheckTier tier : CheckTier.values()) {
        if (!check(system, plan, tier, out, err)) {
          return ExitCode.FAILED;
        }
      }
      return ExitCode.OK;
    } finally {
      LocalSystem.end(system);
    }
  }

  /** What a tier has come to. */
  private static final class Tally {
    long calls;
    String complaint;
  }

  private boolean check(
      ActorSystem<?> system, CheckPlan plan, CheckTier tier, PrintWriter out, PrintWriter err) {
    Tally tally = new Tally();
    for (int size : plan.sizes()) {
      try (CheckedTeam team = new CheckedTeam(system, tier, size)) {
        plan.forEach(
            size,
            call -> {
              if (tally.complaint == null) {
                tally.calls++;
                tally.complaint = team.complaint(call);
              }
            });
      }
    }
    boolean isRight = tally.complaint == null;
    if (json) {
      JsonLine line =
          new JsonLine().put("tier", tier.key()).put("calls", tally.calls).put("right", isRight);
      out.println(isRight ? line : line.put("wrong", tally.complaint));
    } else if (isRight) {
      out.println(tier.key() + ": " + tally.calls + " calls, all right");
    }
    out.flush();
    if (!isRight) {
      err.println("collective-check: " + tier.key() + ": " + tally.complaint);
    }
    return isRight;
  }
}
