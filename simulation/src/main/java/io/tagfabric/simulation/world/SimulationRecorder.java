package io.tagfabric.simulation.world;

import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Opens the recorder of what happens in a simulation beside its domains. */
public final class SimulationRecorder {
  /** The rank that stands for what is no rank's. */
  public static final int NO_RANK = -1;

  private static final int EVENTS = 1 << 18;

  private SimulationRecorder() {}

  /**
   * Begins.
   *
   * @param directory of the recorders; null for none
   * @param clock of the run
   */
  public static Recorder open(Path directory, VirtualClock clock) {
    if (directory == null) {
      return Recorder.OFF;
    }
    Recorder.Owner owner =
        new Recorder.Owner(NO_RANK, ProcessHandle.current().pid(), 0, "simulation");
    try {
      Recorder recorder =
          Recorder.open(
              directory.resolve("simulation"), owner, EVENTS, clock::nanoTime, clock::nanoTime);
      recorder.record(TraceKind.SIMULATION_BEGUN, 0, 0, 0, 0, 0, 0, 0, NO_RANK, 0);
      return recorder;
    } catch (IOException e) {
      throw new UncheckedIOException("the simulation cannot be traced", e);
    }
  }
}
