package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.error.FabricError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What pages say about the code holds: snippets, links, settings, numbers of errors. */
class PagesTest {
  private static final Pattern ERROR_ROW = Pattern.compile("^\\| `([A-Z_]+)` \\| (\\d+) \\|");
  private static final Pattern KEY = Pattern.compile("tagfabric(\\.[a-z][a-z0-9-]*)+");

  @TempDir private Path directory;

  static List<Path> pages() {
    return Pages.all();
  }

  @Test
  void shouldFindPages() {
    assertThat(pages()).contains(Pages.root().resolve("README.md")).hasSizeGreaterThan(10);
  }

  @Test
  void shouldNumberWhatStandsInDocsInOneOrder() throws IOException {
    try (Stream<Path> entries = Files.list(Pages.root().resolve("docs"))) {
      List<String> pages =
          entries
              .filter(entry -> Files.isDirectory(entry) || entry.toString().endsWith(".md"))
              .map(entry -> entry.getFileName().toString())
              .filter(name -> !name.equals("decisions")) // have numbers of their own
              .toList();

      assertThat(pages).allMatch(name -> name.matches("\\d\\d-.*"));
      assertThat(pages).extracting(name -> name.substring(0, 2)).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldShowJavaAsItIsCompiled(Path page) {
    for (Pages.Block block : Pages.blocks(page)) {
      if (block.language().equals("java")) {
        assertThat(block.source())
            .as("source of the block at %s:%d", page, block.line())
            .isNotNull();
      }
      if (block.source() != null) {
        String[] parts = block.source().split("#", 2);
        assertThat(block.text())
            .as("block at %s:%d", page, block.line())
            .isEqualTo(Pages.region(Pages.root().resolve(parts[0]), parts[1]));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldLinkToWhatIsThere(Path page) {
    for (String link : Pages.relativeLinks(page)) {
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      assertThat(target).as("link (%s) of %s", link, page).exists();
      if (parts.length == 2 && target.toString().endsWith(".md")) {
        assertThat(Pages.anchors(target)).as("link (%s) of %s", link, page).contains(parts[1]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldNameSettingsThatExist(Path page) {
    Config config = ConfigFactory.load();
    for (String word : Pages.codeWords(page)) {
      if (KEY.matcher(word).matches()) {
        assertThat(config.hasPathOrNull(word)).as("setting %s of %s", word, page).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldGiveErrorsTheirNumbers(Path page) {
    for (Matcher row : Pages.rows(page, ERROR_ROW)) {
      assertThat(FabricError.valueOf(row.group(1)).code())
          .as("%s in %s", row.group(1), page)
          .isEqualTo(Integer.parseInt(row.group(2)));
    }
  }

  @Test
  void shouldCutARegionOutOfAFile() throws IOException {
    Path file =
        Files.writeString(directory.resolve("A.java"), "a\n  // #x\n  b {\n    c\n  // #x\n");

    assertThat(Pages.region(file, "x")).isEqualTo("b {\n  c");
    assertThatThrownBy(() -> Pages.region(file, "y"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("has 0 lines [// #y], it takes two");
  }

  @Test
  void shouldReadBlocksLinksAndAnchorsOfAPage() throws IOException {
    Path page =
        Files.writeString(
            directory.resolve("p.md"),
            """
            # The `Way` of it, 2
            [a](b.md#c) `d.e` [f](https://g)
            <!-- source: X.java#r -->
            ```java
            [h](i)
            ```
            ```
            j
            ```
            """);

    assertThat(Pages.blocks(page))
        .containsExactly(
            new Pages.Block(4, "java", "X.java#r", "[h](i)"), new Pages.Block(7, "", null, "j"));
    assertThat(Pages.relativeLinks(page)).containsExactly("b.md#c");
    assertThat(Pages.codeWords(page)).containsExactly("Way", "d.e");
    assertThat(Pages.anchors(page)).containsExactly("the-way-of-it-2");
  }
}
