package io.tagfabric.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.Profile;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of real JVMs: how they end. The launcher's own tests see to processes and files. */
@Tag("jvms")
class JobProcessTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(int ranks, Profile profile, String... what) {
    return JobTestLauncher.run(ranks, profile, List.of(what), out, err);
  }

  private String output() {
    return out.toString(UTF_8);
  }

  private String errors() {
    return err.toString(UTF_8);
  }

  @Tag("exhaustive")
  @Test
  void shouldRunARingOverTcp() {
    assertThat(run(3, Profile.TCP, "ring")).as(errors()).isZero();

    assertThat(output()).contains("[0] got from 2", "[1] got from 0", "[2] got from 1");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndWellWhenProgramsForgetToClose() {
    assertThat(run(2, Profile.AERON, "forget")).as(errors()).isZero();
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @CsvSource({"1, 0", "3, 0", "2, 9"})
  void shouldEndWithItsCodeWhenTheProgramReturnsOnAnInterruptedThread(int ranks, int code) {
    assertThat(run(ranks, Profile.TCP, "interrupted", Integer.toString(code)))
        .as(errors())
        .isEqualTo(code);

    assertThat(errors()).doesNotContain("hangs").doesNotContain("Exception");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndWithItsCodeWhenTheProgramHasClosedTheJobItself() {
    assertThat(run(2, Profile.TCP, "close-first")).as(errors()).isIn(1, 9);

    assertThat(errors())
        .contains("[1] rank 1: java.lang.IllegalStateException: after the end")
        .doesNotContain("hangs");
  }

  @Test
  void shouldFailWhatNamesAKilledRankOnAllOthers() {
    assertThat(run(3, Profile.TCP, "kill")).isEqualTo(137);

    for (int survivor = 0; survivor < 2; survivor++) {
      assertThat(output())
          .contains("[" + survivor + "] lost rank 2")
          .containsPattern("\\[" + survivor + "\\] failed after \\d+ ms: peer \\[rank-2@")
          .contains("[" + survivor + "] lost ranks [2]");
    }
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void shouldEndRanksThatBeginWhenTheJobHasEndedAlready(int ranks) {
    assertThat(run(ranks, Profile.TCP, "early-exit")).as(errors()).isEqualTo(7);

    for (int rank = 0; rank < ranks; rank++) {
      assertThat(output()).contains("[" + rank + "] hook: code 7");
    }
    assertThat(errors()).doesNotContain("SIGTERM");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndAtOnceWhenARankIsKilledBeforeAllHaveMet() {
    assertThat(run(3, Profile.TCP, "die-early")).as(errors()).isEqualTo(137);

    for (int survivor : new int[] {0, 2}) {
      assertThat(errors())
          .containsPattern(
              "\\[%d\\] rank %d: the job cannot start: rank 1 .* before the ranks had met"
                  .formatted(survivor, survivor));
    }
    assertThat(errors()).doesNotContain("still runs");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndTheJobWhenARankCallsSystemExit() {
    assertThat(run(3, Profile.TCP, "system-exit", "5")).as(errors()).isEqualTo(5);

    // the JVM tells the code from Java 21 on
    int heard = Runtime.version().feature() < 21 ? 0 : 5;
    assertThat(output())
        .contains("[0] hook: asked for by rank 2 with code " + heard)
        .contains("[2] hook: asked for by rank 2 with code " + heard);
  }

  @Test
  void shouldNameTheRanksWhoseProgramsASystemExitHasCutShort() {
    assertThat(run(2, Profile.TCP, "system-exit", "0")).as(errors()).isZero();

    assertThat(errors())
        .contains(
            "tagfabric: rank 1 has ended the job by System.exit with code 0, before the program of"
                + " rank 0 had returned");
  }

  @ParameterizedTest
  @CsvSource({"return, 9", "exit, 9", "throw, 1"})
  void shouldLetTheOthersGoOnWhenARankFailsAndTheSettingsSaySo(String how, int code) {
    assertThat(run(2, Profile.TCP, "fail-alone", how)).as(errors()).isEqualTo(code);

    assertThat(output()).contains("[0] goes on without rank 1").doesNotContain("the job ends");
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldEndWithTheCodeOfSystemExitWhenAShutdownHookTakesItsTime(int ranks) {
    assertThat(run(ranks, Profile.TCP, "exit-with-hook", "slow")).as(errors()).isEqualTo(7);

    assertThat(errors()).doesNotContain("hangs");
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @CsvSource({"1, hanging", "2, hanging", "2, exiting"})
  void shouldNotEndWellWhenAShutdownHookHidesTheCodeOfSystemExit(int ranks, String hook) {
    // the JVM tells the code from Java 21 on
    int code = Runtime.version().feature() < 21 ? 124 : 7;

    assertThat(run(ranks, Profile.TCP, "exit-with-hook", hook)).as(errors()).isEqualTo(code);

    assertThat(errors())
        .containsPattern(
            "rank \\d: the exit hangs for \\d+ ms, so the process is halted with code " + code);
  }

  @Test
  void shouldNotEndWellWhenTheEndOfTheJobIsNeverAgreedOn() {
    assertThat(run(1, Profile.TCP, "undecided")).as(errors()).isEqualTo(124);

    assertThat(errors())
        .containsPattern("the exit hangs for \\d+ ms, so the process is halted with code 124");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndWithTheFirstCodeWhenSystemExitFollows() {
    assertThat(run(2, Profile.TCP, "exit-twice")).as(errors()).isEqualTo(5);
  }

  @Tag("exhaustive")
  @Test
  void shouldEndTheJobWhenARankIsTerminated() {
    assertThat(run(2, Profile.TCP, "sigterm")).as(errors()).isEqualTo(143);

    assertThat(output()).contains("[0] hook: asked for by rank 1");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndTheJobWhileARankIsHeldUp() {
    assertThat(run(3, Profile.TCP, "held")).as(errors()).isEqualTo(6);

    assertThat(errors())
        .contains("[0] rank 0: the job ends with code 6 without an answer of rank 2");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndARankThatTheClusterHasCutOff() {
    assertThat(run(2, Profile.TCP, "cut-off")).as(errors()).isEqualTo(1);

    assertThat(errors()).contains("[1] rank 1: its node was downed by the other ranks");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndARankThatIsCutOffThoughItsActorSystemCannotEnd() {
    assertThat(run(2, Profile.TCP, "cut-off-stuck")).as(errors()).isEqualTo(1);

    assertThat(errors()).contains("[1] rank 1: its node was downed by the other ranks");
  }

  @Tag("exhaustive")
  @Test
  void shouldNotWaitLongForAHookThatHangs() {
    assertThat(run(2, Profile.TCP, "stuck-hook")).as(errors()).isEqualTo(7);

    assertThat(errors()).contains("the exit hooks were not over within");
  }

  @Test
  void shouldTellTheOthersAtOnceWhenAProgramFails() {
    assertThat(run(2, Profile.TCP, "fail")).isEqualTo(1);

    assertThat(errors()).contains("[1] rank 1: the disk is full").doesNotContain("\tat ");
    assertThat(output()).containsPattern("\\[0\\] noticed after \\d+ ms: .*1");
  }
}
