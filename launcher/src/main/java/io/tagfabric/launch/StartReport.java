package io.tagfabric.launch;

import io.tagfabric.cluster.host.StartPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Tells how far a slow start has come: on a terminal after 2 s, elsewhere, where nobody waits for
 * it, after 20; then ever more rarely, and only what is new.
 */
final class StartReport {
  private static final Duration ON_TERMINAL = Duration.ofSeconds(2);
  private static final Duration ELSEWHERE = Duration.ofSeconds(20);
  private static final int MOST_NAMED = 8;

  private final int ranks;
  private final IntFunction<String> placeOf;
  private long nextMs;
  private String told = "";

  /**
   * @param placeOf a host's name behind a blank and {@code on}, or nothing, by rank
   */
  StartReport(int ranks, IntFunction<String> placeOf, boolean terminal) {
    this.ranks = ranks;
    this.placeOf = placeOf;
    nextMs = (terminal ? ON_TERMINAL : ELSEWHERE).toMillis();
  }

  /** When there may be something to tell, in milliseconds after the start. */
  long nextMs() {
    return nextMs;
  }

  /**
   * The line to show now, empty for none.
   *
   * @param phases what ranks have said
   */
  String tell(long sinceStartMs, Map<Integer, StartPhase> phases) {
    if (sinceStartMs < nextMs) {
      return "";
    }
    nextMs = 2 * sinceStartMs;
    String text = describe(phases);
    if (text.equals(told)) {
      return "";
    }
    told = text;
    return "starting for " + sinceStartMs / 1000 + " s: " + text;
  }

  private String describe(Map<Integer, StartPhase> phases) {
    Map<StartPhase, List<String>> byPhase = new EnumMap<>(StartPhase.class);
    for (int rank = 0; rank < ranks; rank++) {
      byPhase
          .computeIfAbsent(phases.getOrDefault(rank, StartPhase.JVM), phase -> new ArrayList<>())
          .add(rank + placeOf.apply(rank));
    }
    List<String> parts = new ArrayList<>();
    byPhase.forEach((phase, who) -> parts.add(part(phase, who)));
    return String.join("; ", parts);
  }

  private static String part(StartPhase phase, List<String> who) {
    String names =
        String.join(", ", who.subList(0, Math.min(MOST_NAMED, who.size())))
            + (who.size() > MOST_NAMED ? ", ..." : "");
    return who.size() == 1
        ? "rank " + names + " " + phase.does()
        : "each of " + who.size() + " ranks (" + names + ") " + phase.does();
  }

  /** Whether the error stream of this process is a terminal, as far as Linux tells. */
  static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException notLinux) {
      return false;
    }
  }
}
