package io.tagfabric.collective.choose;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.TwoLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which algorithm to take: of a collective's rules the first that holds and whose algorithm can do
 * the call. For a nested team, whose members are on several hosts and share some, rules for nested
 * teams come before all others.
 *
 * @param rules in the order they are tried
 */
public record DecisionTable(List<Rule> rules) {
  private static final String ANY = "any";
  private static final long ANY_BYTES = Long.MAX_VALUE;
  private static final int ANY_SIZE = Integer.MAX_VALUE;
  private static final String NESTED = "nested";

  /**
   * One line.
   *
   * @param maxSize it holds for teams up to this size
   * @param maxBytes it holds for calls up to this many bytes: of the vector, or of one block; of a
   *     reduce-scatter, of all blocks together
   * @param nested whether it is for nested teams
   */
  public record Rule(
      Collective collective, int maxSize, long maxBytes, Algorithm algorithm, boolean nested) {
    static Rule of(Collective collective, int maxSize, long maxBytes, String algorithm) {
      Algorithm found = Algorithms.get(collective, algorithm);
      return new Rule(collective, maxSize, maxBytes, found, found instanceof TwoLevel);
    }

    private Rule forNested() {
      return new Rule(collective, maxSize, maxBytes, algorithm, true);
    }

    boolean holds(Collective wanted, int size, long bytes) {
      return collective == wanted && size <= maxSize && bytes <= maxBytes;
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
   * nested} behind it, if the rule is for nested teams. The algorithm two-level is for no others.
   *
   * @throws IllegalArgumentException if one is none
   */
  public static DecisionTable parse(List<String> lines) {
    return new DecisionTable(lines.stream().map(DecisionTable::rule).toList());
  }

  private static Rule rule(String line) {
    String[] words = line.strip().split("\\s+", -1);
    try {
      boolean nested = words.length == 5 && words[4].equals(NESTED);
      if (words.length == 4 || nested) {
        Collective collective =
            Arrays.stream(Collective.values())
                .filter(each -> each.key().equals(words[0]))
                .findFirst()
                .orElseThrow();
        int size = words[1].equals(ANY) ? ANY_SIZE : Integer.parseInt(words[1]);
        long bytes = words[2].equals(ANY) ? ANY_BYTES : Long.parseLong(words[2]);
        Rule rule = Rule.of(collective, size, bytes, words[3]);
        return nested ? rule.forNested() : rule;
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
  Algorithm choose(
      Collective collective, int size, long bytes, boolean nested, Predicate<Algorithm> canDoIt) {
    long known = bytes < 0 ? ANY_BYTES : bytes;
    return Stream.concat(
            rules.stream().filter(rule -> nested && rule.nested()),
            rules.stream().filter(rule -> !rule.nested()))
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
