package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cli.Tagfabric;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory of processes that are killed by kill -9. */
@Tag("jvms")
class MemoryRunTest {
  @TempDir Path directory;
  @TempDir Path files;

  @Test
  void shouldCountEachWordInOneTableOverArtery() {
    countWords("artery");
  }

  @Tag("exhaustive")
  @Test
  void shouldCountEachWordInOneTableOverAeron() {
    countWords("aeron");
  }

  @Tag("exhaustive")
  @Test
  void shouldCountEachWordInOneTableOverShm() {
    countWords("shm");
  }

  private void countWords(String provider) {
    try (Command command =
        Command.start(
            directory,
            Map.of("TAGFABRIC_PROVIDER_USE", provider),
            Tagfabric.class,
            "run",
            "-n",
            "3",
            "shared-table",
            "--words",
            "20",
            "--counts",
            "100")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      assertThat(result.lines()).contains("[0] 20 words are right");
    }
  }

  @Test
  void shouldGoOnWithTheTableWhenARankIsKilled() {
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "3",
            "--on-failure",
            "continue",
            "shared-table",
            "--words",
            "60",
            "--counts",
            "300",
            "--kill",
            "2")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isEqualTo(137);
      assertThat(result.out()).containsPattern("\\[0] \\d+ words are right");
      for (int rank = 0; rank < 2; rank++) {
        assertThat(result.out())
            .containsPattern("\\[" + rank + "] rank " + rank + ": .*\\[rank-2@.*]");
      }
      result.requireNoTrace();
    }
  }

  @Test
  void shouldRefuseToKillWhoIsNotThere() {
    try (Command command =
        Command.tagfabric(directory, "run", "-n", "2", "shared-table", "--kill", "2")) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("--kill must be one of several ranks, 0..1");
    }
  }

  @Test
  void shouldEndEachAccessOnceWhenTheTargetIsKilledInAWriteOverShm() throws IOException {
    killTarget("shm");
  }

  @Test
  void shouldEndEachAccessOnceWhenTheTargetIsKilledInAWriteOverArtery() throws IOException {
    killTarget("artery");
  }

  @Tag("exhaustive")
  @Test
  void shouldEndEachAccessOnceWhenTheTargetIsKilledInAWriteOverAeron() throws IOException {
    killTarget("aeron");
  }

  private void killTarget(String provider) throws IOException {
    Path file = files.resolve("target");
    Files.write(file, new byte[KilledTarget.LENGTH + Long.BYTES]);
    try (Command command =
        Command.start(
            directory,
            Map.of("TAGFABRIC_PROVIDER_USE", provider),
            Tagfabric.class,
            "run",
            "-n",
            "2",
            "--on-failure",
            "continue",
            "-cp",
            Path.of(
                    KilledTarget.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString(),
            KilledTarget.class.getName(),
            file.toString())) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isEqualTo(137);
      List<String> ends =
          result.lines().stream().filter(line -> line.startsWith("[0] ")).sorted().toList();
      assertThat(ends).hasSize(4 * KilledTarget.WRITES + 2);
      assertThat(ends)
          .filteredOn(line -> line.startsWith("[0] " + KilledTarget.LATE))
          .hasSize(2)
          .noneMatch(line -> line.endsWith(" done"));
      assertThat(ends)
          .filteredOn(line -> !line.endsWith(" done"))
          .allMatch(line -> line.contains(" failed ") && line.contains("rank-1@"));
      requireAtMostWhatWasAsked(Files.readAllBytes(file), ends);
    }
  }

  private static void requireAtMostWhatWasAsked(byte[] found, List<String> ends) {
    for (int i = 0; i < KilledTarget.WRITES; i++) {
      int at = i * (KilledTarget.BLOCK + KilledTarget.GAP);
      boolean done = ends.contains("[0] write " + i + " done");
      int there = 0;
      while (there < KilledTarget.BLOCK && found[at + there] == KilledTarget.byteOf(i, there)) {
        there++;
      }
      if (done) {
        assertThat(there).as("write %d, which is done", i).isEqualTo(KilledTarget.BLOCK);
      }
      for (int rest = there; rest < KilledTarget.BLOCK + KilledTarget.GAP; rest++) {
        assertThat(found[at + rest]).as("byte %d behind write %d", rest - there, i).isZero();
      }
    }
    long counted =
        ByteBuffer.wrap(found).order(ByteOrder.LITTLE_ENDIAN).getLong(KilledTarget.COUNTER_AT);
    long told = ends.stream().filter(line -> line.matches("\\[0] add \\d+ done")).count();
    assertThat(counted).isBetween(told, (long) KilledTarget.WRITES);
  }
}
