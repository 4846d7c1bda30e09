package io.tagfabric.simulation.swarm;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.error.FabricException;
import io.tagfabric.simulation.choice.Choices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The collectives of a run: one list for all members, which each begins when its program wants to,
 * and the results that a loop over all contributions gives. Contexts of teams are fixed.
 */
final class Collectives {
  private enum Kind {
    BARRIER,
    ALLREDUCE,
    BROADCAST,
    REDUCE,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    SCAN,
    EXSCAN,
    REDUCE_SCATTER
  }

  private record Call(Kind kind, int length, int root) {}

  /** What one member has done so far. */
  private static final class Part {
    final Node node;
    final Team team;
    int begun;
    int ended;
    boolean failed;
    Team.Agreement agreed;
    int shrunkTo;
    boolean agreeing;
    boolean settled;
    boolean left;

    Part(Node node, Team team) {
      this.node = node;
      this.team = team;
    }
  }

  private static final int CONTEXT = 3;
  private static final int AT_ONCE = 3;

  private final SeedRun run;
  private final List<Call> calls = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private int leavePerMille;
  private boolean closed;
  private boolean recovers;

  Collectives(SeedRun run, List<Node> nodes, int count) {
    this.run = run;
    Choices choices = run.choices();
    Kind[] kinds = Kind.values();
    for (int i = 0; i < count; i++) {
      calls.add(
          new Call(
              kinds[choices.below(kinds.length)],
              choices.of(1, 3, 40, 700),
              choices.below(nodes.size())));
    }
    if (count == 0) {
      return;
    }
    leavePerMille = count > 1 ? choices.of(0, 400) : 0;
    CollectiveSettings settings =
        new CollectiveSettings(
            choices.below(2) == 1,
            false,
            SharedMemoryUse.OFF,
            64,
            2,
            choices.of(8_192, 256),
            choices.between(1, 4),
            Duration.ZERO,
            List.of(),
            Map.of());
    List<EndpointAddress> addresses = nodes.stream().map(node -> node.simulated.address()).toList();
    for (Node node : nodes) {
      parts.add(
          new Part(
              node,
              Team.open(
                  node.simulated.domain(),
                  node.simulated.endpoint(),
                  addresses,
                  CONTEXT,
                  settings)));
    }
  }

  private Part partOf(Node node) {
    for (Part part : parts) {
      if (part.node == node) {
        return part;
      }
    }
    return null;
  }

  private int size() {
    return parts.size();
  }

  /** The next call of a member, unless it has enough under way. */
  void startNext(Node node) {
    Part part = partOf(node);
    if (part == null
        || part.begun == calls.size()
        || part.begun - part.ended >= AT_ONCE
        || part.failed) {
      return;
    }
    int index = part.begun++;
    run.probes().reachIf(part.begun - part.ended > 1, Probe.OVERLAPPED);
    Call call = calls.get(index);
    run.trace().note(50, index, part.team.rank(), 0, () -> "call    " + call + " at " + node);
    start(part, index, call);
    node.simulated.touch();
  }

