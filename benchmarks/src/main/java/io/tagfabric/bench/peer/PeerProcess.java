package io.tagfabric.bench.peer;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.LauncherWatch;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.settings.Settings;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Consumer;

/** One of two processes that a launcher has started for a peer. */
final class PeerProcess {
  private PeerProcess() {}

  /** Plays one of the two ranks. */
  interface Role {
    /** Plays a workload; rank 0 hands out its samples as lines. */
    void play(JobSpec spec, List<String> words, Consumer<String> lines) throws Exception;
  }

  /** Plays a workload and ends the process. */
  static void run(String name, String[] words, Role role) {
    JobSpec spec = JobSpec.fromSettings(Settings.of(ConfigFactory.load()));
    LauncherWatch.start(spec.launcherPid(), () -> System.exit(ExitCode.TERMINATED));
    int code = ExitCode.OK;
    try {
      PrintWriter out =
          new PrintWriter(
              RecordOutput.of(System.out, spec.launcherPid()), true, Charset.defaultCharset());
      role.play(spec, List.of(words), out::println);
      out.flush();
    } catch (Exception | Error failure) {
      System.err.println(failure.getMessage() == null ? failure : failure.getMessage());
      code = ExitCode.FAILED;
    }
    // a peer's threads must not delay the next run
    Runtime.getRuntime().halt(code);
  }
}
