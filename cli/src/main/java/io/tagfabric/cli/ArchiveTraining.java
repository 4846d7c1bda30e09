package io.tagfabric.cli;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.profile.AeronTuning;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.job.Job;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LocalJob;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
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
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration TO_TERMINATE = Duration.ofSeconds(10);
  private static final int LONG_MESSAGE_BYTES = 200_000;
  private static final int LOWEST_PORT = 12_000;
  private static final int HIGHEST_PORT = 32_000;
  private static final int PORTS_TRIED = 100;

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
    try {
      train(Path.of(args[0]));
    } catch (Exception failure) {
      // ActorSystems that have started would keep the JVM
      System.err.println("training failed: " + failure);
      Runtime.getRuntime().halt(ExitCode.FAILED);
    }
    System.exit(ExitCode.OK);
  }

  private static void train(Path directory) throws Exception {
    useCommandLine();
    useLauncher(directory);
    AeronTuning.apply();
    // tls loads what tcp does, and the JDK's own classes for it, but needs keys
    for (Profile profile : List.of(Profile.AERON, Profile.TCP)) {
      formCluster(profile, Files.createDirectories(directory.resolve("aeron")));
    }
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
    List<JobSpec> specs =
        List.of(rank(0, seedPort, seedPort, profile), rank(1, 0, seedPort, profile));
    ActorSystem<Void> first = start(specs.get(0), directory);
    ActorSystem<Void> second = start(specs.get(1), directory);
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(
            () -> takePart(second, specs.get(1)),
            task -> new Thread(task, "training-rank-1").start());
    takePart(first, specs.get(0));
    other.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    for (ActorSystem<Void> system : List.of(second, first)) {
      terminate(system);
    }
  }

  /**
   * As its classes are loaded by then, a remoting that does not end, as Aeron's at times, may stay.
   */
  private static void terminate(ActorSystem<?> system)
      throws InterruptedException, ExecutionException {
    system.terminate();
    try {
      system
          .getWhenTerminated()
          .toCompletableFuture()
          .get(TO_TERMINATE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException stays) {
      System.err.println("training: " + system.address() + " does not terminate");
    }
  }

  private static JobSpec rank(int rank, int port, int seedPort, Profile profile) {
    String host = "127.0.0.1";
    return new JobSpec(
        new UUID(0, 0), rank, 2, host, port, host, seedPort, 0, Optional.empty(), profile);
  }

  /** What the shortest program does: meets the other rank, talks to it, parts. */
  private static void takePart(ActorSystem<Void> system, JobSpec spec) {
    try (Job job = Job.join(system, spec)) {
      EndpointFutures endpoint = job.endpoint().futures();
      int other = 1 - spec.rank();
      for (byte[] message : List.of(new byte[8], new byte[LONG_MESSAGE_BYTES])) {
        CompletionStage<?> sent = endpoint.sendTagged(job.peer(other), message, 1);
        endpoint
            .receiveTagged(TagSelector.exact(1).from(job.peer(other)))
            .toCompletableFuture()
            .join();
        sent.toCompletableFuture().join();
      }
      job.barrier();
    }
  }

  private static ActorSystem<Void> start(JobSpec job, Path directory) {
    Config application =
        ConfigFactory.parseMap(
            Map.of(
                "akka.remote.artery.advanced.aeron.aeron-dir",
                directory.resolve(Integer.toString(job.rank())).toString()));
    return ActorSystem.create(
        Behaviors.empty(), Profiles.SYSTEM_NAME, Profiles.akkaConfig(job, application));
  }

  /** Free for TCP and UDP, and not one that the system gives to outgoing connections. */
  private static int freePort() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    IOException last = null;
    for (int i = 0; i < PORTS_TRIED; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
      try (ServerSocket tcp = new ServerSocket(port, 1, loopback);
          DatagramSocket udp = new DatagramSocket(port, loopback)) {
        return Math.min(tcp.getLocalPort(), udp.getLocalPort());
      } catch (IOException taken) {
        last = taken;
      }
    }
    throw new IOException("no free port", last);
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
