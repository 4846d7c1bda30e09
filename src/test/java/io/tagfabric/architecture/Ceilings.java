package io.tagfabric.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.annotation.InternalApi;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How large packages and modules are, and how large they may be. The list of what they may be only
 * gets smaller: a number that has fallen is a new ceiling.
 */
final class Ceilings {
  /** What is counted of a package. */
  static final List<String> OF_PACKAGES = List.of("circle", "longest-file");

  /** What is counted of a module. */
  static final List<String> OF_MODULES =
      List.of("lines", "public-types", "public-methods", "settings-keys");

  /** Numbers that move with every change: a ceiling may be so far above, in percent. */
  private static final Map<String, Integer> SLACK = Map.of("longest-file", 10, "lines", 2);

  /** And these a few lines, too. */
  private static final int SLACK_LINES = 40;

  /** What records and enumerations have of themselves, mostly. */
  private static final Set<String> GENERATED =
      Set.of("equals", "hashCode", "toString", "values", "valueOf");

  private static final String FILE = "ceilings.tsv";

  private Ceilings() {}

  /** The list: numbers by package or module. */
  static Map<String, Map<String, Integer>> listed() throws IOException {
    try (InputStream in = Ceilings.class.getResourceAsStream(FILE)) {
      return read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Reads tables whose first line names their columns. */
  static Map<String, Map<String, Integer>> read(String text) {
    Map<String, Map<String, Integer>> rows = new TreeMap<>();
    List<String> columns = List.of();
    for (String line : text.lines().toList()) {
      List<String> fields = Arrays.asList(line.split("\t"));
      if (fields.get(0).equals("package") || fields.get(0).equals("module")) {
        columns = fields;
      } else if (!line.isBlank()) {
        Map<String, Integer> row = new TreeMap<>();
        for (int i = 1; i < columns.size(); i++) {
          row.put(columns.get(i), Integer.valueOf(fields.get(i)));
        }
        rows.put(fields.get(0), row);
      }
    }
    return rows;
  }

  /** What the list would be if each number were what it is. */
  static String table(Map<String, Map<String, Integer>> measured) {
    StringBuilder text = new StringBuilder();
    append(text, "package", OF_PACKAGES, measured);
    append(text, "module", OF_MODULES, measured);
    return text.toString();
  }

  private static void append(
      StringBuilder text,
      String head,
      List<String> columns,
      Map<String, Map<String, Integer>> measured) {
    text.append(head).append('\t').append(String.join("\t", columns)).append('\n');
    measured.forEach(
        (name, row) -> {
          if (row.containsKey(columns.get(0))) {
            text.append(name);
            columns.forEach(column -> text.append('\t').append(row.get(column)));
            text.append('\n');
          }
        });
  }

  /** What breaks the list, a sentence each. */
  static List<String> broken(
      Map<String, Map<String, Integer>> listed, Map<String, Map<String, Integer>> measured) {
    List<String> broken = new ArrayList<>();
    measured.forEach(
        (name, row) -> {
          Map<String, Integer> most = listed.get(name);
          if (most == null || !most.keySet().containsAll(row.keySet())) {
            broken.add(name + " is not listed, add it with " + row);
          } else {
            row.forEach((what, now) -> compare(name, what, now, most.get(what), broken));
          }
        });
    listed.keySet().stream()
        .filter(name -> !measured.containsKey(name))
        .forEach(name -> broken.add(name + " is listed and has no classes, remove it"));
    return broken;
  }

  private static void compare(String name, String what, int now, int ceiling, List<String> broken) {
    Integer percent = SLACK.get(what);
    int least = percent == null ? ceiling : ceiling - ceiling * percent / 100 - SLACK_LINES;
    if (now > ceiling) {
      broken.add(name + ": " + what + "=" + now + " > " + ceiling + ", make it smaller");
    } else if (now < least) {
      broken.add(name + ": " + what + "=" + now + ", lower its ceiling of " + ceiling);
    }
  }

  /** The numbers of the sources and classes. */
  static Map<String, Map<String, Integer>> measured() throws IOException {
    Map<String, Map<String, Integer>> rows = new TreeMap<>();
    for (String module : House.MODULES.keySet()) {
      Path sources = Modules.sourcesOf(module);
      List<Path> files = Circles.filesBelow(sources);
      Circles circles = Circles.of(files);
      for (String name : circles.packages()) {
        Set<String> largest = circles.largest(name);
        if (!largest.isEmpty()) {
          rows.put(name, new TreeMap<>(Map.of("circle", largest.size())));
        }
      }
      Map<String, Integer> ofModule = ofModule(module);
      for (Path file : files) {
        int lines = Files.readAllLines(file).size();
        ofModule.merge("lines", lines, Integer::sum);
        String name = sources.relativize(file.getParent()).toString().replace('/', '.');
        rows.computeIfPresent(
            name,
            (key, row) -> {
              row.merge("longest-file", lines, Math::max);
              return row;
            });
      }
      rows.put(module, ofModule);
    }
    return rows;
  }

  private static Map<String, Integer> ofModule(String module) {
    Set<JavaClass> types =
        Modules.classesOf(module).stream()
            .filter(type -> Surface.types().contains(type.getName()))
            .collect(Collectors.toSet());
    long methods =
        Modules.classesOf(module).stream()
            .filter(type -> isShown(type, types))
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
            .filter(method -> !method.isAnnotatedWith(InternalApi.class))
            .filter(method -> !GENERATED.contains(method.getName()))
            .count();
    Path reference = Modules.sourcesOf(module).resolveSibling("resources/reference.conf");
    int keys =
        Files.exists(reference) ? ConfigFactory.parseFile(reference.toFile()).entrySet().size() : 0;
    return new TreeMap<>(
        Map.of(
            "public-types", types.size(), "public-methods", (int) methods, "settings-keys", keys));
  }

  /** Whether it is a type for programs, or a public one nested in one. */
  private static boolean isShown(JavaClass type, Set<JavaClass> types) {
    if (!type.getModifiers().contains(JavaModifier.PUBLIC)
        || type.isAnnotatedWith(InternalApi.class)) {
      return false;
    }
    return types.contains(type)
        || type.getEnclosingClass().filter(around -> isShown(around, types)).isPresent();
  }
}
