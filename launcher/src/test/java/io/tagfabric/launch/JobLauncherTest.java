package io.tagfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.launch.output.ReaderGoneException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("jvms")
class JobLauncherTest {
  @TempDir Path parent;
  private Path host;
  private final Map<String, String> variables = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void chooseDirectory() {
    host = HostDirectory.below(parent).path();
    variables.put("TAGFABRIC_LAUNCH_DIRECTORY", parent.toString());
  }

  @AfterEach
  void shouldLeaveNothing() {
    assertThat(host).doesNotExist();
  }

  @Test
  void shouldPrefixWholeLinesAndKeepStreamsApartWhenRanksPrint() {
    int code = run(job(2, "print", "a b", "$x"));

    assertThat(code).isZero();
    assertThat(text(out).lines())
        .containsExactlyInAnyOrder(
            "[0] rank 0 of 2 input -1",
            "[1] rank 1 of 2 input -1",
            "[0] print|a b|$x",
            "[1] print|a b|$x",
            "[0] no end of line",
            "[1] no end of line");
    assertThat(text(err).lines()).containsExactlyInAnyOrder("[0] error of 0", "[1] error of 1");
  }

  @Test
  void shouldReturnTheCodeOfTheRankThatFailed() {
    variables.put("TAGFABRIC_LAUNCH_FAILURE_GRACE", "600 ms");

    int code = run(job(2, "fail", "0", "3"));

    assertThat(code).isEqualTo(3);
    assertThat(text(err))
        .containsPattern("rank 0 \\(pid \\d+\\) exited with code 3; rank 1 may take")
        .doesNotContain("command:");
  }

  @Test
  void shouldReportCommandAndLastLinesWhenARankEndsBeforeTheJobForms() {
    variables.put("TAGFABRIC_LAUNCH_FAILURE_GRACE", "0 s");

    int code = run(job(2, "fail", "1", "101"));

    assertThat(code).isEqualTo(101);
    assertThat(text(err))
        .containsPattern("tagfabric: rank 1 \\(pid \\d+\\) exited with code 101 before the job had")
        .contains("  command: ")
        .contains("TestRank fail 1 101")
        .contains("  | about to fail");
  }

  @Test
  void shouldNameTheKilledRankAndEndTheOthersWhenGraceIsOver() {
    variables.put("TAGFABRIC_LAUNCH_FAILURE_GRACE", "300 ms");

    int code = run(job(3, "kill", "1"));

    assertThat(code).isEqualTo(ExitCode.KILLED);
    assertThat(text(err).lines())
        .anyMatch(
            line ->
                line.matches(
                    "tagfabric: rank 1 \\(pid \\d+\\) ended with 137 \\(exit code or SIGKILL\\);"
                        + " each of ranks 0, 2 may take 0.3 s to end"))
        .contains("tagfabric: each of ranks 0, 2 still runs 0.3 s after the failure: SIGTERM");
  }

  @Tag("exhaustive")
  @Test
  void shouldKillWhoIgnoresSigtermWhenTheTimeIsOver() {
    variables.put("TAGFABRIC_LAUNCH_TERMINATE_GRACE", "200 ms");
    variables.put("TAGFABRIC_EXIT_TIMEOUT", "500 ms");
    variables.put("TAGFABRIC_EXIT_HOOK_TIMEOUT", "0 s");
    variables.put("TAGFABRIC_JOB_LEAVE_TIMEOUT", "50 ms");

    int code = run(job(1, Profile.TCP, Optional.of(Duration.ofSeconds(10)), "stubborn"));

    assertThat(code).isEqualTo(ExitCode.TIMEOUT);
    assertThat(text(err).lines())
        .contains(
            "tagfabric: the job has not ended within 10 s (--timeout); rank 0 gets SIGTERM",
            "tagfabric: rank 0 still runs 1.3 s after SIGTERM: SIGKILL");
  }

  @Test
  void shouldLetARankThatEndsGracefullyHaveItsTime() {
    variables.put("TAGFABRIC_LAUNCH_EXIT_GRACE", "0 s");
    variables.put("TAGFABRIC_LAUNCH_TERMINATE_GRACE", "0 s");

    int code = run(job(2, "slow", "0"));

    assertThat(code).isZero();
    assertThat(text(out)).contains("[1] ended in order");
    assertThat(text(err)).contains("SIGTERM").doesNotContain("SIGKILL");
  }

  @Test
  void shouldShareOneMediaDriverWhenTheProfileIsAeron() {
    int code = run(job(2, Profile.AERON, Optional.empty(), "aeron"));

    assertThat(text(err)).isEmpty();
    assertThat(code).isZero();
    assertThat(text(out).lines())
        .containsExactlyInAnyOrder("[0] client connected", "[1] client connected");
  }

