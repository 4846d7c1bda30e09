package io.tagfabric.trials.fuzz;

import io.tagfabric.bench.ours.Providers;
import java.util.HashSet;
import java.util.List;
import picocli.CommandLine.Option;

/** What a fuzz lets a person choose. */
final class FuzzOptions {
  private static final int MOST_SECONDS = 7 * 24 * 3600;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      split = ",",
      hideParamSyntax = true,
      completionCandidates = Providers.Names.class,
      description = "Of ${COMPLETION-CANDIDATES} (default: all in turn).")
  List<String> providers = Providers.names();

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      hideParamSyntax = true,
      defaultValue = "tcp",
      description = "tcp or tls, which is for --provider tcp (default: ${DEFAULT-VALUE}).")
  String profile;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "In all, divided by the number of providers (default: ${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The same seed gives the same mutations (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--self-test",
      description = "Instead, put defects in, each in a JVM of its own, and find them.")
  boolean selfTest;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** Whether all that goes between the systems is encrypted. */
  boolean isSecure() {
    return profile.equals("tls");
  }

  /** What is wrong with the options, in one sentence, null if nothing is. */
  String complaint() {
    if (seconds < 1 || seconds > MOST_SECONDS) {
      return "--seconds=" + seconds + " is not within 1 to " + MOST_SECONDS;
    }
    for (String provider : providers) {
      if (Providers.complaint(provider) != null) {
        return Providers.complaint(provider);
      }
    }
    if (!profile.equals("tcp") && !isSecure()) {
      return "--profile=" + profile + " is neither tcp nor tls";
    }
    if (isSecure() && !selfTest && !providers.equals(List.of("tcp"))) {
      return "--profile=tls attacks TLS by hand, which --provider tcp alone has, got --provider="
          + String.join(",", providers);
    }
    if (new HashSet<>(providers).size() < providers.size()) {
      return "--provider=" + String.join(",", providers) + " names one twice";
    }
    return null;
  }
}
