package io.tagfabric.trials.exit;

import io.tagfabric.cluster.job.ExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * One thing about a run that is as it should be, or not.
 *
 * @param name what was looked at
 * @param reason why it has failed, empty if it has not
 */
record ExitCheck(String name, String reason) {
  /** What the launcher says of ranks that do not end by themselves. */
  private static final List<String> HELPED =
      List.of("still runs", "SIGKILL", "gets SIGTERM", "get SIGTERM");

  /** What a rank says before its watchdog halts it. */
  private static final String HALTED = "so the process is halted";

  boolean passes() {
    return reason.isEmpty();
  }

  /** All checks of a run; it has passed if they all have. */
  static List<ExitCheck> of(ExitRun run) {
    if (run.code() == ExitRun.NOT_STARTED) {
      return Stream.concat(
              Stream.of(new ExitCheck("started", "the job could not start" + lastWords(run))),
              nothingLeft(run))
          .toList();
    }
    List<ExitCheck> checks = new ArrayList<>();
    checks.add(new ExitCheck("started", ""));
    checks.add(limit(run));
    checks.add(code(run));
    checks.add(formed(run));
    run.which().evidence().forEach(each -> checks.add(evidence(run, each)));
    checks.add(hooksInTime(run));
    checks.add(endInTime(run));
    checks.add(unaided(run));
    checks.add(noneFailed(run));
    nothingLeft(run).forEach(checks::add);
    return List.copyOf(checks);
  }

  /** The reasons of those that have failed. */
  static List<String> reasons(List<ExitCheck> checks) {
    return checks.stream()
        .filter(check -> !check.passes())
        .map(check -> check.name() + ": " + check.reason())
        .toList();
  }

  private static ExitCheck limit(ExitRun run) {
    boolean late = run.code() == ExitCode.TIMEOUT && !run.which().codes().contains(run.code());
    return check(
        "limit",
        !late,
        "not over within --limit=" + run.limit().toSeconds() + " s, so it was ended");
  }

  private static ExitCheck code(ExitRun run) {
    return check(
        "code",
        run.which().codes().contains(run.code()),
        "code=" + run.code() + ", expected " + run.which().expected());
  }

  private static ExitCheck formed(ExitRun run) {
    return check(
        "formed",
        !run.which().forms() || !run.ranksThatSay(ExitLines.MET).isEmpty(),
        "no rank says that it has met the others");
  }

  private static ExitCheck evidence(ExitRun run, ExitEvidence evidence) {
    List<Integer> who = evidence.who().ranks(run.size(), run.reverse());
    List<Integer> said = run.ranksThatSay(evidence.text());
    List<Integer> wrong =
        who.stream().filter(rank -> said.contains(rank) != evidence.wanted()).toList();
    return check(
        "said",
        wrong.isEmpty(),
        "required: "
            + evidence.what()
            + ", but "
            + (evidence.wanted() ? "nothing with '" : "'")
            + evidence.text()
            + "' was said by "
            + names(wrong));
  }

  private static ExitCheck hooksInTime(ExitRun run) {
    double last = times(run, ExitLines.HOOK).max().orElse(0);
    return inTime("agreed", "the last exit hook", run, last, run.times().hooks());
  }

  private static ExitCheck endInTime(ExitRun run) {
    return inTime("ended", "the end of the job", run, run.seconds(), run.times().end());
  }

  private static ExitCheck inTime(
      String name, String what, ExitRun run, double atSeconds, Duration most) {
    OptionalDouble begin = begin(run);
    if (begin.isEmpty()) {
      return new ExitCheck(name, "no rank has acted, so there is no time to measure");
    }
    double took = atSeconds - begin.getAsDouble();
    double mostSeconds = most.toMillis() / 1e3;
    return check(
        name,
        took <= mostSeconds,
        String.format(
            Locale.ROOT, "%s came %.1f s > %.1f s after the end began", what, took, mostSeconds));
  }

  /**
   * When the end begins: with the first act. Before all have met nobody can be told who has not
   * begun, so there it is with the last that begins or acts.
   */
  private static OptionalDouble begin(ExitRun run) {
    OptionalDouble first = times(run, ExitLines.ACTS).min();
    return run.which().forms() || first.isEmpty()
        ? first
        : DoubleStream.concat(times(run, ExitLines.ACTS), times(run, ExitLines.BEGINS)).max();
  }

  private static DoubleStream times(ExitRun run, String text) {
    return run.said().stream()
        .filter(line -> line.text().startsWith(text))
        .mapToDouble(SaidLine::seconds);
  }

  private static ExitCheck unaided(ExitRun run) {
    List<String> lines =
        run.said().stream()
            .filter(
                line ->
                    line.rank() == SaidLine.LAUNCHER
                        ? HELPED.stream().anyMatch(line.text()::contains)
                        : line.text().contains(HALTED))
            .map(SaidLine::toString)
            .toList();
    return check("unaided", lines.isEmpty(), "a rank did not end by itself: " + first(lines));
  }

  private static ExitCheck noneFailed(ExitRun run) {
    List<String> lines =
        run.said().stream()
            .filter(line -> line.text().contains(ExitLines.FAILED))
            .map(SaidLine::toString)
            .toList();
    return check("ranks", lines.isEmpty(), first(lines));
  }

  private static Stream<ExitCheck> nothingLeft(ExitRun run) {
    return Stream.of(
        left("processes", run.processes()), left("files", run.files()), left("ports", run.ports()));
  }

  private static ExitCheck left(String name, List<String> things) {
    return check(name, things.isEmpty(), "left behind: " + String.join(", ", things));
  }

  private static ExitCheck check(String name, boolean passes, String reason) {
    return new ExitCheck(name, passes ? "" : reason);
  }

  private static String lastWords(ExitRun run) {
    return run.said().isEmpty() ? "" : ": " + run.said().get(run.said().size() - 1).text();
  }

  private static String first(List<String> lines) {
    return lines.isEmpty() ? "" : lines.get(0);
  }

  private static String names(List<Integer> ranks) {
    String numbers = ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return (ranks.size() == 1 ? "rank " : "ranks ") + numbers;
  }
}
