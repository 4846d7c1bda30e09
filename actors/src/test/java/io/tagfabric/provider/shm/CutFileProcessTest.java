package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In another JVM, which must not end by a signal. */
@Tag("jvms")
class CutFileProcessTest {
  @TempDir Path parent;

  @ParameterizedTest
  @ValueSource(ints = {0, 50_000})
  void shouldGetAnErrorAndNotEndWhenItsFileIsCut(int keptBytes)
      throws IOException, InterruptedException {
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:ErrorFile=" + parent.resolve("end"),
                "-XX:-CreateCoredumpOnCrash",
                "-cp",
                System.getProperty("java.class.path"),
                CutFileVictim.class.getName(),
                parent.resolve("domain-1-1").toString(),
                String.valueOf(keptBytes))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(victim.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      String said =
          new String(victim.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

      assertThat(said).as("by lines before, not after, with errors").isEqualTo("true true true");
      assertThat(victim.exitValue()).isZero();
    } finally {
      victim.destroyForcibly();
    }
  }
}
