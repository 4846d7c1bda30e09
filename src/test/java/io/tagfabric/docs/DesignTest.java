package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What docs/30-design.md says of files and frames is so. */
class DesignTest {
  private static final Path DESIGN = Pages.root().resolve("docs/30-design.md");
  private static final int FRAME_HEADER_BYTES = 8;
  private static final Pattern LAYOUT =
      Pattern.compile("(?:^ |, and )(\\w+), template (\\d+)(?:, (\\d+) bytes)?", Pattern.MULTILINE);
  private static final Map<String, Integer> BYTES =
      Map.of("int64", 8, "int32", 4, "int16", 2, "Proof", 32, "varText", 0);

  /** A row of a frame: the offset, then cells that begin with the names of fields. */
  private static final Pattern DRAWN_ROW = Pattern.compile("^ *(\\d+) \\| (.*)$");

  private static final Pattern DRAWN_FIELDS = Pattern.compile("(\\w+(?:, \\w+)*) *(?::.*)?");

  /** Where the first frame begins, below the ruler of the packet. */
  private static final Pattern RULER =
      Pattern.compile(
          "^ \\*  0 +8 +(\\d+)\\R.*\\R \\*  \\| header \\| PacketHeader \\|", Pattern.MULTILINE);

  private static final int MOST_FILES = 38;
  private static final String MARK = "<!-- walk -->";

  private static List<String> walk() throws IOException {
    String page = Files.readString(DESIGN);
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

  private static Element schema() throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(Pages.root().resolve("actors/src/main/sbe/wire.xml").toFile())
        .getDocumentElement();
  }

  private static List<Element> children(Element parent, String tag) {
    NodeList found = parent.getElementsByTagName(tag);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  /**
   * The number of bytes of each kind of frame before payload and texts, by {@code name, template}.
   */
  private static Map<String, Integer> layouts() throws Exception {
    Map<String, Integer> layouts = new TreeMap<>();
    for (Element message : children(schema(), "sbe:message")) {
      int bytes =
          children(message, "field").stream()
              .mapToInt(field -> BYTES.get(field.getAttribute("type")))
              .sum();
      String padded = message.getAttribute("blockLength");
      layouts.put(
          message.getAttribute("name") + " " + message.getAttribute("id"),
          FRAME_HEADER_BYTES + (padded.isEmpty() ? bytes : Integer.parseInt(padded)));
    }
    return layouts;
  }

  /** The names of the fields of each kind of frame and where they begin, in order. */
  private static Map<String, List<String>> fields() throws Exception {
    Map<String, List<String>> all = new TreeMap<>();
    for (Element message : children(schema(), "sbe:message")) {
      List<String> fields = new ArrayList<>();
      int at = FRAME_HEADER_BYTES;
      for (Element field : children(message, "field")) {
        fields.add(at + " " + field.getAttribute("name"));
        at += BYTES.get(field.getAttribute("type"));
      }
      all.put(message.getAttribute("name"), fields);
    }
    return all;
  }

  /** The same of the drawings of the page. */
  private static Map<String, List<String>> drawnFields() throws Exception {
    Map<String, Integer> lengths = new TreeMap<>();
    layouts().forEach((kind, bytes) -> lengths.put(kind.split(" ", -1)[0], bytes));
    Map<String, Integer> sizes = new TreeMap<>(); // of a field, by kind and name
    for (Element message : children(schema(), "sbe:message")) {
      for (Element field : children(message, "field")) {
        sizes.put(
            message.getAttribute("name") + " " + field.getAttribute("name"),
            BYTES.get(field.getAttribute("type")));
      }
    }
    Map<String, List<String>> drawn = new TreeMap<>();
    List<String> kinds = List.of();
    for (String line : Files.readString(DESIGN).lines().toList()) {
      List<MatchResult> titles = LAYOUT.matcher(line).results().toList();
      if (!titles.isEmpty()) {
        kinds = titles.stream().map(title -> title.group(1)).toList();
        kinds.forEach(kind -> drawn.put(kind, new ArrayList<>()));
      } else if (line.isEmpty() || line.startsWith("```")) {
        kinds = List.of();
      }
      Matcher row = DRAWN_ROW.matcher(line);
      if (!kinds.isEmpty() && row.matches()) {
        int at = Integer.parseInt(row.group(1));
        for (String cell : row.group(2).split("\\|", -1)) {
          Matcher names = DRAWN_FIELDS.matcher(cell.strip());
          if (at >= lengths.get(kinds.get(0)) || cell.isBlank()) {
            break; // the payload, or what is behind the row
          }
          assertThat(names.matches()).as("cell of %s: %s", kinds, cell).isTrue();
          for (String name : names.group(1).split(", ", -1)) {
            for (String kind : kinds) {
              drawn.get(kind).add(at + " " + name);
            }
            assertThat(sizes).containsKey(kinds.get(0) + " " + name);
            at += sizes.get(kinds.get(0) + " " + name);
          }
        }
      }
    }
    return drawn;
  }

  @Test
  void shouldDrawEveryFrameWithItsNumberAndLength() throws Exception {
    String page = Files.readString(DESIGN);
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
  void shouldDrawEveryFieldWhereItIs() throws Exception {
    assertThat(drawnFields()).isEqualTo(fields());
  }

  @Test
  void shouldDrawTheHeaderOfEachFrame() throws Exception {
    Element schema = schema();
    String header =
        children(schema, "composite").stream()
            .filter(each -> each.getAttribute("name").equals("messageHeader"))
            .flatMap(each -> children(each, "type").stream())
            .map(each -> each.getAttribute("name"))
            .map(name -> name.equals("frameLength") ? name : name.substring(0, 7))
            .collect(Collectors.joining("|", "0|", "|"));
    List<String> drawn =
        Files.readString(DESIGN).lines().map(line -> line.replace(" ", "")).toList();

    assertThat(drawn)
        .containsSubsequence(
            header, "kind" + schema.getAttribute("id") + schema.getAttribute("version"));
  }

  @Test
  void shouldDrawAPacketInTheDescriptionOfItsPackage() throws Exception {
    String description =
        Files.readString(
            Pages.root().resolve("actors/src/main/java/io/tagfabric/wire/package-info.java"));

    assertThat(RULER.matcher(description).results())
        .extracting(found -> Integer.valueOf(found.group(1)))
        .containsExactly(layouts().get("PacketHeader 1"));
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
