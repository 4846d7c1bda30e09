package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cli.Tagfabric;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.fabric.Capability;
import io.tagfabric.fabric.FabricHints;
import io.tagfabric.fabric.FabricInfo;
import io.tagfabric.provider.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/70-libfabric.md names exists, and it agrees with the capabilities of the code. */
class LibfabricTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| (`(?i:fi)_[^|]*)\\|([^|]*)\\|([^|]*)\\|$", Pattern.MULTILINE);
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Set<String> OPEN = Set.of("not yet", "none");

  private static Set<String> scenarios;
  private static String sources;
  private static Set<String> classes;

  /** One row: names there, what is here, and what proves it. */
  record Call(String there, String here, String proof) {
    boolean isOpen() {
      return OPEN.contains(proof);
    }
  }

  @BeforeAll
  static void readWhatThereIs() throws IOException {
    StringWriter out = new StringWriter();
    int code =
        Tagfabric.commandLine(List.of("fabtests"))
            .setOut(new PrintWriter(out, true))
            .execute("fabtests", "--list", "--json");
    assertThat(code).isZero();
    scenarios =
        out.toString()
            .lines()
            .map(ConfigFactory::parseString)
            .filter(row -> !row.getString("what").startsWith("Notrun"))
            .map(row -> row.getString("name"))
            .collect(Collectors.toSet());
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(Pages.root())) {
      List<Path> java = files.filter(file -> file.toString().endsWith(".java")).toList();
      classes =
          java.stream()
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toSet());
      for (Path file : java) {
        if (file.toString().contains("src/main")) {
          text.append(Files.readString(file));
        }
      }
    }
    sources = text.toString();
  }

  static List<Call> calls() throws IOException {
    return ROW.matcher(Files.readString(Pages.root().resolve("docs/70-libfabric.md")))
        .results()
        .map(row -> new Call(row.group(1).strip(), row.group(2).strip(), row.group(3).strip()))
        .toList();
  }

  private static List<String> code(String text) {
    return CODE.matcher(text).results().map(found -> found.group(1)).toList();
  }

  @Test
  void shouldHaveRowsAndScenarios() throws IOException {
    assertThat(calls()).hasSizeGreaterThan(60);
    assertThat(scenarios)
        .hasSizeGreaterThan(40)
        .contains("order", "peek", "rma")
        .doesNotContain("mr-cache");
    assertThat(calls().stream().flatMap(call -> code(call.there()).stream()))
        .doesNotHaveDuplicates();
  }

  /** The calls in the manual pages of section 3. */
  @Test
  void shouldHaveARowForEachCallThere() throws IOException {
    try (InputStream names = LibfabricTest.class.getResourceAsStream("libfabric.txt")) {
      List<String> all =
          new String(names.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();

      assertThat(all).hasSize(200);
      assertThat(calls().stream().flatMap(call -> code(call.there()).stream())).containsAll(all);
    }
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldNameTestsAndCodeThatExist(Call call) {
    if (call.isOpen()) {
      assertThat(call.here()).as("%s says the same twice", call).startsWith(call.proof());
    } else {
      assertThat(code(call.proof()))
          .as("proofs of %s", call.there())
          .isNotEmpty()
          .allMatch(
              name ->
                  scenarios.contains(name) || (name.endsWith("Test") && classes.contains(name)));
    }
    for (String name : code(call.here())) {
      String[] parts = name.split("\\.");
      assertThat(classes).as("class of %s", call).contains(parts[0]);
      if (parts.length > 1) {
        assertThat(sources).as("method of %s", call).contains(" " + parts[1] + "(");
      }
    }
  }

  @Test
  void shouldSayOfEachCapabilityWhetherItIsThere() throws IOException {
    Settings settings = Settings.of(ConfigFactory.load());
    List<Call> calls = calls();

    for (Capability each : Capability.values()) {
      boolean isThere =
          !FabricInfo.find(settings, Provider.installed(), FabricHints.any().with(each)).isEmpty();
      assertThat(calls)
          .filteredOn(call -> call.there().equals("`FI_" + each + "`"))
          .as("row of %s", each)
          .singleElement()
          .matches(call -> call.isOpen() != isThere, "is open unless an endpoint has it");
    }
  }
}
