package io.tagfabric.cluster.host;

import io.aeron.CommonContext;
import io.aeron.exceptions.AeronException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where the media driver that all ranks of a host share keeps its buffers, and the list of its
 * users.
 *
 * <p>A driver lives as long as its starter or one registered user does. Any thread, any process.
 */
public final class MediaDriverDirectory {
  private static final Duration HEARTBEAT_AGE = Duration.ofSeconds(10);

  private final HostDirectory host;
  private final Users users;

  private MediaDriverDirectory(HostDirectory host) {
    this.host = host;
    this.users = new Users(host.path().resolve("users"));
  }

  /** The driver's place in the directory of a host. */
  public static MediaDriverDirectory of(HostDirectory host) {
    return new MediaDriverDirectory(host);
  }

  /** The Aeron directory of the running driver, empty if none runs. */
  public Optional<Path> findActive() {
    return driver().filter(ProcessId::isAlive).isPresent() && hasFreshHeartbeat()
        ? Optional.of(aeron())
        : Optional.empty();
  }

  /**
   * Registers this process as a user of the running driver, which then outlives its starter.
   *
   * @return the Aeron directory, empty if no driver runs
   */
  public Optional<Path> register() {
    Optional<HostLock> lock = host.lockIfThere();
    try {
      Optional<Path> active = lock.flatMap(held -> findActive());
      if (active.isPresent()) {
        users.add(ProcessId.current());
      } else if (lock.isPresent()) {
        host.removeIfUnused();
      }
      return active;
    } finally {
      lock.ifPresent(HostLock::close);
    }
  }

  /** Ends the registration of this process. */
  public void deregister() {
    users.remove(ProcessId.current());
  }

  public HostDirectory host() {
    return host;
  }

  public Path aeron() {
    return host.path().resolve("aeron");
  }

  /** The process that runs the driver, dead or alive. */
  public Optional<ProcessId> driver() {
    return driverFile().flatMap(words -> ProcessId.parse(words.get(0)));
  }

  /** The process whose end lets the driver end, dead or alive. */
  public Optional<ProcessId> starter() {
    return driverFile().flatMap(words -> ProcessId.parse(words.get(1)));
  }

  public void writeDriver(ProcessId driver, ProcessId starter) {
    try {
      Path fresh = host.path().resolve("driver.new");
      Files.deleteIfExists(fresh);
      PrivateFiles.write(
          fresh, driver + " " + starter, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Files.move(fresh, host.path().resolve("driver"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public void add(ProcessId user) {
    users.add(user);
  }

  public boolean hasUsers() {
    return !users.living().isEmpty();
  }

  private boolean hasFreshHeartbeat() {
    try {
      return CommonContext.isDriverActive(
          aeron().toFile(), HEARTBEAT_AGE.toMillis(), notUsed -> {});
    } catch (AeronException otherVersionOrHalfWritten) {
      return false;
    }
  }

  /** Removes what a driver left; hold the lock. */
  public void sweep() {
    try {
      Files.deleteIfExists(host.path().resolve("driver"));
      Files.deleteIfExists(host.path().resolve("driver.new"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    FileTrees.delete(aeron());
    users.living();
  }

  private Optional<List<String>> driverFile() {
    try {
      List<String> words =
          List.of(Files.readString(host.path().resolve("driver")).trim().split(" ", -1));
      return words.size() == 2 ? Optional.of(words) : Optional.empty();
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
