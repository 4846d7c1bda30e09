package io.tagfabric.bench.chart;

import java.util.List;

/**
 * A line of a chart.
 *
 * @param name for the legend
 * @param points from left to right, all coordinates greater than 0
 */
public record Series(String name, List<Point> points) {
  /** A place in the units of the axes. */
  public record Point(double x, double y) {
    public Point {
      if (!(x > 0 && y > 0)) {
        throw new IllegalArgumentException(
            "x=" + x + " and y=" + y + " must be greater than 0, the axes are logarithmic");
      }
    }
  }

  public Series {
    points = List.copyOf(points);
  }
}
