package io.tagfabric.simulation.swarm;

import io.tagfabric.cluster.job.CodePolicy;
import io.tagfabric.exit.ExitMessage;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.exit.ExitOutput;
import io.tagfabric.exit.ExitPhase;
import io.tagfabric.exit.ExitPlan;
import io.tagfabric.exit.ExitProtocol;
import io.tagfabric.exit.ExitResult;
import java.util.ArrayList;
import java.util.List;

/** A rank of an {@link ExitTrial}: the real protocol, in a process that may stop or die. */
final class ExitRank implements ExitOutput {
  final int number;
  final ExitProtocol protocol;
  private final ExitTrial trial;
  private final List<Runnable> unread = new ArrayList<>();
  private final List<Runnable> unsent = new ArrayList<>();
  private long timerNs = Long.MAX_VALUE;
  private int hookRuns;
  private int toldToEnd;
  private ExitResult result;
  private boolean dead;
  private boolean stopped;

  ExitRank(int number, ExitTrial trial, int size) {
    this.number = number;
    this.trial = trial;
    protocol =
        new ExitProtocol(
            new ExitPlan(
                number,
                size,
                CodePolicy.MAX,
                ExitTrial.TIMEOUT_NS,
                ExitTrial.HOOKS_NS,
                ExitTrial.AGAIN_NS,
                true),
            this);
  }

  boolean isDead() {
    return dead;
  }

  /** How it has ended, null if it has not. */
  ExitResult result() {
    return result;
  }

  int hookRuns() {
    return hookRuns;
  }

  /** Whether it ends by an order, or orders it. */
  boolean knowsOrder() {
    ExitPhase phase = protocol.phase();
    return isOver() || phase == ExitPhase.LEADING;
  }

  boolean isOver() {
    ExitPhase phase = protocol.phase();
    return phase == ExitPhase.DECIDED || phase == ExitPhase.ENDED;
  }

  /** Whether some rank may end by what this one has ordered, or does by itself. */
  boolean matters() {
    return isOver() || (knowsOrder() && toldToEnd > 0);
  }

  @Override
  public void send(int to, ExitMessage message) {
    trial.beforeSend(this);
    if (dead) {
      return;
    }
    if (message instanceof ExitMessage.ExitRequest) {
      toldToEnd++;
    }
    if (stopped) {
      unsent.add(() -> trial.carry(this, to, message));
    } else {
      trial.carry(this, to, message);
    }
  }

  @Override
  public void runHooks(ExitNotice notice) {
    hookRuns++;
    trial.startHooks(this);
  }

  @Override
  public void end(ExitResult how) {
    Violation.require(result == null, Invariant.EXIT, "rank %d ends twice", number);
    result = how;
    trial.ended(this, how);
  }

  /** Something has come: read now, or when it goes on. */
  void take(Runnable input) {
    if (dead) {
      return;
    }
    if (stopped) {
      unread.add(input);
      return;
    }
    trial.guarded(input);
    trial.afterInput(this);
    long nextNs = protocol.nextNs();
    if (!dead && nextNs != Long.MAX_VALUE && nextNs != timerNs) {
      timerNs = nextNs;
      trial.at(nextNs, () -> onTimer(nextNs));
    }
  }

  private void onTimer(long expectedNs) {
    if (timerNs == expectedNs) {
      timerNs = Long.MAX_VALUE;
      take(() -> protocol.onTime(trial.nowNs()));
    }
  }

  void stop() {
    stopped = true;
  }

  /**
   * Goes on: what it was about to send leaves, what has come is read.
   *
   * @param clockFirst whether it looks at the clock before it reads
   */
  void resume(boolean clockFirst) {
    stopped = false;
    List<Runnable> leaving = List.copyOf(unsent);
    unsent.clear();
    leaving.forEach(Runnable::run);
    List<Runnable> late = List.copyOf(unread);
    unread.clear();
    if (clockFirst) {
      take(() -> protocol.onTime(trial.nowNs()));
    }
    late.forEach(this::take);
  }

  /** False if it was dead before. */
  boolean die() {
    boolean lived = !dead;
    dead = true;
    return lived;
  }
}
