package io.tagfabric.trials.exit;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric exit-suite}: runs {@link ExitCases} one after the other and checks each. */
@Command(
    name = "exit-suite",
    description = "End jobs in all the ways of exit-cases, and check how they end.",
    footer = {
      "",
      "A run passes if the job ends with a code of its case within --limit, its ranks",
      "say what the case requires (--list shows it), all exit hooks have begun 2 T",
      "after the end began and the job is over when the watchdogs of its ranks would",
      "act, all ranks end by themselves, none says TEST FAILED, and no process, file",
      "or port is left. Where a rank is lost, both times are longer by T and a",
      "second. A run that fails says why. Code -1 stands for a job that could not",
      "start. The exit code is 0 if all pass.",
      "",
      "Example: tagfabric exit-suite --cases 1,3,100 --ranks 1,4"
    })
public final class ExitSuite implements Callable<Integer> {
  private static final long TELL_NS = TimeUnit.SECONDS.toNanos(10);

  @Option(
      names = "--cases",
      paramLabel = "N,...",
      split = ",",
      hideParamSyntax = true,
      description = "Only these cases.")
  private List<Integer> cases = ExitCase.ALL.stream().map(ExitCase::number).toList();

  @Option(
      names = "--ranks",
      paramLabel = "N,...",
      split = ",",
      hideParamSyntax = true,
      description = "Numbers of ranks, 1,2,3,4,5 if not given.")
  private List<Integer> ranks = List.of(1, 2, 3, 4, 5);

  @Option(
      names = "--order",
      paramLabel = "WHICH",
      description = "Order of the ranks: forward, reverse or both (default).")
  private String order = "both";

  @Option(names = "--repeat", paramLabel = "K", description = "Run all K times.")
  private int repeat = 1;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      description = "A run that takes longer is ended and has failed; 60 if not given.")
  private int limit = 60;

  @Option(names = "--list", description = "Show what each case requires, and run none.")
  private boolean list;

  @Option(names = "--json", description = "Print a JSON object a line.")
  private boolean json;

  @Spec private CommandSpec spec;

  /** A run that is to be done. */
  private record Plan(ExitCase which, int ranks, boolean reverse) {}

  @Override
  public Integer call() {
    requireKnown();
    if (list) {
      list();
      return ExitCode.OK;
    }
    ExitRunner runner = new ExitRunner(Duration.ofSeconds(limit));
    List<Plan> plans = plans();
    double[] left = left(plans, runner);
    PrintWriter out = spec.commandLine().getOut();
    Rows rows =
        new Rows(
            out,
            json,
            "%-7s  %4s  %5s  %-7s  %-15s  %4s  %7s  %-6s  %-4s",
            "run",
            "case",
            "ranks",
            "order",
            "expected",
            "code",
            "time_s",
            "result",
            "what");
    tell(plans.size() + " runs, about " + ExitForecast.inWords(left[0]));
    long beginNs = System.nanoTime();
    long toldNs = beginNs;
    int failed = 0;
    for (int i = 0; i < plans.size(); i++) {
      Plan plan = plans.get(i);
      ExitRun run = runner.run(plan.which(), plan.ranks(), plan.reverse());
      List<String> reasons = ExitCheck.reasons(ExitCheck.of(run));
      failed += reasons.isEmpty() ? 0 : 1;
      rows.add(row(run, reasons, i + 1 + "/" + plans.size()));
      if (!reasons.isEmpty()) {
        explain(run, reasons);
      }
      long nowNs = System.nanoTime();
      if (!json && nowNs - toldNs > TELL_NS && i + 1 < plans.size()) {
        toldNs = nowNs;
        double pace = (nowNs - beginNs) / 1e9 / (left[0] - left[i + 1]);
        tell(
            String.format(
                Locale.ROOT,
                "%d of %d runs done, %d failed, about %s left",
                i + 1,
                plans.size(),
                failed,
                ExitForecast.inWords(pace * left[i + 1])));
      }
    }
    if (!json) {
      out.println(plans.size() - failed + " of " + plans.size() + " runs passed");
      out.flush();
    }
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private void requireKnown() {
    for (int number : cases) {
      if (ExitCase.of(number) == null) {
        throw new ParameterException(
            spec.commandLine(), "--cases: no case " + number + ", there are 1-18 and 100-113");
      }
    }
    require(
        !orders().isEmpty(), "--order=" + order + " is unknown, choose forward, reverse or both");
    require(repeat >= 1, "--repeat=" + repeat + " < 1, all would pass");
    require(limit >= 1, "--limit=" + limit + " < 1 second");
    ranks.forEach(size -> require(size >= 1, "--ranks: " + size + " < 1 rank"));
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private List<Boolean> orders() {
    return switch (order) {
      case "forward" -> List.of(false);
      case "reverse" -> List.of(true);
      case "both" -> List.of(false, true);
      default -> List.of();
    };
  }

  private List<Plan> plans() {
    List<Plan> plans = new ArrayList<>();
    for (int round = 0; round < repeat; round++) {
      for (boolean reverse : orders()) {
        for (int size : ranks) {
          for (int number : cases) {
            plans.add(new Plan(ExitCase.of(number), size, reverse));
          }
        }
      }
    }
    return plans;
  }

  /** Seconds that are probably left before each of the runs, and after the last. */
  private static double[] left(List<Plan> plans, ExitRunner runner) {
    ExitForecast forecast = new ExitForecast(Runtime.getRuntime().availableProcessors());
    double[] left = new double[plans.size() + 1];
    for (int i = plans.size() - 1; i >= 0; i--) {
      Plan plan = plans.get(i);
      Duration timeout = ExitSettings.timeout(runner.settings(), plan.ranks());
      left[i] = left[i + 1] + forecast.seconds(plan.which(), plan.ranks(), timeout);
    }
    return left;
  }

  private void tell(String text) {
    spec.commandLine().getErr().println("exit-suite: " + text);
    spec.commandLine().getErr().flush();
  }

  private void list() {
    PrintWriter out = spec.commandLine().getOut();
    Rows rows = new Rows(out, json, "%4s  %-62s  %-8s", "case", "what", "requires");
    for (int number : cases) {
      ExitCase which = ExitCase.of(number);
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("case", which.number());
      row.put("what", which.what());
      row.put("requires", which.requires());
      rows.add(row);
    }
  }

  private static Map<String, Object> row(ExitRun run, List<String> reasons, String place) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("run", place);
    row.put("case", run.which().number());
    row.put("ranks", run.size());
    row.put("order", run.reverse() ? "reverse" : "forward");
    row.put("expected", run.which().expected());
    row.put("code", run.code());
    row.put("time_s", run.seconds());
    row.put("result", reasons.isEmpty() ? "pass" : "FAIL");
    row.put("what", run.which().what());
    row.put("requires", run.which().requires());
    row.put("reasons", reasons);
    return row;
  }

  private void explain(ExitRun run, List<String> reasons) {
    PrintWriter err = spec.commandLine().getErr();
    reasons.forEach(reason -> err.println("  failed: " + reason));
    for (SaidLine line : run.said()) {
      String text = line.toString().replaceAll("(-cp [^:]*):\\S*", "$1:...");
      err.println(String.format(Locale.ROOT, "  %6.2f s | %s", line.seconds(), text));
    }
    err.flush();
  }
}
