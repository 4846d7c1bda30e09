package io.tagfabric.trials.survive;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.schedule.Blocks;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Makes a call of each kind and checks its result. A member contributes the bit of the rank that it
 * had in the job, so who has taken part shows in every result.
 */
final class SurviveCalls {
  private final Team team;
  private final int[] members;
  private final int rank;
  private final int size;
  private final int root;
  private final int count;

  /**
   * The calls of one round.
   *
   * @param members ranks in the job, by rank in the team
   * @param count elements of a vector
   */
  SurviveCalls(Team team, int[] members, int root, int count) {
    this.team = team;
    this.members = members.clone();
    this.rank = team.rank();
    this.size = team.size();
    this.root = root;
    this.count = count;
  }

  /** Makes a call other than these two that go on without the lost, and throws its failure. */
  void make(SurviveCall call) {
    switch (call) {
      case BARRIER -> join(team.barrier());
      case BROADCAST -> broadcast();
      case REDUCE -> {
        Elements sums = atRoot(count);
        join(team.reduce(own(count), sums, Reduction.SUM, root));
        require(sums, all());
      }
      case ALLREDUCE -> {
        Elements sums = own(count);
        join(team.allreduce(sums, Reduction.SUM));
        require(sums, all());
      }
      case GATHER -> {
        Elements whole = atRoot(count * size);
        join(team.gather(own(count), whole, root));
        requireBlocks(whole, equal());
      }
      case GATHERV -> {
        Elements whole = atRoot(uneven().extent());
        join(team.gatherv(own(uneven().length(rank)), whole, uneven(), root));
        requireBlocks(whole, uneven());
      }
      case SCATTER -> {
        Elements part = empty(count);
        join(team.scatter(rank == root ? blocks(equal()) : empty(0), part, root));
        require(part, bit(rank));
      }
      case SCATTERV -> {
        Elements part = empty(uneven().length(rank));
        join(team.scatterv(rank == root ? blocks(uneven()) : empty(0), uneven(), part, root));
        require(part, bit(rank));
      }
      case ALLGATHER -> {
        Elements whole = empty(count * size);
        join(team.allgather(own(count), whole));
        requireBlocks(whole, equal());
      }
      case ALLGATHERV -> {
        Elements whole = empty(uneven().extent());
        join(team.allgatherv(own(uneven().length(rank)), whole, uneven()));
        requireBlocks(whole, uneven());
      }
      case ALLTOALL -> {
        Elements whole = empty(count * size);
        join(team.alltoall(own(count * size), whole));
        requireBlocks(whole, equal());
      }
      case ALLTOALLV -> alltoallv();
      case REDUCE_SCATTER -> {
        Elements sums = empty(count);
        join(team.reduceScatterBlock(own(count * size), sums, Reduction.SUM));
        require(sums, all());
      }
      case SCAN -> {
        Elements sums = empty(count);
        join(team.scan(own(count), sums, Reduction.SUM));
        require(sums, before(rank + 1));
      }
      case EXSCAN -> {
        Elements sums = empty(count);
        join(team.exscan(own(count), sums, Reduction.SUM));
        require(sums, before(rank));
      }
      case NEIGHBOURS -> neighbours();
      case OBJECTS -> objects();
      case SPLIT -> use(join(team.split(rank % 2, rank)), rank % 2, 2);
      case DUP -> use(join(team.dup()), 0, 1);
      case AGREE, SHRINK -> throw new IllegalArgumentException(call + " is none of these");
    }
  }

  private void broadcast() {
    Elements data = rank == root ? own(count) : empty(count);
    join(team.broadcast(data, root));
    require(data, bit(root));
  }

