package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/72-parameters.md says of the parameters of other systems is complete and so. */
class ParametersTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([A-Z0-9_]+)` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|$", Pattern.MULTILINE);
  private static final Pattern COUNT =
      Pattern.compile("^\\| (setting|analogue|not yet|none) \\| (\\d+) \\|", Pattern.MULTILINE);
  private static final Pattern KEY = Pattern.compile("`([a-z][a-z-]*(?:\\.[a-z-]+)+)`");

  /**
   * One row of the page.
   *
   * @param name in the other system
   * @param kind of an answer
   * @param here what we have for it
   * @param why how it differs, or why there is nothing
   */
  record Parameter(String name, String kind, String here, String why) {
    /** The settings it says exist. */
    List<String> settings() {
      return keys(kind.equals("not yet") ? "" : here);
    }

    /** The settings it says do not exist yet. */
    List<String> planned() {
      int mark = why.indexOf("ot yet, planned ");
      return keys(kind.equals("not yet") ? here : mark < 0 ? "" : why.substring(mark));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<String> keys(String text) {
    return KEY.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static String page() throws IOException {
    return Files.readString(Pages.root().resolve("docs/72-parameters.md"));
  }

  static List<Parameter> parameters() throws IOException {
    List<Parameter> parameters = new ArrayList<>();
    for (MatchResult found : ROW.matcher(page()).results().toList()) {
      parameters.add(
          new Parameter(
              found.group(1),
              found.group(2).strip(),
              found.group(3).strip(),
              found.group(4).strip()));
    }
    return parameters;
  }

  private static Config settings() {
    return ConfigFactory.defaultReferenceUnresolved().getConfig("tagfabric");
  }

  @Test
  void shouldHaveEveryNameOfTheOtherSystemsOnce() throws IOException {
    try (InputStream names = ParametersTest.class.getResourceAsStream("parameters.txt")) {
      List<String> all =
          new String(names.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();

      assertThat(all).hasSize(109);
      assertThat(parameters().stream().map(Parameter::name))
          .containsExactlyInAnyOrderElementsOf(all);
    }
  }

  @Test
  void shouldCountTheKindsOfAnswers() throws IOException {
    Map<String, Long> counted =
        parameters().stream()
            .collect(Collectors.groupingBy(Parameter::kind, TreeMap::new, Collectors.counting()));
    Map<String, Long> said = new TreeMap<>();
    COUNT
        .matcher(page())
        .results()
        .forEach(found -> said.put(found.group(1), Long.parseLong(found.group(2))));

    assertThat(said).isEqualTo(counted);
    assertThat(page()).contains(parameters().size() + " names");
  }

  @ParameterizedTest
  @MethodSource("parameters")
  void shouldNameSettingsThatExistAndPlansThatDoNot(Parameter parameter) {
    Config settings = settings();

    assertThat(parameter.settings()).allMatch(settings::hasPathOrNull, "is a setting");
    assertThat(parameter.planned()).noneMatch(settings::hasPathOrNull, "is a setting");
    boolean isThere = Stream.of("setting", "analogue").anyMatch(parameter.kind()::equals);
    assertThat(parameter.settings().isEmpty()).as("names no setting").isEqualTo(!isThere);
    if (!parameter.kind().equals("setting")) {
      assertThat(parameter.here() + parameter.why()).as("what differs").isNotBlank();
    }
    if (parameter.kind().equals("not yet")) {
      assertThat(parameter.here()).startsWith("planned");
    }
    if (parameter.kind().equals("none")) {
      assertThat(parameter.why()).as("the reason").isNotBlank();
    }
  }

  /** A comment in the reference configuration that names a parameter is on the page, too. */
  @Test
  void shouldNameTheSettingsWhoseCommentsNameAParameter() throws IOException {
    Map<String, List<String>> named =
        parameters().stream()
            .collect(Collectors.toMap(Parameter::name, Parameter::settings, (a, b) -> a));
    Config settings = settings();
    List<String> astray = new ArrayList<>();
    settings
        .entrySet()
        .forEach(
            entry -> {
              String comments = String.join(" ", entry.getValue().origin().comments());
              named.forEach(
                  (name, keys) -> {
                    if (Pattern.compile("\\b" + name + "\\b").matcher(comments).find()
                        && !keys.contains(entry.getKey())) {
                      astray.add(entry.getKey() + " names " + name + ", the page " + keys);
                    }
                  });
            });

    assertThat(astray).isEmpty();
  }
}
