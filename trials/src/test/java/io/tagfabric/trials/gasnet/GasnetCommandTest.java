package io.tagfabric.trials.gasnet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class GasnetCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String line) {
    return new CommandLine(new GasnetCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.split(" "));
  }

  private List<Config> rows() {
    return out.toString().lines().map(ConfigFactory::parseString).toList();
  }

  @Tag("jvms")
  @Test
  void shouldPassWithProgressThreadsThatStartInReverseOrder() {
    int code = execute("--cases progthr --json");

    assertThat(code).as(out.toString()).isZero();
    List<Config> rows = rows();
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).getString("name")).isEqualTo("progthr");
    assertThat(rows.get(0).getString("result")).isEqualTo("Pass");
    assertThat(rows.get(0).getInt("ranks")).isEqualTo(2);
    assertThat(rows.get(1).getInt("pass")).isEqualTo(1);
    assertThat(rows.get(1).getInt("fail")).isZero();
  }

  @Tag("jvms")
  @Test
  void shouldRunACaseWithEachNumberOfRanksOnce() {
    int code = execute("--cases core4,progthr --ranks 1,2,1 --json");

    assertThat(code).as(out.toString()).isZero();
    List<Config> rows = rows();
    assertThat(rows.subList(0, 3))
        .extracting(row -> row.getString("name") + row.getInt("ranks"))
        .containsExactly("core41", "core42", "progthr2");
    assertThat(rows.get(3).getInt("pass")).isEqualTo(3);
  }

  @Test
  void shouldRefuseRanksThatCannotBe() {
    assertThat(execute("--ranks 2,0")).isEqualTo(2);
    assertThat(err.toString()).contains("--ranks=0 is not within 1 to 32");
    assertThat(execute("--ranks 2,x")).isEqualTo(2);
    assertThat(err.toString()).contains("'x'");
  }

  @Test
  void shouldListTheCasesAndRunNone() {
    assertThat(execute("--list --json")).isZero();

    assertThat(rows())
        .extracting(row -> row.getString("name"))
        .containsExactlyElementsOf(GasnetCases.names())
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldNameTheCasesWhenOneIsUnknown() {
    assertThat(execute("--cases progthr,nothing")).isEqualTo(2);

    assertThat(err.toString())
        .contains("--cases: no case nothing, there are core1, ")
        .contains("progthr");
  }

  @Test
  void shouldSayWhatRanksHaveFailedOf() {
    String verdict =
        GasnetJob.verdict(
            1, 2, List.of("[0] gasnet-tests: passes", "[1] gasnet-tests: fails Wrong: 3 != 4"));

    assertThat(verdict).isEqualTo("rank 1: Wrong: 3 != 4");
  }

  @Test
  void shouldFailWhenARankSaysNothingOrTheJobEndsWrong() {
    List<String> passed = List.of("[0] gasnet-tests: passes", "[1] gasnet-tests: passes");

    assertThat(GasnetJob.verdict(0, 2, passed)).isEmpty();
    assertThat(GasnetJob.verdict(0, 3, passed)).contains("ranks [2] have not passed");
    assertThat(GasnetJob.verdict(3, 2, passed)).contains("code=3");
  }
}
