package io.tagfabric.trials.survive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Directories for jobs that must share nothing with others. Their paths are short: below them lie
 * sockets, whose paths may have a hundred bytes.
 */
final class HostPaths {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final int CLEARINGS = 20;
  private static final long CLEARING_NS = 50_000_000L;

  private HostPaths() {}

  /** An empty one, in memory where there is some. */
  static Path fresh() {
    Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    try {
      Path directory = Files.createTempDirectory(parent, "tf");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> clear(directory)));
      return directory;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** This command was ended in the midst of a job, whose ranks end now: their files go too. */
  private static void clear(Path directory) {
    for (int time = 0; Files.exists(directory) && time < CLEARINGS; time++) {
      try (Stream<Path> all = Files.walk(directory)) {
        all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      } catch (IOException | UncheckedIOException vanished) {
        // a rank has removed it
      }
      LockSupport.parkNanos(CLEARING_NS);
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
