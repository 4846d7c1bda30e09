package io.tagfabric.bench.collective;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.launch.JobLauncher;
import io.tagfabric.cluster.launch.LocalJob;
import io.tagfabric.cluster.settings.Settings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric bench collective}. */
@Command(
    name = "collective",
    description = "Time of a collective, by team size and bytes.",
    footer = {
      "",
      "Between JVMs a sample is rank 0's time of one call, and a barrier that is not timed lies",
      "between two calls. With --in-jvm it is the time until all members are done, with one thread",
      "that drives all of them. Bytes are those of the vector, or of a block for each rank."
    })
public final class CollectiveCommand implements Callable<Integer> {
  @Option(
      names = "--in-jvm",
      description = "Ranks are endpoints of this JVM instead of JVMs of their own.")
  private boolean inJvm;

  @Mixin private CollectiveOptions options = new CollectiveOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    String complaint = options.complaint(inJvm);
    if (complaint != null) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (inJvm) {
      CollectiveReport report = new CollectiveReport(options, out);
      options.ranks().forEach(ranks -> JvmCollectives.measure(ranks, options, report));
      return ExitCode.OK;
    }
    int code = ExitCode.OK;
    boolean first = true;
    for (int ranks : options.ranks()) {
      code = code == ExitCode.OK ? run(ranks, first) : code;
      first = false;
    }
    return code;
  }

  private int run(int ranks, boolean first) {
    List<String> arguments = options.arguments(ranks, first);
    LocalJob job =
        new LocalJob(
            ranks,
            CollectiveRank.class.getName(),
            arguments,
            Profile.TCP,
            List.of(),
            Optional.empty(),
            false);
    return new JobLauncher(
            Settings.of(ConfigFactory.load()),
            System.getenv(),
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err))
        .run(job);
  }
}
