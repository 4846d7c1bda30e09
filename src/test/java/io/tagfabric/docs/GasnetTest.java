package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cli.Tagfabric;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/71-gasnet.md names exists. */
class GasnetTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|$", Pattern.MULTILINE);
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Set<String> OPEN = Set.of("not yet", "none");

  /** The known problems of the README, by their numbers there. */
  private static final List<String> PROBLEMS =
      List.of(
          "495", "955", "3447", "3693", "3816", "3838", "3997", "4008", "4009", "4105", "4314",
          "4658", "4691");

  private static final Set<String> PROOFS = new HashSet<>();
  private static final Set<String> CLASSES = new HashSet<>();
  private static String sources;

  /** One row: names there, what is here, and what proves it. */
  record Call(String there, String here, String proof) {}

  @BeforeAll
  static void readWhatThereIs() throws IOException {
    StringWriter out = new StringWriter();
    int code =
        Tagfabric.commandLine(List.of("fabtests"))
            .setOut(new PrintWriter(out, true))
            .execute("fabtests", "--list", "--json");
    assertThat(code).isZero();
    out.toString()
        .lines()
        .map(ConfigFactory::parseString)
        .filter(row -> !row.getString("what").startsWith("Notrun"))
        .forEach(row -> PROOFS.add(row.getString("name")));
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(Pages.root())) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (name.endsWith("Test")) {
          PROOFS.add(name);
        }
        if (file.toString().contains("src/main")) {
          CLASSES.add(name);
          text.append(Files.readString(file));
        }
      }
    }
    sources = text.toString();
  }

  static List<Call> calls() throws IOException {
    return ROW.matcher(Files.readString(Pages.root().resolve("docs/71-gasnet.md")))
        .results()
        .map(row -> new Call(row.group(1).strip(), row.group(2).strip(), row.group(3).strip()))
        .filter(call -> !call.proof().equals("proof"))
        .toList();
  }

  private static List<String> code(String text) {
    return CODE.matcher(text).results().map(found -> found.group(1)).toList();
  }

  @Test
  void shouldHaveRowsAndNameNoCallTwice() throws IOException {
    assertThat(calls()).hasSizeGreaterThan(55);
    assertThat(calls().stream().flatMap(call -> code(call.there()).stream()))
        .hasSizeGreaterThan(70)
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldNameTestsAndCodeThatExist(Call call) {
    if (OPEN.contains(call.proof())) {
      assertThat(call.here()).as("%s says the same twice", call).startsWith(call.proof());
    } else {
      assertThat(code(call.proof())).as("proofs of %s", call).isNotEmpty();
      assertThat(PROOFS).as("proofs of %s", call).containsAll(code(call.proof()));
    }
    for (String name : code(call.here())) {
      if (name.startsWith("--")) {
        continue;
      }
      String[] parts = name.split("\\.");
      assertThat(CLASSES).as("class of %s", call).contains(parts[0]);
      if (parts.length > 1) {
        assertThat(sources).as("method of %s", call).contains(" " + parts[1] + "(");
      }
    }
  }

  @Test
  void shouldAnswerEachKnownProblem() throws IOException {
    String there = calls().stream().map(Call::there).collect(Collectors.joining("\n"));
    assertThat(PROBLEMS).allMatch(number -> there.matches("(?s).*\\b" + number + "\\b.*"));
  }
}
