package io.tagfabric.trials.survive;

import io.tagfabric.bench.ours.Providers;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric survive}: kills ranks in loops of collectives and watches the others. */
@Command(
    name = "survive",
    description = "Kill a rank at a random moment in a loop of collectives, and watch the others.",
    footer = {
      "",
      "Each time a job of ranks makes one kind of call in a loop and sums now and",
      "then; one of them is killed as by kill -9. The kinds take turns: all",
      "collectives, split and dup, agree and shrink; shm and tcp take turns unless a",
      "provider is named. The others must be told which rank, with CONNECTION_RESET,",
      "shrink their team and finish with the right sum within a minute, and no",
      "process and no file may be left. Ranks may take five",
      "minutes to start, as JVMs do on a busy host; start_ms says how long they took.",
      "Ends with code 1 and says the seed if not."
    })
public final class SurviveCommand implements Callable<Integer> {
  private static final int MOST_RANKS = 32;
  private static final List<String> IN_TURN = List.of(Providers.SHM, "tcp");

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "N",
      defaultValue = "4",
      description = "Ranks of each job (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "20",
      description = "Jobs to run, one kill each (default: ${DEFAULT-VALUE}).")
  private int kills;

  @Option(
      names = "--within",
      paramLabel = "MS",
      defaultValue = "1500",
      description =
          "The kill comes at most so many milliseconds after all have begun (${DEFAULT-VALUE}).")
  private int withinMs;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      completionCandidates = Providers.Names.class,
      description = "By which the ranks reach one another (default: shm and tcp in turn).")
  private String provider;

  @Option(names = "--seed", paramLabel = "SEED", description = "Repeats the victims and moments.")
  private Long seed;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    require(ranks >= 2 && ranks <= MOST_RANKS, "--ranks=" + ranks + " is not within 2 to 32");
    require(kills >= 1, "--kills=" + kills + " < 1, kill at least once");
    require(withinMs >= 0, "--within=" + withinMs + " < 0, name milliseconds");
    String complaint = provider == null ? null : Providers.complaintOfRanks(provider);
    require(complaint == null, complaint);
    long from = seed == null ? new Random().nextInt() : seed;
    Random random = new Random(from);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    int done = 0;
    int failed = 0;
    List<JsonLine> rounds = new ArrayList<>();
    SurviveCall[] calls = SurviveCall.values();
    while (done < kills) {
      SurviveCall call = calls[done % calls.length];
      SurviveRound round =
          new SurviveRound(
              ranks, call, providerOf(done), random.nextInt(ranks), random.nextInt(withinMs + 1));
      String trouble = round.run();
      if (round.isInterrupted()) {
        return ExitCode.INTERRUPTED;
      }
      done++;
      failed += trouble.isEmpty() ? 0 : 1;
      if (json) {
        rounds.add(round.toJson(trouble));
        err.printf("survive: %d of %d kills, %d failed%n", done, kills, failed);
      }
      String line = String.format("%3d  %s  %s%n", done, round, trouble.isEmpty() ? "ok" : trouble);
      if (!json) {
        out.print(line);
      } else if (!trouble.isEmpty()) {
        err.print(line);
      }
      out.flush();
      err.flush();
    }
    if (json) {
      out.println(
          new JsonLine()
              .put("ranks", ranks)
              .put("kills", done)
              .put("survived", done - failed)
              .put("seed", from)
              .put("rounds", rounds));
    } else {
      out.printf("%d of %d times the others finished, seed %d%n", done - failed, done, from);
    }
    out.flush();
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** In the second turn of the calls each meets the other provider. */
  private String providerOf(int round) {
    int turn = round / SurviveCall.values().length;
    return provider == null ? IN_TURN.get((round + turn) % IN_TURN.size()) : provider;
  }

  private void require(boolean holds, String complaint) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
  }
}
