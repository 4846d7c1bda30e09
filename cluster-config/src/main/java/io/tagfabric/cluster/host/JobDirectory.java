package io.tagfabric.cluster.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Files of one job on this host, such as rings in shared memory; removed with the job, however its
 * ranks end.
 */
public final class JobDirectory {
  /** The keys of profile tls that a launcher makes for one job. */
  public static final String TLS_KEYS = "tls.p12";

  private static final String FORMED = "formed";
  private static final String ENDING = "ending";
  private static final String STARTING = "starting";

  private final HostDirectory host;
  private final Path path;
  private final Users users;

  private JobDirectory(HostDirectory host, UUID jobKey) {
    this.host = host;
    this.path = host.job(jobKey);
    this.users = new Users(path.resolve("users"));
  }

  /**
   * Enters the job: makes its directory if this process is the first on the host. Removes what dead
   * jobs have left.
   */
  public static JobDirectory join(HostDirectory host, UUID jobKey) {
    JobDirectory job = new JobDirectory(host, jobKey);
    host.whileLocked(
        () -> {
          host.makeJob(jobKey);
          job.users.add(ProcessId.current());
          host.sweepJobs();
        });
    return job;
  }

  /** The same for a process without a job: makes a directory that no other process has. */
  public static JobDirectory joinAlone(HostDirectory host) {
    return join(host, UUID.randomUUID());
  }

  /**
   * Where the files of a job are that this process is in by its launcher's word; else empty.
   *
   * @param jobKeys the job's; the launcher knows one of them
   */
  public static Optional<Path> find(HostDirectory host, List<UUID> jobKeys) {
    return jobKeys.stream()
        .map(host::job)
        .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
        .findFirst();
  }

  /** Where the job's files are. */
  public Path path() {
    return path;
  }

  /**
   * Lets only this user read what lies in it. For files that are made by others, with what the
   * process' umask lets through; until then the directory itself keeps other users out.
   */
  public void restrict() {
    restrict(path);
  }

  /** The same for one file or directory in it. */
  public void restrict(Path made) {
    try {
      PrivateFiles.restrict(made);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Says that all ranks have met; from then on a failure is the program's, not the launch's. */
  public void markFormed() {
    try {
      PrivateFiles.makeFile(path.resolve(FORMED));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Whether all ranks have met. */
  public boolean isFormed() {
    return Files.exists(path.resolve(FORMED));
  }

  /** Says that the ranks have agreed to end the job with a code. */
  public void markEnding(int code) {
    try {
      PrivateFiles.write(
          path.resolve(ENDING),
          Integer.toString(code),
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);
    } catch (IOException launcherIsGone) {
      return;
    }
  }

  /** The code the ranks have agreed to end the job with, if they have. */
  public OptionalInt endingCode() {
    try {
      String code = Files.readString(path.resolve(ENDING)).strip();
      return code.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(code));
    } catch (IOException none) {
      return OptionalInt.empty();
    }
  }

  /** Says how far a rank has come on its way into the job. */
  public void mark(int rank, StartPhase phase) {
    try {
      Path starting = path.resolve(STARTING);
      PrivateFiles.makeDirectory(starting);
      PrivateFiles.write(
          starting.resolve(Integer.toString(rank)),
          phase.name(),
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);
    } catch (IOException launcherIsGone) {
      return;
    }
  }

  /** How far the ranks of this host have come, as far as they have said. */
  public Map<Integer, StartPhase> phases() {
    Map<Integer, StartPhase> phases = new TreeMap<>();
    try (DirectoryStream<Path> ranks = Files.newDirectoryStream(path.resolve(STARTING))) {
      for (Path rank : ranks) {
        String phase = Files.readString(rank);
        for (StartPhase known : StartPhase.values()) {
          if (known.name().equals(phase)) {
            phases.put(Integer.parseInt(rank.getFileName().toString()), known);
          }
        }
      }
    } catch (IOException noneYet) {
      return phases;
    }
    return phases;
  }

  /** The ranks of the job that the launcher has seen end. */
  public EndedRanks endedRanks() {
    return new EndedRanks(path.resolve("ended"));
  }

  /** Leaves the job; the last process of the host to leave removes the directory. */
  public void leave() {
    host.whileLockedIfThere(
        () -> {
          users.remove(ProcessId.current());
          if (users.living().isEmpty() && !HostDirectory.isKept(path)) {
            FileTrees.delete(path);
          }
          host.removeIfUnused();
        });
  }

  public void add(ProcessId rank) {
    users.add(rank);
  }

  /** Lets the directory outlive the job, until somebody removes it. */
  public void keep() {
    try {
      PrivateFiles.makeFile(path.resolve(HostDirectory.KEEP));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Adds to a file for people that look at a kept directory. */
  public void append(String name, String text) {
    try {
      PrivateFiles.write(
          path.resolve(name), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Writes the job's keys; as all of the directory, only this user can read them. */
  public void writeKeys(byte[] store) {
    try {
      PrivateFiles.write(
          path.resolve(TLS_KEYS), store, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Removes the directory whatever is in it, unless it is to be kept. */
  public void delete() {
    host.whileLockedIfThere(
        () -> {
          FileTrees.delete(HostDirectory.isKept(path) ? path.resolve(TLS_KEYS) : path);
          host.removeIfUnused();
        });
  }
}
