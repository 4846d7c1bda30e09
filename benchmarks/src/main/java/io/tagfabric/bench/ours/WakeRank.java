package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Pause;
import io.tagfabric.bench.measure.Spending;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.link.Posted;
import io.tagfabric.report.Rows;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The program of the two ranks: after each gap rank 0 sends a message to rank 1, which has slept,
 * and waits for the answer.
 */
public final class WakeRank {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long TAG = 7;
  private static final long PING = -1;
  private static final long CPU = -2;
  private static final long END = -3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration IDLE = Duration.ofSeconds(2);
  private static final int WARM_UP_MESSAGES = 20_000;

  /** Long enough for both to sleep; the way into sleep and out of it must be compiled too. */
  private static final long WARM_UP_GAP_NS = 150_000;

  private static final int WARM_UP_GAPS = 10_000;

  private final WakeOptions options;
  private final Job job;
  private final Endpoint endpoint;
  private final int other;
  private final UnsafeBuffer outgoing = new UnsafeBuffer(new byte[Long.BYTES]);
  private final UnsafeBuffer incoming = new UnsafeBuffer(new byte[Long.BYTES]);
  private final CompletionHandler received = WakeRank::requireSuccess;
  private long countingNs;

  /** Half round trips of a run, in nanoseconds. */
  private record Times(double p50, double p99, double mean) {}

  private WakeRank(WakeOptions options, Job job) {
    this.options = options;
    this.job = job;
    endpoint = job.endpoint();
    other = job.peer(1 - job.rank());
  }

  /**
   * @param args options as {@link WakeOptions#arguments} writes them
   */
  public static void main(String[] args) {
    WakeOptions options = new WakeOptions();
    RankJob.rank(options, args, job -> new WakeRank(options, job).run());
  }

  /** Starts the two ranks; gives the exit code of the job. */
  public static int start(WakeOptions options) {
    return RankJob.start(WakeRank.class, options);
  }

  private static void requireSuccess(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
  }

  private int run() {
    if (job.rank() == 1) {
      answer();
      return ExitCode.OK;
    }
    try {
      measure();
      return ExitCode.OK;
    } catch (IOException | InterruptedException failure) {
      job.system().log().error("bench: {}", failure.getMessage());
      return ExitCode.FAILED;
    } finally {
      outgoing.putLong(0, END);
      send();
    }
  }

  // ---- rank 1 ----

  private void answer() {
    while (true) {
      post();
      receive();
      long asked = incoming.getLong(0);
      if (asked == END) {
        return;
      }
      outgoing.putLong(0, asked == CPU ? busyNs() : asked);
      send();
    }
  }

  private void post() {
    while (endpoint.postReceive(incoming, 0, Long.BYTES, TAG, 0, other, null) != Posted.POSTED) {
      Thread.onSpinWait();
    }
  }

  private void send() {
    while (endpoint.injectTagged(other, outgoing, 0, Long.BYTES, TAG) != Posted.POSTED) {
      endpoint.transmitQueue().read(received, 1);
    }
  }

  private void receive() {
    if (endpoint.receiveQueue().readBlocking(received, 1, PATIENCE) == 0) {
      throw new IllegalStateException("nothing has come within " + PATIENCE);
    }
  }

  // ---- rank 0 ----

  private long ask(long what) {
    post();
    outgoing.putLong(0, what);
    send();
    receive();
    return incoming.getLong(0);
  }

  private void measure() throws IOException, InterruptedException {
    for (int i = 0; i < WARM_UP_MESSAGES; i++) {
      ask(PING);
    }
    for (int i = 0; i < WARM_UP_GAPS; i++) {
      Pause.of(WARM_UP_GAP_NS);
      ask(PING);
    }
    List<Times> ours = new ArrayList<>();
    List<Times> theirs = new ArrayList<>();
    Spending spending = new Spending();
    for (int i = 0; i < options.runs(); i++) {
      spending.begin();
      ours.add(ours());
      spending.end(2.0 * options.count); // to and fro
      if (options.program != null) {
        theirs.add(theirs());
      }
    }
    add(ours, theirs, idlePercent(), spending);
  }

