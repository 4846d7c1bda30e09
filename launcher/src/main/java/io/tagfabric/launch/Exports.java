package io.tagfabric.launch;

import io.tagfabric.cluster.settings.SettingsException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Which variables of the launcher's environment ranks on other hosts get, and further ones for all
 * ranks. Those of this host have its whole environment anyway.
 *
 * @param patterns names, and beginnings of names with a {@code *} behind them
 * @param assigned variables of this job, with their values
 */
public record Exports(List<String> patterns, Map<String, String> assigned) {
  /** These go to all hosts unasked. */
  private static final List<String> ALWAYS =
      List.of("TAGFABRIC_*", "AKKA_*", "JAVA_*", "JDK_JAVA_OPTIONS", "LANG", "LC_*");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  public Exports {
    patterns = List.copyOf(patterns);
    assigned = Map.copyOf(assigned);
  }

  /** Nothing but what all ranks get. */
  public static Exports none() {
    return new Exports(List.of(), Map.of());
  }

  /**
   * Reads lists of names and {@code PREFIX*}, and single {@code NAME=VALUE}s, whose value is all
   * that follows.
   *
   * @param option that gave them, for what is said of a mistake
   * @param environment of the launcher, in which names must be
   * @throws SettingsException if one has none of these forms, or is not set
   */
  public static Exports parse(String option, List<String> given, Map<String, String> environment) {
    List<String> patterns = new ArrayList<>();
    Map<String, String> assigned = new LinkedHashMap<>();
    for (String text : given) {
      int equals = text.indexOf('=');
      if (equals >= 0) {
        String assignee = requireName(text.substring(0, equals), option, text);
        assigned.put(assignee, text.substring(equals + 1));
        continue;
      }
      for (String word : text.split(",", -1)) {
        String name = word.strip();
        boolean prefix = name.endsWith("*");
        requireName(prefix ? name.substring(0, name.length() - 1) : name, option, text);
        if (!prefix && !environment.containsKey(name)) {
          throw new SettingsException(
              option,
              option + ": the variable " + name + " is not set, set it or write NAME=VALUE");
        }
        patterns.add(name);
      }
    }
    return new Exports(patterns, assigned);
  }

  /** These and others; where both set a variable, the others win. */
  public Exports and(Exports others) {
    List<String> allPatterns = new ArrayList<>(patterns);
    allPatterns.addAll(others.patterns);
    Map<String, String> allAssigned = new LinkedHashMap<>(assigned);
    allAssigned.putAll(others.assigned);
    return new Exports(allPatterns, allAssigned);
  }

  /** What a rank on another host gets of an environment. */
  Map<String, String> select(Map<String, String> environment) {
    Map<String, String> selected = new TreeMap<>();
    environment.forEach(
        (name, value) -> {
          if (matches(name, ALWAYS) || matches(name, patterns)) {
            selected.put(name, value);
          }
        });
    selected.putAll(assigned);
    return selected;
  }

  private static boolean matches(String name, List<String> patterns) {
    return patterns.stream()
        .anyMatch(
            pattern ->
                pattern.endsWith("*")
                    ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                    : name.equals(pattern));
  }

  private static String requireName(String name, String option, String text) {
    if (!NAME.matcher(name).matches()) {
      throw new SettingsException(
          option, option + " " + text + ": '" + name + "' is no name of a variable");
    }
    return name;
  }
}
