package io.tagfabric.watch;

import io.tagfabric.trace.LiveRecording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the recorders of jobs of this user write. */
public final class WatchDirectories {
  private static final String PREFIX = "tagfabric-trace-";

  private WatchDirectories() {}

  /** Makes one that only this user can open. */
  public static Path create() throws IOException {
    return Files.createTempDirectory(PREFIX);
  }

  /** Those of jobs that run now. */
  public static List<Path> running() {
    Path place = Path.of(System.getProperty("java.io.tmpdir"));
    try (Stream<Path> all = Files.list(place)) {
      return all.filter(each -> each.getFileName().toString().startsWith(PREFIX))
          .filter(WatchDirectories::isOwn)
          .filter(WatchDirectories::runs)
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  private static boolean isOwn(Path directory) {
    try {
      return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS)
              .getName()
              .equals(System.getProperty("user.name"));
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean runs(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).anyMatch(WatchDirectories::isWritten);
    } catch (IOException | UncheckedIOException comesAndGoes) {
      return false;
    }
  }

  private static boolean isWritten(Path file) {
    try {
      long process = LiveRecording.open(file).owner().process();
      return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
    } catch (IOException notBegun) {
      return false;
    }
  }
}
