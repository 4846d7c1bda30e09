package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
  private static final String OPTION = "--class-path";

  @TempDir Path from;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectories(from.resolve("lib/deeper.jar"));
    Files.createDirectories(from.resolve("empty"));
    for (String name : new String[] {"app.jar", "lib/b.jar", "lib/A.JAR", "lib/c.txt"}) {
      Files.createFile(from.resolve(name));
    }
  }

  @Test
  void shouldGiveAbsolutePlacesInTheirOrder() {
    assertThat(ClassPath.required(OPTION, "lib:./app.jar:/", from))
        .containsExactly(from.resolve("lib"), from.resolve("app.jar"), Path.of("/"));
  }

  @Test
  void shouldTakeAllJarsOfADirectoryForAWildcard() {
    assertThat(ClassPath.required(OPTION, "lib/*:*:empty/*", from))
        .containsExactly(
            from.resolve("lib/A.JAR"), from.resolve("lib/b.jar"), from.resolve("app.jar"));
  }

  @Test
  void shouldTakeAnEmptyPlaceForTheWorkingDirectory() {
    assertThat(ClassPath.required(OPTION, "app.jar:", from))
        .containsExactly(from.resolve("app.jar"), from);
  }

  @Test
  void shouldRefuseAPlaceThatIsMissing() {
    requireRefusal("app.jar:no.jar", from + "/no.jar is missing, check the name");
    requireRefusal("none/*", from + "/none is missing, check the name");
    requireRefusal("app.jar/*", from + "/app.jar is no directory, check the name");
    requireRefusal("lib*", from + "/lib* is missing, check the name");
  }

  @Test
  void shouldSkipWhatIsMissingInAVariable() {
    assertThat(ClassPath.present("no.jar:none/*:app.jar/*:lib/*:app.jar", from))
        .containsExactly(
            from.resolve("lib/A.JAR"), from.resolve("lib/b.jar"), from.resolve("app.jar"));
  }

  private void requireRefusal(String text, String reason) {
    assertThatThrownBy(() -> ClassPath.required(OPTION, text, from))
        .isInstanceOf(UsageException.class)
        .hasMessage("--class-path: " + reason);
  }
}
