package io.tagfabric.bench.ours;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmarks of messages that go one way let a person choose. */
public class StreamOptions extends MessageOptions {
  /** Messages under way when their rate is measured. */
  public static final int RATE_WINDOW = 1000;

  /** Messages under way when their bytes are measured, as in fabtests. */
  public static final int BANDWIDTH_WINDOW = 64;

  @Option(
      names = "--window",
      paramLabel = "N",
      description = "Messages sent and not acknowledged (default: 1000; of bandwidth 64).")
  Integer window;

  @Option(
      names = "--receive",
      paramLabel = "WAY",
      description = "multi: into buffers that take many messages each, beside plain receives.")
  String receive;

  @Option(
      names = "--completions",
      paramLabel = "WHICH",
      description = "none: without entries in queues, by a counter, beside plain receives.")
  String completions;

  private final int usualWindow;

  /**
   * @param usualWindow without the option
   */
  public StreamOptions(int usualWindow) {
    this.usualWindow = usualWindow;
  }

  @Override
  int window() {
    return window == null ? usualWindow : window;
  }

  @Override
  Way way() {
    return receive != null ? Way.MULTI : completions != null ? Way.COUNTED : Way.PLAIN;
  }

  @Override
  public String complaint() {
    if (receive != null && !receive.equals("multi")) {
      return "--receive=" + receive + " is unknown, choose multi";
    }
    if (completions != null && !completions.equals("none")) {
      return "--completions=" + completions + " is unknown, choose none";
    }
    if (receive != null && completions != null) {
      return "--receive and --completions are measured one at a time";
    }
    if (way() != Way.PLAIN && isLocal()) {
      return "--receive and --completions need two ranks, add --provider shm";
    }
    if (way() != Way.PLAIN && versus != null) {
      return "--receive and --completions stand beside plain receives, leave --vs out";
    }
    return super.complaint();
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--window=" + window());
    if (receive != null) {
      arguments.add("--receive=" + receive);
    }
    if (completions != null) {
      arguments.add("--completions=" + completions);
    }
    return arguments;
  }
}
