package io.tagfabric.artifacts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** An element of a pom, or all of it. */
record Pom(Element element) {
  /** The pom that is installed for a module. */
  static Pom of(String module) {
    Path file = Artifacts.pom(module);
    try {
      return new Pom(
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement());
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new AssertionError(file + " cannot be read", e);
    }
  }

  /** All elements of a name directly inside. */
  List<Pom> all(String name) {
    List<Pom> found = new ArrayList<>();
    NodeList nodes = element.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element child && child.getTagName().equals(name)) {
        found.add(new Pom(child));
      }
    }
    return found;
  }

  /** The text below a path of elements, empty if there is none. */
  String text(String... path) {
    Pom at = this;
    for (String name : path) {
      List<Pom> next = at.all(name);
      if (next.isEmpty()) {
        return "";
      }
      at = next.get(0);
    }
    return at.element.getTextContent().strip();
  }

  List<Pom> dependencies() {
    return all("dependencies").stream().flatMap(list -> list.all("dependency").stream()).toList();
  }

  /** The dependencies whose versions it manages. */
  List<Pom> managed() {
    return all("dependencyManagement").stream()
        .flatMap(management -> management.dependencies().stream())
        .toList();
  }

  /** The name of a dependency's jar in a repository. */
  String jar() {
    return text("artifactId") + "-" + text("version") + ".jar";
  }
}
