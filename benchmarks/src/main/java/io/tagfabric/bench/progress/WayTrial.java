package io.tagfabric.bench.progress;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.progress.ProgressThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures one way to make progress: two domains of it in this JVM, an application thread for each.
 * What a row says is of the first domain.
 *
 * <p>Three phases. Idle: no thread of the application calls. Busy: the threads send a message to
 * and fro and block for each. Computing: the first thread has posted receives and computes, without
 * a call, while long messages come for them.
 */
final class WayTrial {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MAX_ROUNDS = 2_000_000;
  private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  private final ProgressWay way;
  private final TrialTimes times;

  /** What has been used of a domain up to a moment. */
  private record Usage(long atNs, long passes, long wakeUps, long callerCpuNs, long threadCpuNs) {}

  WayTrial(ProgressWay way, TrialTimes times) {
    this.way = way;
    this.times = times;
  }

  Figures measure() {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-progress", ConfigFactory.empty());
    try {
      Fabric fabric = Fabric.get(system);
      ProgressSettings settings = way.of(fabric.progressDefaults());
      Domain near = fabric.openDomain("near", settings);
      Domain far = fabric.openDomain("far", settings);
      Figures figures = measure(near, far);
      near.close(Duration.ZERO);
      far.close(Duration.ZERO);
      return figures;
    } finally {
      LocalSystem.end(system);
    }
  }

  private Figures measure(Domain near, Domain far) {
    Endpoint here = near.openEndpoint("here");
    Endpoint there = far.openEndpoint("there");
    WaitingEnd first = new WaitingEnd(here, near.addressVector().insert(there.address()));
    WaitingEnd second = new WaitingEnd(there, far.addressVector().insert(here.address()));
    long[] passes = new long[1];
    near.loop()
        .addPoll(
            () -> {
              passes[0]++;
              return 0;
            });
    CompletableFuture<Void> echo = start("echo", second::echo);
    pingFor(first, times.warmUpNs());

    // After the messages: a domain that has just been opened has other things to do.
    LockSupport.parkNanos(SETTLE_NS);
    Usage idleFrom = usage(near, passes);
    sleep(times.idleNs());
    Usage idleTo = usage(near, passes);

    Usage busyFrom = usage(near, passes);
    long[] halfNs = pingFor(first, times.busyNs());
    Usage busyTo = usage(near, passes);
    first.sendLast();
    near.loop().advance();
    echo.join();

    double[] deliveredMs = new double[times.computations()];
    long cpuNs = 0;
    long elapsedNs = 0;
    for (int i = 0; i < deliveredMs.length; i++) {
      Usage from = usage(near, passes);
      deliveredMs[i] = deliverWhileComputing(first, second, near) / 1e6;
      Usage to = usage(near, passes);
      cpuNs += to.threadCpuNs() - from.threadCpuNs();
      elapsedNs += to.atNs() - from.atNs();
    }
    Arrays.sort(deliveredMs);
    Arrays.sort(halfNs);
    return new Figures(
        halfNs[halfNs.length / 2] / 1e3,
        halfNs[(int) (halfNs.length * 0.99)] / 1e3,
        perSecond(busyFrom, busyTo, busyTo.passes() - busyFrom.passes()),
        perSecond(busyFrom, busyTo, busyTo.wakeUps() - busyFrom.wakeUps()),
        percent(busyFrom, busyTo, busyTo.callerCpuNs() - busyFrom.callerCpuNs()),
        percent(busyFrom, busyTo, busyTo.threadCpuNs() - busyFrom.threadCpuNs()),
        perSecond(idleFrom, idleTo, idleTo.wakeUps() - idleFrom.wakeUps()),
        percent(idleFrom, idleTo, idleTo.threadCpuNs() - idleFrom.threadCpuNs()),
        deliveredMs[deliveredMs.length / 2],
        times.computingNs() / 1e6,
        100.0 * cpuNs / elapsedNs);
  }

  private static double perSecond(Usage from, Usage to, long count) {
    return count * 1e9 / (to.atNs() - from.atNs());
  }

  private static double percent(Usage from, Usage to, long cpuNs) {
    return 100.0 * cpuNs / (to.atNs() - from.atNs());
  }

  /** Half round trips, in nanoseconds, for a time; at least one. */
  static long[] pingFor(WaitingEnd end, long forNs) {
    long[] halfNs = new long[1024];
    int rounds = 0;
    long beginNs = System.nanoTime();
    long fromNs = beginNs;
    while (rounds == 0 || (fromNs - beginNs < forNs && rounds < MAX_ROUNDS)) {
      end.ping();
      long toNs = System.nanoTime();
      if (rounds == halfNs.length) {
        halfNs = Arrays.copyOf(halfNs, 2 * rounds);
      }
      halfNs[rounds++] = (toNs - fromNs) / 2;
      fromNs = toNs;
    }
    return Arrays.copyOf(halfNs, rounds);
  }

  /** How long a long message takes while its receiver computes, in nanoseconds. */
  private long deliverWhileComputing(WaitingEnd receiver, WaitingEnd sender, Domain receiving) {
    receiver.postLong();
    receiving.loop().advance();
    long[] deliveredNs = new long[1];
    long beginNs = System.nanoTime();
    CompletableFuture<Void> sending =
        start(
            "sender",
            () -> {
              sender.sendLong();
              deliveredNs[0] = System.nanoTime() - beginNs;
            });
    compute(times.computingNs());
    receiver.awaitReceived();
    receiving.loop().advance(); // the sender hears of it, also where nobody else drives
    awaitDriving(sending, receiving);
    return deliveredNs[0];
  }

  private static void awaitDriving(CompletableFuture<Void> other, Domain domain) {
    while (!other.isDone()) {
      domain.loop().advance();
      Thread.yield();
    }
    other.join();
  }

  /** Computes without a call of the library. */
  private static void compute(long forNs) {
    long beginNs = System.nanoTime();
    double sum = 0;
    for (int i = 1; System.nanoTime() - beginNs < forNs; i++) {
      for (int j = 0; j < 1000; j++) {
        sum += Math.sqrt(i + j);
      }
    }
    if (sum == 0) {
      throw new AssertionError("nothing was computed");
    }
  }

  static void sleep(long forNs) {
    long untilNs = System.nanoTime() + forNs;
    long leftNs = forNs;
    while (leftNs > 0) {
      LockSupport.parkNanos(leftNs);
      leftNs = untilNs - System.nanoTime();
    }
  }

  static CompletableFuture<Void> start(String name, Runnable work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
                done.complete(null);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            },
            "progress-" + name);
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  /** The question itself wakes a progress thread once. */
  private Usage usage(Domain domain, long[] passes) {
    ProgressSettings settings = domain.progressSettings();
    boolean hasThread = settings.mode() == ProgressMode.AUTO && !settings.pacing().deferred();
    long wakeUps = hasThread ? state(domain).sleeps() : 0;
    long threadCpuNs = hasThread ? cpuNs("tagfabric-progress-" + domain.name()) : 0;
    return new Usage(
        System.nanoTime(), passes[0], wakeUps, clock.getCurrentThreadCpuTime(), threadCpuNs);
  }

  static ProgressThread.State state(Domain domain) {
    return domain
        .futures()
        .ask(domain.progress(), ProgressThread.GetState::new, PATIENCE)
        .toCompletableFuture()
        .join();
  }

  private long cpuNs(String thread) {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().equals(thread)) {
        return clock.getThreadCpuTime(each.getId());
      }
    }
    throw new IllegalStateException("there is no thread " + thread);
  }
}
