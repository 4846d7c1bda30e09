package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Round;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.Slice;
import io.tagfabric.collective.schedule.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the schedules of all ranks with contributions instead of bytes: an element is the list of
 * what was combined to make it, each piece a rank and an index. A send ends only together with its
 * receive. Fails on what is never allowed: reading what was not written, slices outside a memory,
 * receives that overlap with what the round reads or writes, lengths that differ, and standstill.
 */
final class SymbolicTeam {
  /** An element that is the contribution of one rank. */
  static int[] piece(int rank, int index) {
    return new int[] {rank << 20 | index};
  }

  private static final class Member {
    final Schedule schedule;
    final Map<Memory, int[][]> memory = new EnumMap<>(Memory.class);
    int round;
    boolean[] sent;
    boolean[] received;
    int startedAt;
    int endsAt;

    Member(Schedule schedule) {
      this.schedule = schedule;
    }

    boolean isDone() {
      return round == schedule.rounds().size();
    }

    Round current() {
      return schedule.rounds().get(round);
    }
  }

  private final Calls calls;
  private final List<Member> members = new ArrayList<>();

  SymbolicTeam(Calls calls) {
    this.calls = calls;
    for (int rank = 0; rank < calls.size(); rank++) {
      Member member = new Member(calls.algorithm().schedule(calls.shape(rank)));
      int[][] input = new int[calls.inputLength(rank)][];
      for (int i = 0; i < input.length; i++) {
        input[i] = piece(rank, i);
      }
      int[][] output = new int[calls.outputLength(rank)][];
      if (calls.algorithm().collective() == Collective.BROADCAST && rank == calls.root()) {
        for (int i = 0; i < output.length; i++) {
          output[i] = piece(rank, i);
        }
      }
      member.memory.put(Memory.INPUT, input);
      member.memory.put(Memory.OUTPUT, output);
      member.memory.put(Memory.SCRATCH, new int[member.schedule.scratchLength()][]);
      begin(member);
      members.add(member);
    }
  }

  Schedule schedule(int rank) {
    return members.get(rank).schedule;
  }

  int[][] output(int rank) {
    return members.get(rank).memory.get(Memory.OUTPUT);
  }

  /** Steps until the last rank is done. */
  int steps() {
    return members.stream().mapToInt(member -> member.endsAt).max().orElse(0);
  }

  private void begin(Member member) {
    while (!member.isDone()) {
      Round round = member.current();
      member.sent = new boolean[round.sends().size()];
      member.received = new boolean[round.receives().size()];
      member.startedAt = member.endsAt;
      requireApart(round);
      if (member.sent.length + member.received.length > 0) {
        return;
      }
      finish(member);
    }
  }

  private void finish(Member member) {
    member.current().locals().forEach(local -> perform(member, local));
    member.round++;
  }

  SymbolicTeam run() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (int rank = 0; rank < members.size(); rank++) {
        moved |= meet(rank);
      }
      for (Member member : members) {
        if (!member.isDone() && allTrue(member.sent) && allTrue(member.received)) {
          finish(member);
          begin(member);
          moved = true;
        }
      }
    }
    for (int rank = 0; rank < members.size(); rank++) {
      if (!members.get(rank).isDone()) {
        throw new AssertionError(
            calls + ": rank " + rank + " waits for ever in " + members.get(rank).current());
      }
    }
    return this;
  }

  /** Lets every send of a rank that is the first to its peer meet that peer's first receive. */
  private boolean meet(int rank) {
    Member member = members.get(rank);
    if (member.isDone()) {
      return false;
    }
    boolean moved = false;
    List<Step.Send> sends = member.current().sends();
    for (int i = 0; i < sends.size(); i++) {
      Member peer = members.get(sends.get(i).to());
      if (member.sent[i] || peer.isDone() || earlierSendWaits(member, i)) {
        continue;
      }
      List<Step.Receive> receives = peer.current().receives();
      for (int j = 0; j < receives.size(); j++) {
        if (!peer.received[j] && receives.get(j).from() == rank) {
          transfer(member, sends.get(i).from(), peer, receives.get(j).into());
          member.sent[i] = true;
          peer.received[j] = true;
          moved = true;
          break;
        }
      }
    }
    return moved;
  }

  private static boolean earlierSendWaits(Member member, int send) {
    List<Step.Send> sends = member.current().sends();
    for (int i = 0; i < send; i++) {
      if (!member.sent[i] && sends.get(i).to() == sends.get(send).to()) {
        return true;
      }
    }
    return false;
  }

  private void transfer(Member from, Slice source, Member to, Slice target) {
    if (source.length() != target.length()) {
      throw new AssertionError(calls + ": " + source + " meets " + target);
    }
    write(to, target, read(from, source));
    int endsAt = Math.max(from.startedAt, to.startedAt) + 1;
    from.endsAt = Math.max(from.endsAt, endsAt);
    to.endsAt = Math.max(to.endsAt, endsAt);
  }

  private void perform(Member member, Step.Local local) {
    if (local instanceof Step.Copy copy) {
      write(member, copy.into(), read(member, copy.from()));
    } else if (local instanceof Step.Reduce reduce) {
      int[][] left = read(member, reduce.left());
      int[][] right = read(member, reduce.right());
      int[][] result = new int[left.length][];
      for (int i = 0; i < left.length; i++) {
        result[i] = Arrays.copyOf(left[i], left[i].length + right[i].length);
        System.arraycopy(right[i], 0, result[i], left[i].length, right[i].length);
      }
      write(member, reduce.into(), result);
    }
  }

  private int[][] read(Member member, Slice slice) {
    int[][] memory = member.memory.get(slice.memory());
    requireInside(memory, slice);
    int[][] read = Arrays.copyOfRange(memory, slice.offset(), slice.offset() + slice.length());
    for (int[] element : read) {
      if (element == null) {
        throw new AssertionError(
            calls
                + ": rank "
                + member.schedule.rank()
                + " reads "
                + slice
                + " before it is written");
      }
    }
    return read;
  }

  private void write(Member member, Slice slice, int[][] elements) {
    int[][] memory = member.memory.get(slice.memory());
    requireInside(memory, slice);
    if (slice.memory() == Memory.INPUT) {
      throw new AssertionError(calls + ": rank " + member.schedule.rank() + " writes to INPUT");
    }
    System.arraycopy(elements, 0, memory, slice.offset(), slice.length());
  }

  private void requireInside(int[][] memory, Slice slice) {
    if (slice.length() > 0 && slice.offset() + slice.length() > memory.length) {
      throw new AssertionError(calls + ": " + slice + " is outside, length=" + memory.length);
    }
  }

  private void requireApart(Round round) {
    for (int i = 0; i < round.receives().size(); i++) {
      Slice into = round.receives().get(i).into();
      for (Step.Send send : round.sends()) {
        requireApart(into, send.from());
      }
      for (int j = 0; j < i; j++) {
        requireApart(into, round.receives().get(j).into());
      }
    }
  }

  private void requireApart(Slice one, Slice other) {
    if (one.memory() == other.memory()
        && one.offset() < other.offset() + other.length()
        && other.offset() < one.offset() + one.length()) {
      throw new AssertionError(calls + ": " + one + " and " + other + " of a round overlap");
    }
  }

  private static boolean allTrue(boolean[] values) {
    for (boolean value : values) {
      if (!value) {
        return false;
      }
    }
    return true;
  }
}
