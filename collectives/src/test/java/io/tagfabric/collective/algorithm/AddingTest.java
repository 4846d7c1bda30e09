package io.tagfabric.collective.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/50-collectives/adding.md} says is true. */
class AddingTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/50-collectives/adding.md");

  // #algorithm
  /** Broadcast along two chains, one up and one down from the root: half the steps of one. */
  static final class TwoChains implements Algorithm {
    @Override
    public String key() {
      return "two-chains"; // in settings and reports
    }

    @Override
    public Collective collective() {
      return Collective.BROADCAST;
    }

    @Override
    public boolean pipelined() {
      return true; // cut into segments, one follows the other
    }

    @Override
    public Schedule schedule(Shape shape) { // a pure function: this rank's part of it
      ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
      Slice data = Memory.OUTPUT.slice(0, shape.count());
      int place = shape.relative(); // counted from the root
      int up = shape.size() / 2; // places 1 to up hear from the one before
      if (place > 0) {
        int from = place <= up ? place - 1 : (place + 1) % shape.size();
        builder.receive(shape.absolute(from), data).nextRound();
      }
      if (place < up) {
        builder.send(shape.absolute(place + 1), data);
      }
      if ((place == 0 || place > up + 1) && shape.size() - up > 1) {
        int before = place == 0 ? shape.size() - 1 : place - 1;
        builder.send(shape.absolute(before), data);
      }
      return builder.build();
    }
  }

  // #algorithm

  @Test
  void shouldShowAnAlgorithmThatIsRight() {
    // #check
    for (int size = 1; size <= 17; size++) {
      for (int root = 0; root < size; root++) {
        for (Calls calls : Calls.of(new TwoChains(), size, root, 7)) {
          AlgorithmsTest.check(calls); // each contribution once, in order, nothing read too early
        }
      }
    }
    // #check
  }

  @Test
  void shouldTakeHalfTheStepsOfOneChain() {
    Calls calls = Calls.of(new TwoChains(), 9, 2, 64).get(0);

    assertThat(new SymbolicTeam(calls).run().steps()).isLessThanOrEqualTo(9 / 2 + 1);
  }

  /** The files of a collective are those that name the one with the fewest friends. */
  @Test
  void shouldNameEveryFileThatKnowsTheCollectives() throws IOException {
    Set<String> named = new TreeSet<>();
    Matcher link =
        Pattern.compile("\\(\\.\\./\\.\\./([a-z]+/src/main/java/[^)]+\\.java)\\)")
            .matcher(Files.readString(PAGE));
    while (link.find()) {
      named.add(link.group(1));
    }
    Set<String> knowing = new TreeSet<>();
    for (String module : new String[] {"collectives", "benchmarks"}) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          if (Files.readString(file).contains("NEIGHBOUR_EXCHANGE")) {
            knowing.add(ROOT.relativize(file).toString());
          }
        }
      }
    }

    assertThat(named).containsAll(knowing);
  }
}
