package io.tagfabric.cluster.host;

import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The media driver of a rank that was started by hand: if one runs on the host, it is joined and
 * lives until the rank leaves; if none does, the rank runs its own, in a directory that only its
 * user can enter. Akka would give it one that anybody may have made before.
 */
public final class SharedDriver implements AutoCloseable {
  private static final String AKKA_DIRECTORY = "akka.remote.artery.advanced.aeron.aeron-dir";

  private final MediaDriverDirectory directory;
  private final Optional<Path> aeron;
  private final Optional<JobDirectory> own;

  private SharedDriver(
      MediaDriverDirectory directory, Optional<Path> aeron, Optional<JobDirectory> own) {
    this.directory = directory;
    this.aeron = aeron;
    this.own = own;
  }

  /** Looks for a driver if the rank needs one and has not been told of any. */
  public static SharedDriver find(JobSpec job, HostDirectory host) {
    MediaDriverDirectory directory = MediaDriverDirectory.of(host);
    Optional<Path> aeron = isWanted(job) ? directory.register() : Optional.empty();
    return aeron.isPresent()
        ? new SharedDriver(directory, aeron, Optional.empty())
        : ofRank(job, host);
  }

  /** A driver of the rank's own, if it needs one and has not been told of any. */
  public static SharedDriver ofRank(JobSpec job, HostDirectory host) {
    return new SharedDriver(
        MediaDriverDirectory.of(host),
        Optional.empty(),
        isWanted(job) ? Optional.of(JobDirectory.join(host, UUID.randomUUID())) : Optional.empty());
  }

  private static boolean isWanted(JobSpec job) {
    return job.profile() == Profile.AERON
        && job.launcherPid() == 0
        && job.aeronDirectory().isEmpty();
  }

  /** What Akka is to know of a driver of the rank's own, as values of its configuration. */
  public Map<String, String> akkaValues() {
    return own.map(files -> Map.of(AKKA_DIRECTORY, files.path().resolve("aeron").toString()))
        .orElse(Map.of());
  }

  /** The rank with the driver that was found, or as it was. */
  public JobSpec equip(JobSpec job) {
    return aeron.map(job::withAeronDirectory).orElse(job);
  }

  /** Needs the driver no more. Idempotent. */
  @Override
  public void close() {
    if (aeron.isPresent()) {
      directory.deregister();
    }
    own.ifPresent(JobDirectory::leave);
  }
}
