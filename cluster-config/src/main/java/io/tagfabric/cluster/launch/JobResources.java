package io.tagfabric.cluster.launch;

import java.util.Optional;

/** What a launcher holds for a job; given back once, by whoever ends the job first. */
final class JobResources implements AutoCloseable {
  private final JobDirectory directory;
  private final Optional<MediaDriverProcess> driver;
  private boolean closed;

  JobResources(JobDirectory directory, Optional<MediaDriverProcess> driver) {
    this.directory = directory;
    this.driver = driver;
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
