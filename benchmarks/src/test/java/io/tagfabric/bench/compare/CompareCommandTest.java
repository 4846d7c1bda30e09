package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.jvms.ClassArchive;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

class CompareCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String line) {
    return new CommandLine(new CompareCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.split(" "));
  }

  @Test
  void shouldSayOneSentenceWhenNobodyIsLeft() {
    int code = execute("--only nobody");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("--ours and --only leave nobody, `bench compare --help` names all");
  }

  @Test
  @Tag("jvms")
  @Timeout(300)
  void shouldCompareBetweenNamespaces() throws Exception {
    ClassArchive.use();
    try (MadeNamespaces made = MadeNamespaces.make()) {
      int code =
          execute(
              "--runs 1 --cell-ms 20 --ours artery-tcp --only aeron-udp --tests latency --sizes 8"
                  + " --json --netns "
                  + made.names());

      assertThat(code).as(err.toString()).isZero();
      assertThat(err.toString())
          .startsWith("compare: between namespaces " + made.first() + " (10.213.78.1) and ")
          .contains("compare: 2/2 round 1 aeron-udp ");
      Config row = ConfigFactory.parseString(out.toString());
      assertThat(row.getInt("runs")).as(row.toString()).isEqualTo(1);
    }
  }

  @Test
  @Tag("jvms")
  @Timeout(300)
  void shouldCompareWakingBesideASelector() {
    ClassArchive.use();

    int code =
        execute("--runs 1 --cell-ms 20 --ours artery-tcp --only java-selector --tests wake --json");

    assertThat(code).as(err.toString()).isZero();
    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.getInt("runs")).as(row.toString()).isEqualTo(1);
    assertThat(row.getString("test")).isEqualTo("wake");
    assertThat(row.getInt("gap_us")).isEqualTo(1_000);
    assertThat(row.getDouble("ours_p99_us")).isGreaterThanOrEqualTo(row.getDouble("ours"));
  }

  @Test
  void shouldSayOneSentenceWhenNamespacesCannotBeUsed() {
    int code = execute("--netns one");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString().lines().findFirst().orElseThrow())
        .startsWith("--netns: ")
        .matches(".*(is not two namespaces|only root|only Linux|no [a-z]+ in PATH).*");
  }

  @Test
  @Tag("jvms")
  @Timeout(300)
  void shouldCompareWithPeersThatNeedNoInstallation() {
    ClassArchive.use();

    int code =
        execute(
            "--runs 1 --cell-ms 20 --ours artery-tcp --only akka-tcp,aeron-ipc --tests latency"
                + " --sizes 8 --json");

    assertThat(code).isZero();
    assertThat(err.toString())
        .startsWith("compare: artery-tcp with akka-tcp, aeron-ipc in turn")
        .contains("compare: 3 runs, about 1 min; each run does 1 cells")
        .contains("compare: 3/3 round 1 aeron-ipc ");
    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows)
        .extracting(row -> row.getString("peer"))
        .containsExactly("akka-tcp", "aeron-ipc");
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.getString("test")).isEqualTo("latency");
              assertThat(row.getInt("bytes")).isEqualTo(8);
              assertThat(row.getInt("runs")).as(row.toString()).isEqualTo(1);
              assertThat(row.getDouble("ratio_median"))
                  .isEqualTo(row.getDouble("ratio_min"))
                  .isEqualTo(row.getDouble("ratio_max"));
            });
  }
}
