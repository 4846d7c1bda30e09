package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Tag("exhaustive")
  @Test
  void shouldFindPiWithAnyNumberOfRanks() {
    Command.Result result = run("run", "-n", "3", "allreduce-pi", "--darts", "300000");

    assertThat(result.lines()).hasSize(5).allMatch(line -> line.contains("pi = 3.1"));
  }

  @Test
  void shouldMultiplyMatricesOnAGrid() {
    Command.Result result = run("run", "-n", "4", "cannon", "--block", "16");

    assertThat(result.out()).contains("a product of two 32 x 32 matrices is right");
  }

  @Test
  void shouldGiveEachWordOneOwner() {
    Command.Result result = run("run", "-n", "3", "shuffle", "--words", "5000");

    assertThat(result.out()).contains("15000 words, 1000 different, each with one owner");
  }

  @Tag("exhaustive")
  @Test
  void shouldFindTheCentresOfAllRanksPoints() {
    Command.Result result = run("run", "-n", "2", "kmeans", "--points", "2000");

    assertThat(result.out()).contains("centre 3 at (");
  }

  @Tag("exhaustive")
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

  @Tag("exhaustive")
  @Test
  void shouldCombineOnHostsAndThenBetweenThem() {
    List<String> arguments = new ArrayList<>(List.of("run", "-n", "5"));
    for (int rank = 0; rank < 5; rank++) {
      arguments.add("--rank-set");
      arguments.add(rank + ":job.locality=" + (rank == 1 || rank == 4 ? "one" : "other"));
    }
    arguments.add(TeamTeller.class.getName());

    Command.Result result = run(arguments.toArray(String[]::new));

    assertThat(result.lines())
        .hasSize(5 * 7)
        .allMatch(line -> line.contains(" two-level/") && line.endsWith(" shm+messages"));
  }

  @Tag("exhaustive")
  @Test
  void shouldTakeTheAlgorithmsOfATableThatWasMeasured() throws IOException {
    Path table = directory.resolve("tuned.conf");
    run("tune", "--ranks", "2", "--ops", "allreduce", "--sizes", "8", "-o", table.toString());
    Matcher rule = Pattern.compile("\"allreduce 2 any (\\S+)\"").matcher(Files.readString(table));
    assertThat(rule.find()).isTrue();

    assertThat(allreducesBy(table)).hasSize(4).containsOnly(rule.group(1));

    String another = rule.group(1).equals("ring") ? "rabenseifner" : "ring";
    Files.writeString(table, rule.replaceFirst("\"allreduce 2 any " + another + "\""));
    assertThat(allreducesBy(table)).hasSize(4).containsOnly(another);
  }

  /** With messages, for a table chooses among these. */
  private List<String> allreducesBy(Path table) {
    return run(
            "run",
            "-n",
            "2",
            "--jvm-opts",
            "-Dconfig.file=" + table + " -Dtagfabric.collective.shared-memory=off",
            TeamTeller.class.getName())
        .lines()
        .stream()
        .map(line -> line.split(" ", -1))
        .filter(words -> words[1].equals("allreduce"))
        .map(words -> words[2])
        .toList();
  }

  @Test
  void shouldFinishWithTheSumOfTheSurvivorsWhenRankZeroDies() {
    requireSumOfSurvivors(0);
  }

  @Tag("exhaustive")
  @Test
  void shouldFinishWithTheSumOfTheSurvivorsWhenTheLastRankDies() {
    requireSumOfSurvivors(2);
  }

  private void requireSumOfSurvivors(int victim) {
    Command.Result result =
        run("run", "-n", "3", "survivors", "--victim", Integer.toString(victim));

    assertThat(result.out())
        .contains("rank " + victim + " dies")
        .contains("rank " + victim + " [rank-" + victim)
        .contains("2 of 3 ranks finished, sum=" + (6 - victim - 1));
  }

  @Tag("exhaustive")
  @Test
  void shouldGoOnWithoutARankThatIsKilledAtARandomMoment() {
    Command.Result result = run("survive", "--ranks", "3", "--kills", "1");

    assertThat(result.out()).contains("1 of 1 times the others finished");
  }

  @Tag("exhaustive")
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
