package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsCheckTest {
  @TempDir Path directory;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int code(StatsCheck check, int ofJob) {
    return check.code(ofJob, new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private StatsCheck check(String name, int ranks) {
    return new StatsCheck(directory.resolve(name).toString(), ranks);
  }

  /** As a rank does. */
  private void write(String name) throws IOException {
    Path whole = Files.writeString(directory.resolve(name + ".part"), "rank=0");
    Files.move(whole, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void shouldNotEndWellWhenARankHasWrittenNothing() throws IOException {
    StatsCheck check = check("s%", 2);
    write("s0");

    assertThat(code(check, 0)).isEqualTo(ExitCode.OUTPUT_LOST);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("tagfabric: --stats: nothing was written to " + directory.resolve("s1"));
  }

  @Test
  void shouldNotTakeTheFileOfAnEarlierJobForThatOfThisOne() throws IOException {
    write("s");
    StatsCheck check = check("s", 1);

    assertThat(code(check, 0)).isEqualTo(ExitCode.OUTPUT_LOST);

    write("s");
    assertThat(code(check, 0)).isZero();
  }

  @Test
  void shouldKeepTheCodeOfAJobThatHasFailed() {
    assertThat(code(check("s", 1), 3)).isEqualTo(3);
    assertThat(err.size()).isZero();
  }

  @Test
  void shouldNotLookAtADevice() {
    assertThat(code(new StatsCheck("/dev/null", 1), 0)).isZero();
  }
}
