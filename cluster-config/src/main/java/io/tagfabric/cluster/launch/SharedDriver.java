package io.tagfabric.cluster.launch;

import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The host's media driver as a rank that was started by hand uses it: if one runs, it is joined and
 * lives until the rank leaves; if none does, the rank runs its own.
 */
public final class SharedDriver implements AutoCloseable {
  private final MediaDriverDirectory directory;
  private final Optional<Path> aeron;

  private SharedDriver(MediaDriverDirectory directory, Optional<Path> aeron) {
    this.directory = directory;
    this.aeron = aeron;
  }

  /** Looks for a driver if the rank needs one and has not been told of any. */
  public static SharedDriver find(JobSpec job, HostDirectory host) {
    MediaDriverDirectory directory = MediaDriverDirectory.of(host);
    boolean wanted =
        job.profile() == Profile.AERON && job.launcherPid() == 0 && job.aeronDirectory().isEmpty();
    return new SharedDriver(directory, wanted ? directory.register() : Optional.empty());
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
  }
}
