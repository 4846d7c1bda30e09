package io.tagfabric.trials.fabtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import picocli.CommandLine;

class FabtestsCommandTest {
  private static final String LONGEST = "tagfabric.endpoint.max-message-size";

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void useTheUsualSettings() {
    System.clearProperty(LONGEST);
    ConfigFactory.invalidateCaches();
  }

  private int execute(String line) {
    return new CommandLine(new FabtestsCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.split(" "));
  }

  private List<Config> rows() {
    return out.toString().lines().map(ConfigFactory::parseString).toList();
  }

  private static List<String> names(List<Config> rows, String result) {
    return rows.stream()
        .filter(row -> row.hasPath("result") && row.getString("result").equals(result))
        .map(row -> row.getString("name"))
        .toList();
  }

  @Test
  void shouldRunEveryScenarioInOneJvmAndSayWhatItHasNot() throws Exception {
    Path xml = directory.resolve("fab.xml");

    int code = execute("--provider local --json --junit " + xml);

    List<Config> rows = rows();
    assertThat(names(rows, "Fail")).as(out.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(names(rows, "Pass"))
        .containsExactlyElementsOf(
            Catalogue.ALL.stream().filter(each -> !each.ranksOnly()).map(Scenario::name).toList());
    assertThat(names(rows, "Notrun"))
        .containsExactlyElementsOf(
            Stream.concat(Stream.of("collectives"), NotYet.ALL.stream().map(NotYet::name))
                .toList());
    Config summary = rows.get(rows.size() - 1);
    assertThat(summary.getInt("pass") + summary.getInt("fail") + summary.getInt("notrun"))
        .isEqualTo(rows.size() - 1);

    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml.toFile());
    assertThat(document.getElementsByTagName("testcase").getLength()).isEqualTo(rows.size() - 1);
    assertThat(document.getElementsByTagName("skipped").getLength())
        .isEqualTo(summary.getInt("notrun"));
    assertThat(document.getElementsByTagName("failure").getLength()).isZero();
  }

  @Test
  void shouldFindEachSabotage() {
    assertThat(execute("--self-test --json")).as(out.toString()).isZero();

    List<Config> rows = rows();
    assertThat(rows).hasSize(7);
    assertThat(rows.subList(0, 6)).allMatch(row -> row.getBoolean("found"));
    assertThat(rows.get(6).getInt("found")).isEqualTo(6);
  }

  @Test
  void shouldFailWithCodeOneAndGoOnWhereAnInstallationIsWrong() throws Exception {
    System.setProperty(LONGEST, "100000");
    ConfigFactory.invalidateCaches();
    Path xml = directory.resolve("fab.xml");

    assertThat(execute("--provider local --set order,env --limit 5 --json --junit " + xml))
        .isEqualTo(1);

    assertThat(names(rows(), "Fail")).containsExactly("order");
    assertThat(names(rows(), "Pass")).contains("levels", "variables");
    assertThat(rows().get(0).getString("reason")).contains("max-message-size");
    assertThat(Files.readString(xml)).contains("<failure message=\"");
  }

  @Test
  @Tag("jvms")
  void shouldRunScenariosBetweenTwoJvms() {
    assertThat(execute("--provider shm --set cm,order,collective --json"))
        .as(out.toString())
        .isZero();

    assertThat(rows().stream().filter(row -> row.hasPath("where")))
        .filteredOn(row -> row.getString("where").equals("jvms"))
        .allMatch(row -> row.getString("result").equals("Pass"))
        .extracting(row -> row.getString("name"))
        .containsExactly(
            "order", "levels", "lifecycle", "peer-close", "multi-client", "collectives");
  }

  @Test
  void shouldListOnlyWhatIsAskedFor() {
    assertThat(execute("--list --set trigger,peek")).isZero();

    assertThat(out.toString().lines().skip(1))
        .hasSize(5)
        .anyMatch(line -> line.startsWith("peek-long"))
        .anyMatch(
            line -> line.startsWith("rma-trigger") && line.contains("Notrun: a counter starts"));
  }

  @Test
  void shouldRefuseUnknownNames() {
    assertThat(execute("--set nonsense")).isEqualTo(2);
    assertThat(execute("--provider verbs")).isEqualTo(2);
    assertThat(execute("--limit 0")).isEqualTo(2);
    assertThat(err.toString())
        .contains("no set nonsense", "--provider=verbs is missing", "--limit=0");
  }
}
