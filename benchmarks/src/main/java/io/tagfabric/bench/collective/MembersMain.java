package io.tagfabric.bench.collective;

import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/** The program of the JVM that {@link MembersCommand} starts. */
public final class MembersMain {
  private static final int WARM_UP = 64;
  private static final int WARM_UPS = 3;

  private MembersMain() {}

  /**
   * @param args options as {@link MembersOptions#arguments} writes them
   */
  public static void main(String[] args) {
    MembersOptions options = new MembersOptions();
    new CommandLine(options).parseArgs(args);
    PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
    Rows rows =
        new Rows(
            out,
            options.isJson(),
            "%8s %-10s %10.1f %10.1f %10.2f %10.2f %10.2f %10.2f",
            "ranks",
            "tier",
            "heap_kb",
            "open_us",
            "barrier_us",
            "allreduce_us",
            "agree_us",
            "shrink_us");
    for (int time = 0; time < WARM_UPS; time++) { // the first size must not pay for the compiler
      LargeTeam.measure(WARM_UP, options.tier());
    }
    for (int ranks : options.ranks()) {
      LargeTeam.Costs costs = LargeTeam.measure(ranks, options.tier());
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("test", "members");
      row.put("ranks", ranks);
      row.put("tier", options.tier().key());
      row.put("heap_kb", costs.heapBytes() / 1e3);
      row.put("open_us", costs.openUs());
      row.put("barrier_us", costs.barrierUs());
      row.put("allreduce_us", costs.allreduceUs());
      row.put("agree_us", costs.agreeUs());
      row.put("losses", costs.losses());
      row.put("shrink_us", costs.shrinkUs());
      rows.add(row);
    }
    out.flush();
  }
}
