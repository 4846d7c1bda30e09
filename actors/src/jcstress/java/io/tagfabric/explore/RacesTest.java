package io.tagfabric.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.Main;

/** Runs the races of this folder, real classes on the real processor, with jcstress. */
@Tag("exhaustive")
class RacesTest {
  private static final int MINUTES = 10;

  @Test
  @Timeout(value = MINUTES + 1, unit = TimeUnit.MINUTES)
  void shouldSeeNoOutcomeThatIsForbidden(@TempDir Path directory)
      throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process races =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "-t",
                "io.tagfabric",
                "-f",
                "1",
                "-fsm",
                "1",
                "-iters",
                "3",
                "-time",
                "300",
                "-sc",
                "false",
                "-v",
                "-r",
                directory.resolve("report").toString())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(new File(output.toString()))
            .start();
    boolean ended = races.waitFor(MINUTES, TimeUnit.MINUTES);
    if (!ended) {
      races.descendants().forEach(ProcessHandle::destroyForcibly);
      races.destroyForcibly();
    }
    String said = Files.readString(output);

    assertThat(ended).as("it has not ended: %s", said).isTrue();
    assertThat(races.exitValue()).as("%s", said).isZero();
    assertThat(said)
        .contains("RingRace", "ClaimRace", "LaneRace", "LaneSleepRace", "WaiterRace")
        .contains("provider.shm.SleepRace", "CompletionRace", "GateRace", "UpdateRace")
        .contains(" 0 failed, 0 soft errs, 0 hard errs")
        .contains("Failed tests: No matches.", "Error tests: No matches.");
  }
}
