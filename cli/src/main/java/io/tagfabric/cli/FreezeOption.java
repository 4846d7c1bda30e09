package io.tagfabric.cli;

import io.tagfabric.cluster.job.JobSettings;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** {@code --freeze}: ranks that fail wait for a debugger. */
final class FreezeOption {
  /** The JVM says itself at which port it can be reached. */
  private static final String DEBUGGER =
      "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

  @Option(
      names = "--freeze",
      description =
          "A rank whose program fails shows the stacks of all its threads and waits for a debugger;"
              + " each JVM says at which port.")
  private boolean freeze;

  /** For each JVM. */
  Stream<String> flags() {
    return freeze ? Stream.of(DEBUGGER) : Stream.empty();
  }

  /** What the ranks must know. */
  Map<String, String> variables() {
    return freeze ? Map.of(JobSettings.FREEZE.variable(), "on") : Map.of();
  }
}
