package io.tagfabric.bench.chart;

import io.tagfabric.report.Sizes;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A chart of values against message sizes, both on logarithmic axes, as a picture in SVG: lines
 * with marks, whiskers from the least to the greatest value, a legend, labelled axes.
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
  private static final int BAR = 4;
  private static final int MOST_X_LABELS = 14;
  private static final int MOST_Y_LABELS = 10;

  /** Distinct also for people that do not see all colours; dashes mark the second round. */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000");

  private final String title;
  private final String yLabel;
  private final List<Series> series;
  private final StringBuilder svg = new StringBuilder();

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
    svg.setLength(0);
    LogAxis x = LogAxis.around(values(Series.Point::x), 2, LEFT, RIGHT);
    double[] ends =
        DoubleStream.concat(
                DoubleStream.of(values(Series.Point::least)),
                DoubleStream.of(values(Series.Point::greatest)))
            .toArray();
    LogAxis y = LogAxis.around(ends, 10, BOTTOM, TOP);
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'"
            + " font-family='sans-serif' font-size='13'>",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    add("<title>%s</title>", escaped(title));
    add("<rect width='100%%' height='100%%' fill='#ffffff'/>");
    text((LEFT + RIGHT) / 2.0, TOP - 22, "middle", " font-size='17'", title);
    xAxis(x);
    yAxis(y);
    for (int i = 0; i < series.size(); i++) {
      line(series.get(i), i, x, y);
      legend(series.get(i).name(), i);
    }
    add("</svg>");
    return svg.toString();
  }

  /** Adds a line; attributes stand in single quotes here and in double ones there. */
  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format.replace('\'', '"'), values)).append('\n');
  }

  private double[] values(ToDoubleFunction<Series.Point> coordinate) {
    return series.stream()
        .flatMap(line -> line.points().stream())
        .mapToDouble(coordinate)
        .toArray();
  }

  private void xAxis(LogAxis x) {
    for (double size : x.powers(2, MOST_X_LABELS)) {
      grid(x.pixel(size), TOP, x.pixel(size), BOTTOM);
      text(x.pixel(size), BOTTOM + 20, "middle", "", Sizes.format(Math.round(size)));
    }
    text((LEFT + RIGHT) / 2.0, BOTTOM + 45, "middle", "", "message size, bytes");
  }

  private void yAxis(LogAxis y) {
    for (double value : y.powers(10, MOST_Y_LABELS)) {
      grid(LEFT, y.pixel(value), RIGHT, y.pixel(value));
      text(LEFT - 8, y.pixel(value) + 4, "end", "", plain(value));
    }
    double middle = (TOP + BOTTOM) / 2.0;
    String turned = String.format(Locale.ROOT, " transform='rotate(-90 24 %.1f)'", middle);
    text(24, middle, "middle", turned, yLabel);
  }

  private void line(Series line, int place, LogAxis x, LogAxis y) {
    String points =
        line.points().stream()
            .map(at -> String.format(Locale.ROOT, "%.1f,%.1f", x.pixel(at.x()), y.pixel(at.y())))
            .collect(Collectors.joining(" "));
    add("<polyline fill='none' %s points='%s'/>", stroke(place), points);
    for (Series.Point point : line.points()) {
      mark(place, x.pixel(point.x()), y.pixel(point.y()));
      if (point.least() < point.greatest()) {
        whisker(place, x.pixel(point.x()), y.pixel(point.least()), y.pixel(point.greatest()));
      }
    }
  }

  /** A line with a bar at both ends. */
  private void whisker(int place, double x, double low, double high) {
    add(
        "<path class='whisker' d='M%1$.1f %2$.1fH%3$.1fM%4$.1f %2$.1fV%5$.1fM%1$.1f %5$.1fH%3$.1f'"
            + " stroke='%6$s' stroke-opacity='0.6' fill='none'/>",
        x - BAR, low, x + BAR, x, high, colour(place));
  }

  private void legend(String name, int place) {
    int y = TOP + 10 + place * LEGEND_STEP;
    add("<line x1='%d' y1='%d' x2='%d' y2='%d' %s/>", LEGEND_X, y, LEGEND_X + 30, y, stroke(place));
    mark(place, LEGEND_X + 15, y);
    text(LEGEND_X + 38, y + 4, "start", "", name);
  }

  private void mark(int place, double x, double y) {
    add("<circle cx='%.1f' cy='%.1f' r='3.5' fill='%s'/>", x, y, colour(place));
  }

  private static String colour(int place) {
    return COLOURS.get(place % COLOURS.size());
  }

  private static String stroke(int place) {
    String dashes = place < COLOURS.size() ? "" : " stroke-dasharray=\"6 4\"";
    return "stroke=\"" + colour(place) + "\" stroke-width=\"2\"" + dashes;
  }

  private void grid(double x1, double y1, double x2, double y2) {
    add("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#dddddd'/>", x1, y1, x2, y2);
  }

  /**
   * @param more attributes, with a blank in front; none if empty
   */
  private void text(double x, double y, String anchor, String more, String text) {
    String format = "<text x='%.1f' y='%.1f' text-anchor='%s'" + more + ">%s</text>";
    add(format, x, y, anchor, escaped(text));
  }

  private static String plain(double value) {
    return new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
