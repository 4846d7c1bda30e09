package io.tagfabric.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory for recorders that goes with all that is in it: when this is closed, or the process
 * ends before, by a signal too. Thread: one.
 */
public final class TemporaryDirectory implements AutoCloseable {
  private final Path path;
  private final Thread hook;

  private TemporaryDirectory(Path path) {
    this.path = path;
    hook = new Thread(this::removeSome, "end-of-" + path.getFileName());
  }

  /**
   * Makes one that only this user can open.
   *
   * @param prefix of its name
   * @throws UncheckedIOException if there is no room for it
   */
  public static TemporaryDirectory create(String prefix) {
    try {
      TemporaryDirectory directory = new TemporaryDirectory(Files.createTempDirectory(prefix));
      Runtime.getRuntime().addShutdownHook(directory.hook);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException("there is no room for what is recorded", e);
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException theHookDoesIt) {
      return;
    }
    try {
      remove();
    } catch (IOException e) {
      throw new UncheckedIOException(path + " is left", e);
    }
  }

  private void removeSome() {
    try {
      remove();
    } catch (IOException | UncheckedIOException stillWritten) {
      System.err.println("tagfabric: " + path + " is left: " + stillWritten.getMessage());
    }
  }

  private void remove() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
