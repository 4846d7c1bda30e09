package io.tagfabric.simulation.swarm;

import io.tagfabric.active.ActiveCall;
import io.tagfabric.active.ActiveListener;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.error.FabricException;
import java.util.Arrays;

/** One active request of a program: what must come of it, and what has. */
final class ActiveAsk implements ActiveListener {
  /** How it is asked for, and what its handler does. */
  enum Kind {
    /** The handler replies what it was given. */
    ECHO,
    /** No reply is wanted. */
    TOLD,
    /** The handler keeps it, and its program replies later. */
    KEPT,
    /** The handler throws. */
    THROWN,
    /** There is no such handler. */
    MISSING,
    /** Its bytes go into a region. */
    LONG,
    /** It is written in place, and replied in place. */
    CLAIMED,
    /** It is accepted only if it can leave now. */
    NOW
  }

  private final SeedRun run;
  final Kind kind;
  final Node from;
  final Node to;
  final int[] arguments;
  final byte[] payload;

  /** Its place among those of its sender to one peer that run in the order made. */
  int place = -1;

  /** It was not accepted. */
  boolean refused;

  /** Whoever kept it has replied in time. */
  boolean answered;

  /** Where the bytes of a long one lie in the region; -1 of others. */
  int slot = -1;

  boolean hasFailed;
  private int runs;
  private int ends;

  /** When whoever has kept it gives it up, and with it the credit. */
  private long keptUntilNs = Long.MIN_VALUE;

  ActiveAsk(SeedRun run, Kind kind, Node from, Node to, int[] arguments, byte[] payload) {
    this.run = run;
    this.kind = kind;
    this.from = from;
    this.to = to;
    this.arguments = arguments;
    this.payload = payload;
  }

  /** The run knows it by this. */
  int number() {
    return arguments[0];
  }

  boolean hasEnded() {
    return ends > 0;
  }

  /** Its handler keeps it, at most so long. */
  void keptUntil(long timeNs) {
    keptUntilNs = timeNs;
  }

  /**
   * Whether it uses a credit of its sender at the node that has kept it. When its time there is
   * over the credit goes back, and may be there before the packet that tells how it has ended: that
   * one may be lost at first, while any later packet carries the credit.
   */
  boolean usesCredit(long nowNs) {
    return nowNs < keptUntilNs && !hasEnded();
  }

  /** A handler has been called with it. */
  void runs(Node at, ActiveCall call) {
    Violation.require(
        ++runs == 1 && !refused, Invariant.ONCE, "%s runs %d times at %s", this, runs, at);
    Violation.require(at.rank == to.rank, Invariant.MATCH, "%s runs at %s", this, at);
    for (int i = 0; i < arguments.length; i++) {
      Violation.require(
          call.argumentCount() == arguments.length && call.argument(i) == arguments[i],
          Invariant.BYTES,
          "%s has another argument %d of %d",
          this,
          i,
          call.argumentCount());
    }
    Violation.require(
        call.isLong() == (kind == Kind.LONG) && Arrays.equals(call.payload(), payload),
        Invariant.BYTES,
        "%s has come with another payload of %d bytes",
        this,
        call.length());
    trace("runs");
  }

  @Override
  public void onReply(ActiveReply reply) {
    run.guarded(() -> replied(reply));
  }

  private void replied(ActiveReply reply) {
    end("was replied");
    Violation.require(
        kind == Kind.TOLD || runs == 1, Invariant.CAUSE, "%s is replied, and has not run", this);
    Violation.require(
        kind != Kind.THROWN && kind != Kind.MISSING && (kind != Kind.KEPT || answered),
        Invariant.CAUSE,
        "%s is replied, and nobody has done that",
        this);
    boolean empty = kind == Kind.TOLD;
    boolean good = reply.argumentCount() == (empty ? 0 : arguments.length);
    for (int i = 0; good && i < reply.argumentCount(); i++) {
      good = reply.argument(i) == arguments[i];
    }
    byte[] wanted = empty || kind == Kind.LONG ? new byte[0] : payload;
    Violation.require(
        good && Arrays.equals(reply.payload(), wanted),
        Invariant.BYTES,
        "the reply to %s is another: arguments=%d bytes=%d",
        this,
        reply.argumentCount(),
        reply.payload().length);
    run.probes().reach(Probe.REPLIED);
  }

  @Override
  public void onFailed(FabricException reason) {
    run.guarded(() -> failed(reason));
  }

  /** It has failed. */
  void failed(FabricException reason) {
    end("has failed with " + reason.error() + ": " + reason.getMessage());
    hasFailed = true;
    boolean lost = from.mayLose(to);
    boolean allowed =
        switch (reason.error()) {
          case NO_ENTRY -> kind == Kind.MISSING;
          case OTHER -> kind == Kind.THROWN && runs == 1;
          case TIMED_OUT -> lost || kind == Kind.KEPT && runs == 1 && !answered;
          case CANCELED -> !from.isUp();
          case CONNECTION_RESET, SHUTDOWN -> lost;
          case NO_KEY -> kind == Kind.LONG && lost;
          case PROTOCOL -> from.hasLied(to);
          default -> false;
        };
    Violation.require(
        allowed,
        Invariant.CAUSE,
        "%s failed with %s (%s) for no reason",
        this,
        reason.error(),
        reason.getMessage());
    Violation.require(
        runs == 0 || reason.mayHaveArrived() || kind == Kind.LONG,
        Invariant.CAUSE,
        "%s has run, and its end says that it has not arrived",
        this);
    run.probes().reach(Probe.REQUEST_FAILED);
  }

  private void end(String how) {
    Violation.require(++ends == 1 && !refused, Invariant.ONCE, "%s has ended %d times", this, ends);
    trace(how);
  }

  private void trace(String how) {
    run.trace().note(97, number(), runs, ends, () -> "request " + this + " " + how);
  }

  @Override
  public String toString() {
    return kind + " " + number() + " of " + from + " to " + to;
  }
}
