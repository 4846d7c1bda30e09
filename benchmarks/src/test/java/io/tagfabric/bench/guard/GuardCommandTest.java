package io.tagfabric.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class GuardCommandTest {
  private static final String TWO_ROWS = "row 8 200\nrow 1024 500\n";
  private static final String ROWS = "latency-shm-8,latency-shm-1k";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path top;

  private int guard(FakeBuild ours, FakeBuild theirs, String... more) {
    return execute(
        ours,
        Stream.concat(
                Stream.of("--against", theirs.directory().toString(), "--json"), Stream.of(more))
            .toArray(String[]::new));
  }

  private int execute(FakeBuild ours, String... words) {
    return new CommandLine(new GuardCommand(ours == null ? null : ours.build()))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words);
  }

  private FakeBuild ours(String lines) {
    return FakeBuild.in(top, "ours", lines);
  }

  private FakeBuild theirs(String lines) {
    return FakeBuild.in(top, "theirs", lines);
  }

  private Map<String, Config> rows() {
    return out.toString()
        .lines()
        .map(ConfigFactory::parseString)
        .collect(Collectors.toMap(row -> row.getString("row"), Function.identity()));
  }

  private String verdict(String row) {
    return rows().get(row).getString("verdict");
  }

  @Test
  void shouldFindADelayOfTenPercentInOneRow() {
    int code = guard(ours("row 8 200\nrow 1024 550\n"), theirs(TWO_ROWS), "--only", ROWS);

    assertThat(code).isEqualTo(1);
    assertThat(verdict("latency-shm-8")).isEqualTo("fine");
    Config row = rows().get("latency-shm-1k");
    assertThat(row.getString("verdict")).isEqualTo("slower");
    assertThat(row.getInt("pairs")).as("the second time").isEqualTo(20);
    assertThat(row.getInt("above")).isEqualTo(20);
    assertThat(row.getDouble("ratio_median")).isBetween(1.05, 1.15);
    assertThat(row.getDouble("ratio_min")).isLessThanOrEqualTo(row.getDouble("ratio_median"));
    assertThat(row.getDouble("ratio_max")).isGreaterThanOrEqualTo(row.getDouble("ratio_median"));
    assertThat(row.getDouble("cpu_usec")).isEqualTo(0.5);
    assertThat(row.getIsNull("allocated")).as("what a build does not say").isTrue();
    assertThat(err.toString())
        .contains("guard: latency-shm-1k may be slower, once more with 20 pairs")
        .contains("guard: slower: latency-shm-1k; compared: 2 with " + top.resolve("theirs"));
  }

  @Test
  void shouldNotTakeNoiseForADelay() {
    int code = guard(ours(TWO_ROWS), theirs(TWO_ROWS), "--only", ROWS);

    assertThat(code).isZero();
    assertThat(rows().values()).allMatch(row -> row.getString("verdict").equals("fine"));
    assertThat(rows().values())
        .as("figures differ")
        .allMatch(row -> row.getDouble("ratio_max") != row.getDouble("ratio_min"));
    assertThat(err.toString()).contains("guard: no row slower; compared: 2 with ");
  }

  @Test
  void shouldNotBelieveADelayThatDoesNotComeAgain() {
    String once = "[ $n -le 16 ] && row 8 300 || row 8 200\n";

    int code = guard(ours(once), theirs("row 8 200\n"), "--only", "latency-shm-8", "--pairs", "4");

    assertThat(code).isZero();
    assertThat(err.toString()).contains("guard: latency-shm-8 may be slower, once more");
    assertThat(verdict("latency-shm-8")).isEqualTo("fine");
    assertThat(rows().get("latency-shm-8").getInt("pairs")).as("the second time").isGreaterThan(1);
  }

  @Test
  void shouldTakeADelayForNoiseThatABuildHasBesideItself() {
    // beside itself, the first of the two that are compared takes half as long again
    String uneven =
        """
        case $((n > 8 ? -1 : n % 4)) in
          -1) row 8 240 ;;
          0 | 1) row 8 300 ;;
          *) row 8 200 ;;
        esac
        """;

    int code =
        guard(ours(uneven), theirs("row 8 200\n"), "--only", "latency-shm-8", "--pairs", "4");

    Config row = rows().get("latency-shm-8");
    assertThat(row.getDouble("itself_median")).isGreaterThan(1.4);
    assertThat(row.getDouble("ratio_median")).isBetween(1.1, 1.3);
    assertThat(err.toString()).doesNotContain("once more");
    assertThat(code).isZero();
  }

  @Test
  void shouldCallARateSlowerThatIsLower() {
    String line = "echo '{\"mxfers_per_s\": %s}'\n";

    int code =
        guard(
            ours(line.formatted(9)),
            theirs(line.formatted(10)),
            "--only",
            "rate-shm",
            "--pairs",
            "2");

    assertThat(code).isEqualTo(1);
    assertThat(verdict("rate-shm")).isEqualTo("slower");
    assertThat(rows().get("rate-shm").getDouble("ratio_median")).isBetween(1.11, 1.12);
  }

  @Test
  void shouldMeasureInTurnsAndOneAfterTheOther() throws IOException {
    guard(ours(TWO_ROWS), theirs(TWO_ROWS), "--only", "latency-shm-8", "--pairs", "4");

    List<String> calls = FakeBuild.calls(top);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < calls.size(); i += 2) {
      String name = calls.get(i).substring("begin ".length());
      assertThat(calls.subList(i, i + 2)).containsExactly("begin " + name, "end " + name);
      names.add(name);
    }
    int both = names.indexOf("theirs") - 1;
    assertThat(both).as("beside itself first").isBetween(6, 8).isEven();
    for (int pair = 0; both + 2 * pair < names.size(); pair++) {
      assertThat(names.subList(both + 2 * pair, both + 2 * pair + 2))
          .containsExactly(pair % 2 == 0 ? "ours" : "theirs", pair % 2 == 0 ? "theirs" : "ours");
    }
  }

  @Test
  void shouldStopMeasuringARowOnceItsVerdictIsCertain() throws IOException {
    // a row that is certain at once, beside one that never is
    guard(ours("row 8 100\nrow 1024 550\n"), theirs("row 8 200\nrow 1024 500\n"), "--only", ROWS);

    assertThat(rows().get("latency-shm-8").getInt("pairs")).isEqualTo(2);
    assertThat(rows().get("latency-shm-1k").getInt("pairs")).isEqualTo(20);
    assertThat(err.toString().lines().filter(line -> line.contains("beside " + top)))
        .filteredOn(line -> line.contains("/10: "))
        .hasSize(10)
        .filteredOn(line -> line.contains("latency-shm-8 "))
        .hasSize(2);
    assertThat(FakeBuild.calls(top).stream().filter("begin theirs"::equals))
        .as("its own command goes on for the other row")
        .hasSize(30);
  }

  @Test
  void shouldLeaveOutWhatTheOtherBuildDoesNotKnow() {
    String old = "[ $2 = latency ] || { echo \"unknown command '$2'\" >&2; exit 2; }\nrow 8 200\n";
    String now =
        "[ $2 = am ] && echo '{\"op\": \"medium\", \"usec\": 3}' || { row 8 200; row 1024 500; }\n";

    int code = guard(ours(now), theirs(old), "--only", ROWS + ",am-medium", "--pairs", "2");

    assertThat(code).isZero();
    assertThat(verdict("latency-shm-8")).isEqualTo("fine");
    assertThat(verdict("latency-shm-1k")).isEqualTo("left out");
    assertThat(verdict("am-medium")).isEqualTo("left out");
    assertThat(rows().get("latency-shm-1k").getString("left_out")).endsWith("prints no such row");
    assertThat(rows().get("am-medium").getString("left_out"))
        .endsWith("does not know it: unknown command 'am'");
    assertThat(err.toString()).contains("; left out: latency-shm-1k, am-medium");
  }

  @Test
  void shouldNotCallItGoodWhenNothingWasCompared() {
    int code = guard(ours("row 8 200\n"), theirs("exit 2\n"), "--only", "latency-shm-8");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("guard: nothing was compared; left out: latency-shm-8");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "echo broken >&2; exit 3 | exited with code 3: broken",
        "row 8 200; echo 'building Tagfabric ...' >&2 | its sources have changed meanwhile, so it"
            + " is another build now",
        "echo usec 5 | what it printed is no JSON: usec 5",
        "echo '{\"bytes\": 8, \"p50_us\": 0}' | p50_us=0 is no number greater than 0",
        "echo '{\"bytes\": 8, \"p50_us\": \"1\"}' | p50_us=1 is no number greater than 0",
      })
  void shouldFailWhereABuildDoes(String lines, String reason) {
    FakeBuild good = ours(TWO_ROWS);

    int code = guard(good, theirs(lines + "\n"), "--only", "latency-shm-8", "--pairs", "2");

    assertThat(code).isEqualTo(1);
    assertThat(verdict("latency-shm-8")).isEqualTo("failed");
    assertThat(rows().get("latency-shm-8").getString("left_out"))
        .isEqualTo(top.resolve("theirs") + ": " + reason);
  }

  @Test
  void shouldFailWhereItsOwnBuildLacksARow() {
    int code = guard(ours("row 8 200\n"), theirs(TWO_ROWS), "--only", ROWS, "--pairs", "2");

    assertThat(code).isEqualTo(1);
    assertThat(verdict("latency-shm-8")).isEqualTo("fine");
    assertThat(verdict("latency-shm-1k")).isEqualTo("failed");
    assertThat(err.toString()).contains("; failed: latency-shm-1k");
  }

  @Test
  void shouldPrintATableForPeople() {
    FakeBuild other = theirs("echo '{\"bytes\": 8, \"p50_us\": 2, \"allocated\": 24}'\n");

    int code =
        execute(
            ours("echo '{\"bytes\": 8, \"p50_us\": 1, \"allocated\": 0}'\n"),
            "--against",
            other.directory().toString(),
            "--only=latency-local",
            "--pairs=1");

    assertThat(code).isZero();
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "row unit ours theirs ratio min max itself allocated theirs cpu theirs verdict",
            "latency-local us 1.00 2.00 0.50 0.50 0.50 1.00 0.00 24.00 - - fine",
            "no row slower; compared: 1 with "
                + other.directory()
                + ", largest median beside itself: 1.00");
  }

  @Test
  void shouldSayOneSentenceWhenThereIsNoOtherBuild() throws IOException {
    FakeBuild good = ours(TWO_ROWS);
    Path empty = Files.createDirectory(top.resolve("empty"));
    FakeBuild ill = FakeBuild.in(top, "ill", 1, "");

    assertThat(execute(good, "--against", "nowhere")).isEqualTo(2);
    assertThat(execute(good, "--against", empty.toString())).isEqualTo(2);
    assertThat(guard(good, ill)).isEqualTo(2);

    assertThat(err.toString().lines())
        .contains(
            "--against=nowhere is no directory",
            "--against="
                + empty
                + " has neither tagfabric nor bin/tagfabric that can be run, give a checkout or an"
                + " unpacked zip of Tagfabric",
            "--against=" + ill.directory() + " cannot be run: exited with code 1: it says nothing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--only latency-shm-8 | Missing required option: '--against=DIR'",
        "--against . --only latncy-shm-8 | --only=latncy-shm-8 is no row, did you mean"
            + " latency-shm-8?",
        "--against . --only bandwidth | --only=bandwidth is no row, `bench guard --help` names all",
        "--against . --pairs 0 | --pairs=0 is not within 1 to 100",
        "--against . --runs 101 | --runs=101 is not within 1 to 100",
      })
  void shouldSayOneSentenceWhenUsedWrongly(String line, String sentence) {
    assertThat(execute(null, line.split(" "))).isEqualTo(2);
    assertThat(err.toString().lines().findFirst()).contains(sentence);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldNameAllRowsInItsHelp() {
    String help = new CommandLine(new GuardCommand()).getUsageMessage();

    for (GuardBench bench : GuardBench.all()) {
      assertThat(help).containsPattern("(?m)(^| )" + bench.name() + ",");
    }
  }
}