  private Times ours() {
    long[] halfNs = new long[options.count];
    long gapNs = options.gap.toNanos();
    for (int i = 0; i < halfNs.length; i++) {
      Pause.of(gapNs);
      long beginNs = System.nanoTime();
      ask(PING);
      halfNs[i] = (System.nanoTime() - beginNs) / 2;
    }
    Arrays.sort(halfNs);
    return new Times(
        halfNs[halfNs.length / 2],
        halfNs[halfNs.length * 99 / 100],
        Arrays.stream(halfNs).average().orElseThrow());
  }

  private Times theirs() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                options.program.toString(),
                Integer.toString(options.count),
                Long.toString(options.gap.toNanos()))
            .redirectErrorStream(true)
            .start();
    try {
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      long mostMs = 10_000 + 2L * options.count * Math.max(1, options.gap.toMillis());
      if (!process.waitFor(mostMs, TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
        throw new IOException(nameOf(options.program) + " has failed: " + printed.strip());
      }
      String[] words = printed.strip().split(" ");
      return new Times(
          Double.parseDouble(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String nameOf(Path program) {
    return program.getFileName().toString();
  }

  /**
   * Time that threads took which make progress: the calling one, and those of domains. The time
   * that counting itself takes is none of it.
   */
  private long busyNs() {
    long beginNs = THREADS.getCurrentThreadCpuTime();
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains("progress.dispatcher")) {
        sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    long endNs = THREADS.getCurrentThreadCpuTime();
    countingNs += endNs - beginNs;
    return sum + endNs - countingNs;
  }

  /** Of one core, by the threads of rank 1 that make progress, while nobody sends. */
  private double idlePercent() {
    ask(CPU); // what asking itself needs is loaded
    long before = ask(CPU);
    long beginNs = System.nanoTime();
    Pause.of(IDLE.toNanos());
    long elapsedNs = System.nanoTime() - beginNs;
    return 100.0 * (ask(CPU) - before) / elapsedNs;
  }

  private void add(List<Times> ours, List<Times> theirs, double idlePercent, Spending spending) {
    Rows rows =
        new Rows(
            RankJob.screen(job),
            options.json,
            "%-8s  %-8s  %8s  %8s  %8s  %8s  %12s  %-6s  %10s  %8s  %8s  %8s",
            "provider",
            "progress",
            "gap_us",
            "p50_us",
            "p99_us",
            "mean_us",
            "idle_percent=idle_cpu_%",
            "peer",
            "peer_p50_us=theirs_p50",
            "ratio",
            "ratio_min=min",
            "ratio_max=max");
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("provider", options.provider);
    row.put("progress", EnumNames.of(options.progress));
    row.put("gap_us", options.gap.toNanos() / 1_000);
    row.put("p50_us", middle(ours.stream().mapToDouble(Times::p50)) / 1e3);
    row.put("p99_us", middle(ours.stream().mapToDouble(Times::p99)) / 1e3);
    row.put("mean_us", middle(ours.stream().mapToDouble(Times::mean)) / 1e3);
    row.put("idle_percent", idlePercent);
    row.putAll(spending.perMessage());
    row.put("runs", options.runs());
    if (!theirs.isEmpty()) {
      double[] ratios = new double[ours.size()];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = ours.get(i).p50() / theirs.get(i).p50();
      }
      Arrays.sort(ratios);
      row.put("peer", "c");
      row.put("peer_p50_us", middle(theirs.stream().mapToDouble(Times::p50)) / 1e3);
      row.put("peer_p99_us", middle(theirs.stream().mapToDouble(Times::p99)) / 1e3);
      row.put("ratio", ratios[ratios.length / 2]);
      row.put("ratio_min", ratios[0]);
      row.put("ratio_max", ratios[ratios.length - 1]);
    }
    rows.add(row);
  }

  private static double middle(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
