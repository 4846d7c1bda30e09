package io.tagfabric.demos;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.error.FabricException;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LocalJob;
import io.tagfabric.progress.ProgressMode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code tagfabric pingpong}: starts {@link PingPong} as two ranks, or with {@code --provider
 * local} plays in the JVM of the command.
 */
@Command(
    name = "pingpong",
    description = "Measure how long a message takes, for several sizes.",
    footer = {
      "",
      "Starts two ranks on this host, which is `tagfabric run -n 2 pingpong`; with",
      "--provider local both ends are in one JVM. A transfer is half a round trip.",
      "",
      "Example: tagfabric pingpong --sizes 64,1m --check"
    })
public final class PingPongCommand implements Callable<Integer> {
  private static final int RANKS = 2;

  @Mixin private PingPongOptions options = new PingPongOptions();

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "How Akka's remoting travels between ranks: aeron (default), tcp or tls.")
  private String profile;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (options.complaint() != null) {
      throw new ParameterException(spec.commandLine(), options.complaint());
    }
    return options.isInOneJvm() ? playHere() : startRanks();
  }

  private int playHere() {
    ProgressMode mode = options.progress == null ? ProgressMode.MANUAL : options.progress;
    try (OneJvm court = new OneJvm(mode, options.check)) {
      options.rally(spec.commandLine().getOut()).play(court);
      return ExitCode.OK;
    } catch (FabricException failure) {
      spec.commandLine().getErr().println("pingpong: " + failure.getMessage());
      return ExitCode.FAILED;
    }
  }

  private int startRanks() {
    Settings settings = Settings.of(ConfigFactory.load());
    LocalJob job =
        new LocalJob(
            RANKS,
            PingPong.class.getName(),
            options.arguments(),
            profile(settings),
            List.of(),
            Optional.empty(),
            false);
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    return new JobLauncher(settings, System.getenv(), out, err).run(job);
  }

  private Profile profile(Settings settings) {
    if (profile == null) {
      return settings.get(JobSettings.PROFILE);
    }
    for (Profile each : Profile.values()) {
      if (each.name().equalsIgnoreCase(profile)) {
        return each;
      }
    }
    throw new ParameterException(
        spec.commandLine(), "--profile=" + profile + " is unknown, choose aeron, tcp or tls");
  }
}
