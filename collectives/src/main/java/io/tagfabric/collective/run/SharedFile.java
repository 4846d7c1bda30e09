package io.tagfabric.collective.run;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the file of a team lies while its members map it: in the directory of the job if a launcher
 * made one, else in one of its own. Both are removed whatever becomes of this process, by the
 * launcher or by the next process that makes such a directory.
 */
final class SharedFile implements AutoCloseable {
  private final Path path;
  private final JobDirectory own;

  private SharedFile(Path path, JobDirectory own) {
    this.path = path;
    this.own = own;
  }

  /** A name for a new file. */
  static SharedFile choose(Settings settings, long token) {
    String name = "team-" + ProcessHandle.current().pid() + "-" + Long.toHexString(token);
    HostDirectory host = HostDirectory.locate(settings);
    Optional<Path> job =
        settings.get(JobSettings.LAUNCHER_PID) == 0
            ? Optional.empty()
            : JobDirectory.find(host, JobKeys.of(settings));
    if (job.isPresent()) {
      return new SharedFile(job.get().resolve(name), null);
    }
    JobDirectory own = JobDirectory.joinAlone(host);
    return new SharedFile(own.path().resolve(name), own);
  }

  Path path() {
    return path;
  }

  /** Removes the file's name; a member that has mapped it keeps the memory. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException leftToTheSweep) {
      // The directory goes with the job or with the process.
      return;
    } finally {
      if (own != null) {
        own.leave();
      }
    }
  }
}
