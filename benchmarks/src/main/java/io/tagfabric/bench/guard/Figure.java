package io.tagfabric.bench.guard;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a build has measured of a row.
 *
 * @param value in the unit of the row
 * @param cpuUsec processor time of a message in microseconds, not a number if the build does not
 *     say
 * @param allocatedBytes of new objects for a message, not a number if the build does not say
 */
record Figure(double value, double cpuUsec, double allocatedBytes) {
  private static final ConfigParseOptions JSON =
      ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON);
  private static final int SHOWN = 80;

  /**
   * Finds the rows of a benchmark in what it has printed, those that are there.
   *
   * @throws BuildException if that is not JSON, or a figure is no number above 0
   */
  static Map<GuardRow, Figure> read(GuardBench bench, String printed) throws BuildException {
    List<Config> objects = new ArrayList<>();
    for (String line : printed.lines().filter(each -> !each.isBlank()).toList()) {
      try {
        objects.add(ConfigFactory.parseString(line, JSON));
      } catch (ConfigException refused) {
        String shown = line.length() > SHOWN ? line.substring(0, SHOWN) + " ..." : line;
        throw new BuildException("what it printed is no JSON: " + shown, refused);
      }
    }
    Map<GuardRow, Figure> figures = new LinkedHashMap<>();
    for (GuardRow row : bench.rows()) {
      for (Config object : objects) {
        if (object.hasPath(bench.field()) && matches(object, row)) {
          figures.put(row, of(object, bench.field()));
        }
      }
    }
    return figures;
  }

  private static boolean matches(Config object, GuardRow row) {
    return row.where().entrySet().stream()
        .allMatch(
            field ->
                object.hasPath(field.getKey())
                    && object
                        .getValue(field.getKey())
                        .unwrapped()
                        .toString()
                        .equals(field.getValue()));
  }

  private static Figure of(Config object, String field) throws BuildException {
    double value = number(object, field);
    if (!(value > 0 && Double.isFinite(value))) {
      throw new BuildException(
          field + "=" + object.getValue(field).unwrapped() + " is no number greater than 0");
    }
    return new Figure(value, number(object, "cpu_usec"), number(object, "allocated"));
  }

  private static double number(Config object, String field) {
    return object.hasPath(field) && object.getValue(field).unwrapped() instanceof Number number
        ? number.doubleValue()
        : Double.NaN;
  }
}
