package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tagfabric run} shows of a job: {@code --trace}, {@code --stats}, and JFR. */
@Tag("jvms")
class TraceRunTest {
  @TempDir Path directory;
  @TempDir Path files;
  private Set<Path> partsBefore;

  @BeforeEach
  void lookForParts() {
    partsBefore = parts();
  }

  @AfterEach
  void shouldLeaveNoParts() {
    Set<Path> left = parts();
    left.removeAll(partsBefore);
    assertThat(left).isEmpty();
  }

  private static Set<Path> parts() {
    try (Stream<Path> all = Files.list(Command.TEMPORARY)) {
      return new HashSet<>(
          all.filter(each -> each.getFileName().toString().startsWith("tagfabric-trace-"))
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Properties stats(int rank) throws IOException {
    Properties stats = new Properties();
    try (Reader reader = Files.newBufferedReader(files.resolve("rank-" + rank + ".stats"))) {
      stats.load(reader);
    }
    return stats;
  }

  private static long sum(Properties stats, String name) {
    return stats.stringPropertyNames().stream()
        .filter(key -> key.startsWith("domain.") && key.endsWith("." + name))
        .filter(key -> !key.contains(".flow."))
        .mapToLong(key -> Long.parseLong(stats.getProperty(key)))
        .sum();
  }

  @Test
  void shouldWriteStatisticsOfEachRankAndATraceForChrome() throws IOException {
    Path trace = files.resolve("trace.json");
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "2",
            "--stats",
            files.resolve("rank-%.stats").toString(),
            "--trace-file",
            trace.toString(),
            "match-order")) {
      Command.Result result = command.end();
      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out())
          .contains("is taken by receive", "is closed by this side", "all events: " + trace)
          .doesNotContain("CANCELED");
    }

    assertThat(stats(0)).containsEntry("rank", "0");
    assertThat(sum(stats(1), "eager-messages-sent")).isGreaterThanOrEqualTo(4);
    assertThat(sum(stats(0), "posted-receives")).isZero();
    List<? extends Config> events =
        ConfigFactory.parseFile(trace.toFile()).getConfigList("traceEvents");
    assertThat(events)
        .hasSizeGreaterThan(20)
        .anyMatch(event -> event.getString("ph").equals("s"))
        .anyMatch(event -> event.getString("ph").equals("f"));
  }

