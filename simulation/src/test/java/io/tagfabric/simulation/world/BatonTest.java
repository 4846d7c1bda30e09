package io.tagfabric.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.simulation.choice.Choices;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatonTest {
  private static final long LIMIT_NS = Long.MAX_VALUE - 1;

  private final Scheduler scheduler = new Scheduler(Choices.of(1));
  private final List<String> said = new ArrayList<>();

  @Test
  void shouldRunOneProgramAtATimeUntilItWaits() {
    for (String name : List.of("a", "b")) {
      new Baton(
              scheduler,
              name,
              () -> {
                for (int i = 0; i < 3; i++) {
                  said.add(name + i); // no lock: nobody else runs
                  Baton.current().sleep(1_000_000);
                }
              })
          .start();
    }

    assertThat(scheduler.runUntilQuiet(LIMIT_NS)).isTrue();
    assertThat(said).hasSize(6).containsSubsequence("a0", "a1", "a2");
    assertThat(scheduler.clock().elapsedNs()).isGreaterThanOrEqualTo(3_000_000);
  }

  @Test
  void shouldWakeAProgramWhenItsConditionHolds() {
    boolean[] set = new boolean[1];
    Baton waiting =
        new Baton(
                scheduler,
                "waits",
                () -> said.add("woken " + Baton.current().await(() -> set[0], LIMIT_NS)))
            .start();
    scheduler.after(5_000, () -> set[0] = true);
    scheduler.runUntil(waiting::isOver, LIMIT_NS);

    assertThat(said).containsExactly("woken true");
  }

  @Test
  void shouldEndAProgramWhereItWaits() {
    Baton program =
        new Baton(
                scheduler,
                "hangs",
                () -> {
                  try {
                    Baton.current().await(() -> false, LIMIT_NS);
                  } finally {
                    said.add("cleaned up");
                  }
                })
            .start();
    scheduler.advance(10_000);
    program.end();

    assertThat(program.isOver()).isTrue();
    assertThat(program.failure()).isNull();
    assertThat(said).containsExactly("cleaned up");
  }

  @Test
  void shouldKeepWhatAProgramThrows() {
    Baton program =
        new Baton(
                scheduler,
                "fails",
                () -> {
                  throw new IllegalStateException("as planned");
                })
            .start();
    scheduler.runUntilQuiet(LIMIT_NS);

    assertThat(program.failure()).hasMessage("as planned");
  }
}
