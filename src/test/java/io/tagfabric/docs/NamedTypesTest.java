package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Types and members that pages and descriptions of packages name exist. */
class NamedTypesTest {
  private static final Pattern CODE = Pattern.compile("\\{@code\\s+([^{}]+)\\}");

  /** What has the form of a type of Java, and is none of the class path. */
  private static final Set<String> OUTSIDE =
      Set.of(
          // a file of Akka's sources, and a type of a module that is not used here
          "ActorRef.scala",
          "EntityRef",
          // options of a JVM
          "FreqInlineSize",
          "InlineSmallCode",
          "MaxInlineSize");

  /** A row whose word is the name of a class. */
  private static final Pattern CONCEPT =
      Pattern.compile(
          "^\\| \\[?([A-Z]\\w*[a-z][A-Z]\\w*)(?:\\]\\([^|]*\\))? \\| [^|]* \\| (.*) \\|$");

  /** The changelog names what was there once. */
  static List<Path> pages() {
    return Pages.all().stream().filter(page -> !page.endsWith("CHANGELOG.md")).toList();
  }

  static List<Path> descriptions() throws IOException {
    try (Stream<Path> files = Files.walk(Pages.root())) {
      return files
          .filter(file -> file.endsWith("package-info.java"))
          .filter(file -> file.toString().contains("src"))
          .sorted()
          .toList();
    }
  }

  private static Set<String> missing(Stream<String> phrases) {
    Set<String> missing = new TreeSet<>();
    phrases
        .filter(name -> JavaNames.isName(name) && !OUTSIDE.contains(name))
        .filter(name -> !JavaNames.all().has(name))
        .forEach(missing::add);
    return missing;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldNameTypesThatExist(Path page) {
    assertThat(missing(Pages.codeSpans(page).stream())).as("types that %s names", page).isEmpty();
  }

  @Test
  void shouldTellWhatIsThere() {
    assertThat(
            missing(
                Stream.of(
                    "Domain.close()",
                    "Domain.klose()",
                    "Completion.Received.offset",
                    "Completion.Receipt",
                    "NamedTypesTest.java",
                    "NamedType.java",
                    "ByteString",
                    "JvmShutdown",
                    "TRUNCATED")))
        .containsExactly("Completion.Receipt", "Domain.klose()", "JvmShutdown", "NamedType.java");
  }

  @Test
  void shouldLinkAConceptToTheClassOfItsName() {
    Path page = Pages.root().resolve("docs/10-concepts.md");
    Map<String, String> concepts = new TreeMap<>();
    for (Matcher row : Pages.rows(page, CONCEPT)) {
      concepts.put(row.group(1), row.group(2));
    }

    assertThat(concepts)
        .hasSizeGreaterThan(8)
        .allSatisfy((word, cells) -> assertThat(cells).contains("/" + word + ".java)"));
  }

  @ParameterizedTest
  @MethodSource("descriptions")
  void shouldNameTypesThatExistInDescriptionsOfPackages(Path file) throws IOException {
    String text = Files.readString(file).replaceAll("\\s+\\*?\\s*", " ");
    assertThat(missing(CODE.matcher(text).results().map(found -> found.group(1))))
        .as("types that %s names", file)
        .isEmpty();
  }
}