  /** The higher a receiver's rank, the more it gets. */
  private void alltoallv() {
    int[] sent = new int[size];
    Arrays.setAll(sent, other -> count + other);
    int[] come = new int[size];
    Arrays.fill(come, count + rank);
    Blocks inputs = Blocks.packed(sent);
    Blocks outputs = Blocks.packed(come);
    Elements whole = empty(outputs.extent());
    join(team.alltoallv(own(inputs.extent()), inputs, whole, outputs));
    requireBlocks(whole, outputs);
  }

  private void neighbours() {
    List<Integer> both =
        size == 1
            ? List.of()
            : IntStream.of((rank + 1) % size, (rank + size - 1) % size).distinct().boxed().toList();
    Elements whole = empty(count * both.size());
    join(team.neighbourAllgather(Edges.both(both), own(count), whole));
    for (int i = 0; i < both.size(); i++) {
      require(whole.longs(), i * count, count, bit(both.get(i)));
    }
  }

  private void objects() {
    List<String> names = join(team.objects().allgather("rank " + members[rank], String.class));
    List<String> wanted = Arrays.stream(members).mapToObj(member -> "rank " + member).toList();
    if (!names.equals(wanted)) {
      throw new IllegalStateException("objects=" + names + " are not " + wanted);
    }
  }

  /** Sums in a new team of every {@code step}-th member, and closes it. */
  private void use(Team made, int first, int step) {
    long wanted = 0;
    for (int member = first; member < size; member += step) {
      wanted |= bit(member);
    }
    Elements sums = own(1);
    join(made.allreduce(sums, Reduction.SUM));
    require(sums, wanted);
    made.close();
  }

  /**
   * Agrees that all have set all bits but their own.
   *
   * @return whether somebody is lost
   */
  boolean agreesOnLoss() {
    Team.Agreement agreed = join(team.agree(~bit(rank)));
    long without = 0;
    for (int lost : agreed.lost()) {
      without |= bit(lost);
    }
    if ((agreed.flag() | without) != (~all() | without)) {
      throw new IllegalStateException(
          "flag=" + Long.toHexString(agreed.flag()) + " lost=" + agreed.lost());
    }
    return without != 0;
  }

  /** Shrinks, and sums in the new team if nobody was lost; else returns it. */
  Team shrunk() {
    Team made = join(team.shrink());
    if (made.size() < size) {
      return made;
    }
    use(made, 0, 1);
    return null;
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  // ---- vectors ----

  private long bit(int member) {
    return 1L << members[member];
  }

  private long all() {
    return before(size);
  }

  private long before(int end) {
    long bits = 0;
    for (int member = 0; member < end; member++) {
      bits |= bit(member);
    }
    return bits;
  }

  private Blocks equal() {
    return Blocks.equal(size, count);
  }

  private Blocks uneven() {
    int[] counts = new int[size];
    Arrays.setAll(counts, member -> member % 3 * count);
    return Blocks.packed(counts);
  }

  private Elements own(int length) {
    long[] values = new long[length];
    Arrays.fill(values, bit(rank));
    return Elements.of(values);
  }

  private static Elements empty(int length) {
    return Elements.of(new long[length]);
  }

  private Elements atRoot(int length) {
    return empty(rank == root ? length : 0);
  }

  private Elements blocks(Blocks where) {
    long[] values = new long[where.extent()];
    for (int member = 0; member < size; member++) {
      int from = where.offset(member);
      Arrays.fill(values, from, from + where.length(member), bit(member));
    }
    return Elements.of(values);
  }

  private void requireBlocks(Elements whole, Blocks where) {
    long[] got = whole.longs();
    for (int member = 0; member < size && got.length > 0; member++) {
      require(got, where.offset(member), where.length(member), bit(member));
    }
  }

  private static void require(Elements got, long wanted) {
    require(got.longs(), 0, got.count(), wanted);
  }

  private static void require(long[] got, int from, int length, long wanted) {
    for (int i = from; i < from + length; i++) {
      if (got[i] != wanted) {
        throw new IllegalStateException("element=" + got[i] + " at " + i + " is not " + wanted);
      }
    }
  }
}
