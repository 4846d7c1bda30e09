package io.tagfabric.trials.fabtests;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes outcomes as the XML that tools of continuous integration read. */
final class JUnitFile {
  private JUnitFile() {}

  /**
   * Writes a suite for each provider and place.
   *
   * @throws IOException if the file cannot be written
   */
  static void write(Path file, List<Outcome> outcomes) throws IOException {
    Map<String, List<Outcome>> suites = new LinkedHashMap<>();
    for (Outcome each : outcomes) {
      String name = each.provider().isEmpty() ? "notrun" : each.provider() + "." + each.where();
      suites.computeIfAbsent(name, any -> new ArrayList<>()).add(each);
    }
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeStartElement("testsuites");
      for (Map.Entry<String, List<Outcome>> suite : suites.entrySet()) {
        suite(xml, suite.getKey(), suite.getValue());
      }
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static void suite(XMLStreamWriter xml, String name, List<Outcome> cases)
      throws XMLStreamException {
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", "tagfabric.fabtests." + name);
    xml.writeAttribute("tests", Integer.toString(cases.size()));
    xml.writeAttribute("failures", Long.toString(Outcome.count(cases, Outcome.Result.FAIL)));
    xml.writeAttribute("errors", "0");
    xml.writeAttribute("skipped", Long.toString(Outcome.count(cases, Outcome.Result.NOTRUN)));
    xml.writeAttribute("time", time(cases.stream().mapToDouble(Outcome::seconds).sum()));
    for (Outcome each : cases) {
      xml.writeStartElement("testcase");
      xml.writeAttribute("classname", "tagfabric.fabtests." + name + "." + each.set());
      xml.writeAttribute("name", each.name());
      xml.writeAttribute("time", time(each.seconds()));
      switch (each.result()) {
        case FAIL -> reason(xml, "failure", each.reason());
        case NOTRUN -> reason(xml, "skipped", each.reason());
        case PASS -> {
          // nothing more to say
        }
      }
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static void reason(XMLStreamWriter xml, String element, String text)
      throws XMLStreamException {
    xml.writeEmptyElement(element);
    // XML has no way to write most control characters
    xml.writeAttribute("message", text.replaceAll("\\p{Cntrl}", " "));
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }
}
