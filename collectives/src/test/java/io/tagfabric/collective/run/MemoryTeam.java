package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Calls;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.schedule.Round;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.Slice;
import io.tagfabric.collective.schedule.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** Runs the schedules of all ranks in memory, with real bytes and without an endpoint. */
final class MemoryTeam {
  private final List<Elements> inputs = new ArrayList<>();
  private final List<Elements> outputs = new ArrayList<>();
  private final List<Workspace> workspaces = new ArrayList<>();
  private final List<Schedule> schedules = new ArrayList<>();
  private final Map<Integer, Queue<byte[]>> wires = new HashMap<>();
  private final int[] rounds;
  private final boolean[] begun;

  MemoryTeam(Calls calls, ElementKind kind, ReduceOp operator, Random random) {
    for (int rank = 0; rank < calls.size(); rank++) {
      Schedule schedule = calls.algorithm().schedule(calls.shape(rank));
      Elements input = Samples.of(kind, calls.inputLength(rank), random);
      Elements output =
          calls.algorithm().collective() == Collective.BROADCAST && rank == calls.root()
              ? Samples.of(kind, calls.outputLength(rank), random)
              : Elements.allocate(kind, calls.outputLength(rank));
      schedules.add(schedule);
      inputs.add(input);
      outputs.add(output);
      workspaces.add(new Workspace(kind, operator, input, output, schedule.scratchLength()));
    }
    rounds = new int[calls.size()];
    begun = new boolean[calls.size()];
  }

  Elements input(int rank) {
    return inputs.get(rank);
  }

  Elements output(int rank) {
    return outputs.get(rank);
  }

  void run() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (int rank = 0; rank < rounds.length; rank++) {
        moved |= advance(rank);
      }
    }
    for (int rank = 0; rank < rounds.length; rank++) {
      if (rounds[rank] < schedules.get(rank).rounds().size()) {
        throw new AssertionError("rank " + rank + " waits for ever");
      }
    }
  }

  private boolean advance(int rank) {
    if (rounds[rank] == schedules.get(rank).rounds().size()) {
      return false;
    }
    Round round = schedules.get(rank).rounds().get(rounds[rank]);
    Workspace workspace = workspaces.get(rank);
    if (!begun[rank]) {
      begun[rank] = true;
      for (Step.Send send : round.sends()) {
        wire(rank, send.to()).add(bytes(workspace, send.from()));
      }
      return true;
    }
    Map<Integer, Integer> wanted = new HashMap<>();
    for (Step.Receive receive : round.receives()) {
      wanted.merge(receive.from(), 1, Integer::sum);
    }
    if (!wanted.entrySet().stream()
        .allMatch(each -> wire(each.getKey(), rank).size() >= each.getValue())) {
      return false;
    }
    for (Step.Receive receive : round.receives()) {
      workspace.fill(receive.into(), new UnsafeBuffer(wire(receive.from(), rank).remove()), 0);
    }
    round.locals().forEach(workspace::perform);
    rounds[rank]++;
    begun[rank] = false;
    return true;
  }

  private Queue<byte[]> wire(int from, int to) {
    return wires.computeIfAbsent(from << 10 | to, notUsed -> new ArrayDeque<>());
  }

  private static byte[] bytes(Workspace workspace, Slice slice) {
    byte[] bytes = new byte[workspace.length(slice)];
    workspace.buffer(slice.memory()).getBytes(workspace.offset(slice), bytes);
    return bytes;
  }
}
