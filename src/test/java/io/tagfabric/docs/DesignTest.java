package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What docs/30-design.md says of files and frames is so. */
class DesignTest {
  private static final int FRAME_HEADER_BYTES = 8;
  private static final Pattern LAYOUT =
      Pattern.compile("(?:^ |, and )(\\w+), template (\\d+)(?:, (\\d+) bytes)?", Pattern.MULTILINE);
  private static final Map<String, Integer> BYTES =
      Map.of("int64", 8, "int32", 4, "int16", 2, "Proof", 32, "varText", 0);

  private static final int MOST_FILES = 38;
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

  /**
   * The number of bytes of each kind of frame before payload and texts, by {@code name, template}.
   */
  private static Map<String, Integer> layouts() throws Exception {
    Path schema = Pages.root().resolve("actors/src/main/sbe/wire.xml");
    NodeList messages =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(schema.toFile())
            .getElementsByTagName("sbe:message");
    Map<String, Integer> layouts = new TreeMap<>();
    for (int i = 0; i < messages.getLength(); i++) {
      Element message = (Element) messages.item(i);
      int bytes = 0;
      NodeList fields = message.getElementsByTagName("field");
      for (int k = 0; k < fields.getLength(); k++) {
        bytes += BYTES.get(((Element) fields.item(k)).getAttribute("type"));
      }
      String padded = message.getAttribute("blockLength");
      layouts.put(
          message.getAttribute("name") + " " + message.getAttribute("id"),
          FRAME_HEADER_BYTES + (padded.isEmpty() ? bytes : Integer.parseInt(padded)));
    }
    return layouts;
  }

  @Test
  void shouldDrawEveryFrameWithItsNumberAndLength() throws Exception {
    String page = Files.readString(Pages.root().resolve("docs/30-design.md"));
    Map<String, Integer> drawn = new TreeMap<>();
    List<MatchResult> found = LAYOUT.matcher(page).results().toList();
    for (int i = 0; i < found.size(); i++) {
      String bytes = found.get(i).group(3);
      // two kinds in one line have the length that stands behind the second
      drawn.put(
          found.get(i).group(1) + " " + found.get(i).group(2),
          Integer.parseInt(bytes == null ? found.get(i + 1).group(3) : bytes));
    }

    assertThat(drawn).isEqualTo(layouts());
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
