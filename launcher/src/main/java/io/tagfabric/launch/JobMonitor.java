package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.output.RankSink;
import io.tagfabric.launch.output.Screen;
import io.tagfabric.launch.output.Stall;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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

  /** How long a reader of the output may take nothing of it, once the ranks have ended. */
  private static final Duration READER_PATIENCE = Duration.ofSeconds(10);

  /** The same when the job's time is over, or a signal has ended it. */
  private static final Duration HURRIED_PATIENCE = Duration.ofSeconds(1);

  /** How long the rest of the output may take then, however it is taken. */
  private static final Duration HURRIED_REST = Duration.ofSeconds(3);

  /** For the last words of a rank that a report names. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private static final long LOOK_MS = 10;
  private static final int HOST = -1;
  private static final long NEVER = Long.MAX_VALUE;

  /** How long failures may trickle in before one is announced; a whole job often fails at once. */
  private static final Duration SETTLE = Duration.ofMillis(500);

  private final LocalJob job;
  private final List<RankHost> hosts;
  private final EndPatience patience;
  private final Screen screen;
  private final RankOutput output;
  private final StartedRanks ranks = new StartedRanks();
  private final BlockingQueue<Ended> events = new LinkedBlockingQueue<>();
  private final ShutdownGuard guard = new ShutdownGuard(this::interrupted);
  private final long startNs = System.nanoTime();
  private final StartReport report;
  private final long timeoutNs;
  private final boolean goesOn;

  private boolean formed;
  private Stage stage = Stage.RUNNING;
  private long stageEndNs = NEVER;
  private long announceNs = NEVER;
  private Ended failure;
  private boolean timedOut;
  private int running;

  JobMonitor(Settings settings, LocalJob job, List<RankHost> hosts, Screen screen) {
    this.job = job;
    this.hosts = List.copyOf(hosts);
    this.screen = screen;
    this.patience = EndPatience.of(settings, job.size());
    output = new RankOutput(job.options(), screen);
    goesOn = job.options().goesOnAfterLoss(settings);
    report =
        new StartReport(
            job.size(), rank -> ranks.get(rank).host().suffix(), StartReport.isTerminal());
    guard.arm();
    timeoutNs = job.timeout().map(timeout -> startNs + timeout.toNanos()).orElse(NEVER);
    stageEndNs = timeoutNs;
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
        ranks.kill().forEach(this::say);
      }
    }
  }

  private void start(RankCommand command) {
    int number = command.rank();
    RankHost host = hosts.get(command.host());
    if (job.verbose() && command.together().get(0) == number) {
      say(command.who() + host.suffix() + ": " + command.shellLine());
    }
    boolean input = job.options().input() && number == 0;
    RankSink out = output.output(number);
    RankSink errors = output.errors(number);
    RankHandle rank = host.start(command, input, out, errors);
    ranks.add(new StartedRanks.Started(rank, host, command, out, errors));
    running++;
    rank.onExit().thenAccept(code -> events.add(new Ended(number, code, "")));
  }

  /**
   * Waits for the end of all ranks, and until what they have printed is taken; returns the exit
   * code of the job.
   */
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
      int code = failure == null ? ExitCode.OK : failure.code();
      if (code == ExitCode.OK) {
        tellCutShort();
      }
      return awaitOutput(code);
    } catch (InterruptedException interrupted) {
      ranks.kill().forEach(this::say);
      throw new LaunchException("interrupted while the job ran", interrupted);
    }
  }

  /** Code 0 alone would hide that work was left undone. */
  private void tellCutShort() {
    Map<Integer, StartPhase> phases = phases();
    List<Integer> exited = those(phases, StartPhase.EXITED);
    List<Integer> cut = those(phases, StartPhase.CUT_SHORT);
    if (!exited.isEmpty() && !cut.isEmpty()) {
      say(
          ranks(exited)
              + " has ended the job by System.exit with code 0, before the "
              + (cut.size() == 1 ? "program of " : "programs of ")
              + ranks(cut)
              + " had returned");
    }
  }

  private static List<Integer> those(Map<Integer, StartPhase> phases, StartPhase phase) {
    return phases.keySet().stream().filter(rank -> phases.get(rank) == phase).sorted().toList();
  }

  private static String ranks(List<Integer> numbers) {
    return (numbers.size() == 1 ? "rank " : "ranks ") + listOf(numbers);
  }

  private Map<Integer, StartPhase> phases() {
    Map<Integer, StartPhase> phases = new HashMap<>();
    hosts.forEach(host -> phases.putAll(host.phases()));
    return phases;
  }

  /** The ranks have ended; their output goes on as long as somebody takes it. */
  private int awaitOutput(int code) throws InterruptedException {
    if (timedOut) {
      showRest(HURRIED_PATIENCE, System.nanoTime() + HURRIED_REST.toNanos());
      return code;
    }
    if (!showRest(READER_PATIENCE, timeoutNs)) {
      say(
          "the job has not ended within "
              + seconds(job.timeout().orElseThrow())
              + " (--timeout): its ranks have, but not all of their output was taken");
      return failure == null ? ExitCode.TIMEOUT : code;
    }
    return code == ExitCode.OK && screen.isLost() ? ExitCode.OUTPUT_LOST : code;
  }

  /** Whether all output was shown, or given up as nobody took it, before a time. */
  private boolean showRest(Duration patience, long untilNs) throws InterruptedException {
    Stall stall = new Stall(patience.toNanos(), System::nanoTime, screen.progress());
    while (!(ranks.areDrained() && screen.isIdle())) {
      if (until(untilNs, System.nanoTime()) == 0) {
        screen.drop("the job's time is over");
        return false;
      }
      if (stall.isOver(screen.progress())) {
        // else nothing waits for a reader: a child of a rank has the pipe open and prints nothing
        if (!screen.isIdle()) {
          screen.drop("nothing was taken for " + seconds(patience));
        }
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return true;
  }

  private static void awaitLastWords(RankHandle rank) throws InterruptedException {
    long untilNs = System.nanoTime() + LAST_WORDS.toNanos();
    while (!rank.isDrained() && System.nanoTime() - untilNs < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  /** The job is over and its resources are given back; signals may end this process again. */
  void finished() {
    guard.disarm();
  }

  private void onEnded(Ended ended) throws InterruptedException {
    if (ended.rank() != HOST) {
      running--;
      // no process has died of which others would notice it
      int noted = ranks.get(ended.rank()).handle().isCut() ? ExitCode.KILLED : ended.code();
      hosts.forEach(host -> host.noteEnded(ended.rank(), noted));
      if (failure == null && ended.code() != ExitCode.OK) {
        awaitLastWords(ranks.get(ended.rank()).handle());
      }
      if (job.verbose()) {
        say(describe(ended));
      }
      if (isExiting()) {
        enter(Stage.EXITING, patience.afterExit());
      }
    }
    // a rank that has to be killed has not ended as it was to
    boolean byUs = stage.compareTo(Stage.TERMINATING) >= 0 && ended.code() == ExitCode.TERMINATED;
    if (failure != null || byUs || (ended.code() == ExitCode.OK && ended.rank() != HOST)) {
      return;
    }
    failure = ended;
    if (guard.isTriggered()) {
      return;
    }
    boolean last = ended.rank() == HOST && hosts.size() == 1;
    if (stage == Stage.RUNNING && (!goesOn || last)) {
      enter(Stage.FAILING, patience.afterFailure());
    }
    boolean alone = goesOn && !isEnding();
    boolean atOnce = alone || ended.code() > ExitCode.SIGNAL_BASE;
    announceNs = System.nanoTime() + (atOnce ? 0 : SETTLE.toNanos());
  }

  /**
   * Whether the ranks end on purpose, which does not take as long as to notice a failure. Where
   * ranks go on without others, one that is cut off may have ended for itself alone.
   */
  private boolean isExiting() {
    return !goesOn && (stage == Stage.RUNNING || stage == Stage.FAILING) && isEnding();
  }

  private boolean isEnding() {
    return hosts.stream().anyMatch(host -> host.endingCode().isPresent());
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
      String line = report.tell(TimeUnit.NANOSECONDS.toMillis(nowNs - startNs), phases());
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
    if (ranks.living().isEmpty()) {
      // they have ended just now, and the events that say so are on their way
      stageEndNs = nowNs + TimeUnit.MILLISECONDS.toNanos(LOOK_MS);
      return;
    }
    switch (stage) {
      case RUNNING -> {
        failure = new Ended(HOST, ExitCode.TIMEOUT, "");
        timedOut = true;
        terminate(
            "the job has not ended within "
                + seconds(job.timeout().orElseThrow())
                + " (--timeout); "
                + ranks.names()
                + " gets SIGTERM",
            HURRIED_PATIENCE);
      }
      case FAILING ->
          terminate(
              stillRuns(patience.afterFailure()) + " after the failure: SIGTERM", READER_PATIENCE);
      case EXITING ->
          terminate(
              stillRuns(patience.afterExit()) + " after the job's end: SIGTERM", READER_PATIENCE);
      case TERMINATING -> {
        String late = stillRuns(patience.afterSigterm());
        ranks.signal(RankHandle::kill);
        say(late + " after SIGTERM: SIGKILL");
        stage = Stage.KILLED;
        stageEndNs = NEVER;
      }
      case KILLED -> stageEndNs = NEVER;
    }
  }

  /** Signals first: whatever becomes of the words, and of what ranks print, the ranks end. */
  private void terminate(String why, Duration readerPatience) {
    ranks.signal(RankHandle::terminate);
    say(why);
    screen.hurry(readerPatience);
    enter(Stage.TERMINATING, patience.afterSigterm());
  }

  private String stillRuns(Duration length) {
    return ranks.names() + " still runs " + seconds(length);
  }

  private void enter(Stage next, Duration length) {
    stage = next;
    stageEndNs = System.nanoTime() + length.toNanos();
  }

  private void announce() {
    announceNs = NEVER;
    if (failure.rank() == HOST) {
      String now = whatNow();
      say(failure.why() + (now.isEmpty() ? "" : "\n  " + now));
      return;
    }
    StartedRanks.Started rank = ranks.get(failure.rank());
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
    String now = whatNow();
    if (!now.isEmpty()) {
      text.append(early ? "\n  " : "; ").append(now);
    }
    if (!now.isEmpty() || early || failure.code() > 128) {
      say(text.toString());
    }
  }

  private String describe(Ended ended) {
    StartedRanks.Started rank = ranks.get(ended.rank());
    return "rank "
        + ended.rank()
        + rank.host().suffix()
        + " (pid "
        + rank.handle().pid()
        + ") "
        + (stage == Stage.KILLED && ended.code() == ExitCode.KILLED
            ? "was killed by SIGKILL"
            : ExitCode.describe(ended.code()))
        + withItsJvm(rank);
  }

  private static String withItsJvm(StartedRanks.Started rank) {
    List<Integer> together = rank.handle().endedTogether();
    return together.size() > 1 ? " with its JVM, which had ranks " + listOf(together) : "";
  }

  /** What becomes of the ranks that are left, nothing if there are none. */
  private String whatNow() {
    if (ranks.living().isEmpty()) {
      return "";
    }
    Duration grace = stage == Stage.EXITING ? patience.afterExit() : patience.afterFailure();
    return ranks.names()
        + (stage == Stage.RUNNING ? " goes on" : " may take " + seconds(grace) + " to end");
  }

  /** Runs when this process gets SIGINT or SIGTERM; the ranks may end as gracefully as ever. */
  private void interrupted() {
    long deadlineNs = System.nanoTime() + patience.afterSigterm().toNanos();
    String left = ranks.living().isEmpty() ? "" : ", ending " + ranks.names();
    ranks.signal(RankHandle::terminate);
    say("interrupted" + left);
    screen.hurry(HURRIED_PATIENCE);
    try {
      for (RankHandle rank : ranks.living()) {
        while (rank.isAlive() && System.nanoTime() - deadlineNs < 0) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      }
      if (!ranks.living().isEmpty()) {
        say(stillRuns(patience.afterSigterm()) + " after SIGTERM: SIGKILL");
        ranks.kill().forEach(this::say);
      }
      showRest(HURRIED_PATIENCE, System.nanoTime() + HURRIED_REST.toNanos());
    } catch (InterruptedException interrupted) {
      ranks.kill().forEach(this::say);
    }
    RankHost.closeAll(hosts);
    screen.close();
  }

  private static String listOf(List<Integer> ranks) {
    return ranks.stream().map(rank -> Integer.toString(rank)).collect(Collectors.joining(", "));
  }

  private void say(String text) {
    screen.say(text);
  }

  private static long until(long atNs, long nowNs) {
    return atNs == NEVER ? NEVER : Math.max(0, atNs - nowNs);
  }

  private static String seconds(Duration duration) {
    double seconds = duration.toMillis() / 1000.0;
    return seconds == Math.rint(seconds) ? (long) seconds + " s" : seconds + " s";
  }
}
