package io.tagfabric.bench;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.launch.JobLauncher;
import io.tagfabric.cluster.launch.LocalJob;
import io.tagfabric.cluster.launch.RecordOutput;
import io.tagfabric.cluster.report.Report;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Runs a benchmark where its options say: in this JVM, or as two ranks that it starts. */
final class Bench {
  /**
   * The JVM's own thresholds: the launcher raises them, which puts a warm state off for seconds.
   */
  private static final List<String> JIT_FLAGS =
      List.of(
          "-XX:Tier4InvocationThreshold=5000",
          "-XX:Tier4MinInvocationThreshold=600",
          "-XX:Tier4CompileThreshold=15000");

  private final Kind kind;
  private final int window;
  private final BenchOptions options;

  /**
   * @param window messages under way; of a rate
   */
  Bench(Kind kind, int window, BenchOptions options) {
    this.kind = kind;
    this.window = window;
    this.options = options;
  }

  /** Runs the benchmark of a command and returns its exit code. */
  int start(CommandLine command) {
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    if (options.place != BenchOptions.Place.LOCAL) {
      return startRanks();
    }
    try {
      measureHere(command.getOut());
      return ExitCode.OK;
    } catch (FabricException failure) {
      command.getErr().println("bench: " + failure.getMessage());
      return ExitCode.FAILED;
    }
  }

  private void measureHere(PrintWriter out) {
    Report report = options.report(out, kind, window);
    try (LocalPair pair = new LocalPair(options.progress, options.threads)) {
      List<Subject> subjects = List.of(new LocalSubject(pair, kind, options.threads, window));
      options.sizes.forEach(bytes -> runs().measure(subjects, bytes, report));
    }
  }

  private int startRanks() {
    Settings settings = Settings.of(ConfigFactory.load());
    if (options.profile == null) {
      options.profile = settings.get(JobSettings.PROFILE);
    }
    List<String> arguments = new ArrayList<>(List.of(kind.toString(), Integer.toString(window)));
    arguments.addAll(options.arguments());
    LocalJob job =
        new LocalJob(
            2,
            BenchRank.class.getName(),
            arguments,
            options.profile,
            JIT_FLAGS,
            Optional.empty(),
            false);
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    return new JobLauncher(settings, System.getenv(), out, err).run(job);
  }

  /** What each of the two ranks does. */
  int measureAsRank(Job job) {
    RankPair pair = new RankPair(job, kind, window);
    if (job.rank() == 1) {
      pair.answer();
      return ExitCode.OK;
    }
    // rank 0 alone prints, so the launcher need not say which rank it was
    OutputStream screen = RecordOutput.of(System.out, job.spec().launcherPid());
    PrintWriter out = new PrintWriter(screen, true, Charset.defaultCharset());
    Report report = options.report(out, kind, window);
    List<Subject> subjects =
        options.versus == null ? List.of(pair.ours()) : List.of(pair.ours(), pair.akka());
    options.sizes.forEach(bytes -> runs().measure(subjects, bytes, report));
    pair.end();
    return ExitCode.OK;
  }

  private Runs runs() {
    return new Runs(kind, window, options.runs, options.iterations, Words.of(options.progress));
  }
}
