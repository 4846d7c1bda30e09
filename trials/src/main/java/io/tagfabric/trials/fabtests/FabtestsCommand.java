package io.tagfabric.trials.fabtests;

import io.tagfabric.bench.ours.Providers;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.error.FabricException;
import io.tagfabric.provider.Reach;
import io.tagfabric.report.JsonLine;
import io.tagfabric.report.Rows;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric fabtests}: checks an installation by the scenarios of fabtests. */
@Command(
    name = "fabtests",
    description = "Check an installation by the scenarios of libfabric's fabtests.",
    footer = {
      "",
      "Each scenario runs once with both sides in this JVM and once between two JVMs",
      "on loopback; local runs in one JVM only. Results are Pass, Fail with what was",
      "wrong, and Notrun with the reason, such as what Tagfabric has not yet. A side",
      "that hangs fails at its deadline, and so does a job that leaves a process, a",
      "file or a port. The settings of the environment count: try it with",
      "TAGFABRIC_FAULTS_DROP=1%%, or with TAGFABRIC_ENDPOINT_QUEUE_SIZE=1.",
      "The exit code is 0 if none fails, else 1.",
      "",
      "Example: tagfabric fabtests --provider local,shm --set tagged,order"
    })
public final class FabtestsCommand implements Callable<Integer> {
  @Option(names = "--list", description = "Show the scenarios, and run none.")
  private boolean list;

  @Option(
      names = "--set",
      paramLabel = "NAME,...",
      split = ",",
      hideParamSyntax = true,
      description = "Only these sets; --list shows them.")
  private List<String> sets = List.of();

  @Option(
      names = "--provider",
      paramLabel = "NAME,...",
      split = ",",
      hideParamSyntax = true,
      completionCandidates = Providers.Names.class,
      description = "Of ${COMPLETION-CANDIDATES}; all if not given.")
  private List<String> providers = Providers.names();

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "A scenario that takes longer has failed (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--slices",
      paramLabel = "N",
      defaultValue = "" + Side.USUAL_SLICES,
      description = "Pieces that rma-slices moves at least (default: ${DEFAULT-VALUE}).")
  private long slices;

  @Option(names = "--json", description = "Print a JSON object a line, a summary at last.")
  private boolean json;

  @Option(names = "--junit", paramLabel = "FILE", description = "Write JUnit's XML too.")
  private Path junit;

  @Option(
      names = "--self-test",
      description = "Lie to six scenarios, and see whether each finds it.")
  private boolean selfTest;

  @Spec private CommandSpec spec;

  private final List<Outcome> outcomes = new ArrayList<>();
  private Rows rows;

  @Override
  public Integer call() throws InterruptedException, IOException {
    require(limit >= 1, "--limit=" + limit + " < 1 second");
    require(slices >= 1, "--slices=" + slices + " < 1");
    for (String set : sets) {
      require(
          Catalogue.sets().contains(set),
          "--set: no set " + set + ", there are " + String.join(", ", Catalogue.sets()));
    }
    for (String provider : providers) {
      require(Providers.complaint(provider) == null, Providers.complaint(provider));
    }
    if (list) {
      list();
      return ExitCode.OK;
    }
    if (selfTest) {
      return selfTest();
    }
    rows =
        new Rows(
            out(),
            json,
            "%-18s  %-10s  %-8s  %-5s  %-6s  %6s  %s",
            "name",
            "set",
            "provider",
            "where",
            "result",
            "time_s",
            "reason");
    List<Scenario> scenarios = Catalogue.ALL.stream().filter(each -> has(each.set())).toList();
    for (String provider : new LinkedHashSet<>(providers)) {
      runHere(provider, scenarios);
      if (!Providers.reaches(provider, Reach.JVM)) {
        PairOfJvms pair = new PairOfJvms(provider, Duration.ofSeconds(limit), slices);
        pair.run(scenarios, this::tell);
        if (pair.isInterrupted()) {
          return ExitCode.INTERRUPTED;
        }
      }
    }
    for (NotYet each : NotYet.ALL) {
      if (has(each.set())) {
        tell(
            new Outcome(
                each.name(),
                each.set(),
                each.like(),
                "",
                "",
                Outcome.Result.NOTRUN,
                each.reason(),
                0));
      }
    }
    return end();
  }

  private void runHere(String provider, List<Scenario> scenarios) throws InterruptedException {
    PairHere pair = null;
    try {
      for (Scenario scenario : scenarios) {
        if (scenario.ranksOnly()) {
          tell(Outcome.notRun(scenario, provider, PairHere.WHERE, "needs a job, so two JVMs"));
          continue;
        }
        Outcome outcome;
        try {
          pair = pair == null ? new PairHere(provider, Duration.ofSeconds(limit)) : pair;
          pair.side(0).slices(slices);
          pair.side(1).slices(slices);
          outcome = pair.run(scenario);
        } catch (FabricException notThere) {
          outcome = Outcome.fail(scenario, provider, PairHere.WHERE, PairHere.text(notThere), 0);
        }
        tell(outcome);
        if (pair != null && outcome.result() == Outcome.Result.FAIL) {
          pair.close();
          pair = null;
        }
      }
    } finally {
      if (pair != null) {
        pair.close();
      }
    }
  }

  private void tell(Outcome outcome) {
    outcomes.add(outcome);
    rows.add(outcome.row());
  }

  private int end() throws IOException {
    long failed = Outcome.count(outcomes, Outcome.Result.FAIL);
    if (json) {
      out().println(Outcome.summary(outcomes));
    } else {
      out()
          .printf(
              "Pass %d, Fail %d, Notrun %d%n",
              Outcome.count(outcomes, Outcome.Result.PASS),
              failed,
              Outcome.count(outcomes, Outcome.Result.NOTRUN));
    }
    out().flush();
    if (junit != null) {
      JUnitFile.write(junit, outcomes);
    }
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private int selfTest() throws InterruptedException {
    Rows found =
        new Rows(
            out(),
            json,
            "%-15s  %-10s  %-6s  %-6s  %-5s",
            "sabotage",
            "scenario",
            "honest",
            "lied",
            "found");
    SelfTest test = new SelfTest(providers.get(0));
    int missed = 0;
    for (SelfTest.Lie lie : SelfTest.LIES) {
      Map<String, Object> row = test.run(lie);
      missed += Boolean.TRUE.equals(row.get("found")) ? 0 : 1;
      found.add(row);
    }
    int all = SelfTest.LIES.size();
    out()
        .println(
            json
                ? new JsonLine().put("sabotaged", all).put("found", all - missed).toString()
                : all - missed + " of " + all + " found");
    out().flush();
    return missed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private void list() {
    Rows names = new Rows(out(), json, "%-18s  %-10s  %-27s  %s", "name", "set", "fabtest", "what");
    for (Scenario each : Catalogue.ALL) {
      if (has(each.set())) {
        names.add(line(each.name(), each.set(), each.like(), each.what()));
      }
    }
    for (NotYet each : NotYet.ALL) {
      if (has(each.set())) {
        names.add(line(each.name(), each.set(), each.like(), "Notrun: " + each.reason()));
      }
    }
  }

  private static Map<String, Object> line(String name, String set, String like, String what) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", name);
    row.put("set", set);
    row.put("fabtest", like);
    row.put("what", what);
    return row;
  }

  private boolean has(String set) {
    return sets.isEmpty() || sets.contains(set);
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }
}
