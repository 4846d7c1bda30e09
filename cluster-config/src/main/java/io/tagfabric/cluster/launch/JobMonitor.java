package io.tagfabric.cluster.launch;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.Settings;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Follows the ranks of a job from start to end.
 *
 * <p>A job runs until all ranks have ended. When one fails it is FAILING: the others get time to
 * notice. When the ranks end it on purpose it is EXITING, and those left have less time. When that
 * is over, or the job's time is, it is TERMINATING (SIGTERM), then KILLED (SIGKILL). The thread
 * that calls {@link #watch} owns the state; the shutdown hook only signals processes.
 */
final class JobMonitor {
  private enum Stage {
    RUNNING,
    FAILING,
    EXITING,
    TERMINATING,
    KILLED
  }

  /** A rank, or the media driver as rank -1, has ended with a code. */
  private record Ended(int rank, int code) {}

  private static final int DRIVER = -1;
  private static final long NEVER = Long.MAX_VALUE;

  /** How long failures may trickle in before one is announced; a whole job often fails at once. */
  private static final Duration SETTLE = Duration.ofMillis(500);

  private final LocalJob job;
  private final JobResources resources;
  private final Duration failureGrace;
  private final Duration exitGrace;
  private final Duration terminateGrace;
  private final OutputStream err;
  private final Object screen = new Object();
  private final RankOutput output;
  private final List<RankProcess> ranks = new ArrayList<>();
  private final BlockingQueue<Ended> events = new LinkedBlockingQueue<>();
  private final ShutdownGuard guard = new ShutdownGuard(this::interrupted);
  private final long startNs = System.nanoTime();

  private Stage stage = Stage.RUNNING;
  private long stageEndNs = NEVER;
  private long announceNs = NEVER;
  private Ended failure;
  private int running;

  JobMonitor(
      Settings settings, LocalJob job, JobResources resources, OutputStream out, OutputStream err) {
    this.job = job;
    this.resources = resources;
    this.failureGrace = settings.get(LaunchSettings.FAILURE_GRACE);
    this.exitGrace = settings.get(LaunchSettings.EXIT_GRACE);
    this.terminateGrace = settings.get(LaunchSettings.TERMINATE_GRACE);
    this.err = err;
    output = new RankOutput(out, err, job.options(), screen);
    guard.arm();
    job.timeout().ifPresent(timeout -> stageEndNs = startNs + timeout.toNanos());
  }

  /** Starts all ranks, then waits until the media driver serves them. */
  void startAll(List<RankCommand> commands) {
    boolean started = false;
    try {
      output.prepare();
      commands.forEach(this::start);
      if (resources.driver().isPresent()) {
        MediaDriverProcess driver = resources.driver().get();
        driver.awaitReady();
        driver
            .onExit()
            .ifPresent(exit -> exit.thenAccept(p -> events.add(new Ended(DRIVER, p.exitValue()))));
      }
      started = true;
    } catch (InterruptedException interrupted) {
      throw new LaunchException("interrupted while the job started", interrupted);
    } finally {
      if (!started) {
        killAll();
      }
    }
  }

  private void start(RankCommand command) {
    int number = command.rank();
    if (job.verbose()) {
      say("rank " + number + ": " + command.shellLine());
    }
    boolean input = job.options().input() && number == 0;
    RankProcess rank =
        RankProcess.start(number, command.words(), command.variables(), input, output);
    synchronized (ranks) {
      ranks.add(rank);
    }
    running++;
    resources.add(rank.id());
    rank.onExit().thenAccept(p -> events.add(new Ended(number, p.exitValue())));
  }

  /** Waits for the end of all ranks and returns the exit code of the job. */
  int watch() {
    try {
      while (running > 0) {
        long nowNs = System.nanoTime();
        long waitNs = Math.min(until(stageEndNs, nowNs), until(announceNs, nowNs));
        Ended ended = events.poll(waitNs, TimeUnit.NANOSECONDS);
        if (ended != null) {
          onEnded(ended);
        } else {
          onTime(System.nanoTime());
        }
      }
      if (announceNs != NEVER) {
        announce();
      }
      return failure == null ? ExitCode.OK : failure.code();
    } catch (InterruptedException interrupted) {
      killAll();
      throw new LaunchException("interrupted while the job ran", interrupted);
    }
  }

  /** The job is over and its resources are given back; signals may end this process again. */
  void finished() {
    guard.disarm();
  }

  private void onEnded(Ended ended) throws InterruptedException {
    if (ended.rank() != DRIVER) {
      running--;
      resources.directory().endedRanks().add(ended.rank(), ended.code());
      ranks.get(ended.rank()).drain();
      if (isExiting()) {
        enter(Stage.EXITING, exitGrace);
      }
    }
    boolean byUs = stage.compareTo(Stage.TERMINATING) >= 0;
    if (failure != null || byUs || (ended.code() == ExitCode.OK && ended.rank() != DRIVER)) {
      return;
    }
    failure = ended.rank() == DRIVER ? new Ended(DRIVER, ExitCode.FAILED) : ended;
    if (guard.isTriggered()) {
      return;
    }
    if (job.options().goesOnAfterLoss() && ended.rank() != DRIVER) {
      announceNs = System.nanoTime();
      return;
    }
    if (stage == Stage.RUNNING) {
      enter(Stage.FAILING, failureGrace);
    }
    announceNs = System.nanoTime() + (ended.code() > ExitCode.SIGNAL_BASE ? 0 : SETTLE.toNanos());
  }

  /** Whether the ranks end on purpose, which does not take as long as to notice a failure. */
  private boolean isExiting() {
    return (stage == Stage.RUNNING || stage == Stage.FAILING)
        && resources.directory().endingCode().isPresent();
  }

  private void onTime(long nowNs) {
    if (nowNs - announceNs >= 0 && announceNs != NEVER) {
      announce();
    }
    if (stageEndNs == NEVER || nowNs - stageEndNs < 0) {
      return;
    }
    switch (stage) {
      case RUNNING -> {
        failure = new Ended(DRIVER, ExitCode.TIMEOUT);
        say(
            "the job has not ended within "
                + seconds(job.timeout().orElseThrow())
                + " (--timeout); "
                + names()
                + " gets SIGTERM");
        signal(RankProcess::terminate);
        enter(Stage.TERMINATING, terminateGrace);
      }
      case FAILING -> {
        say(names() + " still runs " + seconds(failureGrace) + " after the failure: SIGTERM");
        signal(RankProcess::terminate);
        enter(Stage.TERMINATING, terminateGrace);
      }
      case EXITING -> {
        say(names() + " still runs " + seconds(exitGrace) + " after the job's end: SIGTERM");
        signal(RankProcess::terminate);
        enter(Stage.TERMINATING, terminateGrace);
      }
      case TERMINATING -> {
        say(names() + " still runs " + seconds(terminateGrace) + " after SIGTERM: SIGKILL");
        signal(RankProcess::kill);
        stage = Stage.KILLED;
        stageEndNs = NEVER;
      }
      case KILLED -> stageEndNs = NEVER;
    }
  }

  private void enter(Stage next, Duration length) {
    stage = next;
    stageEndNs = System.nanoTime() + length.toNanos();
  }

  private void announce() {
    announceNs = NEVER;
    if (failure.rank() == DRIVER) {
      say(
          "the media driver has ended, the ranks cannot talk any more"
              + resources.driver().map(MediaDriverProcess::said).orElse(""));
      return;
    }
    RankProcess rank = ranks.get(failure.rank());
    StringBuilder text = new StringBuilder();
    text.append("rank ").append(rank.rank()).append(" (pid ").append(rank.pid()).append(") ");
    text.append(ExitCode.describe(failure.code()));
    // a program that refuses its arguments has said so itself
    boolean early =
        !resources.directory().isFormed()
            && stage != Stage.EXITING
            && failure.code() != ExitCode.USAGE;
    if (early) {
      text.append(" before the job had formed\n  command: ");
      text.append(RankProcess.shellLine(shortened(rank.command()), Map.of()));
      rank.lastLines().forEach(line -> text.append("\n  | ").append(line));
    }
    if (running > 0) {
      text.append(text.indexOf("\n") >= 0 ? "\n  " : "; ");
      Duration grace = stage == Stage.EXITING ? exitGrace : failureGrace;
      text.append(names())
          .append(stage == Stage.RUNNING ? " goes on" : " may take " + seconds(grace) + " to end");
    }
    if (running > 0 || early || failure.code() > 128) {
      say(text.toString());
    }
  }

  /** A command without the names of all its jars, which nobody reads. */
  private static List<String> shortened(List<String> command) {
    List<String> words = new ArrayList<>(command);
    int classPath = words.indexOf("-cp") + 1;
    if (classPath > 0 && classPath < words.size()) {
      String[] places = words.get(classPath).split(File.pathSeparator, -1);
      if (places.length > 2) {
        words.set(classPath, places[0] + File.pathSeparator + "...");
      }
    }
    return words;
  }

  /** Runs when this process gets SIGINT or SIGTERM; must be over within 5 s. */
  private void interrupted() {
    long deadlineNs = System.nanoTime() + Duration.ofSeconds(3).toNanos();
    say("interrupted, ending " + names());
    signal(RankProcess::terminate);
    try {
      for (RankProcess rank : snapshot()) {
        while (rank.isAlive() && System.nanoTime() - deadlineNs < 0) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      }
      List<RankProcess> stubborn = living();
      if (!stubborn.isEmpty()) {
        say(names() + " still runs 3 s after SIGTERM: SIGKILL");
        killAll();
      }
      for (RankProcess rank : snapshot()) {
        rank.drain();
      }
    } catch (InterruptedException interrupted) {
      killAll();
    }
    resources.close();
  }

  private void killAll() {
    signal(RankProcess::kill);
    for (RankProcess rank : snapshot()) {
      rank.onExit().toCompletableFuture().join();
    }
  }

  private void signal(Consumer<RankProcess> signal) {
    living().forEach(signal);
  }

  private List<RankProcess> living() {
    return snapshot().stream().filter(RankProcess::isAlive).toList();
  }

  private List<RankProcess> snapshot() {
    synchronized (ranks) {
      return List.copyOf(ranks);
    }
  }

  private String names() {
    List<RankProcess> living = living();
    String numbers =
        living.stream()
            .map(rank -> Integer.toString(rank.rank()))
            .collect(Collectors.joining(", "));
    return living.size() == 1 ? "rank " + numbers : "each of ranks " + numbers;
  }

  private void say(String text) {
    synchronized (screen) {
      try {
        err.write(("tagfabric: " + text + "\n").getBytes(StandardCharsets.UTF_8));
        err.flush();
      } catch (IOException readerGone) {
        // nobody left to tell
      }
    }
  }

  private static long until(long atNs, long nowNs) {
    return atNs == NEVER ? NEVER : Math.max(0, atNs - nowNs);
  }

  private static String seconds(Duration duration) {
    double seconds = duration.toMillis() / 1000.0;
    return seconds == Math.rint(seconds) ? (long) seconds + " s" : seconds + " s";
  }
}