  private void start(Part part, int index, Call call) {
    int rank = part.team.rank();
    int length = call.length;
    boolean isRoot = call.root == rank;
    long[] mine = contribution(index, rank, length);
    Elements input = Elements.of(mine);
    Team team = part.team;
    Elements none = Elements.of(new long[0]);
    switch (call.kind) {
      case BARRIER -> expect(part, index, call, team.barrier(), none, new long[0]);
      case ALLREDUCE ->
          expect(
              part, index, call, team.allreduce(input, Reduction.SUM), input, sum(index, length));
      case BROADCAST ->
          expect(
              part,
              index,
              call,
              team.broadcast(input, call.root),
              input,
              contribution(index, call.root, length));
      case REDUCE -> {
        Elements output = isRoot ? Elements.of(new long[length]) : none;
        expect(
            part,
            index,
            call,
            team.reduce(input, output, Reduction.SUM, call.root),
            output,
            isRoot ? sum(index, length) : new long[0]);
      }
      case GATHER -> {
        Elements output = isRoot ? Elements.of(new long[length * size()]) : none;
        expect(
            part,
            index,
            call,
            team.gather(input, output, call.root),
            output,
            isRoot ? all(index, length) : new long[0]);
      }
      case SCATTER -> {
        Elements whole =
            isRoot ? Elements.of(contribution(index, call.root, length * size())) : none;
        Elements output = Elements.of(new long[length]);
        expect(
            part,
            index,
            call,
            team.scatter(whole, output, call.root),
            output,
            block(contribution(index, call.root, length * size()), rank, length));
      }
      case ALLGATHER -> {
        Elements output = Elements.of(new long[length * size()]);
        expect(part, index, call, team.allgather(input, output), output, all(index, length));
      }
      case ALLTOALL -> {
        Elements whole = Elements.of(contribution(index, rank, length * size()));
        Elements output = Elements.of(new long[length * size()]);
        long[] expected = new long[length * size()];
        for (int from = 0; from < size(); from++) {
          long[] theirs = block(contribution(index, from, length * size()), rank, length);
          System.arraycopy(theirs, 0, expected, from * length, length);
        }
        expect(part, index, call, team.alltoall(whole, output), output, expected);
      }
      case SCAN -> {
        Elements output = Elements.of(new long[length]);
        expect(
            part,
            index,
            call,
            team.scan(input, output, Reduction.SUM),
            output,
            sum(index, length, rank + 1));
      }
      case EXSCAN -> {
        Elements output = Elements.of(new long[length]);
        expect(
            part,
            index,
            call,
            team.exscan(input, output, Reduction.SUM),
            rank == 0 ? none : output,
            rank == 0 ? new long[0] : sum(index, length, rank));
      }
      case REDUCE_SCATTER -> {
        Elements whole = Elements.of(contribution(index, rank, length * size()));
        Elements output = Elements.of(new long[length]);
        expect(
            part,
            index,
            call,
            team.reduceScatterBlock(whole, output, Reduction.SUM),
            output,
            block(sum(index, length * size()), rank, length));
      }
    }
  }

  private void expect(
      Part part, int index, Call call, CompletionStage<?> stage, Elements output, long[] expected) {
    stage.whenComplete(
        (result, failure) ->
            run.guarded(() -> onEnd(part, index, call, output, expected, failure)));
  }

  private void onEnd(
      Part part, int index, Call call, Elements output, long[] expected, Throwable failure) {
    part.ended++;
    int rank = part.team.rank();
    run.trace()
        .note(
            51,
            index,
            rank,
            failure == null ? 0 : 1,
            () -> "ended   " + call + " at rank " + rank + (failure == null ? "" : ": " + failure));
    if (failure != null) {
      part.failed = true;
      run.probes().reach(Probe.TEAM_BROKEN);
      Violation.require(
          isFabric(failure) && mayBreak(),
          Invariant.COLLECTIVE,
          "%s at rank %d failed for no reason: %s",
          call,
          rank,
          failure);
      requireGone(part);
      return;
    }
    long[] found = output.longs();
    Violation.require(
        Arrays.equals(found, expected),
        Invariant.COLLECTIVE,
        "%s (call %d) at rank %d gave %s, not %s",
        call,
        index,
        rank,
        Arrays.toString(found),
        Arrays.toString(expected));
    if (call.kind == Kind.BARRIER) {
      for (Part other : parts) {
        Violation.require(
            other.begun > index,
            Invariant.COLLECTIVE,
            "rank %d has left barrier %d, which rank %d has not begun",
            rank,
            index,
            other.team.rank());
      }
    }
    if (part.ended == calls.size() && run.choices().happens(leavePerMille)) {
      run.scheduler()
          .after(run.choices().below(100) * 1_000L, () -> run.guarded(() -> leave(part)));
    }
  }

  /** A member that has finished leaves the team, while others may still be at work. */
  private void leave(Part part) {
    if (!part.node.isUp() || part.failed || recovers || closed) {
      return;
    }
    part.left = true;
    part.settled = true;
    run.trace()
        .note(53, part.team.rank(), 0, 0, () -> "call    rank " + part.team.rank() + " leaves");
    run.probes()
        .reachIf(parts.stream().anyMatch(each -> each.ended < calls.size()), Probe.TEAM_LEFT);
    part.team.close();
    part.node.simulated.touch();
  }

  /** Who is said to be gone is not there any more, or may have been lost. */
  private void requireGone(Part part) {
    for (int gone : part.team.gone()) {
      Part other = parts.get(gone);
      Violation.require(
          !other.node.isUp() || other.left || other.node.wasCutOff(),
          Invariant.COLLECTIVE,
          "rank %d takes rank %d for gone, which is there: %s",
          part.team.rank(),
          gone,
          part.team.failure());
    }
  }

  private static boolean isFabric(Throwable failure) {
    return failure instanceof FabricException || failure.getCause() instanceof FabricException;
  }

  private boolean mayBreak() {
    for (Part one : parts) {
      for (Part other : parts) {
        if (one != other && one.node.mayLose(other.node)) {
          return true;
        }
      }
    }
    return false;
  }

