package io.tagfabric.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

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
import java.util.stream.Stream;

/** The main classes of every module, read once from {@code target/classes}. */
final class Modules {
  private static final Path ROOT = findRoot();
  private static final JavaClasses ALL = read();
  private static final Map<String, String> OWNERS = findOwners();

  private Modules() {}

  static Path sourcesOf(String module) {
    return ROOT.resolve(module).resolve("src/main/java");
  }

  /** The root pom. */
  static Path pom() {
    return ROOT.resolve("pom.xml");
  }

  static JavaClasses classesOf(String module) {
    return ALL.that(describe("of " + module, type -> module.equals(OWNERS.get(type.getName()))));
  }

  /** Every module's classes in one set. */
  static JavaClasses all() {
    return ALL;
  }

  /** Class name to the module it was compiled in. */
  static Map<String, String> owners() {
    return OWNERS;
  }

  private static JavaClasses read() {
    return new ClassFileImporter()
        .importPaths(House.MODULES.keySet().stream().map(Modules::output).toList());
  }

  private static Map<String, String> findOwners() {
    Map<String, String> owners = new HashMap<>();
    for (JavaClass type : ALL) {
      Path file = Path.of(type.getSource().orElseThrow().getUri());
      owners.put(type.getName(), ROOT.relativize(file).getName(0).toString());
    }
    return owners;
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
