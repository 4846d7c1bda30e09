package io.tagfabric.trials.survive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Directories for jobs that must share nothing with others. */
final class HostPaths {
  private static final Path MEMORY = Path.of("/dev/shm");

  private HostPaths() {}

  /** An empty one, in memory where there is some. */
  static Path fresh() {
    Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    try {
      return Files.createTempDirectory(parent, "tagfabric-survive-");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Removes one again if nothing is left in it. */
  static boolean isRemoved(Path directory) {
    try {
      return Files.deleteIfExists(directory);
    } catch (IOException somethingIsLeft) {
      return false;
    }
  }
}
