package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that use collectives, as ranks in JVMs of their own. */
@Tag("jvms")
class CollectiveRunTest {
  @TempDir Path directory;

  private Command.Result run(String... arguments) {
    try (Command command = Command.tagfabric(directory, arguments)) {
      Command.Result result = command.end();
      assertThat(result.code()).as(result.out() + result.err()).isZero();
      return result;
    }
  }

  @Test
  void shouldFindPiWithAnyNumberOfRanks() {
    Command.Result result = run("run", "-n", "3", "allreduce-pi", "--darts", "300000");

    assertThat(result.lines()).hasSize(5).allMatch(line -> line.contains("pi = 3.1"));
  }

  @Test
  void shouldFindTheCentresOfAllRanksPoints() {
    Command.Result result = run("run", "-n", "2", "kmeans", "--points", "2000");

    assertThat(result.out()).contains("centre 3 at (");
  }

  @Test
  void shouldDrawTheSamePictureWithAnyNumberOfRanks() throws IOException {
    Path one = directory.resolve("one.png");
    Path three = directory.resolve("three.png");
    String[] plate = {"--cells", "16", "--steps", "40"};

    run(
        "run",
        "-n",
        "1",
        "heat",
        plate[0],
        plate[1],
        plate[2],
        plate[3],
        "--picture",
        one.toString());
    run(
        "run",
        "-n",
        "3",
        "heat",
        plate[0],
        plate[1],
        plate[2],
        plate[3],
        "--picture",
        three.toString());

    assertThat(Files.readAllBytes(three)).isNotEmpty().isEqualTo(Files.readAllBytes(one));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldFinishWithTheSumOfTheSurvivorsWhenARankDies(int victim) {
    Command.Result result =
        run("run", "-n", "3", "survivors", "--victim", Integer.toString(victim));

    assertThat(result.out())
        .contains("rank " + victim + " dies")
        .contains("rank " + victim + " [rank-" + victim)
        .contains("2 of 3 ranks finished, sum=" + (6 - victim - 1));
  }

  @Test
  void shouldGoOnWithoutARankThatIsKilledAtARandomMoment() {
    Command.Result result = run("survive", "--ranks", "3", "--kills", "1");

    assertThat(result.out()).contains("1 of 1 times the others finished");
  }

  @Test
  void shouldSurviveOverAkkaRemotingAsWell() {
    Map<String, String> artery = Map.of("TAGFABRIC_PROVIDER_USE", "artery");
    try (Command command =
        Command.start(
            directory,
            artery,
            io.tagfabric.cli.Tagfabric.class,
            "run",
            "-n",
            "3",
            "survivors",
            "--rounds",
            "50")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      assertThat(result.out()).contains("2 of 3 ranks finished, sum=3");
    }
  }
}
