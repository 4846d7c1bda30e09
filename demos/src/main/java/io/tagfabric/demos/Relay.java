package io.tagfabric.demos;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.job.Job;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.Locale;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A baton goes around all ranks, and no rank does anything for it: each has armed "send it on when
 * my counter of receives reaches k" for every lap, and then waits once, for its last lap.
 *
 * <p>Run it: {@code tagfabric run -n 3 relay}
 *
 * @source libfabric fi_trigger(3), chained deferred work
 */
@Command(name = "relay", description = "A baton goes around by operations that counters start.")
public final class Relay extends HelpOption {
  private static final int BYTES = Long.BYTES;
  private static final SendOptions SILENT =
      SendOptions.DEFAULT.at(CompletionLevel.TRANSMIT).silent();

  @Option(
      names = "--laps",
      paramLabel = "N",
      defaultValue = "100",
      description = "How often the baton goes around (default: ${DEFAULT-VALUE}).")
  private int laps;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long a rank waits for its last lap (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  private long calls;

  private Relay() {}

  public static void main(String[] args) {
    Relay relay = new Relay();
    Arguments.parse(
        relay,
        args,
        size -> relay.laps < 1 || relay.laps > 1 << 20 ? "--laps must be 1 to 1048576" : null);
    Job.run(args, relay::run);
  }

  private int run(Job job) {
    Counter received = job.domain().openCounter();
    CompletionQueue sends = job.domain().openCompletionQueue(laps + 1);
    CompletionQueue receives = job.domain().openCompletionQueue(laps + 1);
    Endpoint endpoint =
        job.domain()
            .openEndpoint(
                nameOf(job.rank()),
                EndpointBindings.to(sends, receives).countingReceives(received));
    job.fabric().register(nameOf(job.rank()), endpoint).toCompletableFuture().join();
    int next =
        job.domain().connect(nameOf((job.rank() + 1) % job.size())).toCompletableFuture().join();
    UnsafeBuffer came = new UnsafeBuffer(new byte[laps * BYTES]);
    UnsafeBuffer goes = new UnsafeBuffer(new byte[laps * BYTES]);
    arm(job.rank() == 0, endpoint, received, next, came, goes);
    job.barrier();

    long armed = calls;
    long beginNs = System.nanoTime();
    if (job.rank() == 0) {
      require(endpoint.post(TaggedSend.of(next, goes, 0, BYTES, 0).with(SILENT), null));
    }
    long started = calls;
    boolean all = received.await(laps, Duration.ofSeconds(timeoutSeconds));
    long elapsedNs = System.nanoTime() - beginNs;
    if (!all || calls != started) {
      throw new IllegalStateException("laps=" + received.value() + " of " + laps + " have ended");
    }
    check(came);
    System.out.printf(
        Locale.ROOT,
        "rank %d: %d calls before the start, %d for it, %d in %d laps; %.1f us a hop%n",
        job.rank(),
        armed,
        started - armed,
        calls - started,
        laps,
        elapsedNs / 1e3 / laps / job.size());
    job.barrier();
    endpoint.close(Duration.ofSeconds(timeoutSeconds)).toCompletableFuture().join();
    received.close();
    return 0;
  }

  private static String nameOf(int rank) {
    return "relay-" + rank;
  }

  /** Posts a receive for each lap, and defers the sends that they start. */
  private void arm(
      boolean starts,
      Endpoint endpoint,
      Counter received,
      int next,
      UnsafeBuffer came,
      UnsafeBuffer goes) {
    for (int lap = 0; lap < laps; lap++) {
      goes.putLong(lap * BYTES, lap);
      require(
          endpoint.post(
              TaggedReceive.of(TagSelector.exact(lap))
                  .into(came, lap * BYTES, BYTES)
                  .completions(Completions.ERRORS),
              "lap " + lap));
      // The one that starts sends lap 0 itself, and nothing after the last.
      boolean sendsOn = !starts || lap > 0;
      if (sendsOn) {
        int threshold = starts ? lap : lap + 1;
        calls++;
        received.defer(
            threshold,
            endpoint
                .deferred()
                .send(
                    TaggedSend.of(next, goes, lap * BYTES, BYTES, lap).with(SILENT), "lap " + lap));
      }
    }
  }

  private void require(Posted posted) {
    calls++;
    if (posted != Posted.POSTED) {
      throw new IllegalStateException("no slot in a queue of " + (laps + 1));
    }
  }

  private void check(UnsafeBuffer came) {
    for (int lap = 0; lap < laps; lap++) {
      if (came.getLong(lap * BYTES) != lap) {
        throw new IllegalStateException(
            "lap=" + lap + " brought baton=" + came.getLong(lap * BYTES));
      }
    }
  }
}
