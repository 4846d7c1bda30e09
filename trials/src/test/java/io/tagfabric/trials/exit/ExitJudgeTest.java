package io.tagfabric.trials.exit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitJudgeTest {
  private static final String PROGRAM = ExitCases.class.getName();

  private final ExitJudge judge = ExitJudge.of(PROGRAM, List.of("3")).orElseThrow();
  private final List<String> printed = new ArrayList<>();

  private void saysAll() {
    for (int rank = 0; rank < 3; rank++) {
      printed.add("[" + rank + "] " + ExitLines.HOOK + "NOW, code 3 of rank 2");
    }
    printed.add("[2] " + ExitLines.ACTS);
  }

  private String complaint(List<Integer> codes, Set<Integer> excused) {
    return judge.complaint(codes, excused, printed);
  }

  @Test
  void shouldBeContentWithWhatTheCaseWants() {
    saysAll();

    assertThat(complaint(List.of(3, 3, 3), Set.of())).isEmpty();
  }

  @Test
  void shouldWantTheCodeOfTheCase() {
    saysAll();

    assertThat(complaint(List.of(3, 1, 3), Set.of()))
        .isEqualTo("rank 1 ended with code 1, expected 3");
  }

  @Test
  void shouldAllowTheCodeOfALossButOnlyOneCode() {
    saysAll();

    assertThat(complaint(List.of(1, 1, 137), Set.of(2))).isEmpty();
    assertThat(complaint(List.of(1, 3, 137), Set.of(2)))
        .isEqualTo("the ranks that are left ended with the codes [1, 3]");
    assertThat(complaint(List.of(1, -1, 137), Set.of(2))).startsWith("rank 1 ended with code -1");
  }

  @Test
  void shouldWantTheHookOnceAndTheEvidence() {
    saysAll();
    printed.remove(3);
    assertThat(complaint(List.of(3, 3, 3), Set.of())).isEqualTo("rank 2: required: the last acts");
    printed.remove(0);
    assertThat(complaint(List.of(3, 3, 3), Set.of()))
        .isEqualTo("the exit hook of rank 0 has run 0 times");
  }

  @Test
  void shouldTellWhatARankSaysOfItself() {
    saysAll();
    printed.add("[1] " + ExitLines.FAILED + ": the barrier let rank 1 through");

    assertThat(complaint(List.of(3, 3, 3), Set.of())).contains("let rank 1 through");
  }

  @Test
  void shouldLeaveOtherProgramsAlone() {
    assertThat(ExitJudge.of("io.tagfabric.demos.Hello", List.of("3"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "99,'99' is no CASE",
    "--help,'' is no CASE",
    "4,needs a signal",
    "5,needs threads that run beside others",
    "14,needs threads of its own",
    "106,needs a process that crashes"
  })
  void shouldRefuseWhatNoSimulationHas(String argument, String complaint) {
    assertThatThrownBy(() -> ExitJudge.of(PROGRAM, List.of(argument)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint)
        .hasMessageContaining("1, 2, 3, 6, 7, 8, 10, 11, 12, 13, 100, 101, 102");
  }
}
