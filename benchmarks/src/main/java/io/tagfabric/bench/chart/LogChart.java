package io.tagfabric.bench.chart;

import io.tagfabric.report.Sizes;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A chart of values against message sizes, both on logarithmic axes, as a picture in SVG: lines
 * with marks, a legend, labelled axes.
 *
 * @source W3C SVG 1.1 (Second Edition), §9 (basic shapes), §10 (text)
 */
public final class LogChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 520;
  private static final int LEFT = 90;
  private static final int RIGHT = 690;
  private static final int TOP = 50;
  private static final int BOTTOM = 460;
  private static final int LEGEND_X = 710;
  private static final int LEGEND_STEP = 24;
  private static final int MOST_X_LABELS = 14;
  private static final int MOST_Y_LABELS = 10;

  /** Distinct also for people that do not see all colours; dashes mark the second round. */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000");

  private final String title;
  private final String yLabel;
  private final List<Series> series;

  /**
   * @param yLabel what the values are, with their unit
   * @param series at least one with at least one point
   */
  public LogChart(String title, String yLabel, List<Series> series) {
    this.title = title;
    this.yLabel = yLabel;
    this.series = series.stream().filter(line -> !line.points().isEmpty()).toList();
    if (this.series.isEmpty()) {
      throw new IllegalArgumentException("a chart needs a series with a point");
    }
  }

  /** The picture, a whole document. */
  public String toSvg() {
    LogAxis x = LogAxis.around(values(Series.Point::x), 2, LEFT, RIGHT);
    LogAxis y = LogAxis.around(values(Series.Point::y), 10, BOTTOM, TOP);
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n",
            WIDTH,
            HEIGHT,
            WIDTH,
            HEIGHT));
    svg.append("<title>").append(escaped(title)).append("</title>\n");
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    text(svg, (LEFT + RIGHT) / 2.0, TOP - 22, "middle", " font-size=\"17\"", title);
    xAxis(svg, x);
    yAxis(svg, y);
    for (int i = 0; i < series.size(); i++) {
      line(svg, series.get(i), i, x, y);
      legend(svg, series.get(i).name(), i);
    }
    return svg.append("</svg>\n").toString();
  }

  private double[] values(ToDoubleFunction<Series.Point> coordinate) {
    return series.stream()
        .flatMap(line -> line.points().stream())
        .mapToDouble(coordinate)
        .toArray();
  }

  private static void xAxis(StringBuilder svg, LogAxis x) {
    for (double size : x.powers(2, MOST_X_LABELS)) {
      grid(svg, x.pixel(size), TOP, x.pixel(size), BOTTOM);
      text(svg, x.pixel(size), BOTTOM + 20, "middle", "", Sizes.format(Math.round(size)));
    }
    text(svg, (LEFT + RIGHT) / 2.0, BOTTOM + 45, "middle", "", "message size, bytes");
  }

  private void yAxis(StringBuilder svg, LogAxis y) {
    for (double value : y.powers(10, MOST_Y_LABELS)) {
      grid(svg, LEFT, y.pixel(value), RIGHT, y.pixel(value));
      text(svg, LEFT - 8, y.pixel(value) + 4, "end", "", plain(value));
    }
    double middle = (TOP + BOTTOM) / 2.0;
    String turned = String.format(Locale.ROOT, " transform=\"rotate(-90 24 %.1f)\"", middle);
    text(svg, 24, middle, "middle", turned, yLabel);
  }

  private static void line(StringBuilder svg, Series line, int place, LogAxis x, LogAxis y) {
    StringBuilder points = new StringBuilder();
    for (Series.Point point : line.points()) {
      points.append(
          String.format(Locale.ROOT, "%.1f,%.1f ", x.pixel(point.x()), y.pixel(point.y())));
    }
    svg.append("<polyline fill=\"none\" ")
        .append(stroke(place))
        .append(" points=\"")
        .append(points.toString().strip())
        .append("\"/>\n");
    for (Series.Point point : line.points()) {
      mark(svg, place, x.pixel(point.x()), y.pixel(point.y()));
    }
  }

  private static void legend(StringBuilder svg, String name, int place) {
    int y = TOP + 10 + place * LEGEND_STEP;
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" %s/>\n",
            LEGEND_X,
            y,
            LEGEND_X + 30,
            y,
            stroke(place)));
    mark(svg, place, LEGEND_X + 15, y);
    text(svg, LEGEND_X + 38, y + 4, "start", "", name);
  }

  private static void mark(StringBuilder svg, int place, double x, double y) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n",
            x,
            y,
            colour(place)));
  }

  private static String colour(int place) {
    return COLOURS.get(place % COLOURS.size());
  }

  private static String stroke(int place) {
    String dashes = place < COLOURS.size() ? "" : " stroke-dasharray=\"6 4\"";
    return "stroke=\"" + colour(place) + "\" stroke-width=\"2\"" + dashes;
  }

  private static void grid(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n",
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(
      StringBuilder svg, double x, double y, String anchor, String more, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n",
            x,
            y,
            anchor,
            more,
            escaped(text)));
  }

  private static String plain(double value) {
    return new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
