package io.tagfabric.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The poms that are installed beside the jars stand alone. */
class PomsTest {
  static List<String> modules() {
    return Stream.concat(Artifacts.LIBRARIES.stream(), Stream.of(Artifacts.BOM)).toList();
  }

  static List<String> libraries() {
    return Artifacts.LIBRARIES;
  }

  private static Element read(Path pom) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(pom.toFile())
          .getDocumentElement();
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new AssertionError(pom + " cannot be read", e);
    }
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  /** The text below a path of elements, empty if there is none. */
  private static String text(Element parent, String... path) {
    Element at = parent;
    for (String name : path) {
      List<Element> next = children(at, name);
      if (next.isEmpty()) {
        return "";
      }
      at = next.get(0);
    }
    return at.getTextContent().strip();
  }

  private static List<Element> dependencies(Element parent) {
    return children(parent, "dependencies").stream()
        .flatMap(element -> children(element, "dependency").stream())
        .toList();
  }

  private static String versionOf(List<Element> dependencies, String artifact) {
    return dependencies.stream()
        .filter(dependency -> text(dependency, "artifactId").equals(artifact))
        .map(dependency -> text(dependency, "version"))
        .findFirst()
        .orElse("");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldSayWhatItIsAndWhoseItIs(String module) {
    Element pom = read(Artifacts.pom(module));

    assertThat(text(pom, "artifactId")).isEqualTo("tagfabric-" + module);
    assertThat(text(pom, "version")).isEqualTo(Artifacts.version());
    assertThat(text(pom, "name")).startsWith("Tagfabric ");
    assertThat(text(pom, "description")).isNotEmpty();
    assertThat(text(pom, "url")).startsWith("https://");
    assertThat(text(pom, "licenses", "license", "name")).isEqualTo("Apache-2.0");
    assertThat(text(pom, "developers", "developer", "name")).isEqualTo("The Tagfabric authors");
    assertThat(text(pom, "scm", "url")).startsWith("https://").doesNotContain(module);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldNeedNoOtherPomAndNoProperty(String module) throws IOException {
    Element pom = read(Artifacts.pom(module));

    assertThat(children(pom, "parent")).isEmpty();
    assertThat(Files.readString(Artifacts.pom(module))).doesNotContain("${");
    assertThat(dependencies(pom))
        .allSatisfy(
            dependency -> {
              assertThat(text(dependency, "version")).isNotEmpty();
              assertThat(text(dependency, "scope")).isIn("compile", "runtime");
            });
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void shouldBringNoBackendOfTheLog(String module) {
    assertThat(dependencies(read(Artifacts.pom(module))))
        .isNotEmpty()
        .noneMatch(dependency -> text(dependency, "groupId").equals("ch.qos.logback"));
  }

  @Test
  void shouldNameTestedVersionsItself() {
    List<Element> managed =
        dependencies(children(read(Artifacts.pom(Artifacts.BOM)), "dependencyManagement").get(0));
    List<Element> actors = dependencies(read(Artifacts.pom("actors")));

    for (String artifact : List.of("jna", "jna-platform", "config", "slf4j-api", "agrona")) {
      assertThat(versionOf(actors, artifact))
          .as(artifact)
          .isNotEmpty()
          .isEqualTo(versionOf(managed, artifact));
    }
  }

  @Test
  void shouldKeepDurableDistributedDataOut() {
    List<String> exclusions =
        dependencies(read(Artifacts.pom("actors"))).stream()
            .filter(dependency -> text(dependency, "artifactId").startsWith("akka-cluster-typed"))
            .map(dependency -> text(dependency, "exclusions", "exclusion", "artifactId"))
            .toList();

    assertThat(exclusions).containsExactly("lmdbjava");
  }
}
