package io.tagfabric.bench.compare;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Finds programs as a shell does, and files as a person would. */
public final class ProgramFinder {
  private final String path;
  private final Path root;

  /**
   * @param environment variables, {@code PATH} among them
   * @param root directory below which installed files are looked for, usually {@code /}
   */
  public ProgramFinder(Map<String, String> environment, Path root) {
    path = environment.getOrDefault("PATH", "");
    this.root = root;
  }

  /** A program by its name. */
  public Optional<Path> find(String program) {
    for (String directory : path.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(directory, program);
      if (!directory.isEmpty() && Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  /** A file of an installed package. */
  public Optional<Path> file(String absolute) {
    Path file = root.resolve(absolute.substring(1));
    return Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
  }
}
