package io.tagfabric.artifacts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Names the tests that did not run in a build, by what they missed, from the reports of all
 * modules.
 *
 * <p>README.md lists what the tests can do without, in a line that begins with {@code Optional for
 * the tests:}, each in backquotes.
 */
public final class SkippedTests {
  private static final String OPTIONAL = "Optional for the tests:";
  private static final String ASSUMPTION = "Assumption failed: ";
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private SkippedTests() {}

  /**
   * Prints a line for each reason.
   *
   * @param args the directory of the build; {@code fail} if skipped tests are an error where what
   *     they miss is not optional; when the build began, as older reports are of another one
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    Map<String, List<String>> skipped = in(root, Instant.parse(args[2]));
    if (skipped.isEmpty()) {
      return;
    }
    List<String> optional = optional(Files.readString(root.resolve("README.md")));
    boolean fails = false;
    for (Map.Entry<String, List<String>> each : skipped.entrySet()) {
      boolean required = optional.stream().noneMatch(each.getKey()::contains);
      fails |= required;
      System.out.println(line(each.getKey(), each.getValue(), required));
    }
    if (fails && args[1].equals("fail")) {
      System.exit(1);
    }
  }

  static String line(String reason, List<String> tests, boolean required) {
    return (required ? "[ERROR] " : "[WARNING] ")
        + tests.size()
        + (tests.size() == 1 ? " test was" : " tests were")
        + " skipped, "
        + reason
        + ": "
        + String.join(", ", tests);
  }

  /** Tests by the reason that they were skipped for, of reports not older than an instant. */
  static Map<String, List<String>> in(Path root, Instant begin) throws IOException {
    Map<String, List<String>> skipped = new TreeMap<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        Path reports = module.resolve("target/surefire-reports");
        if (Files.isDirectory(reports)) {
          try (Stream<Path> files = Files.list(reports)) {
            files
                .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                .filter(file -> !written(file).isBefore(begin))
                .sorted()
                .forEach(file -> read(file, skipped));
          }
        }
      }
    }
    return skipped;
  }

  private static Instant written(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static void read(Path file, Map<String, List<String>> skipped) {
    NodeList marks = parse(file).getElementsByTagName("skipped");
    for (int i = 0; i < marks.getLength(); i++) {
      Element mark = (Element) marks.item(i);
      Element test = (Element) mark.getParentNode();
      String of = test.getAttribute("classname");
      skipped
          .computeIfAbsent(reason(mark), unknown -> new ArrayList<>())
          .add(of.substring(of.lastIndexOf('.') + 1) + "." + test.getAttribute("name"));
    }
  }

  /** An assumption that failed is told by its trace, whose first line ends with the message. */
  private static String reason(Element mark) {
    String message = mark.getAttribute("message");
    if (message.isEmpty()) {
      String first = mark.getTextContent().strip().lines().findFirst().orElse("");
      int at = first.indexOf(ASSUMPTION);
      message = at < 0 ? first : first.substring(at + ASSUMPTION.length());
    }
    return message.isEmpty() ? "no reason given" : message;
  }

  private static Document parse(Path file) {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    } catch (SAXException | ParserConfigurationException malformed) {
      throw new IllegalStateException(file + " is no report: " + malformed.getMessage(), malformed);
    }
  }

  /** What the page calls optional. */
  static List<String> optional(String page) {
    return page.lines()
        .filter(line -> line.startsWith(OPTIONAL))
        .flatMap(line -> results(QUOTED.matcher(line)))
        .toList();
  }

  private static Stream<String> results(Matcher matcher) {
    return matcher.results().map((MatchResult found) -> found.group(1));
  }
}
