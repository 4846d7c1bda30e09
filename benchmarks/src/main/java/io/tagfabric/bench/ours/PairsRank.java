package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Exchange;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.job.Job;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.report.WarmUp;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The program of the ranks: the first half sends, each to one of the second half, all at the same
 * time. Rank 0 decides how many messages and has the clock; it prints {@code pairs <count>
 * <messages a second of all>}.
 */
public final class PairsRank {
  private static final int OVER = 0;
  private static final long ROUND_NS = 20_000_000L;
  private static final long WARM_UP_MIN_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long WARM_UP_MAX_NS = TimeUnit.SECONDS.toNanos(8);
  private static final int MOST_MESSAGES = 100_000_000;

  private final PairsOptions options;
  private final Team team;
  private final FabricEnd end;
  private final boolean sends;
  private final int pairs;

  private PairsRank(PairsOptions options, Job job, Team team) {
    this.options = options;
    this.team = team;
    pairs = team.size() / 2;
    sends = team.rank() < pairs;
    int other = job.peer(sends ? team.rank() + pairs : team.rank() - pairs);
    FabricEnd.Waiting waiting =
        options.progress == ProgressMode.MANUAL
            ? FabricEnd.Waiting.POLLING
            : FabricEnd.Waiting.BLOCKING;
    end = new FabricEnd(job.endpoint(), other, waiting, options.buffers(job.domain()));
  }

  /**
   * @param args options as {@link PairsOptions#arguments} writes them
   */
  public static void main(String[] args) {
    PairsOptions options = new PairsOptions();
    RankJob.rank(options, args, job -> run(options, job));
  }

  private static int run(PairsOptions options, Job job) {
    job.domain().bindCurrentThread();
    CollectiveSettings settings = CollectiveSettings.of(job.fabric().settings());
    try (Team team = Team.world(job, 0, settings)) {
      PairsRank rank = new PairsRank(options, job, team);
      if (team.rank() == 0) {
        double perSecond = rank.measure();
        RankJob.screen(job).println("pairs " + rank.pairs + " " + perSecond);
      } else {
        rank.follow();
      }
    }
    return ExitCode.OK;
  }

  /** Rank 0: warms up until it gets no faster, then measures once. */
  private double measure() {
    int half = TransferKind.half(options.window());
    int round = half;
    WarmUp warmUp = new WarmUp(WARM_UP_MIN_NS, WARM_UP_MAX_NS);
    do {
      long roundNs = play(decided(round));
      warmUp.add(roundNs);
      if (roundNs < ROUND_NS && round < MOST_MESSAGES / 2) {
        round *= 2;
      }
    } while (!warmUp.isOver());
    double messageNs = Math.max(1.0, (double) play(decided(round)) / round);
    int halves = (int) (Math.min(MOST_MESSAGES, options.runNs() / messageNs) / half);
    int messages = Math.max(1, halves) * half;
    long elapsedNs = play(decided(messages));
    decided(OVER);
    return (double) pairs * messages * 1e9 / elapsedNs;
  }

  private void follow() {
    for (int messages = decided(OVER); messages != OVER; messages = decided(OVER)) {
      play(messages);
    }
  }

  /** All pairs at once; the nanoseconds from the moment all begin until all have ended. */
  private long play(int messages) {
    await(team.barrier());
    long beginNs = System.nanoTime();
    if (sends) {
      Exchange.stream(end, options.bytes(), messages, options.window(), new Histogram(1));
    } else {
      Exchange.drain(end, options.bytes(), messages, options.window());
    }
    await(team.barrier());
    return System.nanoTime() - beginNs;
  }

  /** What rank 0 has decided. */
  private int decided(int own) {
    Elements decision = Elements.of(own);
    await(team.broadcast(decision, 0));
    return decision.ints()[0];
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
