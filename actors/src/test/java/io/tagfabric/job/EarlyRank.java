package io.tagfabric.job;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Rank 0 ends the job at once; the others begin when its process has ended. */
final class EarlyRank {
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private EarlyRank() {}

  public static void main(String[] args) {
    Settings settings = Settings.of(ConfigFactory.load());
    boolean first = settings.get(JobSettings.RANK) == 0;
    if (!first) {
      awaitEndOfFirst(settings);
    }
    JobOptions options =
        JobOptions.defaults()
            .withStarting(
                exit -> {
                  exit.onExit(notice -> System.out.println("hook: code " + notice.code()));
                  if (first) {
                    exit.exit(7);
                  }
                });
    Job.run(options, args, job -> 0);
  }

  private static void awaitEndOfFirst(Settings settings) {
    String key = JobSpec.fromSettings(settings).jobKey().toString();
    Path ended =
        HostDirectory.locate(settings).path().resolve("jobs").resolve(key).resolve("ended");
    long beginNs = System.nanoTime();
    while (!has(ended)) {
      if (System.nanoTime() - beginNs > DEADLINE_NS) {
        throw new IllegalStateException("rank 0 has not ended within 60 s");
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private static boolean has(Path ended) {
    try {
      return Files.exists(ended) && Files.readString(ended).startsWith("0 7\n");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
