package io.tagfabric.launch;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.ProcessId;
import io.tagfabric.cluster.job.Profile;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What a launcher holds for a job; given back once, by the thread that ends the job first. */
final class JobResources implements AutoCloseable {
  private final JobDirectory directory;
  private final Optional<MediaDriverProcess> driver;
  private boolean closed;

  private JobResources(JobDirectory directory, Optional<MediaDriverProcess> driver) {
    this.directory = directory;
    this.driver = driver;
  }

  /**
   * Makes the job's directory, and sees to a media driver if the profile needs one.
   *
   * @param address where the ranks listen
   * @throws LaunchException if one of them cannot be had; then neither is kept
   */
  static JobResources acquire(
      HostDirectory host,
      UUID jobKey,
      Profile profile,
      InetAddress address,
      Map<String, String> environment) {
    JobDirectory directory = JobDirectory.join(host, jobKey);
    boolean complete = false;
    try {
      Optional<MediaDriverProcess> driver =
          profile == Profile.AERON
              ? Optional.of(MediaDriverProcess.startOrJoin(host, address, environment))
              : Optional.empty();
      complete = true;
      return new JobResources(directory, driver);
    } finally {
      if (!complete) {
        directory.delete();
      }
    }
  }

  JobDirectory directory() {
    return directory;
  }

  Optional<MediaDriverProcess> driver() {
    return driver;
  }

  void add(ProcessId rank) {
    directory.add(rank);
    driver.ifPresent(driver -> driver.add(rank));
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      directory.delete();
      driver.ifPresent(MediaDriverProcess::close);
    }
  }
}
