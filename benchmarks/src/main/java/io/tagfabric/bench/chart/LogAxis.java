package io.tagfabric.bench.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * Places values on a logarithmic axis.
 *
 * @param least value at the beginning
 * @param greatest value at the end
 * @param beginPixel where the axis begins
 * @param endPixel where it ends; may be less
 */
record LogAxis(double least, double greatest, double beginPixel, double endPixel) {
  /** An axis from a power of the base to another one that holds all values between them. */
  static LogAxis around(double[] values, double base, double beginPixel, double endPixel) {
    double least = Double.MAX_VALUE;
    double greatest = 0;
    for (double value : values) {
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
    double first = Math.floor(log(least, base) + 1e-9);
    double last = Math.ceil(log(greatest, base) - 1e-9);
    if (last <= first) {
      last = first + 1;
    }
    return new LogAxis(Math.pow(base, first), Math.pow(base, last), beginPixel, endPixel);
  }

  private static double log(double value, double base) {
    return Math.log(value) / Math.log(base);
  }

  double pixel(double value) {
    double share = Math.log(value / least) / Math.log(greatest / least);
    return beginPixel + share * (endPixel - beginPixel);
  }

  /** Powers of the base on the axis, at most so many, evenly thinned out. */
  List<Double> powers(double base, int most) {
    int first = (int) Math.round(log(least, base));
    int last = (int) Math.round(log(greatest, base));
    int step = Math.max(1, (last - first + most) / most);
    List<Double> powers = new ArrayList<>();
    for (int exponent = first; exponent <= last; exponent += step) {
      powers.add(Math.pow(base, exponent));
    }
    return powers;
  }
}
