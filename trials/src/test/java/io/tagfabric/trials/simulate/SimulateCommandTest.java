package io.tagfabric.trials.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new SimulateCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void shouldCountSeedsAndEvents() {
    assertThat(run("--seeds", "50..59", "--operations", "40", "--json")).isEqualTo(ExitCode.OK);

    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.getInt("seeds")).isEqualTo(10);
    assertThat(row.getInt("twice")).isEqualTo(1);
    assertThat(row.getLong("events")).isGreaterThan(row.getLong("turns"));
    assertThat(row.getDouble("virtual_seconds")).isPositive();
    assertThat(row.getString("failed_seed")).isEmpty();
  }

  @Test
  void shouldPrintTheSameTraceTwice() {
    assertThat(run("--seed", "7", "--trace", "--operations", "30")).isEqualTo(ExitCode.OK);
    String first = out.toString();
    out.getBuffer().setLength(0);
    run("--seed", "7", "--trace", "--operations", "30");

    assertThat(out.toString()).isEqualTo(first).contains("faults are over", "everything held");
  }

  @Test
  void shouldFailWhenRareThingsAreRequiredAndDoNotHappen() {
    assertThat(run("--seeds", "1..1", "--operations", "1", "--require-probes"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("never reached: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seeds=9..3 | ends before it begins",
        "--seeds=all | is not like 1..20000",
        "--trace | --trace needs one seed",
        "--policy=fair | choose of uniform, pct, both",
        "--faults=rain=3% | is unknown, choose of drop",
        "--faults=drop=200% | is no share from 0% to 100%",
        "--faults=crash=7@3ms | names rank 7 of --ranks=3",
        "--faults=crash | is not like crash=1@3ms",
        "--ranks=0 | is not within 1 to 16",
        "--defects=z99 | is unknown, choose of f03, f05"
      })
  void shouldRefuseWrongOptions(String option, String complaint) {
    assertThat(run(option)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(complaint);
  }

  @Test
  void shouldFindADefectThatIsPutBack() {
    assertThat(run("--self-test", "--defects", "f26", "--seeds", "1..300", "--json"))
        .isEqualTo(ExitCode.OK);

    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.getBoolean("f26_found")).isTrue();
    assertThat(row.getInt("f26_first_seed")).isBetween(1, 300);
  }

  @Test
  void shouldFindDefectsOfTheExitAndOfTeams() {
    assertThat(run("--self-test", "--defects", "x03,c06", "--seeds", "1..340", "--json"))
        .as(out.toString())
        .isEqualTo(ExitCode.OK);

    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.getBoolean("x03_found")).isTrue();
    assertThat(row.getBoolean("c06_found")).isTrue();
  }

  @Test
  void shouldFindDefectsOfLanesAndOfFramesWithoutAPacket() {
    assertThat(run("--self-test", "--defects", "l01,l07,b01", "--seeds", "1..250", "--json"))
        .as(out.toString())
        .isEqualTo(ExitCode.OK);
  }

  /** It takes a sender that leaves at the right moment: one run in 300 has it. */
  @Test
  void shouldFindThatALaneIsGivenToTheNextSenderBeforeItIsRead() {
    assertThat(run("--self-test", "--defects", "l05", "--seeds", "351..400", "--json"))
        .as(out.toString())
        .isEqualTo(ExitCode.OK);
  }

  /**
   * A region closes between a direct write and its signal; a node stands still for longer than
   * until it is unreachable; a block is longer than a member takes; a node leaves while others
   * still tell it something; a dial fails.
   */
  @ParameterizedTest
  @CsvSource({"r02, 508..508", "n01, 27..27", "t02, 65..65", "w03, 62..62", "w05, 513..513"})
  void shouldFindDefectsOfWhatComesAtTheWrongMoment(String defect, String seeds) {
    assertThat(run("--self-test", "--defects", defect, "--seeds", seeds, "--json"))
        .as(out.toString())
        .isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldSayThatADefectIsNotFound() {
    assertThat(run("--self-test", "--defects", "s07", "--seeds", "1..1", "--json"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(ConfigFactory.parseString(out.toString()).getBoolean("s07_found")).isFalse();
  }

  @Tag("exhaustive")
  @Test
  @Timeout(1_800)
  void shouldFindAllDefects() {
    assertThat(run("--self-test")).as(out.toString()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldFindADefectInEachPartInAFewSeeds() {
    int code = run("--self-test", "--seeds", "1..60", "--defects", "f12,f26,s13,e02,x06");

    assertThat(code).as(out.toString()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @MethodSource("defectsFound")
  void shouldHaveEachDefectInTheTableOfTheDocs(Defect defect) throws IOException {
    assertThat(Files.readString(Path.of("..", "docs", "65-simulation.md")))
        .contains("| `" + defect.label() + "` | " + defect.what() + " | ");
  }

  static List<Defect> defectsFound() {
    return Defect.found();
  }

  @ParameterizedTest
  @EnumSource(Defect.class)
  void shouldFindThePlaceOfEachDefect(Defect defect) throws ReflectiveOperationException {
    Class<?> patched = new PatchedLoader(defect).loadClass(defect.className());

    assertThat(patched.getClassLoader()).isInstanceOf(PatchedLoader.class);
  }

  @Test
  void shouldSayThatThePlaceOfADefectHasGone() {
    Edit edit = Edit.answer("inject", "noSuchCall", 1, 1);

    assertThatThrownBy(() -> edit.apply("C", classFile()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has 0 places");
  }

  private static byte[] classFile() throws java.io.IOException {
    try (var file = Edit.class.getResourceAsStream("Edit.class")) {
      return file.readAllBytes();
    }
  }
}
