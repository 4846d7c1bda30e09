package io.tagfabric.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The main classes of every module, read once from {@code target/classes}. */
final class Modules {
  private static final Path ROOT = findRoot();
  private static final Map<String, JavaClasses> CLASSES = read();

  private Modules() {}

  static Path sourcesOf(String module) {
    return ROOT.resolve(module).resolve("src/main/java");
  }

  static JavaClasses classesOf(String module) {
    return CLASSES.get(module);
  }

  /** Every module's classes in one set. */
  static JavaClasses all() {
    return new ClassFileImporter()
        .importPaths(House.MODULES.keySet().stream().map(Modules::output).toList());
  }

  /** Class name to the module it was compiled in. */
  static Map<String, String> owners() {
    Map<String, String> owners = new HashMap<>();
    CLASSES.forEach(
        (module, classes) -> {
          for (JavaClass type : classes) {
            owners.put(type.getName(), module);
          }
        });
    return owners;
  }

  private static Map<String, JavaClasses> read() {
    Map<String, JavaClasses> classes = new TreeMap<>();
    for (String module : House.MODULES.keySet()) {
      classes.put(module, new ClassFileImporter().importPaths(List.of(output(module))));
    }
    return classes;
  }

  private static Path output(String module) {
    return ROOT.resolve(module).resolve("target/classes");
  }

  private static Path findRoot() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.isRegularFile(dir.resolve("system-tests/pom.xml"))) {
        return dir;
      }
    }
    throw new IllegalStateException(
        "no directory above "
            + Path.of("").toAbsolutePath()
            + " holds system-tests/pom.xml, run the tests inside the project");
  }

  /** Directories of a module's sources that hold classes. */
  static List<Path> packageDirectories(Path sources) {
    if (!Files.isDirectory(sources)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .map(Path::getParent)
          .distinct()
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
