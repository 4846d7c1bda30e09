package io.tagfabric.collective.choose;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Hosts;
import io.tagfabric.collective.algorithm.TwoLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which algorithm to take: of a collective's rules the first that holds and whose algorithm can do
 * the call. For a nested team, whose members are on several hosts and share some, rules for nested
 * teams come before all others; then, for a crowded one with more than 64 members on a host, rules
 * for crowded teams.
 *
 * @param rules in the order they are tried
 */
public record DecisionTable(List<Rule> rules) {
  private static final String ANY = "any";
  private static final long ANY_BYTES = Long.MAX_VALUE;
  private static final int ANY_SIZE = Integer.MAX_VALUE;

  /**
   * One line.
   *
   * @param maxSize it holds for teams up to this size
   * @param maxBytes it holds for calls up to this many bytes: of the vector, or of one block; of a
   *     reduce-scatter, of all blocks together
   * @param teams for which teams it is
   */
  public record Rule(
      Collective collective, int maxSize, long maxBytes, Algorithm algorithm, Teams teams) {
    static Rule of(Collective collective, int maxSize, long maxBytes, String algorithm) {
      Algorithm found = Algorithms.get(collective, algorithm);
      Teams teams = found instanceof TwoLevel ? Teams.NESTED : Teams.ALL;
      return new Rule(collective, maxSize, maxBytes, found, teams);
    }

    private Rule only(Teams some) {
      return new Rule(collective, maxSize, maxBytes, algorithm, some);
    }

    boolean holds(Collective wanted, int size, long bytes) {
      return collective == wanted && size <= maxSize && bytes <= maxBytes;
    }
  }

  /** For which teams a rule is; in this order they are tried. */
  public enum Teams {
    /** Those on several hosts, of which members share some. */
    NESTED,
    /** Those with so many members on a host that they take turns on its cores. */
    CROWDED,
    /** Any. */
    ALL;

    private boolean have(Hosts hosts) {
      return switch (this) {
        case NESTED -> hosts.isNested();
        case CROWDED -> hosts.areCrowded();
        case ALL -> true;
      };
    }

    private static Optional<Teams> named(String word) {
      return Stream.of(NESTED, CROWDED)
          .filter(each -> word.equals(each.name().toLowerCase(Locale.ROOT)))
          .findFirst();
    }
  }

  /**
   * The table that is used unless another is given: thresholds where the cost formulas of the notes
   * cross for messages between JVMs of a host.
   */
  public static final DecisionTable STANDARD =
      new DecisionTable(
          List.of(
              Rule.of(Collective.BARRIER, ANY_SIZE, ANY_BYTES, TwoLevel.KEY),
              Rule.of(Collective.BARRIER, ANY_SIZE, ANY_BYTES, "binomial").only(Teams.CROWDED),
              Rule.of(Collective.BARRIER, ANY_SIZE, ANY_BYTES, "dissemination"),
              Rule.of(Collective.BROADCAST, ANY_SIZE, ANY_BYTES, TwoLevel.KEY),
              Rule.of(Collective.BROADCAST, 3, ANY_BYTES, "linear"),
              Rule.of(Collective.BROADCAST, ANY_SIZE, 64 << 10, "binomial"),
              Rule.of(Collective.BROADCAST, 4, ANY_BYTES, "chain"),
              Rule.of(Collective.BROADCAST, ANY_SIZE, ANY_BYTES, "circulant"),
              Rule.of(Collective.REDUCE, ANY_SIZE, ANY_BYTES, TwoLevel.KEY),
              Rule.of(Collective.REDUCE, 2, ANY_BYTES, "linear"),
              Rule.of(Collective.REDUCE, ANY_SIZE, 16 << 10, "binomial"),
              Rule.of(Collective.REDUCE, ANY_SIZE, 16 << 10, "binomial-in-order"),
              Rule.of(Collective.REDUCE, ANY_SIZE, 256 << 10, "rabenseifner"),
              Rule.of(Collective.REDUCE, ANY_SIZE, ANY_BYTES, "circulant"),
              Rule.of(Collective.REDUCE, ANY_SIZE, ANY_BYTES, "rabenseifner"),
              Rule.of(Collective.ALLREDUCE, ANY_SIZE, ANY_BYTES, TwoLevel.KEY),
              Rule.of(Collective.ALLREDUCE, ANY_SIZE, 16 << 10, "binomial").only(Teams.CROWDED),
              Rule.of(Collective.ALLREDUCE, 2, ANY_BYTES, "recursive-doubling"),
              Rule.of(Collective.ALLREDUCE, ANY_SIZE, 16 << 10, "recursive-doubling"),
              Rule.of(Collective.ALLREDUCE, ANY_SIZE, ANY_BYTES, "rabenseifner"),
              Rule.of(Collective.GATHER, 4, ANY_BYTES, "linear"),
              Rule.of(Collective.GATHER, ANY_SIZE, 16 << 10, "binomial"),
              Rule.of(Collective.GATHER, ANY_SIZE, ANY_BYTES, "linear"),
              Rule.of(Collective.SCATTER, 4, ANY_BYTES, "linear"),
              Rule.of(Collective.SCATTER, ANY_SIZE, 16 << 10, "binomial"),
              Rule.of(Collective.SCATTER, ANY_SIZE, ANY_BYTES, "linear"),
              Rule.of(Collective.ALLGATHER, 4, 16 << 10, "linear"),
              Rule.of(Collective.ALLGATHER, ANY_SIZE, 16 << 10, "bruck"),
              Rule.of(Collective.ALLGATHER, ANY_SIZE, 16 << 10, "circulant"),
              Rule.of(Collective.ALLGATHER, ANY_SIZE, ANY_BYTES, "ring"),
              Rule.of(Collective.ALLTOALL, 4, 16 << 10, "linear"),
              Rule.of(Collective.ALLTOALL, ANY_SIZE, 256, "bruck"),
              Rule.of(Collective.ALLTOALL, ANY_SIZE, ANY_BYTES, "pairwise"),
              Rule.of(Collective.REDUCE_SCATTER, ANY_SIZE, 256 << 10, "recursive-halving"),
              Rule.of(Collective.REDUCE_SCATTER, ANY_SIZE, ANY_BYTES, "ring"),
              Rule.of(Collective.REDUCE_SCATTER, ANY_SIZE, ANY_BYTES, "pairwise"),
              Rule.of(Collective.SCAN, ANY_SIZE, 64 << 10, "recursive-doubling"),
              Rule.of(Collective.SCAN, ANY_SIZE, ANY_BYTES, "linear"),
              Rule.of(Collective.EXSCAN, ANY_SIZE, 64 << 10, "recursive-doubling"),
              Rule.of(Collective.EXSCAN, ANY_SIZE, ANY_BYTES, "linear"),
              Rule.of(Collective.NEIGHBOUR_EXCHANGE, ANY_SIZE, ANY_BYTES, "linear")));

