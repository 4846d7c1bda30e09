package io.tagfabric.bench.ours;

import akka.actor.typed.ActorSystem;
import io.tagfabric.bench.measure.Budget;
import io.tagfabric.bench.measure.Spending;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Measures access to remote memory, in this JVM or between two ranks that it starts. */
public final class RmaBench {
  private static final int LEAST_COUNT = 10;
  private static final int MOST_COUNT = 50_000_000;

  private final RmaOptions options;
  private PrintWriter progress;
  private boolean wrong;

  public RmaBench(RmaOptions options) {
    this.options = options;
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public int start(CommandLine command) {
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    if (!options.isLocal()) {
      return RankJob.start(RmaRank.class, options);
    }
    try {
      measureHere(command.getOut(), command.getErr());
      return wrong ? ExitCode.FAILED : ExitCode.OK;
    } catch (FabricException failure) {
      command.getErr().println("bench: " + failure.getMessage());
      return ExitCode.FAILED;
    }
  }

  private void measureHere(PrintWriter out, PrintWriter err) {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-bench", Depths.config(0));
    try {
      Fabric fabric = Fabric.get(system);
      ProgressSettings chosen = options.progress(fabric.progressDefaults());
      Domain first = fabric.openDomain("near", chosen);
      Domain second = fabric.openDomain("far", chosen);
      Endpoint a = first.openEndpoint("near");
      Endpoint b = second.openEndpoint("far");
      int peerOfA = first.addressVector().insert(b.address());
      int peerOfB = second.addressVector().insert(a.address());
      CompletableFuture<Void> far =
          CompletableFuture.runAsync(
              () -> serve(side(second, b, peerOfB)), task -> new Thread(task, "far").start());
      measure(side(first, a, peerOfA), out, err);
      far.join();
      first.close();
      second.close();
    } finally {
      LocalSystem.end(system);
    }
  }

  /** A side as the options say. */
  RmaSide side(Domain domain, Endpoint endpoint, int peer) {
    int longest = options.sizes.stream().mapToInt(size -> size).max().orElse(0);
    int bytes = Math.max(longest, RmaSide.WORDS * Long.BYTES);
    return new RmaSide(domain, endpoint, peer, bytes, options.memory == BenchOptions.Memory.FABRIC);
  }

  /** What the far side does. */
  static void serve(RmaSide side) {
    side.meet();
    side.serve();
  }

  /** What the near side does; whether all sums were right. */
  boolean measure(RmaSide side, PrintWriter out, PrintWriter err) {
    progress = err;
    side.meet();
    Rows rows =
        new Rows(
            out,
            options.json,
            "%-12s  %8s  %10s  %10s  %10s  %12s  %10s  %-7s  %-8s",
            "op",
            "bytes",
            "usec=usec",
            "usec_min=min",
            "usec_max=max",
            "mb_per_s=MB/sec",
            "mops=Mops/sec",
            "reach",
            "provider");
    for (RmaOp op : options.operations()) {
      err.println("bench rma: " + op);
      err.flush();
      switch (op) {
        case FETCH_ADD -> {
          add(side, RmaSide.WORDS, rows);
          add(side, 1, rows);
        }
        case TAGGED -> measure(side, op, Long.BYTES, rows);
        default -> options.sizes.forEach(bytes -> measure(side, op, bytes, rows));
      }
    }
    side.end();
    return !wrong;
  }

  private void measure(RmaSide side, RmaOp op, int bytes, Rows rows) {
    IntToLongFunction run =
        count ->
            switch (op) {
              case WRITE -> side.write(bytes, count);
              case READ -> side.read(bytes, count);
              case TAGGED -> side.tagged(count);
              default -> side.signal(bytes, count);
            };
    int count = count(run);
    double perCount = op == RmaOp.WRITE_SIGNAL || op == RmaOp.TAGGED ? 2 : 1;
    double[] usec = new double[options.runs()];
    Spending spending = new Spending();
    for (int i = 0; i < usec.length; i++) {
      spending.begin();
      usec[i] = run.applyAsLong(count) / 1e3 / count / perCount;
      spending.end(count * perCount);
    }
    Map<String, Object> row = row(op.toString(), bytes, usec, side);
    row.putAll(spending.perMessage());
    row.put("mb_per_s", bytes / (double) row.get("usec"));
    row.put("iters", count);
    rows.add(row);
  }

  /**
   * Warms up, by the clock and by the compilers' count of calls: two ranks that poll leave them
   * little time. As many as fill a run.
   */
  private int count(IntToLongFunction run) {
    Budget budget = Budget.FULL;
    long wantedNs = TimeUnit.MILLISECONDS.toNanos(options.runMs);
    long leastNs = Math.min(budget.warmUpMinNs(), wantedNs);
    long mostNs = budget.warmUpMaxNs();
    int count = LEAST_COUNT;
    long spentNs = 0;
    long calls = 0;
    double each;
    do {
      long runNs = run.applyAsLong(count);
      spentNs += runNs;
      calls += count;
      each = Math.max(1, runNs) / (double) count;
      count = (int) Math.max(LEAST_COUNT, Math.min(MOST_COUNT, wantedNs / (4 * each)));
    } while (spentNs < leastNs || (spentNs < mostNs && calls < budget.warmUpIterations()));
    return (int) Math.max(LEAST_COUNT, Math.min(MOST_COUNT, wantedNs / each));
  }

  private void add(RmaSide side, int words, Rows rows) {
    int count = count(each -> checked(side, words, each).spentNs());
    double[] usec = new double[options.runs()];
    Spending spending = new Spending();
    for (int i = 0; i < usec.length; i++) {
      spending.begin();
      usec[i] = checked(side, words, count).spentNs() / 1e3 / count;
      spending.end(count);
    }
    Map<String, Object> row = row(words == 1 ? "add-one" : "add-random", Long.BYTES, usec, side);
    row.putAll(spending.perMessage());
    row.put("words", words);
    row.put("iters", count);
    row.put("sum_right", !wrong);
    rows.add(row);
  }

  private RmaSide.Added checked(RmaSide side, int words, int count) {
    RmaSide.Added added = side.add(words, count);
    if (added.sum() != added.due()) {
      wrong = true;
      progress.println("bench rma: sum=" + added.sum() + " is not " + added.due());
    }
    return added;
  }

  private Map<String, Object> row(String op, int bytes, double[] usec, RmaSide side) {
    Arrays.sort(usec);
    double middle = usec[usec.length / 2];
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("op", op);
    row.put("bytes", bytes);
    row.put("usec", middle);
    row.put("usec_min", usec[0]);
    row.put("usec_max", usec[usec.length - 1]);
    row.put("mops", 1 / middle);
    row.put("reach", side.reach());
    row.put("provider", side.provider());
    row.put("memory", EnumNames.of(options.memory));
    row.put("progress", EnumNames.of(options.progress));
    row.put("runs", options.runs());
    return row;
  }
}
