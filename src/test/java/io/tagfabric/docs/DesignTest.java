package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/30-design.md says of files can be found. */
class DesignTest {
  private static final int MOST_FILES = 35;
  private static final String MARK = "<!-- walk -->";

  private static List<String> walk() throws IOException {
    String page = Files.readString(Pages.root().resolve("docs/30-design.md"));
    int begin = page.indexOf(MARK);
    int end = page.indexOf(MARK, begin + 1);
    assertThat(begin).isPositive();
    assertThat(end).isGreaterThan(begin);
    return Pattern.compile("`(\\w+)`")
        .matcher(page.substring(begin, end))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  @Test
  void shouldCarryAMessageByFewFilesThatExist() throws IOException {
    List<String> walk = walk();
    assertThat(walk).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(MOST_FILES);
    try (Stream<Path> sources = Files.walk(Pages.root().resolve("actors/src/main/java"))) {
      List<String> names = sources.map(path -> path.getFileName().toString()).toList();
      assertThat(walk).isNotEmpty().allMatch(name -> names.contains(name + ".java"));
    }
  }
}
