package io.tagfabric.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryDirectoryTest {
  @TempDir Path directory;

  /** Makes one with something in it, and waits for a signal. */
  static final class Killed {
    private Killed() {}

    public static void main(String[] args) throws Exception {
      TemporaryDirectory made = TemporaryDirectory.create("made-");
      Files.createFile(Files.createDirectory(made.path().resolve("inside")).resolve("file"));
      System.out.println("made");
      Thread.sleep(TimeUnit.MINUTES.toMillis(2));
    }
  }

  @Test
  void shouldGoWithAllThatIsInItWhenItIsClosed() throws IOException {
    Path path;
    try (TemporaryDirectory made = TemporaryDirectory.create("made-")) {
      path = made.path();
      Files.createFile(Files.createDirectory(path.resolve("inside")).resolve("file"));
    }

    assertThat(path).doesNotExist();
  }

  @Test
  @Tag("jvms")
  void shouldGoWithAProcessThatIsInterrupted() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Djava.io.tmpdir=" + directory,
                    "-cp",
                    System.getProperty("java.class.path"),
                    Killed.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("made");
      assertThat(directory).isNotEmptyDirectory();

      process.destroy();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(directory).isEmptyDirectory();
    } finally {
      process.destroyForcibly();
    }
  }
}
