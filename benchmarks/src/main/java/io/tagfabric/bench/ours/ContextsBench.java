package io.tagfabric.bench.ours;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.fabric.ScalableEndpoint;
import io.tagfabric.fabric.ScalableOptions;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * The rate of messages from one scalable endpoint to another in this JVM, by the number of their
 * contexts. A thread for each number drives the context of this number on both sides, which choose
 * each other, so what one address carries should grow with the threads while there are cores.
 */
final class ContextsBench {
  private static final int BATCH = 64;
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(2);
  private static final long RUN_NS = TimeUnit.SECONDS.toNanos(1);

  /** What one thread has done in one run. */
  private record Share(long messages, long cpuNs) {}

  /** One run of all threads. */
  private record Run(List<Share> shares, long elapsedNs) {
    long messages() {
      return shares.stream().mapToLong(Share::messages).sum();
    }

    long cpuNs() {
      return shares.stream().mapToLong(Share::cpuNs).sum();
    }

    double perSecond() {
      return messages() * 1e9 / elapsedNs;
    }

    double cpuPerMessage() {
      return (double) cpuNs() / messages();
    }

    double percent(Share share) {
      return 100.0 * share.cpuNs() / cpuNs();
    }
  }

  private final List<Integer> contexts;
  private final int bytes;
  private final int runs;
  private final boolean json;

  ContextsBench(List<Integer> contexts, int bytes, int runs, boolean json) {
    this.contexts = contexts;
    this.bytes = bytes;
    this.runs = runs;
    this.json = json;
  }

  void measure(PrintWriter out) {
    int cores = Runtime.getRuntime().availableProcessors();
    if (!json) {
      out.println("cores " + cores + ", messages of " + bytes + " bytes, runs " + runs);
    }
    Rows rows =
        new Rows(
            out,
            json,
            "%8s %14.0f %14.0f %14.0f %10.1f %10.2f %10.1f %10.1f",
            "contexts",
            "msgs_per_s",
            "least",
            "most",
            "cpu_ns",
            "cpu_ratio",
            "least_pct",
            "most_pct");
    // The code is as warm for the first number as for the others.
    new ContextsBench(contexts, bytes, 1, json).measure(contexts.get(0));
    double first = 0;
    for (int count : contexts) {
      List<Run> measured = measure(count);
      measured.sort(Comparator.comparingDouble(Run::perSecond));
      Run median = measured.get(measured.size() / 2);
      double cpuNs = measured.stream().mapToDouble(Run::cpuPerMessage).sorted().toArray()[runs / 2];
      first = first == 0 ? cpuNs : first;
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("test", "contexts");
      row.put("cores", cores);
      row.put("bytes", bytes);
      row.put("runs", runs);
      row.put("contexts", count);
      row.put("msgs_per_s", median.perSecond());
      row.put("least", measured.get(0).perSecond());
      row.put("most", measured.get(runs - 1).perSecond());
      row.put("cpu_ns", cpuNs);
      row.put("cpu_ratio", cpuNs / first);
      row.put("least_pct", median.shares().stream().mapToDouble(median::percent).min().orElse(0));
      row.put("most_pct", median.shares().stream().mapToDouble(median::percent).max().orElse(0));
      rows.add(row);
    }
    out.flush();
  }

  private List<Run> measure(int count) {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-bench", ConfigFactory.empty());
    try {
      Fabric fabric = Fabric.get(system);
      ProgressSettings manual = fabric.progressDefaults().withMode(ProgressMode.MANUAL);
      ScalableOptions options = ScalableOptions.of(count).progressing(manual);
      ScalableEndpoint near = fabric.openScalableEndpoint("near", options);
      ScalableEndpoint far = fabric.openScalableEndpoint("far", options);
      List<Run> measured = play(near, far, count);
      near.close(Duration.ZERO);
      far.close(Duration.ZERO);
      return measured;
    } finally {
      LocalSystem.end(system);
    }
  }

  private List<Run> play(ScalableEndpoint near, ScalableEndpoint far, int count) {
    CyclicBarrier together = new CyclicBarrier(count);
    long[][] messages = new long[runs][count];
    long[][] cpuNs = new long[runs][count];
    long[] elapsedNs = new long[runs];
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  Pair pair = new Pair(near, far, number);
                  pair.play(WARM_UP_NS);
                  ThreadMXBean clock = ManagementFactory.getThreadMXBean();
                  for (int run = 0; run < runs; run++) {
                    together.await();
                    long beginNs = System.nanoTime();
                    long cpuBeginNs = clock.getCurrentThreadCpuTime();
                    messages[run][number] = pair.play(RUN_NS);
                    cpuNs[run][number] = clock.getCurrentThreadCpuTime() - cpuBeginNs;
                    together.await();
                    if (number == 0) {
                      elapsedNs[run] = System.nanoTime() - beginNs;
                    }
                  }
                } catch (Throwable e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                  together.reset();
                }
              },
              "bench-context-" + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      join(thread);
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException("a context's thread has failed", failures.get(0));
    }
    List<Run> measured = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      List<Share> shares = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        shares.add(new Share(messages[run][i], cpuNs[run][i]));
      }
      measured.add(new Run(shares, elapsedNs[run]));
    }
    return measured;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while contexts were measured", e);
    }
  }

  /** The contexts of one number on both sides; used by one thread. */
  private final class Pair {
    private final FabricEnd sender;
    private final FabricEnd receiver;

    Pair(ScalableEndpoint near, ScalableEndpoint far, int number) {
      Domain here = near.domains().get(number);
      int whole = here.addressVector().insert(far.address());
      sender =
          new FabricEnd(
              near.contexts().get(number),
              here.addressVector().context(whole, number),
              FabricEnd.Waiting.POLLING,
              Buffers.HEAP);
      receiver =
          new FabricEnd(
              far.contexts().get(number),
              far.domains().get(number).addressVector().insert(near.address()),
              FabricEnd.Waiting.POLLING,
              Buffers.HEAP);
    }

    /** Sends for a time; returns how many messages have come. */
    long play(long forNs) {
      sender.begin(bytes, bytes);
      receiver.begin(bytes, bytes);
      long beginNs = System.nanoTime();
      int sent = 0;
      while (System.nanoTime() - beginNs < forNs) {
        for (int i = 0; i < BATCH; i++) {
          receiver.postReceive();
        }
        for (int i = 0; i < BATCH; i++) {
          sender.send();
        }
        sent += BATCH;
        while (receiver.received() < sent) {
          sender.poll();
          receiver.poll();
        }
      }
      return sent;
    }
  }
}
