package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cli.Tagfabric;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs with actors on several ranks. */
@Tag("jvms")
class ActorRunTest {
  private static final String NONE_BY_ARTERY = "; 0 messages by Akka's remoting";

  @TempDir Path directory;

  private Command.Result run(int code, String... words) {
    try (Command command = Command.tagfabric(directory, words)) {
      Command.Result result = command.end();
      assertThat(result.code()).as(result.out() + result.err()).isEqualTo(code);
      result.requireNoTrace();
      return result;
    }
  }

  @Test
  void shouldAskAnActorOfAnotherRank() {
    Command.Result result = run(0, "run", "-n", "2", "ask", "--count", "200");

    assertThat(result.out())
        .containsPattern("\\[0] rank 1 answered 200 questions rightly, .*" + NONE_BY_ARTERY);
  }

  @Test
  void shouldHaveRightAccountsWhenARankWasKilled() {
    Command.Result result =
        run(137, "run", "-n", "3", "--on-failure", "continue", "bank", "--payments", "100");

    for (int rank = 0; rank < 2; rank++) {
      assertThat(result.out())
          .containsPattern(
              "\\["
                  + rank
                  + "] rank "
                  + rank
                  + ": the account has \\d+, and each customer's sum is right"
                  + NONE_BY_ARTERY);
    }
  }

  @Test
  void shouldTellWatchersWhenARankIsKilled() {
    String classes =
        KilledActor.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    try (Command command =
        Command.start(
            directory,
            Map.of("TAGFABRIC_PROVIDER_USE", "shm"),
            Tagfabric.class,
            "run",
            "-n",
            "2",
            "--on-failure",
            "continue",
            "-cp",
            classes,
            KilledActor.class.getName())) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isEqualTo(137);
      assertThat(result.out()).containsPattern("\\[0] heard after \\d+ ms");
    }
  }

  @Test
  void shouldDoEachJobOnceWithBackPressure() {
    Command.Result result = run(0, "run", "-n", "3", "work-queue", "--jobs", "300", "--room", "4");

    assertThat(result.out())
        .containsPattern(
            "\\[0] 300 jobs done once each, \\[\\d+, \\d+, \\d+] by the ranks; at most [1-4] waited"
                + NONE_BY_ARTERY);
  }

  @Test
  void shouldPassATokenRound() {
    Command.Result result = run(0, "run", "-n", "3", "token-ring", "--rounds", "100");

    assertThat(result.out())
        .containsPattern("\\[0] the token made 100 rounds of 3 ranks, .*" + NONE_BY_ARTERY);
  }
}
