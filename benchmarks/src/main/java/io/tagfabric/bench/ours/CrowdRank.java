package io.tagfabric.bench.ours;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** The program of many ranks: rank 0 says which of them send to whom, and for how long. */
public final class CrowdRank {
  private static final long ORDER = 23;
  private static final long RESULT = 24;

  /** From the order until a run counts: all have begun by then. */
  private static final long LEAD_NS = 100_000_000L;

  private final CrowdOptions options;
  private final Job job;
  private final Endpoint endpoint;
  private final Arrivals arrivals;
  private final StreamSink sink;

  private CrowdRank(CrowdOptions options, Job job) {
    this.options = options;
    this.job = job;
    endpoint = job.endpoint();
    arrivals = new Arrivals(endpoint.receiveQueue(), options.waiting);
    sink = new StreamSink(endpoint, arrivals, options.window);
  }

  private static CrowdOptions optionsOf(Crowd crowd) {
    return switch (crowd) {
      case FAN_IN -> new FanInOptions();
      case PAIRS -> new CrowdedPairsOptions();
    };
  }

  /** Starts the ranks; gives the exit code of the job. */
  static int start(CrowdOptions options) {
    return RankJob.startMany(
        options.ranks(), CrowdRank.class, options, options.crowd().name(), options.deadline());
  }

  /**
   * @param args who sends to whom, then options as {@link CrowdOptions#arguments} writes them
   */
  public static void main(String[] args) {
    CrowdOptions options = optionsOf(Crowd.valueOf(args[0]));
    RankJob.rank(
        options,
        ConfigFactory.parseResources("tagfabric-bench-crowd.conf"),
        Arrays.copyOfRange(args, 1, args.length),
        job -> new CrowdRank(options, job).run());
  }

  private int run() {
    job.domain().bindCurrentThread();
    if (job.rank() > 0) {
      serve();
      return ExitCode.OK;
    }
    PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
    new CrowdBench(options, this::lead).measure(RankJob.screen(job), err);
    for (int rank = 1; rank < job.size(); rank++) {
      send(rank, StreamOrder.END.encode(), ORDER);
    }
    return ExitCode.OK;
  }

  // ---- rank 0 ----

  private double[] lead(int group, Duration length) {
    prepare(group);
    long beginNs = System.nanoTime() + LEAD_NS;
    StreamOrder order = new StreamOrder(group, beginNs, beginNs + length.toNanos());
    int ranks = options.crowd().ranks(group);
    for (int rank = ranks - 1; rank > 0; rank--) {
      send(rank, order.encode(), ORDER);
    }
    double[] rates = receive(order).rates();
    for (int rank = 1; rank < ranks; rank++) {
      if (options.crowd().sourcesOf(rank, group).length > 0) {
        rates = joined(rates, StreamResult.of(receiveFrom(rank, RESULT)).rates());
      }
    }
    return rates;
  }

  private static double[] joined(double[] some, double[] others) {
    double[] all = Arrays.copyOf(some, some.length + others.length);
    System.arraycopy(others, 0, all, some.length, others.length);
    return all;
  }

  // ---- all others ----

  private void serve() {
    StreamSource source = null;
    while (true) {
      StreamOrder order = StreamOrder.of(receiveFrom(0, ORDER));
      if (order.group() == 0) {
        return;
      }
      int target = options.crowd().targetOf(job.rank(), order.group());
      if (target == Crowd.NONE) {
        prepare(order.group());
        send(0, receive(order).encode(), RESULT);
        continue;
      }
      if (source == null) {
        source = new StreamSource(endpoint, arrivals, job.peer(target), options.window);
      }
      source.run();
    }
  }

  // ---- both ----

  private int[] peers(int group) {
    return Arrays.stream(options.crowd().sourcesOf(job.rank(), group)).map(job::peer).toArray();
  }

  private void prepare(int group) {
    sink.prepare(peers(group));
  }

  private StreamResult receive(StreamOrder order) {
    return sink.run(peers(order.group()), order);
  }

  private void send(int rank, byte[] bytes, long tag) {
    endpoint.futures().sendTagged(job.peer(rank), bytes, tag).toCompletableFuture().join();
  }

  private byte[] receiveFrom(int rank, long tag) {
    CompletableFuture<byte[]> received =
        endpoint
            .futures()
            .receiveTagged(TagSelector.exact(tag).from(job.peer(rank)))
            .thenApply(message -> message.payload().array())
            .toCompletableFuture();
    return received.join();
  }
}
