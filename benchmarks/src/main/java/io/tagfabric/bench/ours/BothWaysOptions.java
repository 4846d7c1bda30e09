package io.tagfabric.bench.ours;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmark of messages that go both ways lets a person choose. */
public final class BothWaysOptions extends MessageOptions {
  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "64",
      description = "Messages of each side under way (default: ${DEFAULT-VALUE}).")
  private int window;

  @Override
  int window() {
    return window;
  }

  /** Two windows of receives are posted. */
  @Override
  int maxWindow() {
    return super.maxWindow() / 2;
  }

  @Override
  public String complaint() {
    if (versus != null) {
      return "--vs is for messages that go one way, leave it out or use bench compare";
    }
    return super.complaint();
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--window=" + window);
    return arguments;
  }
}
