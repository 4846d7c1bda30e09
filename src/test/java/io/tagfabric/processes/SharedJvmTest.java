package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose ranks share JVMs: {@code tagfabric run --ranks-per-jvm}. */
@Tag("jvms")
class SharedJvmTest {
  private static final String MAIN = "com.acme.Counting";

  /** Counts in a static, and ends in the way that its first argument says. */
  private static final String SOURCE =
      """
      package com.acme;
      import io.tagfabric.job.Job;
      public final class Counting {
        private static int count;
        public static void main(String[] args) {
          count++;
          System.setProperty("mine", System.getenv("TAGFABRIC_JOB_RANK"));
          Job job = Job.start(args);
          System.out.println(count + "|" + ProcessHandle.current().pid() + "|"
              + System.getProperty("mine") + "|" + System.getenv("LEVEL"));
          System.err.println("error of " + job.rank());
          job.barrier();
          boolean last = job.rank() == job.size() - 1;
          switch (args[0]) {
            case "exit" -> {
              if (last) {
                System.exit(5);
              }
              waitLong();
            }
            case "wait" -> {
              job.onExit(notice -> System.out.println("hook of " + job.rank()));
              System.out.println("waits");
              waitLong();
            }
            case "halt" -> {
              if (last) {
                Runtime.getRuntime().halt(9);
              }
              job.onRankLost(rank -> {
                System.out.println("lost " + rank);
                job.exit(4);
              });
              waitLong();
            }
            default -> throw new IllegalStateException("thrown");
          }
        }
        private static void waitLong() {
          try {
            Thread.sleep(1_000_000);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      """;

  @TempDir Path directory;
  @TempDir Path program;

  @BeforeEach
  void compile() throws IOException {
    UserProgram.compile(program, "Counting", SOURCE, System.getProperty("java.class.path"));
  }

  private Command start(int ranks, int together, String how, String... options) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("run", "-n", Integer.toString(ranks)));
    words.addAll(List.of("--ranks-per-jvm", Integer.toString(together)));
    words.addAll(List.of(options));
    words.addAll(List.of("--class-path", program.toString(), MAIN, how));
    return Command.tagfabric(directory, words.toArray(String[]::new));
  }

  private static List<String> column(Command.Result result, int number) {
    return result.lines().stream()
        .filter(line -> line.contains("|"))
        .map(line -> line.split("\\|", -1)[number])
        .sorted()
        .toList();
  }

  @Test
  void shouldEndOneRankByItsExitAndTheOthersWithTheJob() {
    try (Command command = start(4, 2, "exit", "-x", "LEVEL=7", "-v")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isEqualTo(5);
      assertThat(column(result, 0)).containsExactly("[0] 1", "[1] 1", "[2] 1", "[3] 1");
      assertThat(column(result, 1).stream().distinct()).hasSize(2);
      assertThat(column(result, 2)).containsExactly("0", "1", "2", "3");
      assertThat(column(result, 3)).containsOnly("7");
      assertThat(result.err())
          .contains("[0] error of 0", "[3] error of 3")
          .contains("tagfabric: ranks 0 to 1: ", "tagfabric: ranks 2 to 3: ")
          .containsPattern("tagfabric: rank 3 \\(pid \\d+\\) exited with code 5")
          .containsPattern("tagfabric: rank 2 \\(pid \\d+\\) exited with code 5");
      result.requireNoTrace();
    }
  }

  @Test
  void shouldSayWhichRanksDiedWithAJvm() {
    try (Command command = start(3, 2, "wait")) {
      command.awaitLine("[1] waits");
      command.awaitLine("[2] waits");

      command.rank(0).destroyForcibly();
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isEqualTo(137);
      assertThat(result.err()).contains(" with its JVM, which had ranks 0, 1");
      assertThat(result.out()).contains("[2] hook of 2").doesNotContain("hook of 0");
    }
  }

  @Test
  void shouldEndAllRanksOfAJvmBySignals() {
    try (Command command = start(3, 3, "wait")) {
      List.of("[0] waits", "[1] waits", "[2] waits").forEach(command::awaitLine);

      command.signal("INT");
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isEqualTo(130);
      assertThat(result.lines().stream().filter(line -> line.contains("hook")).sorted())
          .containsExactly("[0] hook of 0", "[1] hook of 1", "[2] hook of 2");
    }
  }

  @Test
  void shouldTakeARankThatHaltsItselfForKilled() {
    try (Command command = start(3, 3, "halt", "--on-failure", "continue")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isEqualTo(9);
      assertThat(result.lines().stream().filter(line -> line.contains("lost")).sorted())
          .containsExactly("[0] lost 2", "[1] lost 2");
    }
  }

  @Test
  void shouldSayWhyAProgramFailed() {
    try (Command command = start(2, 2, "throw")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isEqualTo(1);
      assertThat(result.err()).contains("java.lang.IllegalStateException: thrown");
    }
  }

  @Test
  void shouldPrintOneCommandForEachJvm() {
    try (Command command = start(3, 2, "exit", "-t", "--rank-set", "1:flow.ping=1ms")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines()).hasSize(2);
      assertThat(result.lines().get(0))
          .contains("RANK_0_TAGFABRIC_JOB_RANK=0", "RANK_1_TAGFABRIC_JOB_RANK=1")
          .contains("RANK_1_TAGFABRIC_FLOW_PING=1ms", " 0-1 ")
          .doesNotContain("RANK_0_TAGFABRIC_FLOW_PING");
      assertThat(result.lines().get(1).split(" ", -1))
          .as("a rank alone has a JVM of its own")
          .contains("TAGFABRIC_JOB_RANK=2");
    }
  }

  @Test
  void shouldRefuseSeveralHosts() {
    try (Command command = start(4, 2, "exit", "-N", "2", "--spawner", "local")) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err())
          .isEqualTo(
              "tagfabric: ranks share a JVM on this host only, leave out --hosts or"
                  + " --ranks-per-jvm");
    }
  }

  @Test
  void shouldShareOneJvmWithADemo() {
    try (Command command =
        Command.tagfabric(
            directory, "run", "-n", "4", "--ranks-per-jvm", "4", "survivors", "--rounds", "40")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines().stream().filter(line -> line.contains("its node was downed")))
          .as(result.lines().stream().collect(Collectors.joining("\n")))
          .hasSize(3);
      assertThat(result.lines()).contains("[0] 3 of 4 ranks finished, sum=6");
    }
  }
}