  @Test
  void shouldRefuseANumberOfRanksThatIsTooLarge() {
    assertThatThrownBy(() -> run(job(65, "exit", "0")))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "ranks=65 > tagfabric.launch.max-ranks=64, start fewer or raise it by"
                + " TAGFABRIC_LAUNCH_MAX_RANKS");
  }

  @Test
  void shouldSayWhyWhenTheDirectoryCannotBeUsed() throws Exception {
    Files.writeString(host, "a file");

    assertThatThrownBy(() -> run(job(1, "exit", "0")))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining(host + " is not a directory: remove it");

    Files.delete(host);
  }

  @Test
  void shouldShowTheCommandWithItsVariablesWhenVerbose() {
    LocalJob job =
        new LocalJob(
            1,
            TestRank.class.getName(),
            List.of("exit", "0"),
            Profile.TCP,
            List.of("-Xmx32m"),
            Optional.empty(),
            true);

    run(job);

    assertThat(text(err))
        .contains("tagfabric: rank 0: TAGFABRIC_JOB_HOST_DIRECTORY=" + host + " TAGFABRIC_JOB_KEY=")
        .contains("-Xmx32m")
        .containsPattern("tagfabric: rank 0 \\(pid \\d+\\) ended");
  }

  @Test
  void shouldLetTheOthersGoOnAfterAFailureWhenToldSo() {
    LaunchOptions options =
        withOptions(Optional.of(LossPolicy.CONTINUE), Map.of(), Optional.empty(), false);

    int code = run(job(2, options, "outlive", "3"));

    assertThat(code).isEqualTo(3);
    assertThat(text(out)).contains("[1] rank 0 ended with 3");
    assertThat(text(err)).contains("exited with code 3; rank 1 goes on");
  }

  @Test
  void shouldEndWhatIsLeftSoonAfterTheRanksHaveEndedTheJob() {
    variables.put("TAGFABRIC_LAUNCH_EXIT_GRACE", "200 ms");

    int code = run(job(2, "end", "0"));

    assertThat(code).isZero();
    assertThat(text(err)).contains("rank 1 still runs 0.2 s after the job's end: SIGTERM");
  }

  @Test
  void shouldLetTheOthersGoOnWhenARankHasEndedTheJobForItselfAlone() {
    variables.put("TAGFABRIC_LAUNCH_EXIT_GRACE", "0 s");
    LaunchOptions options =
        withOptions(Optional.of(LossPolicy.CONTINUE), Map.of(), Optional.empty(), false);

    int code = run(job(2, options, "end-alone", "1"));

    assertThat(code).isEqualTo(1);
    assertThat(text(out)).contains("[1] rank 0 ended with 1");
    assertThat(text(err)).doesNotContain("SIGTERM");
  }

  @Test
  void shouldLetTheOthersGoOnWhenTheSettingsSaySo() {
    variables.put("TAGFABRIC_LAUNCH_FAILURE_GRACE", "0 s");
    variables.put("TAGFABRIC_EXIT_ON_LOSS", "continue");

    int code = run(job(2, "outlive", "3"));

    assertThat(code).isEqualTo(3);
    assertThat(text(out)).contains("[1] rank 0 ended with 3");
    assertThat(text(err)).doesNotContain("SIGTERM");
  }

  @Test
  void shouldNotAccuseAReaderWhenAChildOfARankHasTheOutputOpen() {
    LocalJob job = job(2, Profile.TCP, Optional.of(Duration.ofSeconds(5)), "child");

    int code = run(job);

    List<ProcessHandle> children =
        Pattern.compile("child (\\d+)")
            .matcher(text(out))
            .results()
            .map(child -> ProcessHandle.of(Long.parseLong(child.group(1))).orElseThrow())
            .toList();
    children.forEach(ProcessHandle::destroyForcibly);
    assertThat(children).hasSize(2);
    assertThat(code).isEqualTo(ExitCode.TIMEOUT);
    assertThat(text(err)).contains("each of ranks 0, 1 gets SIGTERM").doesNotContain("dropped");
  }

  @Test
  void shouldNotEndWellWhenARankHadToBeKilled() {
    variables.put("TAGFABRIC_LAUNCH_EXIT_GRACE", "200 ms");
    variables.put("TAGFABRIC_LAUNCH_TERMINATE_GRACE", "200 ms");
    variables.put("TAGFABRIC_EXIT_TIMEOUT", "500 ms");
    variables.put("TAGFABRIC_EXIT_HOOK_TIMEOUT", "0 s");
    variables.put("TAGFABRIC_JOB_LEAVE_TIMEOUT", "50 ms");

    int code = run(job(2, "stuck", "0"));

    assertThat(code).isEqualTo(ExitCode.KILLED);
    assertThat(text(err))
        .contains("rank 1 still runs 1.3 s after SIGTERM: SIGKILL")
        .containsPattern("rank 1 \\(pid \\d+\\) was killed by SIGKILL");
  }

  @Test
  void shouldWriteFilesInsteadOfTheScreenWhenAskedFor() throws IOException {
    Path files = parent.resolve("out");
    LaunchOptions options = withOptions(Optional.empty(), Map.of(), Optional.of(files), false);

    assertThat(run(job(2, options, "print", "a b"))).isZero();

    assertThat(text(out) + text(err)).isEmpty();
    assertThat(files.resolve("rank-1.out"))
        .hasContent("rank 1 of 2 input -1\nprint|a b\nno end of line");
    assertThat(files.resolve("rank-0.err")).hasContent("error of 0");
  }

  @Test
  void shouldWriteFilesByteForByte() throws IOException {
    Path files = parent.resolve("out");
    LaunchOptions options = withOptions(Optional.empty(), Map.of(), Optional.of(files), false);

    assertThat(run(job(2, options, "bytes"))).isZero();

    assertThat(files.resolve("rank-0.out")).hasBinaryContent(TestRank.oddBytes(0));
    assertThat(files.resolve("rank-1.out")).hasBinaryContent(TestRank.oddBytes(1));
    assertThat(files.resolve("rank-0.err")).isEmptyFile();
  }

  @Test
  void shouldSayOnceThatADiskIsFullAndNotEndWellThen() throws IOException {
    Path files = Files.createDirectory(parent.resolve("out"));
    for (int rank = 0; rank < 2; rank++) {
      Files.createSymbolicLink(files.resolve("rank-" + rank + ".out"), Path.of("/dev/full"));
    }
    LaunchOptions options = withOptions(Optional.empty(), Map.of(), Optional.of(files), false);

    int code = run(job(2, options, "chat", "1000"));

    assertThat(code).isEqualTo(ExitCode.OUTPUT_LOST);
    assertThat(text(err).lines())
        .singleElement()
        .asString()
        .startsWith("tagfabric: cannot write " + files.resolve("rank-"))
        .contains(".out (No space left on device)");
  }

  @Test
  void shouldSayOnceThatItsOutputCannotBeWrittenAndNotEndWellThen() {
    int code = run(job(2, "chat", "1000"), failing(new IOException("No space left on device")));

    assertThat(code).isEqualTo(ExitCode.OUTPUT_LOST);
    assertThat(text(err).lines())
        .singleElement()
        .asString()
        .startsWith("tagfabric: cannot write standard output (No space left on device)");
  }

  @Test
  void shouldKeepTheCodeOfARankWhenOutputIsLostToo() {
    int code = run(job(1, "fail", "0", "3"), failing(new IOException("No space left on device")));

    assertThat(code).isEqualTo(3);
  }

  @Test
  void shouldSayNothingWhenItsReaderHasGoneAway() {
    int code =
        run(
            job(2, "chat", "10000"),
            failing(new ReaderGoneException(new IOException("Broken pipe"))));

    assertThat(code).isZero();
    assertThat(text(err)).isEmpty();
  }

  @Test
  void shouldShowAllToAReaderThatIsSlowerThanItsRanks() {
    int lines = 3000;
    Gate reader = new Gate();
    Thread opener = new Thread(() -> openLate(reader));
    opener.start();

    int code = run(job(1, "chat", Integer.toString(lines)), reader);

    assertThat(code).isZero();
    assertThat(reader.text().lines()).hasSize(lines);
    assertThat(text(err)).isEmpty();
  }

  /** Later than the end of the ranks, by more than a grandchild's silence may last. */
  private static void openLate(Gate reader) {
    Await.until("it prints", reader::isReached);
    Await.until(
        "ranks have ended",
        () -> ProcessHandle.current().children().noneMatch(JobLauncherTest::isRank));
    LockSupport.parkNanos(Duration.ofMillis(2500).toNanos());
    reader.open();
  }

  private static boolean isRank(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(TestRank.class.getName());
  }

  @Test
  void shouldEndInTimeWhenNobodyReads() {
    LocalJob job = job(2, Profile.TCP, Optional.of(Duration.ofSeconds(5)), "chat", "1000000");

    int code = run(job, new Gate());

    assertThat(code).isEqualTo(ExitCode.TIMEOUT);
    assertThat(text(err))
        .contains("the job has not ended within 5 s (--timeout); each of ranks 0, 1 gets SIGTERM")
        .contains("cannot write standard output");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndInTimeWhenNobodyReadsWhatItsRanksHaveLeft() {
    LocalJob job = job(1, Profile.TCP, Optional.of(Duration.ofSeconds(8)), "chat", "500");

    int code = run(job, new Gate());

    assertThat(code).isEqualTo(ExitCode.TIMEOUT);
    assertThat(text(err)).contains("not all of their output was taken").doesNotContain("SIGTERM");
  }

  @Tag("exhaustive")
  @Test
  void shouldDropWhatNobodyTakesAndNotEndWellThen() {
    int code = run(job(1, "chat", "500"), new Gate());

    assertThat(code).isEqualTo(ExitCode.OUTPUT_LOST);
    assertThat(text(err)).contains("cannot write standard output (nothing was taken for 10 s)");
  }

  @Test
  void shouldGiveVariablesToOneRankExactly() {
    String value = "two words 'q' \"d\" `b` $x\\";
    LaunchOptions options =
        withOptions(
            Optional.empty(), Map.of(1, Map.of("A_VARIABLE", value)), Optional.empty(), false);

    assertThat(run(job(2, options, "variable", "A_VARIABLE"))).isZero();

    assertThat(text(out).lines())
        .containsExactlyInAnyOrder("[0] A_VARIABLE=null", "[1] A_VARIABLE=" + value);
  }

  @Test
  void shouldPassArgumentsExactly() {
    String argument = "sp  ace 'q' \"d\" `b` $HOME\nsecond line \\";

    assertThat(run(job(1, "print", argument, ""))).isZero();

    assertThat(text(out).replace("[0] ", "")).contains("print|" + argument + "|\n");
  }

  @Test
  void shouldOnlyPrintTheCommandsWhenDry() {
    LaunchOptions options = withOptions(Optional.empty(), Map.of(), Optional.empty(), true);

    assertThat(run(job(2, options, "exit", "9"))).isZero();

    assertThat(text(out).lines()).hasSize(2);
    assertThat(text(out)).contains("TAGFABRIC_JOB_RANK=1").contains(TestRank.class.getName());
  }

  @Test
  void shouldGiveAllRanksTimeAtTheBreakpointsOfOne() {
    LaunchOptions usual = withOptions(Optional.empty(), Map.of(), Optional.empty(), true);
    LaunchOptions debugged =
        new LaunchOptions(
            usual.onLoss(),
            usual.exports(),
            usual.rankVariables(),
            usual.outputDirectory(),
            usual.tagged(),
            usual.input(),
            OptionalInt.of(1),
            usual.keep(),
            usual.dryRun(),
            usual.hosts());

    assertThat(run(job(2, debugged, "exit", "0"))).isZero();

    assertThat(text(out).lines())
        .hasSize(2)
        .allMatch(line -> line.contains(".failure-detector.acceptable-heartbeat-pause=24h"));
    assertThat(text(out).lines().filter(line -> line.contains("jdwp"))).hasSize(1);
  }

  private static LaunchOptions withOptions(
      Optional<LossPolicy> onLoss,
      Map<Integer, Map<String, String>> rankVariables,
      Optional<Path> files,
      boolean dry) {
    return new LaunchOptions(
        onLoss,
        Exports.none(),
        rankVariables,
        files,
        true,
        false,
        OptionalInt.empty(),
        false,
        dry,
        Optional.empty());
  }

  private static LocalJob job(int size, LaunchOptions options, String... arguments) {
    LocalJob job = job(size, arguments);
    return new LocalJob(
        size,
        job.mainClass(),
        job.arguments(),
        job.profile(),
        job.jvmFlags(),
        job.timeout(),
        false,
        options);
  }

  private static OutputStream failing(IOException failure) {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        throw failure;
      }
    };
  }

  private int run(LocalJob job) {
    return run(job, out);
  }

  private int run(LocalJob job, OutputStream screen) {
    Settings settings = Settings.of(ConfigFactory.load(), variables);
    return new JobLauncher(settings, variables, screen, err).run(job);
  }

  private static LocalJob job(int size, String... arguments) {
    return job(size, Profile.TCP, Optional.empty(), arguments);
  }

  private static LocalJob job(
      int size, Profile profile, Optional<Duration> timeout, String... arguments) {
    return new LocalJob(
        size,
        TestRank.class.getName(),
        List.of(arguments),
        profile,
        List.of("-XX:TieredStopAtLevel=1"),
        timeout,
        false);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
