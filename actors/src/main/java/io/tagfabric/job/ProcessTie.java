package io.tagfabric.job;

import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.exit.ExitKind;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.exit.ExitResult;
import io.tagfabric.runtime.Environment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * Ties a process to its rank: makes the end of the process the end of its rank's job, and the other
 * way round. Signals and {@code System.exit} come here by a shutdown hook. Where that cannot know
 * the code of the latter the other ranks end with 0; the launcher sees the true one, because the
 * JVM is left to end by itself when its other hooks are over.
 */
final class ProcessTie {
  private final JobExit exit;
  private final JobMeeting meeting;
  private final Environment environment;
  private final ProcessExit end;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile boolean cutShort;

  private ProcessTie(JobExit exit, JobMeeting meeting) {
    this.exit = exit;
    this.meeting = meeting;
    environment = exit.environment();
    end = new ProcessExit(environment, exit.rank());
  }

  /** Ties the two together for the life of the process. */
  static void tie(JobExit exit, JobMeeting meeting, Optional<JobDirectory> directory) {
    ProcessTie tie = new ProcessTie(exit, meeting);
    exit.environment().process().addShutdownHook("tagfabric-shutdown", tie::onShutdown);
    exit.begun().thenAccept(tie::onBegun);
    exit.decided()
        .thenAccept(
            result -> {
              directory.ifPresent(files -> tie.mark(files, result.code()));
              tie.report(result);
            });
    exit.whenEnded()
        .thenAccept(
            code -> {
              tie.over.complete(null);
              if (!exit.isLeftToJvm()) {
                tie.endAside(() -> tie.end.exit(code));
              }
            });
    directory.ifPresent(
        files -> files.endedRanks().watch((rank, code) -> tie.onProcessEnded(rank, code, files)));
    meeting.whenSystemEnds(tie::onCutOff);
  }

  /**
   * The process of another rank has ended. If that was the end of a job that has not formed, nobody
   * may be left who knows where this rank is: it takes the code from the file and ends itself.
   */
  private void onProcessEnded(int rank, int code, JobDirectory files) {
    boolean formed = files.isFormed();
    OptionalInt ending = files.endingCode();
    if (formed || ending.isEmpty()) {
      meeting.processEnded(rank, code, formed);
      return;
    }
    exit.lost(rank);
    if (!exit.hasBegun()) {
      exit.ask(ExitKind.NOW, ending.getAsInt());
    }
  }

  /** For the launcher, which knows no more of an end with code 0 than that all is well. */
  private void mark(JobDirectory files, int code) {
    if (code == ExitCode.OK && (cutShort || exit.isLeftToJvm())) {
      files.mark(exit.rank(), cutShort ? StartPhase.CUT_SHORT : StartPhase.EXITED);
    }
    files.markEnding(code);
  }

  /** Nobody who reads what the ranks say would guess this reason. */
  private void onBegun(ExitNotice notice) {
    cutShort = !exit.isAsked() && !meeting.isEnding();
    if (notice.kind() == ExitKind.LOSS) {
      List<Integer> lost = meeting.lostRanks();
      end.say(
          (lost.size() == 1 ? "rank " : "ranks ")
              + lost.toString().replaceAll("[\\[\\]]", "")
              + (lost.size() == 1 ? " was" : " were")
              + " lost, so the job ends with code "
              + notice.code()
              + "; with "
              + ExitSettings.ON_LOSS.fullKey()
              + " = continue (--on-failure continue) it goes on without");
    }
  }

  /** The ActorSystem has ended, and not by this rank: the cluster has downed its node. */
  private void onCutOff() {
    if (!meeting.isEnding()) {
      end.say(
          "its node was downed by the other ranks or is cut off from most of them, so this rank"
              + " ends");
      over.complete(null);
      endAside(() -> end.exit(ExitCode.FAILED, meeting::cutOff));
    }
  }

  /** The process must not end otherwise before. */
  private void endAside(Runnable ending) {
    environment.threads().start("tagfabric-end", false, ending);
  }

  /** A program has returned; with another code than 0, and by the settings, that ends its job. */
  static void programReturned(Job job, int code) {
    boolean ends = code != ExitCode.OK && !job.isClosed();
    if (job.exits().hasBegun() || (ends && !goesOn(job))) {
      job.exit(code);
      return;
    }
    if (ends) {
      job.leaveAsFailed();
    }
    leave(job, code);
  }

  private static boolean goesOn(Job job) {
    return job.fabric().settings().get(ExitSettings.ON_LOSS) == LossPolicy.CONTINUE;
  }

  /** A program has thrown; if its job ends anyway, that is why. */
  static void programFailed(Job job, Throwable failure) {
    if (!job.exits().hasBegun()) {
      exitOf(job).programFailed(failure, job.fabric().settings().get(JobSettings.DEBUG));
      if (job.fabric().settings().get(JobSettings.FREEZE)) {
        Freeze.await(job.fabric().environment(), job.rank());
      }
      if (job.isClosed() || goesOn(job)) {
        job.abandon();
        leave(job, ExitCode.FAILED);
      } else {
        job.exitNow(ExitCode.FAILED);
      }
    }
  }

  /** Leaves the job, if the program has not done so itself, and ends the process with its code. */
  static void leave(Job job, int code) {
    job.close();
    if (!job.exits().hasBegun()) {
      exitOf(job).exit(code);
    }
  }

  private static ProcessExit exitOf(Job job) {
    return new ProcessExit(job.fabric().environment(), job.rank());
  }

  /** Waits for the end of a process, which has begun. */
  static void await(Environment environment) {
    environment.threads().join(new CompletableFuture<Void>());
  }

  private void onShutdown() {
    if (over.isDone() || (meeting.isEnding() && !exit.hasBegun())) {
      return;
    }
    Optional<Integer> signal = environment.process().signal();
    OptionalInt known = environment.process().exitCode();
    boolean begun = exit.isAsked() || exit.hasBegun();
    if (!begun && signal.isEmpty() && meeting.othersGoOn()) {
      exit.leaveAlone(known);
      meeting.leave(known.isEmpty() || known.getAsInt() != ExitCode.OK);
      return;
    }
    int own = signal.orElse(known.orElse(ExitCode.OK));
    if (!begun) {
      if (signal.isEmpty()) {
        exit.leaveToJvm(known.isEmpty());
      }
      exit.ask(signal.isPresent() ? ExitKind.SIGNAL : ExitKind.NOW, own);
    }
    environment.threads().join(over);
    boolean isKnown = signal.isPresent() || known.isPresent();
    if (begun || (isKnown && own != exit.code())) {
      end.halt(exit.code());
    }
  }

  private void report(ExitResult result) {
    List<Integer> silent = result.unanswered();
    if (!silent.isEmpty()) {
      end.say(
          "the job ends with code "
              + result.code()
              + (silent.size() == 1 ? " without an answer of rank " : " without answers of ranks ")
              + silent.toString().replaceAll("[\\[\\]]", ""));
    }
    if (result.hooksOverran()) {
      end.say("the exit hooks were not over within tagfabric.exit.hook-timeout");
    }
  }
}