  // ---- the end ----

  /** Begins what is left, and recovers from a loss. True when a member has nothing left to do. */
  boolean finish(Node node) {
    Part part = partOf(node);
    if (part == null || part.settled) {
      return true;
    }
    if (!mayBreak()) {
      startNext(node);
      part.settled = part.ended == calls.size();
    } else if (!part.failed) {
      startNext(node);
      // The others may have ended theirs; a member alone has nobody to wait for.
      part.settled = part.begun == part.ended && part.begun == calls.size();
      if (part.team.failure() != null && part.begun == part.ended) {
        part.failed = true;
      }
    } else if (part.begun == part.ended) {
      part.settled = !recovers || recovered(part);
    }
    return part.settled;
  }

  /** From now on members that a loss has broken agree and go on without the lost. */
  void recover() {
    recovers = true;
    for (Part part : parts) {
      part.settled = part.left;
      part.failed |= part.node.isUp() && !part.left;
    }
  }

  private boolean recovered(Part part) {
    if (!part.agreeing) {
      part.agreeing = true;
      part.node.simulated.touch();
      part.team
          .agree(flag(part.team.rank()))
          .whenComplete((agreed, failure) -> run.guarded(() -> onAgreed(part, agreed, failure)));
    }
    return part.shrunkTo > 0;
  }

  private static long flag(int rank) {
    return ~(1L << rank);
  }

  private void onAgreed(Part part, Team.Agreement agreed, Throwable failure) {
    Violation.require(
        failure == null,
        Invariant.AGREEMENT,
        "agree fails at rank %d: %s",
        part.team.rank(),
        failure);
    run.trace().note(52, part.team.rank(), agreed.flag(), 0, () -> "agreed  " + agreed);
    run.probes().reach(Probe.AGREED);
    part.agreed = agreed;
    for (Part other : parts) {
      Violation.require(
          other.agreed == null || other.agreed.equals(agreed) || !other.node.isUp(),
          Invariant.AGREEMENT,
          "rank %d agreed on %s, rank %d on %s",
          part.team.rank(),
          agreed,
          other.team.rank(),
          other.agreed);
    }
    part.team
        .shrink()
        .whenComplete((team, failed) -> run.guarded(() -> onShrunk(part, team, failed)));
    part.node.simulated.touch();
  }

  private void onShrunk(Part part, Team team, Throwable failure) {
    Violation.require(
        failure == null,
        Invariant.AGREEMENT,
        "shrink fails at rank %d: %s",
        part.team.rank(),
        failure);
    part.shrunkTo = team.size();
    run.probes().reach(Probe.SHRUNK);
    long alive = parts.stream().filter(each -> each.node.isUp() && !each.left).count();
    Violation.require(
        team.size() == alive,
        Invariant.AGREEMENT,
        "rank %d has shrunk to %d members, %d are alive",
        part.team.rank(),
        team.size(),
        alive);
  }

  /** What is not done, for people. */
  String unfinished() {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      if (!part.settled && part.node.isUp()) {
        text.append(" rank ")
            .append(part.team.rank())
            .append(" has begun ")
            .append(part.begun)
            .append(" and ended ")
            .append(part.ended)
            .append(" of ")
            .append(calls.size())
            .append(" collectives")
            .append(part.agreeing ? " and agrees;" : ";");
      }
    }
    return text.toString();
  }

  void close() {
    closed = true;
    for (Part part : parts) {
      if (part.node.isUp()) {
        part.team.close();
      }
    }
  }

  // ---- expected values ----

  private static long[] contribution(int index, int rank, int length) {
    long[] values = new long[length];
    for (int i = 0; i < length; i++) {
      values[i] = 1_000_000L * index + 10_000L * (rank + 1) + i;
    }
    return values;
  }

  private long[] sum(int index, int length) {
    return sum(index, length, size());
  }

  private static long[] sum(int index, int length, int ranks) {
    long[] sum = new long[length];
    for (int rank = 0; rank < ranks; rank++) {
      long[] values = contribution(index, rank, length);
      for (int i = 0; i < length; i++) {
        sum[i] += values[i];
      }
    }
    return sum;
  }

  private long[] all(int index, int length) {
    long[] all = new long[length * size()];
    for (int rank = 0; rank < size(); rank++) {
      System.arraycopy(contribution(index, rank, length), 0, all, rank * length, length);
    }
    return all;
  }

  private static long[] block(long[] whole, int number, int length) {
    return Arrays.copyOfRange(whole, number * length, (number + 1) * length);
  }
}
