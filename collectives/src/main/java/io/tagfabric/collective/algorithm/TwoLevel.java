package io.tagfabric.collective.algorithm;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Barrier, broadcast, reduce and allreduce in two levels: the ranks of each host combine what they
 * have, the one that leads them takes it to those of the other hosts by any other algorithm, and
 * spreads what comes back. So a vector passes between two hosts as often as that algorithm says for
 * as many ranks as there are hosts.
 *
 * <pre>
 *   p = 5, hosts {0, 1, 2} and {3, 4}    allreduce
 *   host        0 &lt;- 1   0 &lt;- 2   3 &lt;- 4
 *   hosts       0 == 3
 *   host        0 -&gt; 1   0 -&gt; 2   3 -&gt; 4
 * </pre>
 *
 * <p>Within a host a binomial tree, in rank order. Rank order is kept if the ranks of each host
 * follow one another and the algorithm between hosts keeps it. Until it is told the {@link #on
 * hosts}, each rank is on one of its own, and it does what that algorithm does.
 *
 * @source Graham et al., "Cheetah", CCGrid 2011; Open MPI, coll/han
 */
@InternalApi
public final class TwoLevel implements Algorithm {
  /** Its name in every collective that has it. */
  public static final String KEY = "two-level";

  private static final Algorithm UP = new BinomialReduce(true);
  private static final Algorithm DOWN = new BinomialBroadcast();

  private final Algorithm between;
  private final Hosts hosts;

  TwoLevel(Algorithm between) {
    this(between, null);
  }

  private TwoLevel(Algorithm between, Hosts hosts) {
    this.between = between;
    this.hosts = hosts;
  }

  /**
   * The same for a team's hosts.
   *
   * @param algorithm of the leaders
   */
  public TwoLevel on(Hosts teamsHosts, Algorithm algorithm) {
    if (algorithm.collective() != collective()) {
      throw new IllegalArgumentException(
          algorithm.collective().key() + " is not " + collective().key());
    }
    return new TwoLevel(algorithm, teamsHosts);
  }

  /** What the leaders do. */
  public Algorithm between() {
    return between;
  }

  @Override
  public String key() {
    return KEY;
  }

  @Override
  public String label() {
    return KEY + "/" + between.key();
  }

  @Override
  public Collective collective() {
    return between.collective();
  }

  @Override
  public boolean keepsOrder() {
    return between.keepsOrder() && (hosts == null || hosts.areIntervals());
  }

  @Override
  public boolean pipelined() {
    return collective() != Collective.BARRIER;
  }

  /** Whether the ranks of a host first combine what they have. */
  public boolean hasUp() {
    return collective() != Collective.BROADCAST;
  }

  /** Whether the result is spread in each host. */
  public boolean hasDown() {
    return collective() != Collective.REDUCE;
  }

  /** The levels of a rank. */
  public Levels levels(Shape shape) {
    return new Levels(
        hosts == null ? Hosts.apart(shape.size()) : hosts, shape.rank(), shape.root());
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Levels levels = levels(shape);
    Slice output = Memory.OUTPUT.slice(0, shape.count());
    Slice ofHost = Memory.INPUT.slice(0, shape.count());
    if (hasUp() && levels.hasCompany()) {
      Slice sum = levels.leads() ? builder.scratch(shape.count()) : output;
      up(levels, shape.count(), sum, builder);
      ofHost = sum;
    }
    if (levels.leads()) {
      builder.embed(
          between.schedule(levels.between(shape.count())), levels.leaders(), ofHost, output);
    }
    if (hasDown() && levels.hasCompany()) {
      down(levels, shape.count(), builder);
    }
    return builder.build();
  }

  /** What a rank does on its host before the leaders go on; the leader's output gets it. */
  public Schedule up(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    up(levels(shape), shape.count(), Memory.OUTPUT.slice(0, shape.count()), builder);
    return builder.build();
  }

  /** What a leader does. */
  public Schedule across(Shape shape) {
    Levels levels = levels(shape);
    return new ScheduleBuilder(shape.rank(), shape.size())
        .embed(
            between.schedule(levels.between(shape.count())),
            levels.leaders(),
            Memory.INPUT.slice(0, shape.count()),
            Memory.OUTPUT.slice(0, shape.count()))
        .build();
  }

  /** What a rank does on its host after that. */
  public Schedule down(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    down(levels(shape), shape.count(), builder);
    return builder.build();
  }

  private void up(Levels levels, int count, Slice sum, ScheduleBuilder builder) {
    if (collective() != Collective.BARRIER) {
      Slice input = Memory.INPUT.slice(0, count);
      builder.embed(UP.schedule(levels.within(count)), levels.members(), input, sum);
      return;
    }
    Shape shape = levels.within(0);
    int[] members = levels.members();
    if (!levels.leads()) {
      builder.signal(members[shape.root()]);
    } else {
      others(shape, members).forEach(builder::awaitSignal);
    }
    builder.nextRound();
  }

  private void down(Levels levels, int count, ScheduleBuilder builder) {
    if (collective() != Collective.BARRIER) {
      Slice output = Memory.OUTPUT.slice(0, count);
      builder.embed(DOWN.schedule(levels.within(count)), levels.members(), output, output);
      return;
    }
    Shape shape = levels.within(0);
    int[] members = levels.members();
    if (!levels.leads()) {
      builder.awaitSignal(members[shape.root()]);
    } else {
      others(shape, members).forEach(builder::signal);
    }
    builder.nextRound();
  }

  private static IntStream others(Shape shape, int[] members) {
    return Arrays.stream(members).filter(each -> each != members[shape.rank()]);
  }
}
