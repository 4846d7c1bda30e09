package io.tagfabric.trials.roll;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric roll}: replaces the nodes of a cluster and accounts for all messages. */
@Command(
    name = "roll",
    description = "Replace the nodes of an Akka cluster one by one and account for each message.",
    footer = {
      "",
      "Nodes ask and tell each other, send tagged messages by index and streams, and",
      "form a team at each step at which all agree. same replaces each node by one of",
      "its build; fabric-on and fabric-off by one with Tagfabric or without;",
      "protocol by one of another protocol; keys rolls a key in three rounds; kill",
      "kills a node as by kill -9 and starts it again; pause stops one for 9 s.",
      "",
      "What holds, or the code is 1:",
      "- A message comes at most once, in the order sent. A send that has succeeded",
      "  has come, and each send succeeds or fails.",
      "- A tell has come, unless its sender had heard that the node leaves and told",
      "  it no longer before the receiver stopped than the longest answer took; then",
      "  nothing behind it has come either.",
      "- Each ask of a node that stays is answered, within twice the longest time of",
      "  the same run with Akka alone and 1 s more (limit_ms).",
      "- Where all nodes share a protocol and a key, all goes by fabric in the end;",
      "  where two do not, they go on by Akka's remoting.",
      "- A team of all nodes sums right at each step at which all agree.",
      "- No process, port or file is left.",
      "Nothing is known of messages to a node that was killed.",
      "",
      "Example: tagfabric roll --scenario same,kill"
    })
public final class RollCommand implements Callable<Integer> {
  @Mixin private RollOptions options = new RollOptions();
  @Spec private CommandSpec spec;

  private final List<JsonLine> rows = new ArrayList<>();
  private boolean failed;

  @Override
  public Integer call() throws InterruptedException {
    if (options.complaint() != null) {
      throw new ParameterException(spec.commandLine(), options.complaint());
    }
    if (options.selfTest) {
      for (Defect defect : Defect.values()) {
        find(defect);
      }
    } else {
      if (!options.json) {
        out()
            .printf(
                "%-12s%9s%8s%9s%12s%10s%9s%9s  %s%n",
                "scenario",
                "replaced",
                "phases",
                "asks",
                "longest_ms",
                "limit_ms",
                "tells",
                "tagged",
                "result");
      }
      for (Scenario scenario : options.chosen()) {
        run(scenario);
      }
    }
    if (options.json) {
      out().println(new JsonLine().put("nodes", options.nodes()).put("runs", rows));
    }
    out().flush();
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void progress(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("roll: " + line);
    err.flush();
  }

  // ---- scenarios ----

  private void run(Scenario scenario) throws InterruptedException {
    OptionalLong limitMs = options.quick() ? OptionalLong.empty() : limitMs(scenario);
    try (Roll roll = new Roll(scenario, false, options, Optional.empty(), this::progress)) {
      List<String> troubles = new ArrayList<>(roll.run());
      if (limitMs.isPresent() && roll.longestAskMs() > limitMs.getAsLong()) {
        troubles.add(
            "an ask took "
                + roll.longestAskMs()
                + " ms > "
                + limitMs.getAsLong()
                + " ms, twice the longest with Akka alone and 1 s");
      }
      report(scenario, roll, limitMs, troubles);
    }
  }

  /** What an ask may take; none if the run with Akka alone has failed. */
  private OptionalLong limitMs(Scenario scenario) throws InterruptedException {
    try (Roll alone = new Roll(scenario, true, options, Optional.empty(), this::progress)) {
      List<String> troubles = alone.run();
      if (!troubles.isEmpty()) {
        failed = true;
        progress(scenario.label() + " with Akka alone failed");
        show(troubles, alone);
        return OptionalLong.empty();
      }
      return OptionalLong.of(2 * alone.longestAskMs() + 1_000);
    }
  }

  private void report(Scenario scenario, Roll roll, OptionalLong limitMs, List<String> troubles) {
    failed |= !troubles.isEmpty();
    if (options.json) {
      rows.add(
          new JsonLine()
              .put("scenario", scenario.label())
              .put("replaced", roll.replaced())
              .put("phases", roll.phases())
              .put("asks", roll.asks())
              .put("longest_ms", roll.longestAskMs())
              .put("limit_ms", limitMs.isPresent() ? limitMs.getAsLong() : -1)
              .put("tells", roll.sent(Book.Kind.TELL))
              .put("tells_to_leavers", roll.open(Book.Kind.TELL))
              .put("tagged", roll.sent(Book.Kind.TAGGED))
              .put("tagged_failed", roll.open(Book.Kind.TAGGED))
              .put("elements", roll.sent(Book.Kind.STREAM))
              .put("elements_failed", roll.open(Book.Kind.STREAM))
              .put("ok", troubles.isEmpty())
              .put("troubles", troubles));
    } else {
      out()
          .printf(
              Locale.ROOT,
              "%-12s%9d%8d%9d%12d%10s%9d%9d  %s%n",
              scenario.label(),
              roll.replaced(),
              roll.phases(),
              roll.asks(),
              roll.longestAskMs(),
              limitMs.isPresent() ? limitMs.getAsLong() : "-",
              roll.sent(Book.Kind.TELL),
              roll.sent(Book.Kind.TAGGED),
              troubles.isEmpty() ? "ok" : "FAILED");
      out().flush();
    }
    show(troubles, roll);
  }

  private void show(List<String> troubles, Roll roll) {
    troubles.forEach(this::progress);
    if (!troubles.isEmpty()) {
      roll.log().forEach(this::progress);
    }
  }

  // ---- the self-test ----

  private void find(Defect defect) throws InterruptedException {
    try (Roll roll = new Roll(Scenario.SAME, false, options, Optional.of(defect), this::progress)) {
      List<String> troubles = roll.run();
      boolean found = defect.isFoundBy(troubles);
      failed |= !found;
      if (options.json) {
        rows.add(
            new JsonLine()
                .put("defect", defect.label())
                .put("found", found)
                .put("troubles", troubles));
      } else {
        out().printf("%s: %s%n", defect.label(), found ? "found" : "not found");
        out().flush();
      }
      if (!found) {
        show(troubles, roll);
      }
    }
  }
}
