package io.tagfabric.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds tests of the whole project. */
final class Sources {
  private Sources() {}

  /** The source of a test class with this simple name. */
  static Path test(String name) throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(root.resolve("system-tests/pom.xml"))) {
      root = root.getParent();
    }
    for (Path directory : directories(root)) {
      Path sources = directory.endsWith("src") ? directory : directory.resolve("src");
      Path tests = sources.resolve("test/java");
      if (Files.isDirectory(tests)) {
        try (Stream<Path> files = Files.walk(tests)) {
          Optional<Path> found = files.filter(file -> file.endsWith(name + ".java")).findFirst();
          if (found.isPresent()) {
            return found.get();
          }
        }
      }
    }
    throw new AssertionError("no test [" + name + "] in the project");
  }

  private static List<Path> directories(Path root) throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.filter(Files::isDirectory).toList();
    }
  }
}
