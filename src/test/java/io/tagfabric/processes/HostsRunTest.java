package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cli.Tagfabric;
import io.tagfabric.demos.Hello;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on several hosts that are addresses of this machine. */
@Tag("jvms")
class HostsRunTest {
  private static final String TWO = "127.0.0.1,127.0.0.2";

  @TempDir Path directory;

  @Tag("exhaustive")
  @Test
  void shouldRunOnTwoHostsBySsh() throws Exception {
    try (SshServer server = SshServer.start(directory.resolve("ssh"));
        Command command = runBySsh(server, "--placement", "cyclic", "-n", "3", "hello")) {
      Command.Result result = endWell(command);

      assertThat(result.lines())
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(0, 1, 2)
                  .map(
                      rank ->
                          "[" + rank + "] hello from rank " + rank + " of 3, greeted by 2 others")
                  .toList());
      requireNothingLeft();
    }
  }

  @Test
  void shouldPassArgumentsAndVariablesExactlyBySsh() throws Exception {
    String odd = "sp  ace 'q' \"d\" `b` $HOME \\ !\nsecond line *";
    try (SshServer server = SshServer.start(directory.resolve("ssh"));
        Command command =
            Command.start(
                directory,
                Map.of("ODD_ONE", odd),
                Tagfabric.class,
                "run",
                "--hosts",
                "127.0.0.2",
                "--ssh",
                server.client(),
                "-E",
                "ODD_*",
                "--no-tag-output",
                "-n",
                "1",
                Echo.class.getName(),
                "ODD_ONE",
                odd,
                "")) {
      Command.Result result = endWell(command);

      assertThat(result.out()).isEqualTo(odd + "|ODD_ONE|" + odd + "||");
    }
  }

  @Test
  void shouldRunAJarInAnotherDirectoryBySsh() throws Exception {
    Path work = Files.createDirectories(directory.resolve("work 'ü"));
    UserProgram program =
        UserProgram.make(directory.resolve("my program"), System.getProperty("java.class.path"));
    try (SshServer server = SshServer.start(directory.resolve("ssh"));
        Command command =
            runBySsh(
                server,
                "-x",
                "LEVEL=$1 2",
                "--wdir",
                work.toString(),
                "-n",
                "2",
                "--jar",
                program.jar().toString(),
                "-n")) {
      Command.Result result = endWell(command);

      assertThat(result.lines())
          .containsExactlyInAnyOrder(
              "[0] greeting0of2|-n|" + work + "|$1 2", "[1] greeting1of2|-n|" + work + "|$1 2");
      requireNothingLeft();
    }
  }

  @Test
  void shouldNameTheHostThatLacksTheDirectoryBySsh() throws Exception {
    try (SshServer server = SshServer.start(directory.resolve("ssh"));
        Command command =
            runBySsh(server, "--wdir", directory + "/no", "-n", "2", Waiter.class.getName())) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.err())
          .isEqualTo(
              "tagfabric: host 127.0.0.1: the working directory "
                  + directory
                  + "/no of --wdir is missing there, copy it or name a place that all hosts"
                  + " share");
      requireNothingLeft();
    }
  }

  @Test
  void shouldEndRemoteRanksWhenTheConnectionIsCut() throws Exception {
    try (SshServer server = SshServer.start(directory.resolve("ssh"));
        Command command = runBySsh(server, "-n", "2", "pingpong", "--iters", "100000000")) {
      command.awaitFormed();

      server.cutConnections();
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).containsPattern("host 127.0.0.[12] is lost: its command exited");
      requireNothingLeft();
    }
  }

  @Test
  void shouldEndRemoteRanksWhenTheLauncherIsKilled() throws Exception {
    try (SshServer server = SshServer.start(directory.resolve("ssh"));
        Command command = waiting(server)) {

      command.signal("KILL");

      assertThat(command.end().code()).isEqualTo(137);
      requireNothingLeft();
    }
  }

  @Test
  void shouldGiveRemoteRanksTimeWhenInterrupted() throws Exception {
    try (SshServer server = SshServer.start(directory.resolve("ssh"));
        Command command = waiting(server)) {

      command.signal("INT");
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(130);
      assertThat(result.err()).doesNotContain("SIGKILL").doesNotContain("is lost");
      requireNothingLeft();
    }
  }

  @Test
  void shouldTellHostCommandAndReasonWhenSshIsRefused() throws Exception {
    try (SshServer server = SshServer.start(directory.resolve("ssh"))) {
      requireRefusal(server.client(1, "user"), "Connection refused");
      requireRefusal(server.client(server.port(), "stranger"), "Permission denied");
      server.forgetHosts();
      requireRefusal(server.client(), "Host key verification failed.");
    }
  }

  private void requireRefusal(String ssh, String reason) {
    try (Command command = run("--hosts", "127.0.0.2", "--ssh", ssh, "-n", "1", "hello")) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      List<String> lines = result.err().lines().toList();
      assertThat(lines.get(0))
          .isEqualTo("tagfabric: host 127.0.0.2 did not start: its command exited with code 255");
      assertThat(lines.get(1)).startsWith("  command: ssh -F none -p ").contains(" 127.0.0.2 ");
      assertThat(lines).anyMatch(line -> line.startsWith("  | ") && line.contains(reason));
      assertThat(lines.get(lines.size() - 1)).startsWith("  `ssh ").contains("must work");
      result.requireNoTrace();
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldFeedRankZeroOnAnotherHost() throws Exception {
    Path input = directory.resolve("input");
    String text = "a line\n".repeat(20_000) + "the end";
    Files.writeString(input, text);
    try (Command command =
        Command.tagfabricReading(
            directory,
            input,
            "run",
            "-N",
            "2",
            "--spawner",
            "local",
            "-n",
            "2",
            InputLength.class.getName())) {
      Command.Result result = endWell(command);

      assertThat(result.lines())
          .containsExactlyInAnyOrder("[0] read " + text.length(), "[1] read 0");
      requireNothingLeft();
    }
  }

  @Test
  void shouldRunOverTls() {
    try (Command command =
        Command.tagfabric(directory, "run", "-n", "2", "--profile", "tls", "hello")) {
      Command.Result result = endWell(command);

      assertThat(result.out()).contains("[0] hello from rank 0 of 2").contains("[1] hello from");
    }
  }

  @Test
  void shouldNameTheKeyStoreThatTlsNeedsWithoutALauncher() {
    try (Command command =
        Command.start(directory, Map.of("TAGFABRIC_JOB_PROFILE", "tls"), Hello.class)) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains("rank 0: the profile tls needs tagfabric.tls.key-store")
          .hasLineCount(1);
    }
  }

  private Command runBySsh(SshServer server, String... arguments) {
    return run(
        Stream.concat(Stream.of("--hosts", TWO, "--ssh", server.client()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  /** Two ranks on two hosts that wait for their end. */
  private Command waiting(SshServer server) {
    Command command = runBySsh(server, "-n", "2", Waiter.class.getName());
    boolean complete = false;
    try {
      command.awaitLine("[1] waiting");
      complete = true;
      return command;
    } finally {
      if (!complete) {
        command.close();
      }
    }
  }

  private static Command.Result endWell(Command command) {
    Command.Result result = command.end();
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  private Command run(String... arguments) {
    return Command.tagfabric(
        directory, Stream.concat(Stream.of("run"), Stream.of(arguments)).toArray(String[]::new));
  }

  /** Neither a file of a host nor a process that knows of this test. */
  private void requireNothingLeft() throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!left().isEmpty() && System.nanoTime() < deadlineNs) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertThat(left()).isEmpty();
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(directory);
        Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
      return Stream.concat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.startsWith("tagfabric-")),
              processes
                  .filter(this::isOfThisTest)
                  .map(process -> process.info().commandLine().orElse("pid " + process.pid())))
          .toList();
    }
  }

  /** Ranks know the directory by a variable. */
  private boolean isOfThisTest(ProcessHandle process) {
    try {
      Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
      return Files.readString(environment, StandardCharsets.ISO_8859_1).contains("=" + directory);
    } catch (IOException hasEndedOrIsForeign) {
      return false;
    }
  }
}
