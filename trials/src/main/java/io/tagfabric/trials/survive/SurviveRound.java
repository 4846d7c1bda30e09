package io.tagfabric.trials.survive;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.LaunchSettings;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.error.FabricError;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LaunchOptions;
import io.tagfabric.launch.LocalJob;
import io.tagfabric.launch.output.LineStream;
import io.tagfabric.report.JsonLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One job, one kill, and what the others make of it. */
final class SurviveRound {
  /** From the start of the job until all ranks have met: JVMs start slowly on a busy host. */
  private static final Duration START = Duration.ofMinutes(5);

  /** From then to the end: whoever waits longer for somebody hangs. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** For ranks that hang to print where their threads are. */
  private static final int SHOW_S = 3;

  private static final Pattern READY =
      Pattern.compile("\\[(\\d+)\\] " + SurviveRank.READY + " (\\d+)");

  private static final Pattern TOLD =
      Pattern.compile(SurviveRank.TOLD + "(\\w+) team \\d+: rank \\d+ \\[rank-(\\d+)");

  private final int ranks;
  private final SurviveCall call;
  private final String provider;
  private final int victim;
  private final int afterMs;
  private final Map<Integer, Long> processes = new ConcurrentHashMap<>();
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch allReady;
  private volatile boolean killed;
  private volatile boolean hangs;
  private volatile long startMs = -1;
  private int code;

  /**
   * Prepares it.
   *
   * @param call what the ranks do when one of them is killed
   * @param provider by which they reach one another
   */
  SurviveRound(int ranks, SurviveCall call, String provider, int victim, int afterMs) {
    this.ranks = ranks;
    this.call = call;
    this.provider = provider;
    this.victim = victim;
    this.afterMs = afterMs;
    this.allReady = new CountDownLatch(ranks);
  }

  /** What went wrong; empty if nothing did. */
  String run() {
    Path directory = HostPaths.fresh();
    Settings settings =
        Settings.of(
            ConfigFactory.parseMap(
                    Map.of("tagfabric." + LaunchSettings.DIRECTORY.key(), directory.toString()))
                .withFallback(ConfigFactory.load()));
    LineStream out = new LineStream(this::onLine);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Thread killer = new Thread(this::kill, "killer");
    killer.start();
    code = new JobLauncher(settings, System.getenv(), out, err).run(job());
    killer.interrupt();
    out.endLine();
    return verdict(List.of(lines.toArray(String[]::new)), err, directory);
  }

  private LocalJob job() {
    return new LocalJob(
        ranks,
        SurviveRank.class.getName(),
        List.of(call.key(), provider),
        Profile.TCP,
        List.of(),
        Optional.of(START.plus(PATIENCE).plus(PATIENCE)),
        false,
        LaunchOptions.defaults().withOnLoss(LossPolicy.CONTINUE));
  }

  /** Kills the victim when all are ready, and all of them when they do not end after that. */
  private void kill() {
    long beginNs = System.nanoTime();
    try {
      if (!allReady.await(START.toSeconds(), TimeUnit.SECONDS)) {
        return; // the launcher ends the job
      }
      startMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
      TimeUnit.MILLISECONDS.sleep(afterMs);
      killed = killed(processes.get(victim));
      TimeUnit.SECONDS.sleep(PATIENCE.toSeconds());
      hangs = true;
      Thread.getAllStackTraces()
          .forEach((thread, stack) -> lines.add("launcher: " + thread + " " + List.of(stack)));
      for (long pid : processes.values()) {
        showThreads(pid);
      }
      TimeUnit.SECONDS.sleep(SHOW_S);
      processes.values().forEach(SurviveRound::killed);
    } catch (InterruptedException jobHasEnded) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has a rank print where each of its threads stands. */
  private static void showThreads(long pid) throws InterruptedException {
    try {
      new ProcessBuilder("kill", "-QUIT", Long.toString(pid)).start().waitFor();
    } catch (IOException noSuchProgram) {
      // the verdict stands without it
    }
  }

  private static boolean killed(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false);
  }

  /** Whether a person or the system has ended it. */
  boolean isInterrupted() {
    return code == ExitCode.INTERRUPTED || code == ExitCode.TERMINATED;
  }

  private String verdict(List<String> said, ByteArrayOutputStream err, Path directory) {
    List<String> troubles = new ArrayList<>();
    if (startMs < 0) {
      troubles.add(
          "ranks="
              + processes.keySet()
              + " of "
              + ranks
              + " were ready, wanted all within "
              + START.toSeconds()
              + " s");
    } else if (!killed) {
      troubles.add("nobody was killed");
    }
    if (hangs) {
      troubles.add("still running " + PATIENCE.toSeconds() + " s after the kill");
    } else if (code == ExitCode.TIMEOUT) {
      troubles.add("ended by the launcher's limit");
    }
    long sum = (1L << ranks) - 1 - (1L << victim);
    for (int rank = 0; rank < ranks; rank++) {
      if (rank != victim) {
        String start = "[" + rank + "] ";
        if (said.stream().noneMatch(line -> line.startsWith(start) && namesVictim(line))) {
          troubles.add("rank " + rank + " was not told CONNECTION_RESET of rank " + victim);
        }
        if (said.stream()
            .noneMatch(
                line ->
                    line.startsWith(start + SurviveRank.FINISHED) && line.endsWith("sum=" + sum))) {
          troubles.add("rank " + rank + " did not finish with sum=" + sum);
        }
      }
    }
    processes.values().stream()
        .filter(pid -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent())
        .forEach(pid -> troubles.add("process " + pid + " is left"));
    if (!HostPaths.isRemoved(directory)) {
      troubles.add("files are left in " + directory);
    }
    if (!troubles.isEmpty()) {
      troubles.add("code " + code);
      troubles.addAll(said);
      troubles.add(err.toString(StandardCharsets.UTF_8));
    }
    return String.join("\n     ", troubles);
  }

  /** Whether a rank says that it was told of the victim; the team may be one made of the first. */
  private boolean namesVictim(String line) {
    Matcher told = TOLD.matcher(line);
    return told.find()
        && told.group(1).equals(FabricError.CONNECTION_RESET.toString())
        && told.group(2).equals(Integer.toString(victim));
  }

  @Override
  public String toString() {
    return call.key() + "  " + provider + "  rank " + victim + " after " + afterMs + " ms";
  }

  /** The same for programs. */
  JsonLine toJson(String trouble) {
    return new JsonLine()
        .put("call", call.key())
        .put("provider", provider)
        .put("victim", victim)
        .put("start_ms", startMs)
        .put("after_ms", afterMs)
        .put("ok", trouble.isEmpty())
        .put("trouble", trouble);
  }

  /** Takes what the job prints, and looks for ranks that are ready. */
  private void onLine(String line) {
    lines.add(line);
    Matcher ready = READY.matcher(line);
    if (ready.find()) {
      processes.put(Integer.valueOf(ready.group(1)), Long.valueOf(ready.group(2)));
      allReady.countDown();
    }
  }
}
