package io.tagfabric.bench.progress;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.Posted;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Floods a domain from both sides: four threads post as much as its peer takes, and the peer sends
 * as much as the domain takes. No thread waits in the domain, so the progress thread has work
 * without end.
 */
final class FloodTrial {
  private static final int POSTERS = 4;
  private static final int RECEIVES = 64;
  private static final int BYTES = 8;
  private static final long TAG = 3;

  /** A thread posts so many messages, then leaves its core to others for a moment. */
  private static final int BURST = 32;

  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Config config;
  private final ProgressWay way;
  private final TrialTimes times;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private volatile boolean over;

  /**
   * What was measured.
   *
   * @param messages of both directions meanwhile
   * @param wakeUps returns of the progress thread from a park meanwhile
   * @param seconds how long that was
   */
  record Flood(long messages, long wakeUps, double seconds) {
    double messagesPerSecond() {
      return messages / seconds;
    }

    double wakeUpsPerSecond() {
      return wakeUps / seconds;
    }
  }

  FloodTrial(ProgressWay way, TrialTimes times) {
    this(way, times, ConfigFactory.empty());
  }

  /** The same with settings of its ActorSystem. */
  FloodTrial(ProgressWay way, TrialTimes times, Config config) {
    this.config = config;
    this.way = way;
    this.times = times;
  }

  /**
   * Floods, and waits until all that was sent has come.
   *
   * @throws FabricException TIMED_OUT if a message is missing
   */
  Flood measure() {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-progress", config);
    try {
      Fabric fabric = Fabric.get(system);
      ProgressSettings settings = way.of(fabric.progressDefaults());
      Domain near = fabric.openDomain("near", settings);
      Domain far = fabric.openDomain("far");
      Flood flood = measure(near, far);
      near.close(Duration.ZERO);
      far.close(Duration.ZERO);
      return flood;
    } finally {
      LocalSystem.end(system);
    }
  }

  private Flood measure(Domain near, Domain far) {
    Endpoint here = near.openEndpoint("here");
    Endpoint there = far.openEndpoint("there");
    int toThere = near.addressVector().insert(there.address());
    int toHere = far.addressVector().insert(here.address());
    for (int i = 0; i < RECEIVES; i++) {
      new Taker(here).post();
      new Taker(there).post();
    }
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < POSTERS; i++) {
      threads.add(WayTrial.start("poster-" + i, () -> post(here, toThere)));
    }
    threads.add(WayTrial.start("flood", () -> post(there, toHere)));
    WayTrial.sleep(times.warmUpNs());

    long wakeUps = WayTrial.state(near).sleeps();
    long messages = received.get();
    long beginNs = System.nanoTime();
    WayTrial.sleep(times.busyNs());
    while (received.get() == messages && System.nanoTime() - beginNs < PATIENCE.toNanos()) {
      WayTrial.sleep(times.busyNs()); // a busy machine may not have come to it
    }
    messages = received.get() - messages;
    wakeUps = WayTrial.state(near).sleeps() - wakeUps;
    double seconds = (System.nanoTime() - beginNs) / 1e9;

    over = true;
    threads.forEach(CompletableFuture::join);
    awaitAll();
    return new Flood(messages, wakeUps, seconds);
  }

  private void post(Endpoint from, int peer) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[BYTES]);
    while (!over) {
      int posted = 0;
      while (posted < BURST && from.injectTagged(peer, bytes, 0, BYTES, TAG) == Posted.POSTED) {
        posted++;
      }
      sent.addAndGet(posted);
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  private void awaitAll() {
    long beginNs = System.nanoTime();
    while (received.get() < sent.get()) {
      if (System.nanoTime() - beginNs > PATIENCE.toNanos()) {
        throw new FabricException(
            FabricError.TIMED_OUT,
            "messages=" + received.get() + " of " + sent.get() + " have come after " + PATIENCE);
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /** Takes one message after another. */
  private final class Taker implements ReceiveListener {
    private final Endpoint endpoint;

    Taker(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    void post() {
      endpoint.port().receive(TaggedReceive.of(TagSelector.exact(TAG)).atMost(BYTES), this);
    }

    @Override
    public void onReceived(TaggedMessage message) {
      received.incrementAndGet();
      post();
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      // The endpoint closes; what is missing then is seen by the count.
    }
  }
}
