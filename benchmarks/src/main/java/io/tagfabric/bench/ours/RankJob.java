package io.tagfabric.bench.ours;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LocalJob;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts ranks of a program of ours and waits for their end. */
public final class RankJob {
  /**
   * The JVM's own thresholds: the launcher raises them, which puts a warm state off for seconds.
   */
  private static final List<String> JIT_FLAGS =
      List.of(
          "-XX:Tier4InvocationThreshold=5000",
          "-XX:Tier4MinInvocationThreshold=600",
          "-XX:Tier4CompileThreshold=15000");

  private RankJob() {}

  /** Runs {@link RankMain} with the command's options; its output is this process's. */
  static int run(String work, BenchOptions options) {
    if (options.profile == null) {
      options.profile =
          options.provider.equals(Providers.ARTERY)
              ? Settings.of(ConfigFactory.load()).get(JobSettings.PROFILE)
              : Profile.TCP;
    }
    List<String> words = new ArrayList<>(List.of(work));
    words.addAll(options.arguments());
    return run(
        RankMain.class.getName(),
        words,
        options.profile,
        Optional.empty(),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err));
  }

  /**
   * Runs a program as two ranks.
   *
   * @return the job's exit code
   */
  public static int run(
      String mainClass,
      List<String> arguments,
      Profile profile,
      Optional<Duration> timeout,
      OutputStream out,
      OutputStream err) {
    return run(2, mainClass, arguments, profile, timeout, out, err);
  }

  /** The same as any number of ranks. */
  public static int run(
      int ranks,
      String mainClass,
      List<String> arguments,
      Profile profile,
      Optional<Duration> timeout,
      OutputStream out,
      OutputStream err) {
    LocalJob job = new LocalJob(ranks, mainClass, arguments, profile, JIT_FLAGS, timeout, false);
    return new JobLauncher(Settings.of(ConfigFactory.load()), System.getenv(), out, err).run(job);
  }
}
