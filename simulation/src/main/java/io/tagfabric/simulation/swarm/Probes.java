package io.tagfabric.simulation.swarm;

import java.util.ArrayList;
import java.util.List;

/** How many runs have met each {@link Probe}. */
public final class Probes {
  private final long[] runs = new long[Probe.values().length];

  /** One more has met it. */
  void reach(Probe probe) {
    runs[probe.ordinal()] = 1;
  }

  void reachIf(boolean met, Probe probe) {
    if (met) {
      reach(probe);
    }
  }

  /** Adds those of a run. */
  void add(Probes other) {
    for (int i = 0; i < runs.length; i++) {
      runs[i] += other.runs[i];
    }
  }

  /** Runs that have met it. */
  public long runs(Probe probe) {
    return runs[probe.ordinal()];
  }

  /** Those that no run has met. */
  public List<Probe> missed() {
    List<Probe> missed = new ArrayList<>();
    for (Probe probe : Probe.values()) {
      if (runs[probe.ordinal()] == 0) {
        missed.add(probe);
      }
    }
    return missed;
  }
}
