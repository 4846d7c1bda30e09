package io.tagfabric.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Modules and packages as docs/30-design.md draws them: arrows between modules, and a table whose
 * rows end with the packages of a module.
 *
 * @param uses each module and the modules it has an arrow to
 * @param packages each module of the table and its packages
 */
record Drawing(Map<String, Set<String>> uses, Map<String, Set<String>> packages) {
  private static final Pattern ARROWS =
      Pattern.compile("```mermaid\\ngraph LR\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z-]+)` \\|.*\\| ([^|]+) \\|$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");

  /** What a dependency of a module on another looks like in a pom, up to its scope. */
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<groupId>io.tagfabric</groupId><artifactId>tagfabric-([a-z-]+)</artifactId>"
              + "(<scope>test</scope>)?</dependency>");

  /** The drawing of the page, in its section on modules. */
  static Drawing of(Path page) throws IOException {
    String text = Files.readString(page);
    int begin = text.indexOf("\n## Modules\n");
    return parse(text.substring(begin, text.indexOf("\n## ", begin + 1)));
  }

  static Drawing parse(String section) {
    Map<String, Set<String>> uses = new TreeMap<>();
    ARROWS
        .matcher(section)
        .results()
        .flatMap(found -> found.group(1).lines())
        .map(line -> List.of(line.strip().split(" --> ", -1)))
        .forEach(
            chain -> {
              for (int i = 0; i < chain.size(); i++) {
                Set<String> next = uses.computeIfAbsent(chain.get(i), name -> new TreeSet<>());
                next.addAll(chain.subList(i + 1, Math.min(i + 2, chain.size())));
              }
            });
    Map<String, Set<String>> packages = new TreeMap<>();
    for (MatchResult row : ROW.matcher(section).results().toList()) {
      Set<String> names = new TreeSet<>();
      NAME.matcher(row.group(2))
          .results()
          .forEach(name -> names.add(House.BASE + "." + name.group(1)));
      packages.put(row.group(1), names);
    }
    return new Drawing(uses, packages);
  }

  /** Each module and all modules that its pom brings, directly or by others, but for tests. */
  static Map<String, Set<String>> ofPoms(Set<String> modules) throws IOException {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (String module : modules) {
      Path pom = Modules.pom().resolveSibling(module).resolve("pom.xml");
      Set<String> named = new TreeSet<>();
      DEPENDENCY
          .matcher(Files.readString(pom))
          .results()
          .filter(found -> found.group(2) == null)
          .forEach(found -> named.add(found.group(1)));
      uses.put(module, named);
    }
    return reachable(uses);
  }

  /** Each module and all modules that arrows lead to, directly or by others. */
  Map<String, Set<String>> reachable() {
    return reachable(uses);
  }

  private static Map<String, Set<String>> reachable(Map<String, Set<String>> uses) {
    Map<String, Set<String>> all = new TreeMap<>();
    uses.keySet().forEach(module -> all.put(module, below(uses, module)));
    return all;
  }

  private static Set<String> below(Map<String, Set<String>> uses, String module) {
    Set<String> found = new TreeSet<>();
    for (String next : uses.getOrDefault(module, Set.of())) {
      found.add(next);
      found.addAll(below(uses, next));
    }
    return found;
  }
}
