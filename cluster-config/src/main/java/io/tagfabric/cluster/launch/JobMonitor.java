package io.tagfabric.cluster.launch;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

  /**
   * A rank has ended with a code, or, as rank -1, a host cannot go on.
   *
   * @param why a sentence about the host
   */
  private record Ended(int rank, int code, String why) {}

  /** A rank, and what a report of it needs. */
  private record Started(
      RankHandle handle, RankHost host, RankCommand command, LineWriter out, LineWriter errors) {
    /** The end of what it printed, its errors if there are any. */
    List<String> lastLines() {
      List<String> lines = errors.lastLines();
      return lines.isEmpty() ? out.lastLines() : lines;
    }
  }

  private static final int HOST = -1;
  private static final long NEVER = Long.MAX_VALUE;

  /** A killed process ends at once, where its host answers. */
  private static final long KILL_S = 5;

  /** How long failures may trickle in before one is announced; a whole job often fails at once. */
  private static final Duration SETTLE = Duration.ofMillis(500);

  private final LocalJob job;
  private final List<RankHost> hosts;
  private final EndPatience patience;
  private final OutputStream err;
  private final Object screen;
  private final RankOutput output;
  private final List<Started> ranks = new ArrayList<>();
  private final BlockingQueue<Ended> events = new LinkedBlockingQueue<>();
  private final ShutdownGuard guard = new ShutdownGuard(this::interrupted);
  private final long startNs = System.nanoTime();
  private final StartReport report;

  private boolean formed;
  private Stage stage = Stage.RUNNING;
  private long stageEndNs = NEVER;
  private long announceNs = NEVER;
  private Ended failure;
  private int running;

  /**
   * @param screen lock of both streams
   */
  JobMonitor(
      Settings settings,
      LocalJob job,
      List<RankHost> hosts,
      OutputStream out,
      OutputStream err,
      Object screen) {
    this.job = job;
    this.hosts = List.copyOf(hosts);
    this.screen = screen;
    this.patience = EndPatience.of(settings, job.size());
    this.err = err;
    output = new RankOutput(out, err, job.options(), screen);
    report =
        new StartReport(
            job.size(), rank -> ranks.get(rank).host().suffix(), StartReport.isTerminal());
    guard.arm();
    job.timeout().ifPresent(timeout -> stageEndNs = startNs + timeout.toNanos());
  }

  /** Starts all ranks, then waits until their hosts have what they need. */
  void startAll(List<RankCommand> commands) {
    boolean started = false;
    try {
      output.prepare();
      commands.forEach(this::start);
      for (RankHost host : hosts) {
        host.awaitReady();
        host.failure().thenAccept(why -> events.add(new Ended(HOST, ExitCode.FAILED, why)));
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
    RankHost host = hosts.get(command.host());
    if (job.verbose()) {
      say("rank " + number + host.suffix() + ": " + command.shellLine());
    }
    boolean input = job.options().input() && number == 0;
    LineWriter out = output.output(number);
    LineWriter errors = output.errors(number);
    RankHandle rank = host.start(command, input, out, errors);
    synchronized (ranks) {
      ranks.add(new Started(rank, host, command, out, errors));
    }
    running++;
    rank.onExit().thenAccept(code -> events.add(new Ended(number, code, "")));
  }

  /** Waits for the end of all ranks and returns the exit code of the job. */
  int watch() {
    try {
      while (running > 0) {
        long nowNs = System.nanoTime();
        long waitNs =
            Math.min(
                until(progressNs(), nowNs),
                Math.min(until(stageEndNs, nowNs), until(announceNs, nowNs)));
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
    if (ended.rank() != HOST) {
      running--;
      hosts.forEach(host -> host.noteEnded(ended.rank(), ended.code()));
      ranks.get(ended.rank()).handle().drain();
      if (job.verbose()) {
        say(describe(ended));
      }
      if (isExiting()) {
        enter(Stage.EXITING, patience.afterExit());
      }
    }
    // who has to be killed has not ended as it was to
    boolean byUs = stage.compareTo(Stage.TERMINATING) >= 0 && ended.code() == ExitCode.TERMINATED;
    if (failure != null || byUs || (ended.code() == ExitCode.OK && ended.rank() != HOST)) {
      return;
    }
    failure = ended;
    if (guard.isTriggered()) {
      return;
    }
    if (job.options().goesOnAfterLoss() && (ended.rank() != HOST || hosts.size() > 1)) {
      announceNs = System.nanoTime();
      return;
    }
    if (stage == Stage.RUNNING) {
      enter(Stage.FAILING, patience.afterFailure());
    }
    announceNs = System.nanoTime() + (ended.code() > ExitCode.SIGNAL_BASE ? 0 : SETTLE.toNanos());
  }

  /** Whether the ranks end on purpose, which does not take as long as to notice a failure. */
  private boolean isExiting() {
    return (stage == Stage.RUNNING || stage == Stage.FAILING)
        && hosts.stream().anyMatch(host -> host.endingCode().isPresent());
  }

  /** When the start may be worth a line; never once it is over. */
  private long progressNs() {
    return formed ? NEVER : startNs + TimeUnit.MILLISECONDS.toNanos(report.nextMs());
  }

  private void tellProgress(long nowNs) {
    if (formed || nowNs - progressNs() < 0) {
      return;
    }
    formed = failure != null || hosts.stream().anyMatch(RankHost::isFormed);
    if (!formed) {
      Map<Integer, StartPhase> phases = new HashMap<>();
      hosts.forEach(host -> phases.putAll(host.phases()));
      String line = report.tell(TimeUnit.NANOSECONDS.toMillis(nowNs - startNs), phases);
      if (!line.isEmpty()) {
        say(line);
      }
    }
  }

  private void onTime(long nowNs) {
    tellProgress(nowNs);
    if (nowNs - announceNs >= 0 && announceNs != NEVER) {
      announce();
    }
    if (stageEndNs == NEVER || nowNs - stageEndNs < 0) {
      return;
    }
    switch (stage) {
      case RUNNING -> {
        failure = new Ended(HOST, ExitCode.TIMEOUT, "");
        terminate(
            "the job has not ended within "
                + seconds(job.timeout().orElseThrow())
                + " (--timeout); "
                + names()
                + " gets SIGTERM");
      }
      case FAILING -> terminate(stillRuns(patience.afterFailure()) + " after the failure: SIGTERM");
      case EXITING -> terminate(stillRuns(patience.afterExit()) + " after the job's end: SIGTERM");
      case TERMINATING -> {
        say(stillRuns(patience.afterSigterm()) + " after SIGTERM: SIGKILL");
        signal(RankHandle::kill);
        stage = Stage.KILLED;
        stageEndNs = NEVER;
      }
      case KILLED -> stageEndNs = NEVER;
    }
  }

  private void terminate(String why) {
    say(why);
    signal(RankHandle::terminate);
    enter(Stage.TERMINATING, patience.afterSigterm());
  }

  private String stillRuns(Duration length) {
    return names() + " still runs " + seconds(length);
  }

  private void enter(Stage next, Duration length) {
    stage = next;
    stageEndNs = System.nanoTime() + length.toNanos();
  }

  private void announce() {
    announceNs = NEVER;
    if (failure.rank() == HOST) {
      say(failure.why() + (running > 0 ? "\n  " + whatNow() : ""));
      return;
    }
    Started rank = ranks.get(failure.rank());
    StringBuilder text = new StringBuilder(describe(failure));
    // a program that refuses its arguments has said so itself
    boolean early =
        hosts.stream().noneMatch(RankHost::isFormed)
            && stage != Stage.EXITING
            && failure.code() != ExitCode.USAGE;
    if (early) {
      text.append(" before the job had formed\n  command: ").append(rank.command().shortLine());
      rank.lastLines().forEach(line -> text.append("\n  | ").append(line));
    }
    if (running > 0) {
      text.append(early ? "\n  " : "; ").append(whatNow());
    }
    if (running > 0 || early || failure.code() > 128) {
      say(text.toString());
    }
  }

  private String describe(Ended ended) {
    Started rank = ranks.get(ended.rank());
    return "rank "
        + ended.rank()
        + rank.host().suffix()
        + " (pid "
        + rank.handle().pid()
        + ") "
        + ExitCode.describe(ended.code());
  }

  /** What becomes of the ranks that are left. */
  private String whatNow() {
    Duration grace = stage == Stage.EXITING ? patience.afterExit() : patience.afterFailure();
    return names()
        + (stage == Stage.RUNNING ? " goes on" : " may take " + seconds(grace) + " to end");
  }

  /** Runs when this process gets SIGINT or SIGTERM; the ranks may end as gracefully as ever. */
  private void interrupted() {
    long deadlineNs = System.nanoTime() + patience.afterSigterm().toNanos();
    say("interrupted, ending " + names());
    signal(RankHandle::terminate);
    try {
      for (RankHandle rank : living()) {
        while (rank.isAlive() && System.nanoTime() - deadlineNs < 0) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      }
      if (!living().isEmpty()) {
        say(stillRuns(patience.afterSigterm()) + " after SIGTERM: SIGKILL");
        killAll();
      }
      for (Started rank : snapshot()) {
        rank.handle().drain();
      }
    } catch (InterruptedException interrupted) {
      killAll();
    }
    RankHost.closeAll(hosts);
  }

  private void killAll() {
    signal(RankHandle::kill);
    for (Started rank : snapshot()) {
      try {
        rank.handle().onExit().toCompletableFuture().get(KILL_S, TimeUnit.SECONDS);
      } catch (TimeoutException | ExecutionException hostDoesNotAnswer) {
        say("rank " + rank.handle().rank() + rank.host().suffix() + " does not end by SIGKILL");
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void signal(Consumer<RankHandle> signal) {
    living().forEach(signal);
  }

  private List<RankHandle> living() {
    return snapshot().stream().map(Started::handle).filter(RankHandle::isAlive).toList();
  }

  private List<Started> snapshot() {
    synchronized (ranks) {
      return List.copyOf(ranks);
    }
  }

  private String names() {
    return namesOf(living().stream().map(RankHandle::rank).toList());
  }

  private static String namesOf(List<Integer> ranks) {
    String numbers =
        ranks.stream().map(rank -> Integer.toString(rank)).collect(Collectors.joining(", "));
    return ranks.size() == 1 ? "rank " + numbers : "each of ranks " + numbers;
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
