package io.tagfabric.trials.exit;

import io.tagfabric.cluster.job.ExitCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Says whether simulated ranks of {@link ExitCases} have ended as their case wants it. */
public final class ExitJudge {
  private final ExitCase which;
  private final boolean reverse;

  private ExitJudge(ExitCase which, boolean reverse) {
    this.which = which;
    this.reverse = reverse;
  }

  /**
   * The judge of a program.
   *
   * @param mainClass of the program
   * @param arguments of the program
   * @return empty if it is another program
   * @throws IllegalArgumentException if it is this one, and there is no such case, or the case
   *     needs what no simulation has
   */
  public static Optional<ExitJudge> of(String mainClass, List<String> arguments) {
    if (!mainClass.equals(ExitCases.class.getName())) {
      return Optional.empty();
    }
    String number = arguments.stream().filter(each -> !each.startsWith("-")).findFirst().orElse("");
    ExitCase which =
        ExitCase.ALL.stream()
            .filter(each -> Integer.toString(each.number()).equals(number))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "exit-cases: '" + number + "' is no CASE, choose of " + simulated()));
    if (!needs(which).isEmpty()) {
      throw new IllegalArgumentException(
          "exit-cases: case "
              + number
              + " ("
              + which.what()
              + ") "
              + needs(which)
              + ", run it by `tagfabric exit-suite`; a simulation has "
              + simulated());
    }
    return Optional.of(
        new ExitJudge(which, arguments.contains("-r") || arguments.contains("--reverse")));
  }

  private static String simulated() {
    return ExitCase.ALL.stream()
        .filter(each -> needs(each).isEmpty())
        .map(each -> Integer.toString(each.number()))
        .collect(Collectors.joining(", "));
  }

  /** What a case needs that no simulation has; empty if it needs nothing of that kind. */
  static String needs(ExitCase which) {
    return switch (which.way()) {
      case LAST_INTERRUPTED -> "needs a signal";
      case LAST_EXITS_OTHERS_SPIN, LAST_RETURNS_OTHERS_SPIN ->
          "needs threads that run beside others";
      case ALL_IN_THREADS, FIRST_IN_THREADS, CRASH_IN_THREAD -> "needs threads of its own";
      default -> which.losesARank() ? "needs a process that crashes" : "";
    };
  }

  /**
   * What is wrong with a run.
   *
   * @param codes of the ranks, -1 of one that had not ended
   * @param excused ranks that faults have killed or cut off; if there are any, the others may also
   *     end because of the loss
   * @param printed lines of all ranks, each behind its rank in brackets
   * @return in a sentence; empty if nothing is
   */
  public String complaint(List<Integer> codes, Set<Integer> excused, List<String> printed) {
    List<SaidLine> said = printed.stream().map(line -> SaidLine.parse(0, line)).toList();
    List<Integer> left =
        IntStream.range(0, codes.size()).filter(rank -> !excused.contains(rank)).boxed().toList();
    for (int rank : left) {
      int code = codes.get(rank);
      boolean isLoss = code == ExitCode.FAILED && !excused.isEmpty();
      if (!which.codes().contains(code) && !isLoss) {
        return "rank " + rank + " ended with code " + code + ", expected " + which.expected();
      }
      long hooks =
          said.stream()
              .filter(line -> line.rank() == rank && line.text().startsWith(ExitLines.HOOK))
              .count();
      // A job that a fault keeps from forming ends without hooks.
      boolean neverFormed = hooks == 0 && !which.forms() && !excused.isEmpty();
      if (hooks != 1 && !neverFormed) {
        return "the exit hook of rank " + rank + " has run " + hooks + " times";
      }
    }
    Set<Integer> different = left.stream().map(codes::get).collect(Collectors.toSet());
    // Ranks that a fault keeps from meeting cannot tell each other.
    if (different.size() > 1 && (which.forms() || excused.isEmpty())) {
      return "the ranks that are left ended with the codes " + different;
    }
    for (SaidLine line : said) {
      if (!excused.contains(line.rank()) && line.text().contains(ExitLines.FAILED)) {
        return line.toString();
      }
    }
    return excused.isEmpty() ? missing(said, codes.size()) : "";
  }

  private String missing(List<SaidLine> said, int size) {
    for (ExitEvidence evidence : which.evidence()) {
      for (int rank : evidence.who().ranks(size, reverse)) {
        boolean has =
            said.stream()
                .anyMatch(line -> line.rank() == rank && line.text().contains(evidence.text()));
        if (has != evidence.wanted()) {
          return "rank " + rank + ": required: " + evidence.what();
        }
      }
    }
    return "";
  }
}
