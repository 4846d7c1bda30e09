package io.tagfabric.demos;

import picocli.CommandLine.Option;

/** What every program with options understands. */
abstract class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and end.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean help;
}
