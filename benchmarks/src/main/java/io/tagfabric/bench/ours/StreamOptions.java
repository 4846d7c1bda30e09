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
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--window=" + window());
    return arguments;
  }
}
