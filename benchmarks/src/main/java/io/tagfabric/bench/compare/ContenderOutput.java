package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a contender's processes have printed. */
public final class ContenderOutput {
  private static final int LONGEST_REASON = 200;
  private static final Duration LEAST_TIME = Duration.ofSeconds(40);

  private static final Pattern RANK = Pattern.compile("^\\[\\d+\\] ");

  private ContenderOutput() {}

  /** The samples among the lines. */
  static List<Sample> samples(byte[] out) {
    return new String(out, StandardCharsets.UTF_8)
        .lines()
        .map(Sample::parse)
        .flatMap(Optional::stream)
        .toList();
  }

  /** The line that says best why processes failed: the first that is not about the launcher. */
  public static String reason(byte[] err, String otherwise) {
    String line =
        new String(err, StandardCharsets.UTF_8)
            .lines()
            .map(text -> RANK.matcher(text.strip()).replaceFirst(""))
            .filter(text -> text.chars().anyMatch(Character::isLetter))
            .filter(text -> !text.startsWith("Picked up "))
            .filter(text -> !text.startsWith("tagfabric: starting for "))
            .findFirst()
            .orElse(otherwise);
    return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + " ..." : line;
  }

  /** After this time a run has failed; several times what it should take. */
  static Duration patience(Contender contender, Workload workload) {
    return LEAST_TIME.plus(RunTime.of(contender, workload).multipliedBy(4));
  }
}
