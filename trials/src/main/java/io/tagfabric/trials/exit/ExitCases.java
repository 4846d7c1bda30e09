package io.tagfabric.trials.exit;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.demos.Arguments;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.exit.ExitKind;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobExit;
import io.tagfabric.job.JobOptions;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Ends a job in one of 32 ways; {@link ExitCase} lists them with the codes they end with.
 *
 * <p>Run it: {@code tagfabric run -n 4 exit-cases 3}, or all of them: {@code tagfabric exit-suite}
 *
 * @source GASNet tests, testexit
 */
public final class ExitCases {
  /** What a hook asks for too late, unless a signal has ended the job. */
  static final int HOOK_CODE = 4;

  /** So that the others are where the case wants them. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  @Command(name = "exit-cases", description = "End a job in one of many ways.")
  private static final class Options {
    @Option(
        names = {"-r", "--reverse"},
        description = "Number the ranks from the end, so that rank 0 plays the last.")
    private boolean reverse;

    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Show this help.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Parameters(index = "0", paramLabel = "CASE", description = "1 to 18, 100 to 113.")
    private int number;

    @Parameters(
        index = "1",
        paramLabel = "THREADS",
        arity = "0..1",
        defaultValue = "4",
        description = "Threads of a rank in the cases 14 to 18 and 107 to 113, 4 if not given.")
    private int threads;
  }

  private final Job job;
  private final int number;
  private final int place;
  private final boolean reversed;
  private final ExitThreads threads;

  private ExitCases(Job job, Options options) {
    this.job = job;
    number = options.number;
    reversed = options.reverse;
    place = placeOf(options, job.rank(), job.size());
    threads = new ExitThreads(job, options.threads);
  }

  public static void main(String[] args) {
    Options options = new Options();
    Arguments.parse(
        options,
        args,
        size -> ExitCase.of(options.number) == null ? "no case " + options.number : null);
    ExitLines.begins(Settings.of(ConfigFactory.load()).get(JobSettings.PORT));
    Job.run(
        JobOptions.defaults().withStarting(exit -> beforeTheMeeting(options, exit)),
        args,
        job -> new ExitCases(job, options).run());
  }

  private static int placeOf(Options options, int rank, int size) {
    return options.reverse ? size - 1 - rank : rank;
  }

  private static void beforeTheMeeting(Options options, JobExit exit) {
    int place = placeOf(options, exit.rank(), exit.size());
    exit.onExit(
        notice -> {
          ExitLines.hook(notice);
          if (ExitCase.of(options.number).crash() == 101) {
            new Throwable("trace of the hook").printStackTrace();
          } else if (options.number == 3 || notice.kind() == ExitKind.SIGNAL) {
            exit.exit(HOOK_CODE);
          }
        });
    if (options.number == 6 || (options.number == 7 && place == exit.size() - 1)) {
      ExitLines.acts();
      exit.exit(options.number);
    }
  }

  private boolean isLast() {
    return place == job.size() - 1;
  }

  private int run() throws Exception {
    ExitCase which = ExitCase.of(number);
    ExitLines.met();
    switch (which.way()) {
      case ALL_EXIT -> {
        ExitLines.acts();
        job.exit(number);
      }
      case ALL_RETURN -> {
        return actAndReturn();
      }
      case BEFORE_MEETING, LAST_BEFORE_MEETING -> job.barrier();
      case LAST_EXITS -> lastElseBarrier(() -> job.exit(number));
      case LAST_INTERRUPTED -> lastElseBarrier(() -> ExitSignals.interruptSelf(job));
      case LAST_EXITS_OTHERS_SPIN -> {
        if (isLast()) {
          pause();
          ExitLines.acts();
          job.exit(number);
        }
        spin();
      }
      case LAST_RETURNS -> {
        if (isLast()) {
          pause();
          return actAndReturn();
        }
        job.barrier();
      }
      case LAST_RETURNS_OTHERS_SPIN -> {
        if (isLast()) {
          pause();
          return actAndReturn();
        }
        spin();
      }
      case ALL_IN_HANDLER, LAST_IN_HANDLER -> new ExitHandlers(job, place, reversed).run(number);
      case ALL_IN_THREADS, FIRST_IN_THREADS -> threads.run(number, place);
      case CRASH -> crash(which.crash());
      case CRASH_IN_THREAD -> crashInThread(which.crash());
    }
    return stay();
  }

  private int actAndReturn() {
    ExitLines.acts();
    return number;
  }

  private void lastElseBarrier(Runnable action) {
    if (isLast()) {
      pause();
      ExitLines.acts();
      action.run();
      stay();
    }
    job.barrier();
    ExitLines.failed("the barrier let rank " + job.rank() + " through");
  }

  private void crash(int which) {
    if (isLast()) {
      ExitLines.acts();
      ExitSignals.crash(which);
    }
    job.barrier();
    if (which == 100 || which == 101) {
      job.exit(0);
    }
  }

  /** The first thread of a rank does as in {@link #crash}, the others wait for it. */
  private void crashInThread(int which) throws Exception {
    threads.whileOthersWait(
        () -> {
          crash(which);
          return stay();
        });
  }

  /** Waits for the end of the process. */
  private int stay() {
    while (true) {
      LockSupport.park();
    }
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }

  static void pause() {
    long endNs = System.nanoTime() + PAUSE.toNanos();
    for (long leftNs = PAUSE.toNanos(); leftNs > 0; leftNs = endNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
  }

  static FabricException fatal() {
    return new FabricException(FabricError.IO, ExitCase.FATAL);
  }
}
