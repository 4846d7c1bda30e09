package io.tagfabric.artifacts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a build has packaged, and a repository with it. */
final class Artifacts {
  /** Modules whose jars a build takes from a repository. */
  static final List<String> LIBRARIES =
      List.of("cluster-config", "kryo", "actors", "collectives", "simulation", "testkit");

  /** All modules with a jar. */
  static final List<String> JARS =
      List.of(
          "cluster-config",
          "launcher",
          "kryo",
          "actors",
          "collectives",
          "simulation",
          "testkit",
          "demos",
          "benchmarks",
          "trials",
          "cli");

  static final String BOM = "bom";

  private static final Path ROOT = findRoot();

  private Artifacts() {}

  static Path root() {
    return ROOT;
  }

  static String version() {
    return property("artifacts.version");
  }

  /** A property that the build gives to the tests of this package. */
  static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new AssertionError("property " + name + " is not set, run mvn verify");
    }
    return value;
  }

  static Path jar(String module) {
    String directory = module.equals("cli") ? "target/lib" : "target";
    return packaged(ROOT.resolve(module).resolve(directory).resolve(file(module, "jar")));
  }

  /** The pom that is installed with a module's jar. */
  static Path pom(String module) {
    String file = module.equals(BOM) ? "pom.xml" : "target/.flattened-pom.xml";
    return packaged(ROOT.resolve(module).resolve(file));
  }

  /** Puts the libraries and the BOM where Maven looks for what has been installed. */
  static void install(Path repository) throws IOException {
    for (String library : LIBRARIES) {
      copy(jar(library), repository, library, "jar");
      copy(pom(library), repository, library, "pom");
    }
    copy(pom(BOM), repository, BOM, "pom");
  }

  private static void copy(Path from, Path repository, String module, String type)
      throws IOException {
    Path directory = repository.resolve("io/tagfabric/tagfabric-" + module).resolve(version());
    Files.createDirectories(directory);
    Files.copy(from, directory.resolve(file(module, type)));
  }

  private static String file(String module, String type) {
    return "tagfabric-" + module + "-" + version() + "." + type;
  }

  private static Path packaged(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new AssertionError("there is no " + file + ", run mvn verify");
    }
    return file;
  }

  private static Path findRoot() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.isRegularFile(dir.resolve("system-tests/pom.xml"))) {
        return dir;
      }
    }
    throw new IllegalStateException("run the tests inside the project");
  }
}
