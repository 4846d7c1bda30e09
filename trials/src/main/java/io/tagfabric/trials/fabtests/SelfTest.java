package io.tagfabric.trials.fabtests;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Lies to scenarios that pass, and looks whether they fail. A lie is told to each side, between its
 * endpoint and its scenario. Thread: one.
 */
final class SelfTest {
  /** Enough for a scenario, and how long one waits for what never comes. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /**
   * A lie.
   *
   * @param scenario that has to find it
   * @param finding a word of what it has to say
   */
  record Lie(String name, String scenario, String finding, Supplier<Sabotage> sabotage) {}

  static final List<Lie> LIES =
      List.of(
          new Lie("wrong-byte", "sizes", "byte 0 of 1", Sabotage.WrongByte::new),
          new Lie("wrong-read", "rma-slices", "is wrong", Sabotage.WrongRead::new),
          new Lie(
              "lost-completion", "tagged", "the end of a receive", Sabotage.LostCompletion::new),
          new Lie("swapped", "order", "length=", Sabotage.Swapped::new),
          new Lie("missing-error", "cancel", "has to fail", Sabotage.MissingError::new),
          new Lie("hang", "tagged", "no end within", Sabotage.Hang::new));

  private final String provider;

  SelfTest(String provider) {
    this.provider = provider;
  }

  /** Whether a scenario passes without the lie and finds it; a row for people and programs. */
  Map<String, Object> run(Lie lie) throws InterruptedException {
    Scenario scenario = Catalogue.find(lie.scenario()).orElseThrow();
    Outcome honest = run(scenario, Sabotage::none);
    Outcome lied = run(scenario, lie.sabotage());
    boolean found =
        honest.result() == Outcome.Result.PASS
            && lied.result() == Outcome.Result.FAIL
            && lied.reason().contains(lie.finding());
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("sabotage", lie.name());
    row.put("scenario", lie.scenario());
    row.put("honest", honest.result());
    row.put("lied", lied.result());
    row.put("found", found);
    row.put("reason", honest.reason() + lied.reason());
    return row;
  }

  private Outcome run(Scenario scenario, Supplier<Sabotage> sabotage) throws InterruptedException {
    try (PairHere pair = new PairHere(provider, LIMIT)) {
      pair.side(0).sabotage(sabotage.get());
      pair.side(1).sabotage(sabotage.get());
      return pair.run(scenario);
    }
  }
}
