package io.tagfabric.simulation.swarm;

import io.tagfabric.exit.ExitPhase;
import io.tagfabric.simulation.choice.Choices;

/** What an {@link ExitTrial} has drawn: how its network is, and what is to go wrong. */
final class ExitMix {
  private static final int MOST_RANKS = 8;

  final int size;
  final int lossPerMille;
  final int duplicatePerMille;
  final int mostDelayMs;

  /** Messages that are late by seconds, so that elections overtake them. */
  final int latePerMille;

  /** How late others may learn that a rank is gone, each by itself. */
  final int mostNoticeMs;

  /** The first rank in this phase is hit; null for none. */
  final ExitPhase hitIn;

  /** How many messages it has sent there by then. */
  final int hitAfter;

  final boolean hitKills;

  /**
   * How long a partition lasts, 0 for none. It is shorter than a leader repeats its order: who
   * hears nothing for longer is told by nobody, unless the cluster gives it up.
   */
  final int cutMs;

  final boolean leaves;

  ExitMix(Choices choices) {
    size = choices.between(2, MOST_RANKS);
    lossPerMille = choices.of(0, 0, 0, 50);
    duplicatePerMille = choices.of(0, 0, 0, 100);
    mostDelayMs = choices.of(20, 20, 300);
    latePerMille = choices.of(0, 0, 0, 150);
    mostNoticeMs = choices.of(500, 500, 6_000);
    ExitPhase[] phases = ExitPhase.values();
    int phase = choices.below(2 * phases.length);
    hitIn = phase < phases.length ? (phase == 0 ? null : phases[phase]) : ExitPhase.LEADING;
    hitAfter = choices.of(0, 0, 1, 2, 4);
    hitKills = choices.below(2) == 0;
    boolean mayCut = lossPerMille == 0 && (hitKills || hitIn == null);
    cutMs = mayCut && choices.below(3) == 2 ? choices.between(100, 400) : 0;
    leaves = choices.below(5) == 4;
  }

  /**
   * Whether a leader may order before it has the answers of all, which it waits T / 8 for at least.
   */
  boolean isSlow() {
    long roundTripNs = 2L * mostDelayMs * 1_000_000L;
    return lossPerMille > 0 || latePerMille > 0 || roundTripNs > ExitTrial.TIMEOUT_NS / 8;
  }
}
