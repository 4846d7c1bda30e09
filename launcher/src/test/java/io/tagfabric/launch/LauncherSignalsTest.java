package io.tagfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.MediaDriverDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("jvms")
class LauncherSignalsTest {
  /** A pipe holds 16 pages, which whole lines do not quite fill; 100 MB of them follow. */
  private static final int PIPE_BYTES = 32_000;

  @TempDir Path parent;

  private final List<Process> launchers = new ArrayList<>();
  private ProcessBuilder.Redirect complaints = ProcessBuilder.Redirect.INHERIT;
  private final List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));

  /** Also after a failure: a rank that is left holds the output of the build open. */
  @AfterEach
  void endAll() {
    for (Process launcher : launchers) {
      launcher.descendants().forEach(ProcessHandle::destroyForcibly);
      launcher.destroyForcibly();
    }
  }

  @Test
  void shouldEndItsRanksWhenItGetsSigterm() throws Exception {
    Process launcher = start("2", "AERON", "watch");
    List<ProcessHandle> ranks = ranksOf(launcher, 2);

    launcher.destroy();

    assertThat(launcher.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(launcher.exitValue()).isEqualTo(143);
    assertThat(ranks).noneMatch(ProcessHandle::isAlive);
    assertThat(parent).isEmptyDirectory();
  }

  @Tag("exhaustive")
  @Test
  void shouldEndEvenStubbornRanksWhenItGetsSigint() throws Exception {
    flags.add("-Dtagfabric.exit.timeout=1s");
    flags.add("-Dtagfabric.job.leave-timeout=100ms");
    Process launcher = start("1", "TCP", "stubborn");
    List<ProcessHandle> ranks = ranksOf(launcher, 1);

    new ProcessBuilder("kill", "-INT", Long.toString(launcher.pid())).start().waitFor();

    assertThat(launcher.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(launcher.exitValue()).isEqualTo(130);
    assertThat(ranks).noneMatch(ProcessHandle::isAlive);
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void shouldEndItsRanksWhenItGetsSigtermAndNobodyReads() throws Exception {
    requireEndUnread("TERM", 143);
  }

  @Test
  void shouldEndItsRanksWhenItGetsSigintAndNobodyReads() throws Exception {
    requireEndUnread("INT", 130);
  }

  @Test
  void shouldEndTheRanksOfItsHostsWhenItGetsSigtermAndNobodyReads() throws Exception {
    flags.add("-Dtest.hosts=127.0.0.1,127.0.0.2");
    requireEndUnread("TERM", 143);
  }

  private void requireEndUnread(String signal, int code) throws Exception {
    Process launcher = start("2", "TCP", "chat", "1000000");
    Await.until("its output fills up", () -> unread(launcher) >= PIPE_BYTES);
    List<ProcessHandle> family = launcher.descendants().toList();
    assertThat(family).hasSizeGreaterThanOrEqualTo(2);

    new ProcessBuilder("kill", "-" + signal, Long.toString(launcher.pid())).start().waitFor();

    assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(launcher.exitValue()).isEqualTo(code);
    requireEnd(family);
  }

  private static int unread(Process launcher) {
    try {
      return launcher.getInputStream().available();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void shouldLeaveNothingWhenItIsKilled() throws Exception {
    Process launcher = start("2", "AERON", "watch");
    List<ProcessHandle> ranks = ranksOf(launcher, 2);

    launcher.destroyForcibly();

    Await.until("ranks have ended", () -> ranks.stream().noneMatch(ProcessHandle::isAlive));
    Await.until("driver has cleaned up", () -> parent.toFile().list().length == 0);
  }

  @Test
  void shouldLeaveNothingOnItsHostsWhenItIsKilled() throws Exception {
    flags.add("-Dtest.hosts=127.0.0.1,127.0.0.2");
    Process launcher = start("2", "AERON", "watch");
    List<ProcessHandle> family = familyOf(launcher, 2);

    launcher.destroyForcibly();

    requireEnd(family);
  }

  @Test
  void shouldLeaveNothingOnItsHostsWhenItFallsSilent() throws Exception {
    flags.add("-Dtest.hosts=127.0.0.1,127.0.0.2");
    flags.add("-Dtagfabric.launch.host-timeout=3s");
    Process launcher = start("2", "AERON", "watch");
    List<ProcessHandle> family = familyOf(launcher, 2);

    new ProcessBuilder("kill", "-STOP", Long.toString(launcher.pid())).start().waitFor();

    // nobody asks for the codes of the agents while their launcher is stopped
    requireEnd(family.subList(0, 2));
  }

  /** The ranks, and then the agents and media drivers. */
  private static List<ProcessHandle> familyOf(Process launcher, int ranks) throws IOException {
    List<ProcessHandle> family = new ArrayList<>(ranksOf(launcher, ranks));
    launcher.descendants().filter(process -> !family.contains(process)).forEach(family::add);
    assertThat(family).hasSizeGreaterThanOrEqualTo(3 * ranks);
    return family;
  }

  private void requireEnd(List<ProcessHandle> family) {
    Await.until("all have ended", () -> family.stream().noneMatch(ProcessHandle::isAlive));
    Await.until("all files are gone", () -> parent.toFile().list().length == 0);
  }

  @Test
  void shouldKeepTheDriverWhenAnotherJobStillUsesIt() throws Exception {
    Process first = start("1", "AERON", "watch");
    ranksOf(first, 1);
    Process second = start("1", "AERON", "watch");
    ranksOf(second, 1);
    MediaDriverDirectory driver = MediaDriverDirectory.of(HostDirectory.below(parent));

    first.destroy();
    first.waitFor();

    assertThat(driver.findActive()).isPresent();
    second.destroy();
    second.waitFor();
    Await.until("driver has cleaned up", () -> parent.toFile().list().length == 0);
  }

  @Test
  void shouldSayInEachJobThatTheSharedDriverHasBeenKilled() throws Exception {
    flags.add("-Dtagfabric.launch.failure-grace=0s");
    Path errors = Files.createDirectory(parent.resolve("errors"));
    complaints = ProcessBuilder.Redirect.to(errors.resolve("first").toFile());
    Process first = start("1", "AERON", "watch");
    List<ProcessHandle> ranks = new ArrayList<>(ranksOf(first, 1));
    complaints = ProcessBuilder.Redirect.to(errors.resolve("second").toFile());
    Process second = start("1", "AERON", "watch");
    ranks.addAll(ranksOf(second, 1));
    HostDirectory host = HostDirectory.below(parent);

    ProcessHandle.of(MediaDriverDirectory.of(host).driver().orElseThrow().pid())
        .orElseThrow()
        .destroyForcibly();

    for (Process launcher : List.of(first, second)) {
      assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(launcher.exitValue()).isEqualTo(1);
    }
    for (String job : List.of("first", "second")) {
      assertThat(errors.resolve(job))
          .content()
          .as(job)
          .contains("tagfabric: the media driver has ended, the ranks cannot talk any more");
    }
    assertThat(ranks).noneMatch(ProcessHandle::isAlive);
    assertThat(host.path()).doesNotExist();
  }

  private Process start(String... arguments) throws IOException {
    // Whoever runs the tests may ignore the signal, and a JVM inherits that.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(
        JavaCommand.of(Map.of(), flags, TestLauncher.class.getName(), List.of(arguments)));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("TAGFABRIC_LAUNCH_DIRECTORY", parent.toString());
    builder.redirectError(complaints);
    Process launcher = builder.start();
    launchers.add(launcher);
    return launcher;
  }

  private static List<ProcessHandle> ranksOf(Process launcher, int count) throws IOException {
    BufferedReader lines = launcher.inputReader(StandardCharsets.UTF_8);
    List<ProcessHandle> ranks = new ArrayList<>();
    while (ranks.size() < count) {
      String line = lines.readLine();
      assertThat(line).as("a rank's line").matches("\\[\\d\\] pid \\d+.*");
      ranks.add(ProcessHandle.of(Long.parseLong(line.split(" ", -1)[2])).orElseThrow());
    }
    return ranks;
  }
}
