package io.tagfabric.provider.shm;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where the files of this JVM's domains lie: in the directory of the job if a launcher made one,
 * else in one of the JVM's own, which goes with its last domain. What a killed JVM leaves is
 * removed by the next one that makes such a directory. Thread: any.
 */
final class ShmDirectory implements AutoCloseable {
  /** Begins the names of domains' files. */
  static final String PREFIX = "domain-";

  /** The JDK takes none that fills the address of a socket: of its 108 bytes two stay zero. */
  static final int MAX_SOCKET_PATH_BYTES = 106;

  private static final Map<Path, ShmDirectory> OWN = new HashMap<>();
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Path path;
  private final Path key;
  private final JobDirectory directory;
  private int domains;

  private ShmDirectory(Path path, Path key, JobDirectory directory) {
    this.path = path;
    this.key = key;
    this.directory = directory;
  }

  /** The bell beside a domain's file; its name is short, for the path of a socket has to be. */
  static Path bellOf(Path file) {
    String name = file.getFileName().toString();
    String number = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    return file.resolveSibling("bell-" + number);
  }

  /** The directory for one more domain, which closes it. */
  static ShmDirectory enter(Settings settings) {
    HostDirectory host = HostDirectory.locate(settings);
    Optional<Path> job =
        settings.get(JobSettings.LAUNCHER_PID) == 0
            ? Optional.empty()
            : JobDirectory.find(host, JobKeys.of(settings));
    if (job.isPresent()) {
      return new ShmDirectory(job.get(), null, null);
    }
    synchronized (OWN) {
      ShmDirectory own =
          OWN.computeIfAbsent(
              host.path(),
              key -> {
                JobDirectory directory = JobDirectory.joinAlone(host);
                return new ShmDirectory(directory.path(), key, directory);
              });
      own.domains++;
      return own;
    }
  }

  Path path() {
    return path;
  }

  /**
   * A domain's file, filled with zeros.
   *
   * @throws IOException if there is no room for it or its path is too long, saying what cures it
   */
  ShmFile createDomainFile(ShmLayout layout) throws IOException {
    String name = PREFIX + ProcessHandle.current().pid() + "-" + NUMBER.getAndIncrement();
    Path file = path.resolve(name);
    if (bytes(bellOf(file)) > MAX_SOCKET_PATH_BYTES || bytes(file) > ShmLayout.MAX_PATH_BYTES) {
      throw new IOException(
          "the path "
              + bellOf(file)
              + " is longer than a socket's may be ("
              + MAX_SOCKET_PATH_BYTES
              + " bytes), set tagfabric.launch.directory to a shorter one");
    }
    try {
      return ShmFile.create(file, layout.fileBytes);
    } catch (IOException e) {
      throw new IOException(
          ShmFile.noRoom(
              "a domain",
              layout.fileBytes,
              path,
              e,
              "lower tagfabric.provider.shm.ring-size and tagfabric.provider.shm.slots"),
          e);
    }
  }

  private static int bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  @Override
  public void close() {
    if (directory == null) {
      return;
    }
    synchronized (OWN) {
      if (--domains == 0) {
        OWN.remove(key);
        directory.leave();
      }
    }
  }
}
