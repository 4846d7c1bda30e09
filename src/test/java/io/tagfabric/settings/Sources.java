package io.tagfabric.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds tests of the whole project. */
final class Sources {
  private Sources() {}

  /** The source of a test class with this simple name. */
  static Path test(String name) {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(root.resolve("system-tests/pom.xml"))) {
      root = root.getParent();
    }
    try (Stream<Path> modules = Files.list(root)) {
      return modules
          .map(module -> module.endsWith("src") ? module : module.resolve("src"))
          .map(sources -> sources.resolve("test/java"))
          .filter(Files::isDirectory)
          .flatMap(Sources::walk)
          .filter(file -> file.endsWith(name + ".java"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no test [" + name + "] in the project"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> walk(Path directory) {
    try {
      return Files.walk(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
