package io.tagfabric.job;

import akka.actor.typed.ActorRef;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.exit.ExitKind;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.exit.ExitResult;
import io.tagfabric.exit.Watchdog;
import io.tagfabric.runtime.Environment;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Ends a whole job from one of its ranks; there from the moment the rank's ActorSystem exists, also
 * before all ranks have met. Thread: any, actors and message handlers among them.
 *
 * @source GASNet 1.8.1 (gasnet_exit)
 */
public final class JobExit {
  private static final int CODE_MASK = 0xFF;

  private final int rank;
  private final int size;
  private final Duration patience;
  private final Environment environment;
  private final ExitHooks hooks;
  private final AtomicBoolean watched = new AtomicBoolean();
  private final CompletableFuture<ExitNotice> begun = new CompletableFuture<>();
  private final CompletableFuture<ExitResult> decided = new CompletableFuture<>();
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();
  private volatile boolean ownsProcess;
  private volatile boolean asked;
  private volatile boolean leftToJvm;
  private volatile boolean codeHidden;
  private volatile int code;
  private ActorRef<ExitCoordinator.Command> coordinator;

  /**
   * @param patience after which a process whose end hangs is halted
   */
  JobExit(int rank, int size, Duration patience, Environment environment) {
    this.environment = environment;
    hooks = new ExitHooks(environment.threads());
    this.rank = rank;
    this.size = size;
    this.patience = patience;
  }

  /** Number of this rank. */
  public int rank() {
    return rank;
  }

  /** Number of ranks. */
  public int size() {
    return size;
  }

  /**
   * Begins to end the job with a code and returns at once; the caller goes on until its process
   * ends. The first call counts, the codes of later ones are noted.
   *
   * <p>The ranks that end at about the same time agree on a code; for those that do not the job
   * waits {@code exit.timeout}, then tells them to end.
   *
   * @param wanted exit code; its low eight bits count, as for any process
   */
  public void exit(int wanted) {
    ask(ExitKind.TOGETHER, wanted);
  }

  /** The same, for an end that the other ranks do not expect: they get the order to end at once. */
  public void exitNow(int wanted) {
    ask(ExitKind.NOW, wanted);
  }

  /**
   * Adds what this rank wants to do when its job ends, whichever rank ends it: it runs once, with
   * all other hooks within {@code exit.hook-timeout}, on a thread of its own, before anything is
   * closed. After a signal it may choose the job's code by {@link #exit}.
   */
  public void onExit(Consumer<ExitNotice> hook) {
    hooks.add(hook);
  }

  /** Whether the job has begun to end. */
  public boolean hasBegun() {
    return begun.isDone();
  }

  /** Completes with the job's code when this rank has ended; never if the job ends otherwise. */
  public CompletionStage<Integer> whenEnded() {
    return ended.minimalCompletionStage();
  }

  /**
   * {@code System.exit} ends this process.
   *
   * @param hidden whether only the JVM knows its code; the job's other ranks will agree on one
   *     without it
   */
  void leaveToJvm(boolean hidden) {
    leftToJvm = true;
    codeHidden = hidden;
  }

  /** The same when the job goes on without this rank. */
  void leaveAlone(OptionalInt known) {
    leaveToJvm(known.isEmpty());
    code = known.orElse(ExitCode.OK);
    watch();
  }

  /** Whether {@code System.exit} ends this process, and the JVM has its code. */
  boolean isLeftToJvm() {
    return leftToJvm;
  }

  /** Whether this rank has asked for the end, which may not have begun yet. */
  boolean isAsked() {
    return asked;
  }

  void ask(ExitKind kind, int wanted) {
    int kept = wanted & CODE_MASK;
    if (!begun.isDone()) {
      code = kept;
    }
    asked = true;
    watch();
    coordinator.tell(new ExitCoordinator.Ask(kind, kept));
  }

  /** A rank will not answer any more. */
  void lost(int other) {
    coordinator.tell(new ExitCoordinator.RankGone(other, false));
  }

  Environment environment() {
    return environment;
  }

  /** The process ends with this rank. */
  void ownProcess() {
    ownsProcess = true;
  }

  void attach(ActorRef<ExitCoordinator.Command> actor) {
    coordinator = actor;
  }

  /** The coordinator says that the end has begun. */
  void onBegun(ExitNotice notice) {
    code = notice.code();
    watch();
    begun.complete(notice);
    hooks.run(notice, () -> coordinator.tell(ExitCoordinator.HooksDone.INSTANCE));
  }

  /** The coordinator says how it ended. */
  void onDecided(ExitResult result) {
    code = result.code();
    hooks.giveUp();
    decided.complete(result);
  }

  CompletionStage<ExitNotice> begun() {
    return begun;
  }

  CompletionStage<ExitResult> decided() {
    return decided;
  }

  void finished(int withCode) {
    ended.complete(withCode);
  }

  /** Waits until this rank has ended, but no longer than that may take. */
  void awaitEnd() {
    environment.threads().await(ended, patience);
  }

  /** The code so far. */
  int code() {
    return code;
  }

  private void watch() {
    if (ownsProcess && watched.compareAndSet(false, true)) {
      Watchdog.arm(environment, rank, patience, this::codeWhenHalted);
    }
  }

  /** Never 0 while nobody knows how the job ends. */
  private int codeWhenHalted() {
    boolean known = !codeHidden && (decided.isDone() || code != ExitCode.OK);
    return known ? code : ExitCode.TIMEOUT;
  }
}
