package io.tagfabric.trials.collective;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.schedule.Memory;
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
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.agrona.MutableDirectBuffer;

/**
 * Schedules with a defect, done in memory round by round, to see that the check finds it; and the
 * same without the defect, to see that it finds nothing.
 */
final class BrokenSchedules {
  private static final int SIZE = 5;
  private static final int COUNT = 7;

  private BrokenSchedules() {}

  /** A way to break a round. */
  private record Defect(
      String name, Collective collective, String key, UnaryOperator<Round> round) {}

  private static final List<Defect> DEFECTS =
      List.of(
          new Defect(
              "a contribution is lost",
              Collective.ALLREDUCE,
              "recursive-doubling",
              BrokenSchedules::losing),
          new Defect("operands are swapped", Collective.SCAN, "linear", BrokenSchedules::swapping),
          new Defect("a block is lost", Collective.ALLGATHER, "bruck", BrokenSchedules::losing),
          new Defect(
              "a block is another's", Collective.ALLTOALL, "pairwise", BrokenSchedules::moving));

  private static Round losing(Round round) {
    return round.locals().isEmpty()
        ? round
        : new Round(
            round.sends(), round.receives(), round.locals().subList(0, round.locals().size() - 1));
  }

  private static Round swapping(Round round) {
    return new Round(
        round.sends(),
        round.receives(),
        round.locals().stream().map(BrokenSchedules::swapped).toList());
  }

  private static Step.Local swapped(Step.Local step) {
    if (step instanceof Step.Reduce reduce) {
      Slice first = reduce.right();
      Slice second = reduce.left();
      return new Step.Reduce(first, second, reduce.into());
    }
    return step;
  }

  private static Round moving(Round round) {
    return new Round(
        round.sends().stream().map(BrokenSchedules::moved).toList(),
        round.receives(),
        round.locals());
  }

  private static Step.Send moved(Step.Send send) {
    Slice from = send.from();
    int at = from.offset() == 0 ? from.length() : 0;
    return new Step.Send(send.to(), from.memory().slice(at, from.length()));
  }

  /** Names of defects that are not found, and of algorithms in which one is found without. */
  static List<String> missed() {
    List<String> missed = new ArrayList<>();
    for (Defect defect : DEFECTS) {
      Algorithm algorithm = Algorithms.get(defect.collective(), defect.key());
      if (run(algorithm, round -> round) != null) {
        missed.add("none in " + defect.key());
      }
      if (run(algorithm, defect.round()) == null) {
        missed.add(defect.name() + " in " + defect.key());
      }
    }
    return missed;
  }

  /** Defects there are. */
  static int count() {
    return DEFECTS.size();
  }

  /** What is wrong when rank 2 does its rounds in this way, null if nothing is. */
  private static String run(Algorithm algorithm, UnaryOperator<Round> change) {
    Collective collective = algorithm.collective();
    CheckedCall call =
        new CheckedCall(
            collective,
            ElementKind.INT64,
            collective.reduces() ? CheckPlan.AFFINE : null,
            SIZE,
            0,
            COUNT,
            false,
            new SplittableRandom(1));
    List<Rank> ranks = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      ranks.add(new Rank(call, rank, algorithm, rank == 2 ? change : round -> round));
    }
    Map<Integer, Queue<byte[]>> wires = new HashMap<>();
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Rank rank : ranks) {
        moved |= rank.advance(wires);
      }
    }
    return ranks.stream().allMatch(Rank::isDone) ? call.complaint() : call + " does not end";
  }

  /** One rank on its way through its schedule. */
  private static final class Rank {
    private final CheckedCall call;
    private final int rank;
    private final List<Round> rounds;
    private final Elements scratch;
    private int next;
    private boolean sent;

    Rank(CheckedCall call, int rank, Algorithm algorithm, UnaryOperator<Round> change) {
      this.call = call;
      this.rank = rank;
      Schedule schedule = algorithm.schedule(call.shape(rank));
      rounds = schedule.rounds().stream().map(change).toList();
      scratch = Elements.allocate(call.kind(), schedule.scratchLength());
    }

    boolean isDone() {
      return next == rounds.size();
    }

    boolean advance(Map<Integer, Queue<byte[]>> wires) {
      if (isDone()) {
        return false;
      }
      Round round = rounds.get(next);
      if (!sent) {
        sent = true;
        for (Step.Send send : round.sends()) {
          wire(wires, rank, send.to()).add(part(send.from()).toByteArray());
        }
        return true;
      }
      Map<Integer, Integer> needed = new HashMap<>();
      round.receives().forEach(receive -> needed.merge(receive.from(), 1, Integer::sum));
      for (Map.Entry<Integer, Integer> each : needed.entrySet()) {
        if (wire(wires, each.getKey(), rank).size() < each.getValue()) {
          return false;
        }
      }
      for (Step.Receive receive : round.receives()) {
        Elements into = part(receive.into());
        into.buffer().putBytes(into.offset(), wire(wires, receive.from(), rank).remove());
      }
      round.locals().forEach(this::perform);
      next++;
      sent = false;
      return true;
    }

    private void perform(Step.Local step) {
      if (step instanceof Step.Copy copy) {
        Elements from = part(copy.from());
        Elements into = part(copy.into());
        into.buffer().putBytes(into.offset(), from.toByteArray());
      } else if (step instanceof Step.Reduce reduce) {
        Elements left = part(reduce.left());
        Elements right = part(reduce.right());
        Elements into = part(reduce.into());
        MutableDirectBuffer result = into.buffer();
        call.operator()
            .combine(
                call.kind(),
                left.buffer(),
                left.offset(),
                right.buffer(),
                right.offset(),
                result,
                into.offset(),
                into.count());
      }
    }

    private Elements part(Slice slice) {
      Elements memory =
          slice.memory() == Memory.INPUT
              ? call.input(rank)
              : slice.memory() == Memory.OUTPUT ? call.output(rank) : scratch;
      return memory.part(slice.offset(), slice.length());
    }

    private static Queue<byte[]> wire(Map<Integer, Queue<byte[]>> wires, int from, int to) {
      return wires.computeIfAbsent(from * SIZE + to, notUsed -> new ArrayDeque<>());
    }
  }
}
