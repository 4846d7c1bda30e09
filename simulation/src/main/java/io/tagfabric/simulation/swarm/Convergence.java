package io.tagfabric.simulation.swarm;

import io.tagfabric.simulation.world.Scheduler;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** When the faults are over, everything must come to its end within a bound of virtual time. */
final class Convergence {
  private static final long MOST_NS = 300_000_000_000L;
  private static final int MOST_TURNS = 120_000;

  private final SeedRun run;

  Convergence(SeedRun run) {
    this.run = run;
  }

  /** Faults are over: waits for the end of everything, and for silence. */
  void await() {
    run.trace().say("faults are over");
    run.sites().off();
    run.fabric().network().healAll();
    run.faults().over();
    run.nodes().forEach(node -> node.simulated.touch());
    run.members().forEach(Member::drain);
    boolean crashed = run.nodes().stream().anyMatch(node -> !node.isAlive());
    await(this::isConverged, "operations");
    if (crashed && run.nodes().stream().noneMatch(node -> node.closing || node.wasCutOff())) {
      run.collectives().recover();
      await(this::isConverged, "agreement");
    }
    boolean quiet =
        run.fabric()
            .scheduler()
            .runUntilQuiet(run.fabric().scheduler().clock().nanoTime() + MOST_NS);
    run.check();
    if (!quiet) {
      throw new Violation(
          Invariant.LIVENESS, "all has ended, but something still moves: " + moving());
    }
  }

  private void await(BooleanSupplier condition, String what) {
    Scheduler scheduler = run.fabric().scheduler();
    long limitNs = scheduler.clock().nanoTime() + MOST_NS;
    int turns = 0;
    while (true) {
      boolean moved = scheduler.turn(limitNs);
      run.check();
      if ((!moved || ++turns % 16 == 0) && condition.getAsBoolean()) {
        return;
      }
      // Looking at the condition may have begun something.
      moved = moved || scheduler.turn(limitNs);
      if (!moved || scheduler.clock().nanoTime() >= limitNs || turns > MOST_TURNS) {
        throw new Violation(
            Invariant.LIVENESS, what + " do not end although the faults are over: " + unfinished());
      }
    }
  }

  private boolean isConverged() {
    boolean finished = true;
    for (Node node : run.nodes()) {
      finished &= !node.isUp() || run.collectives().finish(node);
    }
    if (!finished) {
      return false;
    }
    for (Message message : run.ledger().messages) {
      if (isWaitedFor(message)) {
        return false;
      }
    }
    return openAccesses() + openRequests() == 0;
  }

  /** Accesses of programs that are up. */
  private int openAccesses() {
    int open = 0;
    for (Member member : run.members()) {
      open += member.accesses() == null || !member.node.isUp() ? 0 : member.accesses().open();
    }
    return open;
  }

  /** Active requests of programs that are up. */
  private int openRequests() {
    int open = 0;
    for (Member member : run.members()) {
      open += member.active() == null || !member.node.isUp() ? 0 : member.active().open();
    }
    return open;
  }

  private static boolean isWaitedFor(Message message) {
    if (!message.from.isUp() || message.isDeferred()) {
      return false;
    }
    return (!message.hasEnded() && !message.silent)
        || (!message.failed && message.matched == null && !message.from.mayLose(message.to));
  }

  /** Why it does not end, by kind: for people. */
  private String unfinished() {
    Map<String, Integer> kinds = new HashMap<>();
    Message first = null;
    for (Message message : run.ledger().messages) {
      if (isWaitedFor(message)) {
        first = first == null ? message : first;
        kinds.merge(message.hasEnded() ? "not received" : "not ended", 1, Integer::sum);
      }
    }
    return kinds
        + (first == null ? "" : ", the first is " + first)
        + (openAccesses() == 0 ? "" : ", accesses " + openAccesses())
        + (openRequests() == 0 ? "" : ", requests " + openRequests())
        + run.collectives().unfinished();
  }

  private String moving() {
    StringBuilder text = new StringBuilder();
    for (Node node : run.nodes()) {
      if (node.simulated.nextNs() != Long.MAX_VALUE || node.simulated.isReady()) {
        text.append(node).append(' ');
      }
    }
    return text + "and " + run.fabric().network().underWay() + " packets";
  }
}
