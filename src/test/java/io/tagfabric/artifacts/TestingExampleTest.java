package io.tagfabric.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of a project with tests: they compile, run and pass with the jars alone. */
@Tag("jvms")
class TestingExampleTest {
  @TempDir private static Path directory;

  @Test
  void shouldRunItsTests() throws Exception {
    Example.build("testing", directory);

    try (Stream<Path> reports = Files.list(directory.resolve("testing/target/surefire-reports"))) {
      List<Path> texts = reports.filter(file -> file.toString().endsWith(".txt")).toList();
      assertThat(texts).hasSize(1);
      assertThat(Files.readString(texts.get(0))).contains("Tests run: 3, Failures: 0, Errors: 0");
    }
  }
}
