package io.tagfabric.job;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.jvms.ClassArchive;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LocalJob;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs {@link JobTestRank} in real JVMs. */
final class JobTestLauncher {
  private JobTestLauncher() {}

  /** Arguments: number of ranks, profile, and what the ranks do. */
  public static void main(String[] args) {
    int size = Integer.parseInt(args[0]);
    Profile profile = Profile.valueOf(args[1]);
    System.exit(run(size, profile, List.of(args).subList(2, args.length), System.out, System.err));
  }

  static int run(
      int size, Profile profile, List<String> arguments, OutputStream out, OutputStream err) {
    ClassArchive.use();
    return new JobLauncher(Settings.of(ConfigFactory.load()), System.getenv(), out, err)
        .run(
            new LocalJob(
                size,
                JobTestRank.class.getName(),
                arguments,
                profile,
                List.of("-XX:TieredStopAtLevel=1", "-Dlogback.configurationFile=rank-logback.xml"),
                Optional.of(Duration.ofSeconds(100)),
                false));
  }
}
