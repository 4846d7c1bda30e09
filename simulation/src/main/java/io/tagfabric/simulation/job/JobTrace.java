package io.tagfabric.simulation.job;

import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.simulation.world.VirtualClock;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Writes what happens in a simulated job, a line each: time, rank, what. Two runs of one seed give
 * the same lines. Thread: one at a time, as in all of a simulation.
 */
final class JobTrace implements NetworkWatcher {
  private static final double NS_PER_MS = 1e6;

  private final Consumer<String> lines;
  private VirtualClock clock;

  /**
   * @param lines takes them; nothing is formatted for nobody
   */
  JobTrace(Consumer<String> lines) {
    this.lines = lines;
  }

  /** The clock of the run. */
  void begin(VirtualClock ofRun) {
    clock = ofRun;
  }

  @Override
  public void on(What what, int from, int to, int lengthBytes, long sequence) {
    if (lines != null) {
      lines.accept(
          line(
              what.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                  + " "
                  + from
                  + " -> "
                  + to
                  + ", "
                  + lengthBytes
                  + " bytes"));
    }
  }

  /** Something has happened to a rank. */
  void on(int rank, String what) {
    if (lines != null) {
      lines.accept(line("rank " + rank + " " + what));
    }
  }

  private String line(String text) {
    return String.format(Locale.ROOT, "%12.4f ms  %s", clock.elapsedNs() / NS_PER_MS, text);
  }
}
