package io.tagfabric.bench.ours;

import io.tagfabric.address.ContextAddresses;
import io.tagfabric.report.SizesConverter;
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
      description =
          "multi: into buffers that take many messages each, beside plain receives; shared: from"
              + " many endpoints to as many that share a pool of receives, beside some that do"
              + " not.")
  String receive;

  @Option(
      names = "--peers",
      paramLabel = "N",
      description = "Endpoints of each side with --receive shared (default: ${DEFAULT-VALUE}).",
      defaultValue = "16")
  int peers;

  @Option(
      names = "--completions",
      paramLabel = "WHICH",
      description = "none: without entries in queues, by a counter, beside plain receives.")
  String completions;

  @Option(
      names = "--contexts",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description =
          "Between scalable endpoints of so many contexts in this JVM, a thread for each, such as"
              + " 1,2.")
  List<Integer> contexts;

  private static final int MOST_PEERS = 1024;

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
    if (receive != null) {
      return receive.equals("shared") ? Way.SHARED : Way.MULTI;
    }
    return completions != null ? Way.COUNTED : Way.PLAIN;
  }

  @Override
  public String complaint() {
    if (receive != null && !receive.equals("multi") && !receive.equals("shared")) {
      return "--receive=" + receive + " is unknown, choose multi or shared";
    }
    if (contexts != null && contexts.stream().anyMatch(n -> n < 1 || n > ContextAddresses.MOST)) {
      return "--contexts=" + contexts + " are not within 1 to " + ContextAddresses.MOST;
    }
    if (contexts != null && (!isLocal() || receive != null || completions != null)) {
      return "--contexts are measured in one JVM, leave out --provider, --receive and --completions";
    }
    if (peers < 1 || peers > MOST_PEERS) {
      return "--peers=" + peers + " is not within 1 to " + MOST_PEERS;
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
  List<Integer> contexts() {
    return contexts;
  }

  @Override
  int peers() {
    return peers;
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--window=" + window());
    if (receive != null) {
      arguments.add("--receive=" + receive);
      arguments.add("--peers=" + peers);
    }
    if (completions != null) {
      arguments.add("--completions=" + completions);
    }
    return arguments;
  }
}
