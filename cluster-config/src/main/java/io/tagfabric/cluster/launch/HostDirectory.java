package io.tagfabric.cluster.launch;

import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.UUID;

/**
 * The directory in memory that all jobs of a user on this host share; it exists while it is used.
 *
 * <p>Readable by the user only. Any thread, any process.
 */
public final class HostDirectory {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** Below this much room the media driver's buffers may not fit; Docker gives 64 MiB. */
  private static final long LEAST_ROOM_BYTES = 128L * 1024 * 1024;

  /** A file in a job's directory that says it is to outlive the job. */
  static final String KEEP = "keep";

  private final Path path;

  private HostDirectory(Path path) {
    this.path = path;
  }

  /** The directory of this user, where {@code tagfabric.launch.directory} says or in memory. */
  public static HostDirectory locate(Settings settings) {
    String chosen = settings.get(LaunchSettings.DIRECTORY);
    if (!chosen.isBlank()) {
      return at(Path.of(chosen));
    }
    return at(usual());
  }

  private static Path usual() {
    Path parent =
        hasRoom(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    return parent.resolve("tagfabric-" + System.getProperty("user.name"));
  }

  /** A directory of the given name, which need not exist. */
  public static HostDirectory at(Path path) {
    return new HostDirectory(path.toAbsolutePath().normalize());
  }

  /**
   * The directory of this user for one of several hosts of a job. Hosts may be addresses of one
   * machine, and must not share what is theirs.
   *
   * @param chosen what {@code tagfabric.launch.directory} says, may be empty
   */
  static HostDirectory ofAddress(String chosen, String address) {
    Path base = chosen.isBlank() ? usual() : Path.of(chosen);
    return at(
        base.resolveSibling(base.getFileName() + "@" + address.replaceAll("[^0-9A-Za-z.]", "_")));
  }

  /** Whether a job's directory outlives the job. */
  static boolean isKept(Path job) {
    return Files.exists(job.resolve(KEEP));
  }

  /** Where it is, or would be. */
  public Path path() {
    return path;
  }

  Path jobs() {
    return path.resolve("jobs");
  }

  Path job(UUID jobKey) {
    return jobs().resolve(jobKey.toString());
  }

  /** Keeps other processes from changing the directory until the lock is closed. */
  HostLock lock() {
    return acquire(true).orElseThrow();
  }

  /** The same for who wants to remove something; empty if the directory is gone already. */
  Optional<HostLock> lockIfThere() {
    return acquire(false);
  }

  private Optional<HostLock> acquire(boolean make) {
    return HostLock.acquire(
        path.resolve("lock"),
        () -> {
          if (make) {
            create();
          }
          return make || Files.isDirectory(path);
        });
  }

  /** Does something while no other process changes the directory, unless it is gone. */
  void whileLockedIfThere(Runnable task) {
    lockIfThere().ifPresent(lock -> runAndClose(task, lock));
  }

  /** Does something while no other process changes the directory. */
  void whileLocked(Runnable task) {
    runAndClose(task, lock());
  }

  private static void runAndClose(Runnable task, HostLock lock) {
    try {
      task.run();
    } finally {
      lock.close();
    }
  }

  /** Removes the jobs that no living process belongs to; hold the lock. */
  void sweepJobs() {
    try (DirectoryStream<Path> jobs = Files.newDirectoryStream(jobs())) {
      for (Path job : jobs) {
        if (!isKept(job) && new Users(job.resolve("users")).living().isEmpty()) {
          FileTrees.delete(job);
        }
      }
    } catch (NoSuchFileException none) {
      return;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Removes the directory if there is neither a driver nor a living job in it; hold the lock. */
  void removeIfUnused() {
    sweepJobs();
    if (Files.exists(path.resolve("driver")) || !isEmpty(jobs())) {
      return;
    }
    Path lock = path.resolve("lock");
    try {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
        for (Path entry : entries) {
          if (!entry.equals(lock)) {
            FileTrees.delete(entry);
          }
        }
      }
      // last: once it is gone, another process may make itself at home
      Files.deleteIfExists(lock);
      Files.deleteIfExists(path);
    } catch (NoSuchFileException | DirectoryNotEmptyException anotherHasCome) {
      return;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static boolean isEmpty(Path directory) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    } catch (NoSuchFileException none) {
      return true;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void create() {
    try {
      if (path.getParent() != null) {
        Files.createDirectories(path.getParent());
      }
      Files.createDirectory(path, onlyForTheUser());
    } catch (FileAlreadyExistsException exists) {
      requireOwn();
    } catch (IOException failure) {
      throw new LaunchException(
          "cannot create directory "
              + path
              + " ("
              + failure.getMessage()
              + "), "
              + LaunchSettings.DIRECTORY.variable()
              + " names another one",
          failure);
    }
  }

  private void requireOwn() {
    boolean usable = Files.isDirectory(path) && Files.isWritable(path);
    // if it is gone again, its last user has just left; whoever wants the lock tries once more
    if (!usable && Files.exists(path)) {
      throw new LaunchException(
          path
              + " is not a directory this user can write, remove it or name another one by "
              + LaunchSettings.DIRECTORY.variable());
    }
  }

  private static FileAttribute<?>[] onlyForTheUser() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean hasRoom(Path directory) {
    try {
      return Files.isWritable(directory)
          && Files.getFileStore(directory).getUsableSpace() >= LEAST_ROOM_BYTES;
    } catch (IOException unusable) {
      return false;
    }
  }
}
