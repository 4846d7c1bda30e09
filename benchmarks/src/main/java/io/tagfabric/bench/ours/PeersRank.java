package io.tagfabric.bench.ours;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.job.Job;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The program of the two ranks: rank 1 opens endpoints of which each sends rank 0 one message and
 * nothing more, then answers to what is measured.
 */
public final class PeersRank {
  private static final long GREETING = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final PeersOptions options;
  private final Job job;
  private final RankPair pair;
  private final List<Endpoint> silent = new ArrayList<>();
  private CompletionQueue queue;
  private int met;

  private PeersRank(PeersOptions options, Job job) {
    this.options = options;
    this.job = job;
    pair = new RankPair(job, FabricEnd.Waiting.POLLING, options);
  }

  /**
   * @param args options as {@link PeersOptions#arguments} writes them
   */
  public static void main(String[] args) {
    PeersOptions options = new PeersOptions();
    RankJob.rank(options, args, job -> new PeersRank(options, job).run());
  }

  private int run() {
    job.domain().bindCurrentThread();
    PeersBench bench = job.rank() == 0 ? new PeersBench(options, pair, RankJob.screen(job)) : null;
    for (int count : options.counts) {
      if (bench == null) {
        open(count);
        pair.answer();
      } else {
        meet(count);
        bench.measure(count);
        pair.end();
      }
    }
    return ExitCode.OK;
  }

  /** Rank 1: so many peers there are then that have sent once. */
  private void open(int count) {
    if (options.domains) {
      while (silent.size() < count) {
        // one after the other: rank 0 need not take many connections at once
        Domain domain = job.fabric().openDomain("silent-" + silent.size(), ProgressMode.AUTO);
        join(greet(domain, domain.openCompletionQueue()).toCompletableFuture());
      }
      return;
    }
    if (queue == null) {
      queue = job.domain().openCompletionQueue();
    }
    List<CompletionStage<Completion.Sent>> sent = new ArrayList<>();
    while (silent.size() < count) {
      sent.add(greet(job.domain(), queue));
    }
    sent.forEach(each -> each.toCompletableFuture().join());
  }

  /** Meanwhile the rank's own domain makes progress: its last answer has to leave. */
  private void join(CompletableFuture<?> sent) {
    CompletableFuture<?> woken = sent.whenComplete((unused, failure) -> job.domain().loop().wake());
    if (!job.domain().await(woken::isDone, PATIENCE)) {
      throw new IllegalStateException(
          "peer " + silent.size() + " could not send within " + PATIENCE);
    }
    woken.join();
  }

  /** Opens a peer, which sends what it ever will. */
  private CompletionStage<Completion.Sent> greet(Domain domain, CompletionQueue completions) {
    Endpoint endpoint =
        domain.openEndpoint(
            "silent-" + silent.size(),
            completions,
            completions,
            domain.endpointDefaults().withProviders(List.of(options.provider)));
    silent.add(endpoint);
    int other = domain.addressVector().insert(job.address(0));
    return endpoint.futures().sendTagged(other, new byte[Long.BYTES], GREETING);
  }

  /** Rank 0: hears of those that are new. */
  private void meet(int count) {
    while (met < count) {
      job.endpoint()
          .futures()
          .receiveTagged(TagSelector.exact(GREETING))
          .toCompletableFuture()
          .join();
      met++;
    }
  }
}
