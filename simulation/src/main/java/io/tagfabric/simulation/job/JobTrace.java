package io.tagfabric.simulation.job;

import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.simulation.world.SimulationRecorder;
import io.tagfabric.simulation.world.VirtualClock;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import java.nio.file.Path;

/**
 * Records what happens to the network and the ranks of a simulated job, beside what the domains of
 * the ranks record of themselves. Thread: one at a time, as in all of a simulation.
 */
final class JobTrace implements NetworkWatcher, AutoCloseable {
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
    return new JobTrace(SimulationRecorder.open(directory, clock));
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
    recorder.record(kind, how, 0, rank, 0, 0, 0, by, SimulationRecorder.NO_RANK, 0);
  }

  /** The run is over. */
  @Override
  public void close() {
    recorder.closed();
  }
}
