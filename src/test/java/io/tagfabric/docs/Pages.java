package io.tagfabric.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the pages of the project: their code blocks, links, headings and words in code type. */
final class Pages {
  /**
   * A fenced block.
   *
   * @param line of the opening fence, from 1
   * @param language behind the fence, may be empty
   * @param source what {@code <!-- source: … -->} on the line before says, null without
   */
  record Block(int line, String language, String source, String text) {}

  private static final Pattern SOURCE = Pattern.compile("<!-- source: (\\S+#\\S+) -->");
  private static final Pattern MARK = Pattern.compile("(//|#|<!--) #[a-z-]+( -->)?");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Path ROOT = findRoot();

  private Pages() {}

  static Path root() {
    return ROOT;
  }

  /** README and the other pages of the root, and all below docs. */
  static List<Path> all() {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Block> blocks(Path page) {
    List<String> lines = lines(page);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("```")) {
        int end = i + 1;
        while (!lines.get(end).equals("```")) {
          end++;
        }
        Matcher source = SOURCE.matcher(i == 0 ? "" : lines.get(i - 1));
        blocks.add(
            new Block(
                i + 1,
                lines.get(i).substring(3).strip(),
                source.matches() ? source.group(1) : null,
                String.join("\n", lines.subList(i + 1, end))));
        i = end;
      }
    }
    return blocks;
  }

  /** Lines outside fenced blocks. */
  private static List<String> prose(Path page) {
    List<String> prose = new ArrayList<>();
    boolean fenced = false;
    for (String line : lines(page)) {
      if (line.startsWith("```")) {
        fenced = !fenced;
      } else if (!fenced) {
        prose.add(line);
      }
    }
    return prose;
  }

  /** Targets of links, without those that begin with a scheme. */
  static List<String> relativeLinks(Path page) {
    return find(LINK, page).filter(target -> !target.matches("[a-z]+:.*")).toList();
  }

  /** Words and phrases between backticks. */
  static List<String> codeWords(Path page) {
    return find(CODE, page).toList();
  }

  /** What stands between backticks, over the ends of lines too. */
  static List<String> codeSpans(Path page) {
    return CODE.matcher(String.join("\n", prose(page)))
        .results()
        .map(span -> span.group(1).replaceAll("\\s+", " "))
        .toList();
  }

  /** Lines that are code because they are indented by four. */
  static List<String> indented(Path page) {
    return prose(page).stream().filter(line -> line.startsWith("    ")).map(String::strip).toList();
  }

  private static Stream<String> find(Pattern pattern, Path page) {
    return prose(page).stream()
        .flatMap(line -> pattern.matcher(line).results())
        .map(result -> result.group(1));
  }

  /** Rows of tables whose cells match, as groups of the pattern. */
  static List<Matcher> rows(Path page, Pattern row) {
    return prose(page).stream().map(row::matcher).filter(Matcher::find).toList();
  }

  /** The anchors that headings of a page can be reached by, as GitHub and GitLab make them. */
  static Set<String> anchors(Path page) {
    Set<String> anchors = new HashSet<>();
    for (String line : prose(page)) {
      if (line.startsWith("#")) {
        String heading = line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT);
        anchors.add(heading.replaceAll("[^\\p{Alnum} _-]", "").replace(' ', '-'));
      }
    }
    return anchors;
  }

  /**
   * The lines between two comments {@code // #name}, {@code # #name} or {@code <!-- #name -->},
   * moved to the left margin, without such comments of other names.
   *
   * @throws IllegalArgumentException if the file has not exactly two such comments
   */
  static String region(Path file, String name) {
    Set<String> comments = Set.of("// #" + name, "# #" + name, "<!-- #" + name + " -->");
    List<String> inside = new ArrayList<>();
    int marks = 0;
    for (String line : lines(file)) {
      if (comments.contains(line.strip())) {
        marks++;
      } else if (marks == 1 && !MARK.matcher(line.strip()).matches()) {
        inside.add(line);
      }
    }
    if (marks != 2) {
      throw new IllegalArgumentException(
          file + " has " + marks + " comments [#" + name + "], it takes two");
    }
    return String.join("\n", inside).stripTrailing().stripIndent().strip();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path findRoot() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.isRegularFile(dir.resolve("system-tests/pom.xml"))) {
        return dir;
      }
    }
    throw new IllegalStateException("run the tests inside the project");
  }
}
