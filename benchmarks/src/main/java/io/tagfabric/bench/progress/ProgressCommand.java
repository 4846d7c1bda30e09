package io.tagfabric.bench.progress;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric progress}. */
@Command(
    name = "progress",
    description = "Measure each way to make progress: what it costs, and what it brings.",
    footer = {
      "",
      "Two domains in this JVM. idle: nothing happens. busy: two threads send 8 bytes",
      "to and fro and block for each message; p50 and p99 are half round trips.",
      "computing: the receiver of a message of 1 MiB computes and calls nothing;",
      "delivered is when the message has come. Wakes are wake-ups of the progress",
      "thread a second, cpu is of one core: of the thread that calls, and of the",
      "progress thread. flood, of auto, rate, interval and exclusive: four threads",
      "post, a peer sends as much as is taken, no thread waits in the domain.",
      "observed: auto, in rounds of all rows; ratios are to the first row of the same",
      "round, of the median half round trip and of the messages a second of a flood;",
      "those of `2nd page` are of two pages to one.",
      "",
      "Example: tagfabric progress --quick"
    })
public final class ProgressCommand implements Callable<Integer> {
  /** Ways with a progress thread that paces itself in different manners. */
  private static final List<String> FLOODED = List.of("auto", "rate", "interval", "exclusive");

  @Option(names = "--quick", description = "All of it within a minute.")
  private boolean quick;

  @Option(
      names = "--observed",
      description =
          "Instead, measure what it costs to record all events, and to show them on one page and on"
              + " two.")
  private boolean observed;

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  @Option(
      names = "--ways",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = "Only these rows, such as manual,auto (default: all).")
  private List<String> names = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (observed) {
      if (!names.isEmpty()) {
        throw new ParameterException(spec.commandLine(), "--ways is not of --observed");
      }
      new ObservedTable(spec.commandLine().getOut(), json).measure(quick ? 3 : 11);
      return ExitCode.OK;
    }
    List<ProgressWay> ways = chosen();
    PrintWriter out = spec.commandLine().getOut();
    TrialTimes times = quick ? TrialTimes.QUICK : TrialTimes.FULL;
    if (!json) {
      out.println(
          "cores "
              + Runtime.getRuntime().availableProcessors()
              + ", computations of "
              + Math.round(times.computingNs() / 1e6)
              + " ms");
      out.println(
          "           ------------------------ busy ------------------------  ----- idle -----"
              + "  -- computing ---");
    }
    Rows rows =
        new Rows(
            out,
            json,
            "%-10s %8.1f %8.1f %10.0f %8.0f %8.0f %8.0f  %8.0f %7.1f  %9.1f %7.1f",
            "way",
            "p50_us=p50 us",
            "p99_us=p99 us",
            "passes_per_s=passes/s",
            "wakes_per_s=wakes/s",
            "caller_pct=caller %",
            "thread_pct=thread %",
            "idle_wakes_per_s=wakes/s",
            "idle_pct=thread %",
            "delivered_ms=deliv. ms",
            "computing_pct=thread %");
    for (ProgressWay way : ways) {
      rows.add(row(way, new WayTrial(way, times).measure()));
    }
    flood(out, ways.stream().filter(way -> FLOODED.contains(way.name())).toList(), times);
    return ExitCode.OK;
  }

  private void flood(PrintWriter out, List<ProgressWay> ways, TrialTimes times) {
    if (!json && !ways.isEmpty()) {
      out.println();
      out.println("flood: four threads post, and a peer sends as much as the domain takes");
    }
    Rows rows =
        new Rows(
            out,
            json,
            "%-10s %12.0f %8.0f",
            "way",
            "flood_messages_per_s=messages/s",
            "flood_wakes_per_s=wakes/s");
    for (ProgressWay way : ways) {
      rows.add(row(way, new FloodTrial(way, times).measure()));
    }
  }

  private List<ProgressWay> chosen() {
    List<String> known = ProgressWay.ALL.stream().map(ProgressWay::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "--ways=" + name + " is unknown, choose from " + String.join(", ", known));
      }
    }
    return ProgressWay.ALL.stream()
        .filter(way -> names.isEmpty() || names.contains(way.name()))
        .toList();
  }

  private static Map<String, Object> row(ProgressWay way, FloodTrial.Flood flood) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("way", way.name());
    row.put("settings", way.settings());
    row.put("flood_seconds", flood.seconds());
    row.put("flood_messages", flood.messages());
    row.put("flood_messages_per_s", flood.messagesPerSecond());
    row.put("flood_wakes", flood.wakeUps());
    row.put("flood_wakes_per_s", flood.wakeUpsPerSecond());
    return row;
  }

  private static Map<String, Object> row(ProgressWay way, Figures figures) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("way", way.name());
    row.put("settings", way.settings());
    row.put("p50_us", figures.p50Us());
    row.put("p99_us", figures.p99Us());
    row.put("passes_per_s", figures.passesPerSecond());
    row.put("wakes_per_s", figures.wakeUpsPerSecond());
    row.put("caller_pct", figures.callerPercent());
    row.put("thread_pct", figures.threadPercent());
    row.put("idle_wakes_per_s", figures.idleWakeUpsPerSecond());
    row.put("idle_pct", figures.idlePercent());
    row.put("delivered_ms", figures.deliveredMs());
    row.put("computing_ms", figures.computingMs());
    row.put("computing_pct", figures.computingPercent());
    return row;
  }
}
