package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.CpuTime;
import io.tagfabric.bench.measure.End;
import io.tagfabric.bench.measure.Exchange;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.error.FabricException;
import io.tagfabric.report.Comparison;
import io.tagfabric.report.Rows;
import io.tagfabric.report.Sizes;
import io.tagfabric.report.WarmUp;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Measures the processor time that both ends of a message take together, beside a plain socket: one
 * thread drives both ends, so that what others do on the machine does not count.
 */
public final class CpuBench {
  private static final String SOCKET = "socket";
  private static final int STREAM_BYTES = 8;
  private static final int MOST_COUNT = 1 << 25;
  private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int LEAST_WARM_UP_RUNS = 5;
  private static final int MOST_WARM_UP_RUNS = 30;

  private final CpuOptions options;
  private final PrintWriter progress;
  private final Rows rows;
  private final CpuTime cpu = new CpuTime();

  /** What is measured: a ping-pong, or a stream with so many messages in flight. */
  private record Work(TransferKind kind, int bytes, int window) {
    /** Microseconds of a message. */
    double usec(long spentNs, int iterations) {
      return spentNs / 1e3 / iterations / kind.transfersPerIteration();
    }

    String test() {
      return kind == TransferKind.LATENCY ? "ping-pong" : "stream";
    }

    @Override
    public String toString() {
      String size = test() + " " + Sizes.format(bytes);
      return kind == TransferKind.LATENCY ? size : size + ", " + window + " in flight";
    }
  }

  /** Two ends that one thread drives. */
  private record Ends(End near, End far) {}

  /** Microseconds of a message, by run. */
  private static final class Figures {
    final Work work;
    final int ourCount;
    final int socketCount;
    final double[] ours;
    final double[] others;
    final double[] socket;

    Figures(Work work, int ourCount, int socketCount, int runs) {
      this.work = work;
      this.ourCount = ourCount;
      this.socketCount = socketCount;
      ours = new double[runs];
      others = new double[runs];
      socket = new double[runs];
    }
  }

  private CpuBench(CpuOptions options, PrintWriter out, PrintWriter progress) {
    this.options = options;
    this.progress = progress;
    rows =
        new Rows(
            out,
            options.json,
            "%-9s  %8s  %6s  %-8s  %9s  %8s  %8s  %8s  %11s  %8s  %8s  %8s",
            "test",
            "bytes",
            "window",
            "provider",
            "cpu_usec",
            "cpu_usec_min=min",
            "cpu_usec_max=max",
            "others_usec=others",
            "socket_usec",
            "ratio_median=ratio",
            "ratio_min=min",
            "ratio_max=max");
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public static int start(CpuOptions options, CommandLine command) {
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    SocketEnd[] sockets = SocketEnd.pair();
    try (SocketEnd near = sockets[0];
        DrivenPair pair = new DrivenPair(options)) {
      new CpuBench(options, command.getOut(), command.getErr())
          .measure(new Ends(pair.near(), pair.far()), new Ends(near, sockets[1]));
      return ExitCode.OK;
    } catch (FabricException failure) {
      command.getErr().println("bench: " + failure.getMessage());
      return ExitCode.FAILED;
    }
  }

  /** Everything is warm before the first run counts, since most of the code is everywhere. */
  private void measure(Ends ours, Ends socket) {
    List<Figures> all = new ArrayList<>();
    for (Work work : works()) {
      say("warm-up " + (all.size() + 1) + "/" + works().size() + ", " + work);
      all.add(new Figures(work, count(work, ours), count(work, socket), options.runs()));
    }
    for (int run = 0; run < options.runs(); run++) {
      say("run " + (run + 1) + "/" + options.runs());
      for (Figures each : all) {
        CpuTime.Spent spent = run(each.work, ours, each.ourCount);
        each.ours[run] = each.work.usec(spent.allNs(), each.ourCount);
        each.others[run] = each.work.usec(spent.othersNs(), each.ourCount);
        spent = run(each.work, socket, each.socketCount);
        each.socket[run] = each.work.usec(spent.ownNs(), each.socketCount);
      }
    }
    all.forEach(this::add);
  }

  private List<Work> works() {
    return Stream.concat(
            options.sizes.stream().map(bytes -> new Work(TransferKind.LATENCY, bytes, 1)),
            options.windows.stream()
                .map(window -> new Work(TransferKind.RATE, STREAM_BYTES, window)))
        .toList();
  }

  private void say(String what) {
    progress.println("bench cpu: " + what);
    progress.flush();
  }

  private void add(Figures figures) {
    Comparison beside = Comparison.of(SOCKET, "cpu_usec", figures.ours, figures.socket);
    Work work = figures.work;
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("test", work.test());
    row.put("bytes", work.bytes());
    row.put("window", work.window());
    row.put("provider", options.provider);
    row.put("memory", EnumNames.of(options.memory));
    row.put("cpu_usec", beside.ours());
    row.put("cpu_usec_min", Arrays.stream(figures.ours).min().orElseThrow());
    row.put("cpu_usec_max", Arrays.stream(figures.ours).max().orElseThrow());
    Arrays.sort(figures.others);
    row.put("others_usec", figures.others[figures.others.length / 2]);
    row.put("socket_usec", beside.theirs());
    row.put("socket_usec_min", Arrays.stream(figures.socket).min().orElseThrow());
    row.put("socket_usec_max", Arrays.stream(figures.socket).max().orElseThrow());
    row.put("ratio_median", beside.ratioMedian());
    row.put("ratio_min", beside.ratioMin());
    row.put("ratio_max", beside.ratioMax());
    row.put("runs", options.runs());
    rows.add(row);
  }

  private CpuTime.Spent run(Work work, Ends ends, int count) {
    Histogram unused = new Histogram(1);
    cpu.begin();
    if (work.kind() == TransferKind.LATENCY) {
      Exchange.pingAlone(ends.near(), ends.far(), work.bytes(), count, unused);
    } else {
      Exchange.streamAlone(ends.near(), ends.far(), work.bytes(), count, work.window(), unused);
    }
    return cpu.end();
  }

  /** Warms up until it takes no less; as many as fill a run, in whole half windows. */
  private int count(Work work, Ends ends) {
    long runNs = TimeUnit.MILLISECONDS.toNanos(options.runMs);
    WarmUp warmUp = new WarmUp(LEAST_WARM_UP_RUNS * runNs, MOST_WARM_UP_RUNS * runNs);
    int half = work.kind() == TransferKind.LATENCY ? 1 : TransferKind.half(work.window());
    int count = half;
    long spentNs;
    do {
      spentNs = Math.max(1, run(work, ends, count).allNs());
      if (spentNs < Math.min(runNs, ROUND_NS) && count < MOST_COUNT) {
        count *= 2;
      }
      warmUp.add(spentNs);
    } while (!warmUp.isOver());
    double wanted = Math.min(MOST_COUNT, (double) runNs * count / spentNs);
    return Math.max(1, (int) (wanted / half)) * half;
  }
}
