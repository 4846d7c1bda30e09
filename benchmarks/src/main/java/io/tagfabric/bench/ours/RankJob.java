package io.tagfabric.bench.ours;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LaunchOptions;
import io.tagfabric.launch.LocalJob;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.provider.Reach;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;

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
    return start(RankMain.class, options, List.of(work));
  }

  /** Runs a program with the command's options. */
  static int start(Class<?> main, BenchOptions options) {
    return start(main, options, List.of());
  }

  /** The same with words before them. */
  static int start(Class<?> main, BenchOptions options, List<String> before) {
    return start(2, main, options, before, JIT_FLAGS, Optional.empty());
  }

  /**
   * Runs a program as many ranks, which are ended if they take longer than some time. They start
   * with the launcher's thresholds: their compilers would keep each other from starting.
   */
  static int startMany(
      int ranks, Class<?> main, BenchOptions options, String before, Duration timeout) {
    return start(ranks, main, options, List.of(before), List.of(), Optional.of(timeout));
  }

  private static int start(
      int ranks,
      Class<?> main,
      BenchOptions options,
      List<String> before,
      List<String> jvmFlags,
      Optional<Duration> timeout) {
    if (options.profile == null) {
      options.profile =
          Providers.reaches(options.provider, Reach.REMOTING)
              ? Settings.of(ConfigFactory.load()).get(JobSettings.PROFILE)
              : Profile.TCP;
    }
    List<String> words = new ArrayList<>(before);
    words.addAll(options.arguments());
    return run(
        ranks,
        main.getName(),
        words,
        options.profile,
        jvmFlags,
        timeout,
        Optional.empty(),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err));
  }

  /** What a rank of such a program does. */
  static void rank(BenchOptions options, String[] args, Function<Job, Integer> work) {
    rank(options, ConfigFactory.empty(), args, work);
  }

  /** The same with settings of its own. */
  static void rank(
      BenchOptions options, Config settings, String[] args, Function<Job, Integer> work) {
    new CommandLine(options).parseArgs(args);
    Config application =
        settings
            .withFallback(ConfigFactory.parseResources("tagfabric-bench.conf"))
            .withFallback(ConfigFactory.defaultApplication());
    JobOptions jobOptions =
        JobOptions.defaults()
            .withApplication(application)
            .withProviders(options.provider)
            .withProgress(options::progress);
    Job.run(jobOptions, args, work::apply);
  }

  /** Where the rank prints that alone does; so the launcher need not say which it was. */
  static PrintWriter screen(Job job) {
    OutputStream out = RecordOutput.of(System.out, job.spec().launcherPid());
    return new PrintWriter(out, true, Charset.defaultCharset());
  }

  /**
   * Runs a program as two ranks.
   *
   * @param hosts where they run; empty for this host
   * @return the job's exit code
   */
  public static int run(
      String mainClass,
      List<String> arguments,
      Profile profile,
      Optional<Duration> timeout,
      Optional<HostPlan> hosts,
      OutputStream out,
      OutputStream err) {
    return run(2, mainClass, arguments, profile, JIT_FLAGS, timeout, hosts, out, err);
  }

  /** Runs a program as any number of ranks of this host. */
  public static int run(
      int ranks,
      String mainClass,
      List<String> arguments,
      Profile profile,
      Optional<Duration> timeout,
      OutputStream out,
      OutputStream err) {
    return run(
        ranks, mainClass, arguments, profile, JIT_FLAGS, timeout, Optional.empty(), out, err);
  }

  private static int run(
      int ranks,
      String mainClass,
      List<String> arguments,
      Profile profile,
      List<String> jvmFlags,
      Optional<Duration> timeout,
      Optional<HostPlan> hosts,
      OutputStream out,
      OutputStream err) {
    LaunchOptions options = LaunchOptions.defaults();
    if (hosts.isPresent()) {
      options = options.withHosts(hosts.get());
    }
    LocalJob job =
        new LocalJob(ranks, mainClass, arguments, profile, jvmFlags, timeout, false, options);
    return new JobLauncher(Settings.of(ConfigFactory.load()), System.getenv(), out, err).run(job);
  }
}
