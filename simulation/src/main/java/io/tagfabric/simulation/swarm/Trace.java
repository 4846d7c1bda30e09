package io.tagfabric.simulation.swarm;

import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.simulation.world.Scheduler;
import io.tagfabric.simulation.world.SimulationRecorder;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import java.util.function.Supplier;

/** What a run does: always as a part of its hash, and as events of a recorder if it is on. */
final class Trace {
  private final Scheduler scheduler;
  private final Recorder recorder;

  Trace(Scheduler scheduler, Recorder recorder) {
    this.scheduler = scheduler;
    this.recorder = recorder;
  }

  /** Something has happened; the numbers identify it. */
  void note(int what, long one, long two, long three, Supplier<String> text) {
    hash(what, one, two, three);
    if (recorder.isOn()) {
      recorder.note(text.get());
    }
  }

  private void hash(int what, long one, long two, long three) {
    scheduler.hash().add(what);
    scheduler.hash().add(one);
    scheduler.hash().add(two);
    scheduler.hash().add(three);
  }

  /** The network has done something. */
  void packet(NetworkWatcher.What what, int from, int to, int lengthBytes, long sequence) {
    hash(what.name().hashCode(), from, to, lengthBytes);
    if (recorder.isOn()) {
      int how = TraceKind.Packet.valueOf(what.name()).code();
      recorder.record(TraceKind.PACKET, how, from, sequence, 0, 0, lengthBytes, 0, to, 0);
    }
  }

  /** A node is killed, of which a note tells too. */
  void killed(int node) {
    recorder.record(TraceKind.RANK_KILLED, 0, 0, node, 0, 0, 0, 0, SimulationRecorder.NO_RANK, 0);
  }

  /** A line that says nothing about what happens. */
  void say(String text) {
    recorder.note(text);
  }

  /** The run is over. */
  void close() {
    recorder.closed();
  }
}
