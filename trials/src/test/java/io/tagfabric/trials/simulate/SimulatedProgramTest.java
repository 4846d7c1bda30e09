package io.tagfabric.trials.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.demos.Heat;
import io.tagfabric.demos.Hello;
import io.tagfabric.demos.Survivors;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.simulation.job.JobFaults;
import io.tagfabric.simulation.job.SimulatedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Demos as simulated ranks. */
class SimulatedProgramTest {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final ProgramCode code = ProgramCode.of(List.of());
  private final List<String> output = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();

  @AfterEach
  void close() {
    code.close();
  }

  private SimulatedJob.Outcome run(
      Class<?> program, int ranks, long seed, JobFaults faults, String... arguments) {
    output.clear();
    trace.clear();
    SimulatedJob job =
        new SimulatedJob(code, program.getName(), List.of(arguments), ranks, faults, LIMIT);
    try (ProgramTrace recorded = ProgramTrace.create()) {
      SimulatedJob.Outcome outcome = job.run(seed, output::add, recorded.directory());
      trace.addAll(recorded.lines(ranks));
      return outcome;
    }
  }

  @Test
  void shouldRunADemoToItsEnd() {
    SimulatedJob.Outcome outcome = run(Hello.class, 4, 1, JobFaults.none());

    assertThat(outcome.codes()).as(String.join("\n", output)).isEqualTo(Collections.nCopies(4, 0));
    assertThat(output)
        .containsExactlyInAnyOrder(
            "[0] hello from rank 0 of 4, greeted by 3 others",
            "[1] hello from rank 1 of 4, greeted by 3 others",
            "[2] hello from rank 2 of 4, greeted by 3 others",
            "[3] hello from rank 3 of 4, greeted by 3 others");
  }

  @Test
  void shouldGiveTheSameTraceForTheSameSeed() {
    String[] few = {"--steps", "40", "--cells", "30"};
    SimulatedJob.Outcome first = run(Heat.class, 9, 3, JobFaults.none(), few);
    List<String> said = List.copyOf(output);
    List<String> happened = List.copyOf(trace);
    SimulatedJob.Outcome again = run(Heat.class, 9, 3, JobFaults.none(), few);

    assertThat(first.codes()).as(String.join("\n", said)).isEqualTo(Collections.nCopies(9, 0));
    assertThat(trace).isEqualTo(happened);
    assertThat(output).isEqualTo(said);
    assertThat(again).isEqualTo(first);
    assertThat(happened)
        .hasSizeGreaterThan(1_000)
        .anyMatch(line -> line.matches(" *0\\.0 +- .* the simulation begins"))
        .anyMatch(line -> line.contains(" is taken by receive "))
        .anyMatch(line -> line.matches(".* arrived \\d -> \\d, \\d+ bytes"))
        .noneMatch(line -> line.contains("is missing") || line.contains("are not"));
    run(Heat.class, 9, 4, JobFaults.none(), few);
    assertThat(trace).as("of another seed").isNotEqualTo(happened);
  }

  @Test
  void shouldLetSurvivorsGoOnAfterACrash() {
    JobFaults faults = JobFaults.parse("crash=1@8ms,drop=1%", 4);
    String[] arguments = {"--rounds", "600", "--victim", "1"};
    SimulatedJob.Outcome outcome = run(Survivors.class, 4, 1, faults, arguments);

    assertThat(outcome.codes())
        .as(String.join("\n", output))
        .isEqualTo(List.of(0, ExitCode.KILLED, 0, 0));
    assertThat(outcome.failed()).isEqualTo(-1);
    assertThat(output).contains("[0] 3 of 4 ranks finished, sum=8");
    assertThat(trace)
        .anyMatch(line -> line.matches(" *8000\\.0 +- .* rank 1 is killed"))
        .anyMatch(line -> line.contains(" lost "))
        .anyMatch(line -> line.contains("rank 1 is given up by rank "));
    assertThat(run(Survivors.class, 4, 1, faults, arguments)).isEqualTo(outcome);
  }

  @Test
  void shouldLetSurvivorsGoOnAfterTwoLosses() {
    JobFaults faults = JobFaults.parse("crash=1@80ms", 4);
    SimulatedJob.Outcome outcome = run(Survivors.class, 4, 2, faults, "--victim", "3");

    assertThat(outcome.codes())
        .as(String.join("\n", output))
        .isEqualTo(List.of(0, ExitCode.KILLED, 0, 0));
    assertThat(output).contains("[0] 2 of 4 ranks finished, sum=4");
  }

  /** A rank that does not notice what becomes of the others; its argument is {@code on-loss}. */
  static final class Idle {
    private Idle() {}

    public static void main(String[] arguments) {
      Job.run(
          JobOptions.defaults()
              .withApplication(
                  ConfigFactory.parseMap(Map.of(ExitSettings.ON_LOSS.fullKey(), arguments[0]))),
          arguments,
          job -> {
            Thread.sleep(60_000);
            return 0;
          });
    }
  }

  @Test
  void shouldSayWhyAJobEndsThatHasLostARank() {
    SimulatedJob.Outcome outcome =
        run(Idle.class, 3, 1, JobFaults.parse("crash=1@20ms", 3), "abort");

    assertThat(outcome.codes()).isEqualTo(List.of(1, ExitCode.KILLED, 1));
    assertThat(output)
        .contains(
            "[0] rank 0: rank 1 was lost, so the job ends with code 1; with"
                + " tagfabric.exit.on-loss = continue (--on-failure continue) it goes on without");
  }

  @Test
  void shouldEndTheSmallerSideOfAPartition() {
    JobFaults faults = JobFaults.parse("partition=0+4@6ms", 5);
    SimulatedJob.Outcome outcome = run(Idle.class, 5, 2, faults, "continue");

    assertThat(outcome.excused()).containsExactlyInAnyOrder(0, 4);
    assertThat(outcome.codes()).as(String.join("\n", output)).isEqualTo(List.of(1, 0, 0, 0, 1));
    assertThat(trace)
        .anyMatch(line -> line.contains("rank 0 is given up by rank "))
        .noneMatch(line -> line.matches(".* rank [123] is given up by .*"));
  }

  @Test
  void shouldSayThatARankHasFailed() {
    SimulatedJob.Outcome outcome = run(Hello.class, 3, 1, JobFaults.none(), "wrong");

    assertThat(outcome.failed()).isZero();
    assertThat(outcome.codes()).isEqualTo(List.of(2, 2, 2));
    assertThat(output).containsExactly("[0] hello: takes no arguments, got wrong");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "drop=1|drop=1 is no share, write for example drop=1%",
        "crash=4|'4' is no rank, 0..3",
        "crash=1@x|'x' is no time, write for example 20ms",
        "flood=1%|'flood=1%' is no fault, write drop=1%, duplicate=1%, reorder=1%, refuse=1%,"
            + " crash=RANK[@TIME] or partition[=RANK+RANK][@TIME]"
      })
  void shouldRefuseWhatIsNoFault(String faults, String why) {
    assertThatThrownBy(() -> JobFaults.parse(faults, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why);
  }
}
