package io.tagfabric.bench.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class LargeTeamTest {
  @ParameterizedTest
  @CsvSource({"4, CELL, 1", "50, CELL, 10", "8, MESSAGES, 2"})
  void shouldLoseMembersAndMeasureTheOthers(int size, Tier tier, int losses) {
    LargeTeam.Costs costs = LargeTeam.measure(size, tier);

    assertThat(costs.losses()).isEqualTo(losses);
    assertThat(costs.openUs()).isPositive();
    assertThat(costs.barrierUs()).isPositive();
    assertThat(costs.allreduceUs()).isPositive();
    assertThat(costs.agreeUs()).isPositive();
    assertThat(costs.shrinkUs()).isPositive();
  }

  @Test
  void shouldRefuseTeamsThatCannotBe() {
    StringWriter err = new StringWriter();
    CommandLine command = new CommandLine(new MembersCommand()).setErr(new PrintWriter(err, true));

    assertThat(command.execute("--ranks", "3")).isEqualTo(ExitCode.USAGE);
    assertThat(command.execute("--tier", "shm")).isEqualTo(ExitCode.USAGE);
    assertThat(command.execute("--ranks", "20001")).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString())
        .contains(
            "--ranks=3 is not within 4 to 20000",
            "--tier=shm is none of cell, messages",
            "--ranks=20001 is not within 4 to 20000");
  }
}
