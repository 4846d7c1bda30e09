package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cli.Tagfabric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks and the launcher are killed or stopped, most of them in a certain phase of the job's end;
 * {@link Command#end} sees that neither a process nor a file is left.
 */
@Tag("jvms")
class HitDuringExitTest {
  private static final int KILLED = 137;

  @TempDir Path directory;

  /** Three ranks that end as a case says; one stands still in a phase. T is 2 s. */
  private Command ending(int exitCase, int rank, String phase) {
    return run(
        List.of("--rank-set", rank + ":tagfabric.exit.hold-phase=" + phase),
        List.of("exit-cases", Integer.toString(exitCase)));
  }

  private Command run(List<String> options, List<String> program) {
    List<String> words = new ArrayList<>(List.of("run", "-n", "3"));
    words.addAll(options);
    words.addAll(program);
    return Command.start(
        directory,
        Map.of("TAGFABRIC_EXIT_TIMEOUT", "2 s", "TAGFABRIC_EXIT_HOLD_TIME", "4 s"),
        Tagfabric.class,
        words.toArray(String[]::new));
  }

  /** Nobody had to be ended by the launcher. */
  private static void requireOwnEnd(Command.Result result, int code) {
    assertThat(result.code()).as(result.err()).isEqualTo(code);
    assertThat(result.err()).doesNotContain("still runs");
    result.requireNoTrace();
  }

  /** All end together and begin again without the one that is lost. */
  @Tag("exhaustive")
  @Test
  void shouldEndTheOthersWhenARankIsKilledThatReduces() {
    killInPhase(1, 0, "reducing");
  }

  /** The only one that knows of the end leads and has not told anybody. */
  @Test
  void shouldEndTheOthersWhenARankIsKilledThatLeads() {
    killInPhase(3, 2, "leading");
  }

  private void killInPhase(int exitCase, int rank, String phase) {
    try (Command command = ending(exitCase, rank, phase)) {
      command.awaitError("rank " + rank + ": stands still while " + phase);
      command.rank(rank).destroyForcibly();

      requireOwnEnd(command.end(), KILLED);
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldEndWithTheCodeWhenARankIsStoppedForLongerThanT() {
    try (Command command = ending(3, 2, "leading")) {
      command.awaitError("rank 2: stands still while leading");
      ProcessHandle rank = command.rank(1);
      Command.signal(rank, "STOP");
      // rank 0 hears nothing of the leader, takes the matter up, and gives up after T
      command.awaitError("rank 0: the job ends with code 3 without an");
      Command.signal(rank, "CONT");

      requireOwnEnd(command.end(), 3);
    }
  }

  /** With aeron the media driver outlives the launcher and removes what is left. */
  @Tag("exhaustive")
  @ParameterizedTest
  @ValueSource(strings = {"aeron", "tcp"})
  void shouldEndTheRanksWhenTheLauncherIsKilled(String profile) {
    try (Command command =
        run(List.of("--profile", profile), List.of("ring", "--rounds", "100000000"))) {
      command.awaitFormed();
      command.signal("KILL");

      assertThat(command.end().code()).isEqualTo(KILLED);
    }
  }
}
