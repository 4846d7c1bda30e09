package io.tagfabric.trials.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.demos.Heat;
import io.tagfabric.demos.Hello;
import io.tagfabric.demos.Survivors;
import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.simulation.job.JobFaults;
import io.tagfabric.simulation.job.SimulatedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Demos as simulated ranks. */
class SimulatedProgramTest {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final ProgramCode code =
      new ProgramCode(
          List.of(),
          SimulatedProgramTest.class.getClassLoader(),
          name -> name.startsWith("io.tagfabric.demos."));
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
    return job.run(seed, output::add, trace::add);
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
    assertThat(happened).hasSizeGreaterThan(1_000);
    run(Heat.class, 9, 4, JobFaults.none(), few);
    assertThat(trace).as("of another seed").isNotEqualTo(happened);
  }

  @Test
  void shouldLetSurvivorsGoOnAfterACrash() {
    JobFaults faults = JobFaults.parse("crash=1@5s,drop=1%", 4);
    SimulatedJob.Outcome outcome = run(Survivors.class, 4, 5, faults, "--rounds", "60000");

    assertThat(outcome.codes()).as(String.join("\n", output)).isNotNull();
    assertThat(output).contains("[0] 3 of 4 ranks finished, sum=8");
  }
}
