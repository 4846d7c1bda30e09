package io.tagfabric.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValue;
import io.tagfabric.cluster.settings.Described;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Prints settings as fi_info prints environment variables: comments, then the assignment. */
final class SettingSheet {
  private static final String FOREIGN = "tagfabric.environment-variables";

  private SettingSheet() {}

  /** One setting with its meaning, default, value in force and where that was set. */
  static void print(Described setting, PrintWriter out) {
    comment(setting.key() + ": " + setting.type(), out);
    setting.help().lines().forEach(line -> comment(line, out));
    comment("expected: " + setting.expected() + unit(setting), out);
    if (setting.mustAgree()) {
      comment("must be the same in all ranks of a job", out);
    }
    comment("default: " + (setting.defaultValue().isEmpty() ? "none" : setting.defaultValue()), out);
    if (setting.origin().isEmpty()) {
      comment(setting.variable() + " is not set", out);
    } else {
      comment("set by: " + setting.origin(), out);
      out.print(setting.variable() + "=" + setting.value() + "\n");
    }
    out.print("\n");
  }

  private static String unit(Described setting) {
    return setting.unit().isEmpty() ? "" : "; a bare number is " + setting.unit();
  }

  /**
   * The variables that are no settings; those whose name or help fits.
   *
   * @return how many were printed
   */
  static int printForeign(Config config, Predicate<String> fits, PrintWriter out) {
    int printed = 0;
    Map<String, ConfigValue> variables = new TreeMap<>(config.getObject(FOREIGN));
    for (Map.Entry<String, ConfigValue> variable : variables.entrySet()) {
      String name = variable.getKey();
      String help = String.valueOf(variable.getValue().unwrapped());
      if (fits.test(name) || fits.test(help)) {
        printed++;
        comment(name + ": String", out);
        comment(help, out);
        String value = System.getenv(name);
        if (value == null) {
          comment(name + " is not set", out);
        } else {
          out.print(name + "=" + value + "\n");
        }
        out.print("\n");
      }
    }
    return printed;
  }

  private static void comment(String line, PrintWriter out) {
    out.print(line.isEmpty() ? "#\n" : "# " + line + "\n");
  }
}
