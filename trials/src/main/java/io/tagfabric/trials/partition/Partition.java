package io.tagfabric.trials.partition;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.fabric.FabricSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric partition}: cuts the network between the ranks of a job, and heals it. */
@Command(
    name = "partition",
    description = "Cut the network in the midst of a job, and see which side goes on.",
    footer = {
      "",
      "The ranks run in two network namespaces of this host, three in the one, two in",
      "the other. A short cut is got over. After a long one the majority finishes",
      "with code 0, and the ranks of the minority end with code 1. Needs Linux, root",
      "and iproute2.",
      "",
      "Example: sudo ./tagfabric partition"
    })
public final class Partition implements Callable<Integer> {
  private static final int PORT = 25_520;
  private static final int FIRST_SIDE = 3;
  private static final int SIZE = 5;
  private static final int WARNS_OF_UNSAFE = 23;
  private static final long END_S = 5;

  @Option(
      names = "--short-cut",
      paramLabel = "MS",
      defaultValue = "1500",
      description = "How long the first cut is; 0 for none (default: ${DEFAULT-VALUE}).")
  private long shortCutMs;

  @Option(
      names = "--after",
      paramLabel = "MS",
      defaultValue = "1000",
      description = "Of the job before the first cut (default: ${DEFAULT-VALUE}).")
  private long afterMs;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      defaultValue = "90",
      description = "After which all is ended and has failed (default: ${DEFAULT-VALUE}).")
  private long limit;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show all that the ranks log, at the level of TAGFABRIC_LOG_LEVEL.")
  private boolean verbose;

  @Spec private CommandSpec spec;

  private final Settings settings = Settings.of(ConfigFactory.load());
  private final HostDirectory host = HostDirectory.choose(settings);
  private final UUID jobKey = UUID.randomUUID();
  private final List<Process> ranks = new ArrayList<>();
  private final AtomicInteger met = new AtomicInteger();
  private final long startNs = System.nanoTime();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Optional<String> missing = NetworkPair.missing();
    if (missing.isPresent()) {
      throw new ParameterException(spec.commandLine(), "this needs " + missing.get());
    }
    JobDirectory directory = JobDirectory.join(host, jobKey);
    NetworkPair network;
    try {
      network = NetworkPair.create();
    } catch (IOException e) {
      directory.leave();
      throw new ParameterException(
          spec.commandLine(), "this needs network namespaces: " + e.getMessage());
    }
    Thread cleanUp = new Thread(() -> end(network, directory), "partition-end");
    Runtime.getRuntime().addShutdownHook(cleanUp);
    try {
      start(network);
      return play(network) ? ExitCode.OK : ExitCode.FAILED;
    } finally {
      end(network, directory);
      Runtime.getRuntime().removeShutdownHook(cleanUp);
    }
  }

  private boolean play(NetworkPair network) throws IOException, InterruptedException {
    if (!await(() -> met.get() == SIZE)) {
      return verdict();
    }
    TimeUnit.MILLISECONDS.sleep(afterMs);
    if (shortCutMs > 0) {
      say("the link is cut for " + shortCutMs + " ms");
      network.cut();
      TimeUnit.MILLISECONDS.sleep(shortCutMs);
      network.heal();
      TimeUnit.SECONDS.sleep(3);
      say(living() + " of " + SIZE + " ranks go on");
    }
    say("the link is cut");
    network.cut();
    await(() -> ranks.subList(FIRST_SIDE, SIZE).stream().noneMatch(Process::isAlive));
    say("the link is healed");
    network.heal();
    await(() -> living() == 0);
    return verdict();
  }

  private boolean verdict() {
    boolean right = living() == 0;
    for (int rank = 0; rank < SIZE; rank++) {
      Process process = ranks.get(rank);
      int expected = rank < FIRST_SIDE ? ExitCode.OK : ExitCode.FAILED;
      String how = process.isAlive() ? "still runs" : "ended with code " + process.exitValue();
      boolean asExpected = !process.isAlive() && process.exitValue() == expected;
      right &= asExpected;
      say("rank " + rank + " " + how + (asExpected ? "" : ", not " + expected));
    }
    say(right ? "as it should be" : "FAILED");
    return right;
  }

  private long living() {
    return ranks.stream().filter(Process::isAlive).count();
  }

  private void start(NetworkPair network) throws IOException {
    for (int rank = 0; rank < SIZE; rank++) {
      boolean first = rank < FIRST_SIDE;
      JobSpec job =
          new JobSpec(
              jobKey,
              rank,
              SIZE,
              network.host(first),
              PORT + rank,
              network.host(true),
              PORT,
              ProcessHandle.current().pid(),
              Optional.empty(),
              Profile.TCP);
      ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(network.prefix(first)));
      builder.command().addAll(java());
      Map<String, String> environment = builder.environment();
      environment.putAll(job.toEnvironment());
      environment.put(JobSettings.HOST_DIRECTORY.variable(), host.path().toString());
      // shared memory would go on where the network does not
      environment.put(FabricSettings.PROVIDERS.variable(), "artery");
      environment.put(
          ExitSettings.ON_LOSS.variable(), ExitSettings.ON_LOSS.write(LossPolicy.CONTINUE));
      Process process = builder.redirectErrorStream(true).start();
      process.getOutputStream().close();
      ranks.add(process);
      follow(process);
    }
    say(
        "ranks 0 to "
            + (FIRST_SIDE - 1)
            + " on one side, the others on the other; the larger side goes on");
  }

  private static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    if (Runtime.version().feature() >= WARNS_OF_UNSAFE) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(PartitionRank.class.getName());
    return command;
  }

  /** Shows what a rank says; what Akka says of the network is not news here. */
  private void follow(Process process) {
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  if (line.startsWith("rank ") || verbose) {
                    met.addAndGet(line.endsWith("has met the others") ? 1 : 0);
                    say(line);
                  }
                }
              } catch (IOException closed) {
                return;
              }
            },
            "partition-output");
    reader.setDaemon(true);
    reader.start();
  }

  private boolean await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (seconds() > limit || living() == 0) {
        return condition.getAsBoolean();
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return true;
  }

  private void end(NetworkPair network, JobDirectory directory) {
    ranks.forEach(Process::destroyForcibly);
    network.close();
    try {
      for (Process rank : ranks) {
        rank.waitFor(END_S, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    directory.leave();
  }

  private double seconds() {
    return (System.nanoTime() - startNs) / 1e9;
  }

  private void say(String text) {
    PrintWriter out = spec.commandLine().getOut();
    synchronized (out) {
      out.println(String.format(Locale.ROOT, "%5.1f s  %s", seconds(), text));
      out.flush();
    }
  }
}