  public DecisionTable {
    rules = List.copyOf(rules);
  }

  /**
   * The table of rules as people write them: collective, ranks up to, bytes up to, algorithm; such
   * as {@code allreduce 4 16384 recursive-doubling}, and {@code any} for no limit; and {@code
   * nested} or {@code crowded} behind it, if the rule is for such teams. The algorithm two-level is
   * for nested ones only.
   *
   * @throws IllegalArgumentException if one is none
   */
  public static DecisionTable parse(List<String> lines) {
    return new DecisionTable(lines.stream().map(DecisionTable::rule).toList());
  }

  private static Rule rule(String line) {
    String[] words = line.strip().split("\\s+", -1);
    try {
      Optional<Teams> some = words.length == 5 ? Teams.named(words[4]) : Optional.empty();
      if (words.length == 4 || some.isPresent()) {
        Collective collective =
            Arrays.stream(Collective.values())
                .filter(each -> each.key().equals(words[0]))
                .findFirst()
                .orElseThrow();
        int size = words[1].equals(ANY) ? ANY_SIZE : Integer.parseInt(words[1]);
        long bytes = words[2].equals(ANY) ? ANY_BYTES : Long.parseLong(words[2]);
        Rule rule = Rule.of(collective, size, bytes, words[3]);
        return some.filter(teams -> rule.teams == Teams.ALL).map(rule::only).orElse(rule);
      }
    } catch (NumberFormatException | NoSuchElementException notSo) {
      throw noRule(line, notSo);
    }
    throw noRule(line, null);
  }

  private static IllegalArgumentException noRule(String line, Exception cause) {
    return new IllegalArgumentException(
        "rule=["
            + line
            + "] is not a collective, ranks, bytes and an algorithm, such as"
            + " [allreduce 4 16384 recursive-doubling]",
        cause);
  }

  /** These rules, then those of another table. */
  public DecisionTable before(DecisionTable other) {
    List<Rule> all = new ArrayList<>(rules);
    all.addAll(other.rules);
    return new DecisionTable(all);
  }

  /**
   * The algorithm for a call; bytes that are not known at all members count as many.
   *
   * @throws IllegalArgumentException if no rule holds
   */
  Algorithm choose(Collective collective, Hosts hosts, long bytes, Predicate<Algorithm> canDoIt) {
    int size = hosts.size();
    long known = bytes < 0 ? ANY_BYTES : bytes;
    return Arrays.stream(Teams.values())
        .filter(teams -> teams.have(hosts))
        .flatMap(teams -> rules.stream().filter(rule -> rule.teams() == teams))
        .filter(rule -> rule.holds(collective, size, known) && canDoIt.test(rule.algorithm()))
        .map(Rule::algorithm)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the decision table has no algorithm of "
                        + collective.key()
                        + " for size="
                        + size
                        + " bytes="
                        + bytes
                        + ", add a rule"));
  }
}
