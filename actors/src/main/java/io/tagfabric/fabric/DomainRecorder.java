package io.tagfabric.fabric;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.runtime.Environment;
import io.tagfabric.trace.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the recorder of a domain, if the settings want one. */
final class DomainRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(DomainRecorder.class);
  private static final long SECOND_NS = 1_000_000_000L;

  private DomainRecorder() {}

  /**
   * A recorder, {@link Recorder#OFF} if none is wanted or its file cannot be made.
   *
   * @param incarnation uid of the ActorSystem
   * @param id of the domain, which no other of the ActorSystem has
   */
  static Recorder open(Settings settings, Environment environment, long incarnation, String id) {
    String directory = settings.get(FabricSettings.TRACE_DIRECTORY);
    int rank = settings.get(JobSettings.RANK);
    long process = ProcessHandle.current().pid();
    Recorder.Owner owner = new Recorder.Owner(rank, process, incarnation, id);
    LongSupplier time = environment.time()::nanoTime;
    if (directory.isBlank()) {
      return Recorder.withoutFile(owner, time);
    }
    Path file =
        Path.of(directory)
            .resolve("rank-" + rank + "-" + process + "-" + Long.toHexString(incarnation))
            .resolve(fileName(id));
    try {
      Files.createDirectories(file.getParent());
      return Recorder.open(
          file,
          owner,
          settings.get(FabricSettings.TRACE_EVENTS),
          time,
          () -> wallNs(environment.wallClock().instant()));
    } catch (IOException e) {
      LOG.warn("domain [{}] is not traced: {}", id, e.toString());
      return Recorder.withoutFile(owner, time);
    }
  }

  /** Names of domains may have any characters. */
  private static String fileName(String id) {
    return id.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + Integer.toHexString(id.hashCode());
  }

  private static long wallNs(Instant now) {
    return now.getEpochSecond() * SECOND_NS + now.getNano();
  }
}
