package io.tagfabric.job;

import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.exit.ExitKind;
import io.tagfabric.exit.ExitResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Ties a process to its rank: makes the end of the process the end of its rank's job, and the other
 * way round. Signals and {@code System.exit} come here by a shutdown hook, which cannot know the
 * code of the latter: the other ranks end with 0 then, and the launcher sees the true one, because
 * the JVM is left to end by itself when its other hooks are over.
 */
final class ProcessTie {
  private final JobExit exit;
  private final JobMeeting meeting;
  private final CountDownLatch over = new CountDownLatch(1);

  private ProcessTie(JobExit exit, JobMeeting meeting) {
    this.exit = exit;
    this.meeting = meeting;
  }

  /** Ties the two together for the life of the process. */
  static void tie(JobExit exit, JobMeeting meeting, Optional<JobDirectory> directory) {
    ProcessTie tie = new ProcessTie(exit, meeting);
    Runtime.getRuntime().addShutdownHook(new Thread(tie::onShutdown, "tagfabric-shutdown"));
    exit.decided()
        .thenAccept(
            result -> {
              directory.ifPresent(files -> files.markEnding(result.code()));
              report(exit.rank(), result);
            });
    exit.whenEnded()
        .thenAccept(
            code -> {
              tie.over.countDown();
              if (!exit.isCodeHidden()) {
                new Thread(() -> ProcessExit.exit(exit.rank(), code), "tagfabric-end").start();
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

  /** The ActorSystem has ended, and not by this rank: the cluster has downed its node. */
  private void onCutOff() {
    if (!meeting.isEnding()) {
      ProcessExit.say(
          exit.rank(),
          "its node was downed by the other ranks or is cut off from most of them, so this rank"
              + " ends");
      over.countDown();
      new Thread(
              () -> ProcessExit.exit(exit.rank(), ExitCode.FAILED, meeting::cutOff),
              "tagfabric-end")
          .start();
    }
  }

  /** A program has thrown; if its job ends anyway, that is why. */
  static void programFailed(Job job, Throwable failure) {
    if (!job.exits().hasBegun()) {
      ProcessExit.programFailed(
          job.rank(), failure, job.fabric().settings().get(JobSettings.DEBUG));
      if (job.isClosed()) {
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
      ProcessExit.exit(job.rank(), code);
    }
  }

  /** Waits for the end of this process, which has begun. */
  static void await() {
    while (true) {
      LockSupport.park();
      // a thread that stays interrupted does not park
      Thread.interrupted();
    }
  }

  private void onShutdown() {
    if (over.getCount() == 0 || (meeting.isEnding() && !exit.hasBegun())) {
      return;
    }
    Optional<Integer> signal = JvmShutdown.signal();
    boolean begun = exit.isAsked() || exit.hasBegun();
    if (!begun) {
      if (signal.isEmpty()) {
        exit.hideCode();
      }
      exit.ask(signal.isPresent() ? ExitKind.SIGNAL : ExitKind.NOW, signal.orElse(ExitCode.OK));
    }
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (begun || signal.filter(code -> code != exit.code()).isPresent()) {
      ProcessExit.halt(exit.code());
    }
  }

  private static void report(int rank, ExitResult result) {
    List<Integer> silent = result.unanswered();
    if (!silent.isEmpty()) {
      ProcessExit.say(
          rank,
          "the job ends with code "
              + result.code()
              + (silent.size() == 1 ? " without an answer of rank " : " without answers of ranks ")
              + silent.toString().replaceAll("[\\[\\]]", ""));
    }
    if (result.hooksOverran()) {
      ProcessExit.say(rank, "the exit hooks were not over within tagfabric.exit.hook-timeout");
    }
  }
}