  @Test
  void shouldWriteStatisticsOfARankThatFails() throws IOException {
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "1",
            "--stats",
            files.resolve("rank-%.stats").toString(),
            "exit-cases",
            "102")) {
      assertThat(command.end().code()).isEqualTo(1);
    }
    assertThat(stats(0)).containsEntry("rank", "0");
    assertThat(stats(0).stringPropertyNames()).anyMatch(key -> key.endsWith(".packets-sent"));
  }

  @Test
  void shouldFailIfThereIsNoRoomForTheTrace() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "needs " + full);
    try (Command command =
        Command.tagfabric(
            directory, "run", "-n", "2", "--trace-file", full.toString(), "match-order")) {
      Command.Result result = command.end();
      assertThat(result.code()).as("the job has ended well").isEqualTo(1);
      assertThat(result.err())
          .contains("--trace-file: cannot write /dev/full: No space left on device");
      assertThat(result.out()).contains("#1 is taken by receive 1");
      result.requireNoTrace();
    }
  }

  @Test
  void shouldSayWhyATraceCannotBeWrittenBeforeTheJobBegins() {
    Path nowhere = files.resolve("no").resolve("x.pftrace");
    try (Command command =
        Command.tagfabric(
            directory, "run", "-n", "1", "--trace-file", nowhere.toString(), "hello")) {
      Command.Result result = command.end();
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("there is no such directory, make it first");
      assertThat(result.out()).doesNotContain("hello");
      result.requireNoTrace();
    }
  }

  @Test
  void shouldRefuseOneFileForTheStatisticsOfSeveralRanks() {
    try (Command command =
        Command.tagfabric(directory, "run", "-n", "2", "--stats", "all.stats", "hello")) {
      Command.Result result = command.end();
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("put % where their numbers go");
      result.requireNoTrace();
    }
  }

  @Test
  void shouldNotStartTheFlightRecorderWhereNobodyRecords() throws IOException {
    Path classes = files.resolve("classes");
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "1",
            "--jvm-opts",
            "-Xlog:class+load=info:file=" + classes,
            "hello")) {
      Command.Result result = command.end();
      assertThat(result.code()).as(result.err()).isZero();
    }
    assertThat(Files.readString(classes))
        .contains("io.tagfabric.fabric.Domain ")
        .doesNotContain("jdk.jfr.internal.");
  }

  @Test
  void shouldTellARecordingOfJfr() throws IOException {
    Path recording = files.resolve("rank.jfr");
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "1",
            "--jvm-opts",
            "-XX:StartFlightRecording:filename="
                + recording
                + ",dumponexit=true,+tagfabric.Message#enabled=true,+tagfabric.Loop#enabled=true",
            "ring",
            "--rounds",
            "2")) {
      Command.Result result = command.end();
      assertThat(result.code()).as(result.err()).isZero();
    }
    assertThat(RecordingFile.readAllEvents(recording))
        .filteredOn(event -> event.getEventType().getName().startsWith("tagfabric."))
        .extracting(event -> event.getString("kind"))
        .contains("SENT", "MATCHED", "PASS");
  }

  @Test
  void shouldShowTheTraceOfAJobThatWasInterrupted() throws IOException {
    Path trace = files.resolve("trace.pftrace");
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "2",
            "--trace-file",
            trace.toString(),
            Talker.class.getName(),
            files.resolve("never").toString())) {
      command.awaitLine("[0] talking");

      command.signal("INT");

      Command.Result result = command.end();
      assertThat(result.code()).isEqualTo(130);
      assertThat(result.out()).contains("comes from rank", "all events: " + trace);
      assertThat(result.out() + result.err()).doesNotContain("given up");
    }
    assertThat(Files.size(trace)).isPositive();
  }

  @Test
  void shouldGatherRanksThatShareAJvm() {
    Path trace = files.resolve("trace.pftrace");
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "2",
            "--ranks-per-jvm",
            "2",
            "--trace-file",
            trace.toString(),
            "match-order")) {
      Command.Result result = command.end();
      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out())
          .contains("#1 goes to rank 0", "#1 comes from rank 1", "#1 is taken by receive 1")
          .doesNotContain("has left no events");
    }
  }

  @Test
  void shouldGatherRanksWhoseSettingsFilesNameAnotherDirectory() throws IOException {
    Path settings = Files.createDirectory(files.resolve("settings"));
    Path other = files.resolve("other");
    Files.writeString(
        settings.resolve("job.conf"),
        "tagfabric.trace { directory = \"" + other + "\", events = 16 }\n");
    Path trace = files.resolve("trace.pftrace");
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "2",
            "--settings-dir",
            settings.toString(),
            "--trace-file",
            trace.toString(),
            "match-order")) {
      Command.Result result = command.end();
      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines())
          .anyMatch(line -> line.contains("only its last 15 events are here"))
          .noneMatch(line -> line.contains("has left no events"));
    }
    assertThat(other).doesNotExist();
  }

  @Test
  void shouldNameTheTraceAfterTheJob() throws IOException {
    try (Command command =
        Command.tagfabric(directory, "run", "-n", "1", "--trace", "ring", "--rounds", "1")) {
      Command.Result result = command.end();
      assertThat(result.code()).as(result.err()).isZero();
      List<String> named =
          result.lines().stream().filter(line -> line.startsWith("all events: ")).toList();
      assertThat(named).hasSize(1);
      String name = named.get(0).replaceAll("all events: ([^,]*),.*", "$1");
      assertThat(name).matches("trace-[0-9]+\\.pftrace");
      assertThat(Files.deleteIfExists(Path.of(name))).isTrue();
    }
  }
}
