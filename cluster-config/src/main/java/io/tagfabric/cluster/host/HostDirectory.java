package io.tagfabric.cluster.host;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The directory in memory that all jobs of a user on this host share; it exists while it is used.
 *
 * <p>It has a name of its own below the place that a user chooses, and nothing is removed from it
 * but what has a name that is made here. Readable by the user only, and taken from nobody else. Any
 * thread, any process.
 */
public final class HostDirectory {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
  private static final String PREFIX = "tagfabric-";

  /** A file in a job's directory that says it is to outlive the job. */
  static final String KEEP = "keep";

  private final Path path;

  /** Absolute, since ranks may have another working directory than their launcher. */
  private HostDirectory(Path path) {
    this.path = path.toAbsolutePath();
  }

  /**
   * The directory this process is to use: that of its launcher by {@code
   * tagfabric.job.host-directory}, else what {@link #choose} gives.
   *
   * @throws LaunchException if the launcher's can be none
   */
  public static HostDirectory locate(Settings settings) {
    String launchers = settings.get(JobSettings.HOST_DIRECTORY);
    if (launchers.isBlank()) {
      return choose(settings);
    }
    Path path = Path.of(launchers);
    Path name = path.getFileName();
    if (name == null || !name.toString().startsWith(PREFIX)) {
      throw new LaunchException(
          JobSettings.HOST_DIRECTORY.fullKey()
              + "="
              + launchers
              + " is not named "
              + PREFIX
              + "..., leave it to the launcher and choose a place by "
              + LaunchSettings.DIRECTORY.variable());
    }
    return at(path);
  }

  /** One below the place that {@code tagfabric.launch.directory} names, or in memory. */
  public static HostDirectory choose(Settings settings) {
    return below(settings.get(LaunchSettings.DIRECTORY), "");
  }

  /** The one of this user below a place. */
  public static HostDirectory below(Path place) {
    return at(place.resolve(PREFIX + FileOwner.name()));
  }

  /**
   * The directory of this user for one of several hosts of a job. Hosts may be addresses of one
   * machine, and must not share what is theirs.
   *
   * @param chosen what {@code tagfabric.launch.directory} says, may be empty
   */
  public static HostDirectory ofAddress(String chosen, String address) {
    return below(chosen, "@" + address.replaceAll("[^0-9A-Za-z.]", "_"));
  }

  private static HostDirectory below(String chosen, String suffix) {
    Path place = chosen.isBlank() ? Room.choose(SHARED_MEMORY, TEMPORARY) : Path.of(chosen);
    return at(place.resolve(PREFIX + FileOwner.name() + suffix));
  }

  /** A directory of just this name, which need not exist. */
  public static HostDirectory at(Path path) {
    return new HostDirectory(path.toAbsolutePath().normalize());
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
  public HostLock lock() {
    return acquire(true).orElseThrow();
  }

  /** The same to remove something; empty if the directory is gone already. */
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
          return make || isOwn();
        });
  }

  /** Does something while no other process changes the directory, unless it is gone. */
  public void whileLockedIfThere(Runnable task) {
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

  /** Makes a job's directory, or sees that it is this user's own; hold the lock. */
  void makeJob(UUID jobKey) {
    try {
      PrivateFiles.makeDirectory(jobs());
      PrivateFiles.makeDirectory(job(jobKey));
    } catch (IOException failure) {
      throw cannotMake(failure);
    }
  }

  /** Removes the jobs that no living process belongs to; hold the lock. */
  public void sweepJobs() {
    if (!isDirectory(jobs())) {
      return;
    }
    try (DirectoryStream<Path> jobs = Files.newDirectoryStream(jobs())) {
      for (Path job : jobs) {
        if (isJob(job) && !isKept(job) && new Users(job.resolve("users")).living().isEmpty()) {
          FileTrees.delete(job);
        }
      }
    } catch (NoSuchFileException none) {
      return;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Whether a directory has the name of a job; whatever else lies there is somebody else's. */
  private static boolean isJob(Path entry) {
    String name = entry.getFileName().toString();
    try {
      return UUID.fromString(name).toString().equals(name) && isDirectory(entry);
    } catch (IllegalArgumentException foreign) {
      return false;
    }
  }

  private static boolean isDirectory(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Removes the directory if there is neither a driver nor a living job in it; hold the lock. */
  public void removeIfUnused() {
    sweepJobs();
    if (Files.exists(path.resolve("driver")) || !isEmpty(jobs())) {
      return;
    }
    try {
      Files.deleteIfExists(jobs());
      Files.deleteIfExists(path.resolve("driver.new"));
      FileTrees.delete(path.resolve("aeron"));
      new Users(path.resolve("users")).clear();
      // last: once it is gone, another process may make itself at home
      Files.deleteIfExists(path.resolve("lock"));
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
        PrivateFiles.makeDirectories(path.getParent());
      }
      PrivateFiles.makeDirectory(path);
    } catch (IOException failure) {
      throw cannotMake(failure);
    }
  }

  private boolean isOwn() {
    try {
      // if it is gone again, its last user has just left; this one tries once more
      PrivateFiles.requireOwn(path);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return isDirectory(path);
  }

  private LaunchException cannotMake(IOException failure) {
    return new LaunchException(
        "cannot create directory "
            + path
            + " ("
            + failure.getMessage()
            + "), "
            + LaunchSettings.DIRECTORY.variable()
            + " names another place",
        failure);
  }
}
