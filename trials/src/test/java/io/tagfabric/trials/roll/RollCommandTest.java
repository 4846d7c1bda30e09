package io.tagfabric.trials.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class RollCommandTest {
  private static RollOptions options(String... arguments) {
    RollOptions options = new RollOptions();
    new CommandLine(new Holder(options)).parseArgs(arguments);
    return options;
  }

  @CommandLine.Command
  private static final class Holder {
    @CommandLine.Mixin
    @SuppressWarnings("unused") // picocli fills it
    private final RollOptions options;

    Holder(RollOptions options) {
      this.options = options;
    }
  }

  @Test
  void shouldRunAllScenariosOfFiveNodesByDefault() {
    RollOptions options = options();

    assertThat(options.complaint()).isNull();
    assertThat(options.chosen()).containsExactly(Scenario.values());
    assertThat(options.nodes()).isEqualTo(5);
    assertThat(options.quick()).isFalse();
  }

  @Test
  void shouldTakeScenariosOnceEach() {
    assertThat(options("--scenario", "kill,same,kill").chosen())
        .containsExactly(Scenario.SAME, Scenario.KILL);
  }

  @Test
  void shouldTakeThreeNodesWhereItIsQuick() {
    assertThat(options("--quick").nodes()).isEqualTo(3);
    assertThat(options("--self-test").nodes()).isEqualTo(3);
    assertThat(options("--quick", "--nodes", "4").nodes()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void shouldFindAScenarioByItsName(Scenario scenario) {
    assertThat(Scenario.of(scenario.label())).contains(scenario);
    assertThat(scenario.label()).matches("[a-z]+(-[a-z]+)*");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--scenario sane   | --scenario=sane is none of same, fabric-on",
        "--nodes 1         | --nodes=1 is not within 2 to 9",
        "--nodes 10        | --nodes=10 is not within 2 to 9",
        "--rate 0          | --rate=0 is not within 1 to 200",
        "--settle -1       | --settle=-1 < 0"
      })
  void shouldRefuseWhatMakesNoSense(String line, String complaint) {
    StringWriter err = new StringWriter();

    int code =
        new CommandLine(new RollCommand())
            .setErr(new PrintWriter(err, true))
            .execute(line.split(" "));

    assertThat(code).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(complaint);
  }

  @ParameterizedTest
  @EnumSource
  void shouldTakeOnlyTheRightTroubleForAFind(Defect defect) {
    List<String> troubles =
        List.of(
            "TELL 0.0 -> 1.0: 2 to 2 have not come, but 3 has",
            "TELL 0.0 -> 1.0: 1 has come twice or behind 2",
            "ASK 0.0 -> 1.0: 1 of 1 were not answered",
            "TAGGED 0.0 -> 1.0: 2 of 3 has succeeded and has not come",
            "TELL 0.0 -> 1.0: 3 of 4 was told to a node that was not known to leave, and has not"
                + " come");

    assertThat(troubles.stream().filter(trouble -> defect.isFoundBy(List.of(trouble)))).hasSize(1);
    assertThat(defect.isFoundBy(troubles)).isTrue();
    assertThat(Defect.of(defect.label())).contains(defect);
  }
}
