package io.tagfabric.bench.chart;

import java.util.List;

/**
 * A line of a chart.
 *
 * @param name for the legend
 * @param points from left to right, all coordinates greater than 0
 */
public record Series(String name, List<Point> points) {
  /**
   * A place in the units of the axes, with what was measured around it.
   *
   * @param least of the values of which y is the middle one
   * @param greatest of these values
   */
  public record Point(double x, double y, double least, double greatest) {
    public Point {
      if (!(x > 0 && y > 0)) {
        throw new IllegalArgumentException(
            "x=" + x + " and y=" + y + " must be greater than 0, the axes are logarithmic");
      }
      if (!(least > 0 && least <= y && y <= greatest)) {
        throw new IllegalArgumentException(
            "least=" + least + " y=" + y + " greatest=" + greatest + " are not in this order");
      }
    }

    /** One of which nothing else is known. */
    public Point(double x, double y) {
      this(x, y, y, y);
    }
  }

  public Series {
    points = List.copyOf(points);
  }
}
