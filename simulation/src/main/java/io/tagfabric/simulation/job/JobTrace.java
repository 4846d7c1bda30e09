package io.tagfabric.simulation.job;

import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.simulation.world.VirtualClock;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Records what happens to the network and the ranks of a simulated job, beside what the domains of
 * the ranks record of themselves. Thread: one at a time, as in all of a simulation.
 */
final class JobTrace implements NetworkWatcher, AutoCloseable {
  /** The rank that stands for what is no rank's. */
  private static final int NO_RANK = -1;

  private static final int EVENTS = 1 << 18;

  private final Recorder recorder;

  private JobTrace(Recorder recorder) {
    this.recorder = recorder;
  }

  /**
   * Begins.
   *
   * @param directory of the recorders; null for none
   */
  static JobTrace begin(Path directory, VirtualClock clock) {
    if (directory == null) {
      return new JobTrace(Recorder.OFF);
    }
    Recorder.Owner owner =
        new Recorder.Owner(NO_RANK, ProcessHandle.current().pid(), 0, "simulation");
    try {
      JobTrace trace =
          new JobTrace(
              Recorder.open(
                  directory.resolve("simulation"),
                  owner,
                  EVENTS,
                  clock::nanoTime,
                  clock::nanoTime));
      trace.record(TraceKind.SIMULATION_BEGUN, 0, 0, 0);
      return trace;
    } catch (IOException e) {
      throw new UncheckedIOException("the simulation cannot be traced", e);
    }
  }

  @Override
  public void on(What what, int from, int to, int lengthBytes, long sequence) {
    if (recorder.isOn()) {
      int how = TraceKind.Packet.valueOf(what.name()).code();
      recorder.record(TraceKind.PACKET, how, from, sequence, 0, 0, lengthBytes, 0, to, 0);
    }
  }

  /** A rank has ended. */
  void ended(int rank, int code) {
    record(TraceKind.RANK_ENDED, code, rank, 0);
  }

  /** A rank is killed. */
  void killed(int rank) {
    record(TraceKind.RANK_KILLED, 0, rank, 0);
  }

  /** A rank gives another one up. */
  void givenUp(int rank, int by) {
    record(TraceKind.RANK_GIVEN_UP, 0, rank, by);
  }

  private void record(TraceKind kind, int how, int rank, int by) {
    recorder.record(kind, how, 0, rank, 0, 0, 0, by, NO_RANK, 0);
  }

  /** The run is over. */
  @Override
  public void close() {
    recorder.closed();
  }
}
