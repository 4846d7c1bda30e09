package io.tagfabric.cli;

import akka.actor.Address;
import akka.actor.AddressFromURIString;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.launch.JobLauncher;
import io.tagfabric.cluster.launch.LocalJob;
import io.tagfabric.cluster.profile.AeronTuning;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Loads the classes that the command and the ranks need, so that the JVM can archive them.
 *
 * <p>The start script runs it once after a build. A JVM that maps the archive starts an ActorSystem
 * with a third of the CPU time.
 */
final class ArchiveTraining {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private ArchiveTraining() {}

  /**
   * Loads the classes, then ends this JVM.
   *
   * @param args a directory for temporary files; none in the rank that it starts itself
   */
  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      return;
    }
    startWatchdog();
    Path directory = Path.of(args[0]);
    useCommandLine();
    useLauncher(directory);
    AeronTuning.apply();
    for (Profile profile : Profile.values()) {
      formCluster(profile, Files.createDirectories(directory.resolve("aeron")));
    }
    System.exit(ExitCode.OK);
  }

  private static void useCommandLine() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Tagfabric.execute(nowhere, nowhere, "--help");
    Tagfabric.execute(nowhere, nowhere, "--version");
    Tagfabric.execute(nowhere, nowhere, "programs");
    Tagfabric.execute(nowhere, nowhere, "run", "--help");
    Tagfabric.execute(nowhere, nowhere, "run", "-n", "1", "--timeout", "1s", "no-such-program");
  }

  private static void useLauncher(Path directory) {
    Map<String, String> variables =
        Map.of("TAGFABRIC_LAUNCH_DIRECTORY", directory.resolve("host").toString());
    OutputStream nowhere = OutputStream.nullOutputStream();
    LocalJob job =
        new LocalJob(
            1,
            ArchiveTraining.class.getName(),
            List.of(),
            Profile.AERON,
            List.of(),
            Optional.of(PATIENCE),
            false);
    new JobLauncher(Settings.of(ConfigFactory.load(), variables), variables, nowhere, nowhere)
        .run(job);
  }

  /** Two ranks in this JVM, so that messages travel through serializers and transport. */
  private static void formCluster(Profile profile, Path directory)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    int seedPort = freePort();
    ActorSystem<Void> first = start(0, seedPort, seedPort, profile, directory);
    ActorSystem<Void> second = start(1, 0, seedPort, profile, directory);
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!isUp(second) && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    for (ActorSystem<Void> system : List.of(second, first)) {
      system.terminate();
      system
          .getWhenTerminated()
          .toCompletableFuture()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static ActorSystem<Void> start(
      int rank, int port, int seedPort, Profile profile, Path directory) {
    String host = "127.0.0.1";
    JobSpec job =
        new JobSpec(
            new UUID(0, 0), rank, 2, host, port, host, seedPort, 0, Optional.empty(), profile);
    Config application =
        ConfigFactory.parseMap(
            Map.of(
                "akka.remote.artery.advanced.aeron.aeron-dir",
                directory.resolve(Integer.toString(rank)).toString()));
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(), Profiles.SYSTEM_NAME, Profiles.akkaConfig(job, application));
    Address seed = AddressFromURIString.parse(Profiles.seedAddress(job));
    Cluster.get(system).manager().tell(Join.create(seed));
    return system;
  }

  private static boolean isUp(ActorSystem<Void> system) {
    return Cluster.get(system).selfMember().status().equals(MemberStatus.up());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Training is a help, never a hindrance: a JVM that hangs ends without an archive. */
  private static void startWatchdog() {
    Thread watchdog =
        new Thread(
            () -> {
              LockSupport.parkNanos(PATIENCE.toNanos());
              Runtime.getRuntime().halt(ExitCode.TIMEOUT);
            },
            "watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
  }
}
