package io.tagfabric.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LogChartTest {
  private final Locale before = Locale.getDefault();
  private final Series fast =
      new Series("a < b & c", List.of(new Series.Point(8, 1), new Series.Point(512, 100)));
  private final Series slow =
      new Series("slow", List.of(new Series.Point(8, 10), new Series.Point(64, 10)));

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(before);
  }

  private static Document drawn(Series... series) throws Exception {
    String svg = new LogChart("Latency", "time, µs", List.of(series)).toSvg();
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> elements(Document document, String name) {
    NodeList nodes = document.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static List<String> texts(Document document) {
    return elements(document, "text").stream().map(Element::getTextContent).toList();
  }

  @Test
  void shouldBeWellFormedAndNameEverything() throws Exception {
    Document picture = drawn(fast, slow);

    assertThat(picture.getDocumentElement().getNamespaceURI()).isNull();
    assertThat(picture.getDocumentElement().getAttribute("xmlns"))
        .isEqualTo("http://www.w3.org/2000/svg");
    assertThat(texts(picture))
        .contains("Latency", "time, µs", "message size, bytes", "a < b & c", "slow")
        .contains("8", "16", "512")
        .contains("1", "10", "100");
  }

  @Test
  void shouldPlacePointsByTheirLogarithms() throws Exception {
    String[] points =
        elements(drawn(fast, slow), "polyline").get(0).getAttribute("points").split(" ");

    // 8 to 512 fill the width, 1 to 100 the height
    assertThat(points).containsExactly("90.0,460.0", "690.0,50.0");
    String[] others =
        elements(drawn(fast, slow), "polyline").get(1).getAttribute("points").split(" ");
    assertThat(others).containsExactly("90.0,255.0", "390.0,255.0");
  }

  @Test
  void shouldDrawWhiskersFromTheLeastToTheGreatest() throws Exception {
    Series spread =
        new Series(
            "s", List.of(new Series.Point(8, 10, 1, 100), new Series.Point(512, 10, 10, 10)));

    List<Element> paths = elements(drawn(spread), "path");

    // the axis goes from the least to the greatest; where both are one there is no whisker
    assertThat(paths).hasSize(1);
    assertThat(paths.get(0).getAttribute("d"))
        .isEqualTo("M86.0 460.0H94.0M90.0 460.0V50.0M86.0 50.0H94.0");
  }

  @Test
  void shouldWriteNumbersAlikeInAnyLocale() throws Exception {
    String here = new LogChart("t", "y", List.of(fast)).toSvg();
    Locale.setDefault(Locale.GERMANY);

    assertThat(new LogChart("t", "y", List.of(fast)).toSvg()).isEqualTo(here);
  }

  @Test
  void shouldTellMoreLinesApartThanItHasColours() throws Exception {
    Series[] many = new Series[9];
    for (int i = 0; i < many.length; i++) {
      many[i] = new Series("line " + i, List.of(new Series.Point(8, 1 + i)));
    }

    List<String> strokes =
        elements(drawn(many), "polyline").stream()
            .map(line -> line.getAttribute("stroke") + line.getAttribute("stroke-dasharray"))
            .toList();

    assertThat(strokes).doesNotHaveDuplicates();
  }

  @Test
  void shouldKeepAnAxisOfOneValueOpen() {
    LogAxis axis = LogAxis.around(new double[] {8}, 2, 0, 100);

    assertThat(axis.pixel(8)).isZero();
    assertThat(axis.pixel(16)).isCloseTo(100, within(1e-9));
  }

  @Test
  void shouldThinLabelsOut() {
    LogAxis axis = LogAxis.around(new double[] {1, 1 << 20}, 2, 0, 100);

    assertThat(axis.powers(2, 7)).containsExactly(1.0, 8.0, 64.0, 512.0, 4096.0, 32768.0, 262144.0);
  }

  @Test
  void shouldRefuseWhatHasNoLogarithm() {
    assertThatThrownBy(() -> new Series.Point(8, 0))
        .hasMessage("x=8.0 and y=0.0 must be greater than 0, the axes are logarithmic");
    assertThatThrownBy(() -> new Series.Point(8, 3, 4, 5))
        .hasMessage("least=4.0 y=3.0 greatest=5.0 are not in this order");
    assertThatThrownBy(() -> new LogChart("t", "y", List.of()))
        .hasMessage("a chart needs a series with a point");
  }
}
