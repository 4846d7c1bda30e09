package io.tagfabric.bench.collective;

import io.tagfabric.bench.compare.ContenderException;
import io.tagfabric.bench.compare.ProgramFinder;
import io.tagfabric.collective.algorithm.Collective;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Somebody else's collectives between processes of this host. Thread: one. */
interface CollectivePeer {
  /** Names that {@code --vs} takes. */
  List<String> NAMES = List.of(OpenMpiCollectives.NAME, MpjCollectives.NAME);

  /** The peer with a name of {@link #NAMES}. */
  static CollectivePeer named(String name) {
    ProgramFinder finder = new ProgramFinder(System.getenv(), Path.of("/"));
    return name.equals(OpenMpiCollectives.NAME)
        ? new OpenMpiCollectives(finder)
        : new MpjCollectives(finder);
  }

  /** As in reports and options. */
  String name();

  /** Why it cannot run on this machine, with what would help; empty if it can. */
  Optional<String> missingBecause();

  /** Whether it has such a collective. */
  boolean has(Collective collective);

  /**
   * Measures all numbers of bytes and returns when its processes have ended.
   *
   * @throws ContenderException if they failed or took far too long
   */
  List<CallTimes> run(Collective collective, int ranks, List<Integer> bytes)
      throws ContenderException;

  /** The arguments of a program of a peer, and how long it may take. */
  static List<String> words(Collective collective, List<Integer> bytes) {
    List<String> words =
        new ArrayList<>(
            List.of(
                collective.key(),
                Integer.toString(CollectiveRank.WARM_UP_MS),
                Integer.toString(CollectiveRank.BUDGET_MS),
                Integer.toString(CollectiveRank.MOST_CALLS)));
    bytes.forEach(each -> words.add(each.toString()));
    return words;
  }

  /** Several times what a run should take. */
  static Duration patience(List<Integer> bytes) {
    return Duration.ofSeconds(60 + 10L * bytes.size());
  }

  /** The times among what a program has printed. */
  static List<CallTimes> times(byte[] out) {
    return new String(out, StandardCharsets.UTF_8)
        .lines()
        .map(CallTimes::parse)
        .flatMap(Optional::stream)
        .toList();
  }
}
