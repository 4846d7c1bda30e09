package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.StolenTime;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric bench compare}. */
@Command(
    name = "compare",
    description = "The same work by Tagfabric and every peer that this machine has.",
    footer = {
      "",
      "Everybody runs once a round, one after the other, each in two new processes;",
      "nothing else should run meanwhile. A ratio is ours divided by theirs of the",
      "same round: below 1 is better for times (latency and wake: the median;",
      "matching), above 1 for rate, bandwidth, bibw. wake is half a round trip after",
      "1 ms of silence, to one that sleeps. Mean and p99 are in microseconds, medians",
      "of the rounds. From core to core is the time of a compare-and-set by turns of",
      "two threads; it is measured before and after each run, since a host may give a",
      "virtual machine other cores at any time, and the report names it for each."
    })
public final class CompareCommand implements Callable<Integer> {
  @Mixin private CompareOptions options = new CompareOptions();
  @Spec private CommandSpec spec;

  private int runsDone;
  private String lastRun = "";
  private int runsInAll;

  @Override
  public Integer call() throws IOException {
    ProgramFinder finder = new ProgramFinder(System.getenv(), Path.of("/"));
    String complaint = options.complaint(finder);
    if (complaint != null) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
    Optional<Namespaces> namespaces = options.namespaces(finder);
    List<Group> groups = options.chosen(new Contenders(finder, namespaces).groups());
    if (groups.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--ours and --only leave nobody, `bench compare --help` names all");
    }
    Workload workload = options.workload();
    PrintWriter err = spec.commandLine().getErr();
    namespaces.ifPresent(both -> err.println("compare: between namespaces " + both));
    announce(groups, workload, err);
    double coreToCoreNs = CoreToCore.measureNs();
    err.println(
        String.format(
            Locale.ROOT,
            "compare: %s; from core to core %.0f ns",
            Machine.describe(),
            coreToCoreNs));
    err.flush();
    CompareReport report = new CompareReport(spec.commandLine().getOut(), options.json());
    List<Result> results = new ArrayList<>();
    for (Group group : groups) {
      Rounds rounds =
          new Rounds(
              group,
              workload,
              StolenTime.ofMachine(),
              CoreToCore::nowNs,
              run -> progress(err, run));
      rounds.play(options.runs());
      List<Result> ofGroup = rounds.results();
      report.add(ofGroup);
      results.addAll(ofGroup);
    }
    if (options.report() != null) {
      new ReportFile(options.report(), commandLine(), coreToCoreNs).write(results);
    }
    if (options.pictures() != null) {
      new Pictures(results).write(options.pictures(), "");
    }
    return ExitCode.OK;
  }

  private String commandLine() {
    return "./tagfabric " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }

  private void announce(List<Group> groups, Workload workload, PrintWriter err) {
    double seconds = 0;
    Set<String> missing = new LinkedHashSet<>();
    for (Group group : groups) {
      List<Contender> runners = Rounds.runners(group, workload);
      runsInAll += runners.size() * options.runs();
      for (Contender runner : runners) {
        seconds +=
            RunTime.of(runner, Rounds.workload(group, runner, workload)).toMillis()
                / 1e3
                * options.runs();
      }
      List<Contender> all = new ArrayList<>(group.ours());
      all.addAll(group.peers());
      all.forEach(
          each -> each.missingBecause().ifPresent(why -> missing.add(each.name() + ": " + why)));
      if (!runners.isEmpty()) {
        err.println(
            "compare: " + names(group.ours()) + " with " + names(group.peers()) + " in turn");
      }
    }
    missing.forEach(sentence -> err.println("compare: without " + sentence));
    err.println(
        String.format(
            Locale.ROOT,
            "compare: %d runs, about %.0f min; each run does %d cells",
            runsInAll,
            Math.ceil(seconds / 60),
            workload.cells().size()));
    err.flush();
  }

  private static String names(List<Contender> contenders) {
    return String.join(
        ", ",
        contenders.stream()
            .filter(each -> each.missingBecause().isEmpty())
            .map(Contender::name)
            .toList());
  }

  private void progress(PrintWriter err, Rounds.Run run) {
    String itsName = run.contender().name() + ' ' + run.round();
    boolean again = itsName.equals(lastRun); // the host disturbed it
    lastRun = itsName;
    runsDone += again ? 0 : 1;
    double lost = run.stolenPct().orElse(0);
    err.println(
        String.format(
            Locale.ROOT,
            "compare: %d/%d round %d %s %.1f s%s%s%s%s",
            runsDone,
            runsInAll,
            run.round() + 1,
            run.contender().name(),
            run.seconds(),
            distance(run),
            again ? ", once more" : "",
            lost < 1 ? "" : String.format(Locale.ROOT, ", %.0f %% stolen", lost),
            run.trouble().isEmpty() ? "" : " failed: " + run.trouble()));
    err.flush();
  }

  private static String distance(Rounds.Run run) {
    return Double.isNaN(run.beforeNs())
        ? ""
        : String.format(
            Locale.ROOT, ", core to core %.0f and %.0f ns", run.beforeNs(), run.afterNs());
  }
}
