package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramJarTest {
  @TempDir Path temporary;
  private Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    directory = temporary.toRealPath();
    Files.createDirectories(directory.resolve("lib/classes"));
    Files.createFile(directory.resolve("lib/a b.jar"));
  }

  @Test
  void shouldReadWhatTheManifestSays() throws IOException {
    Path jar =
        jar(
            Map.of(
                "Main-Class", " com.acme.Main ",
                "Class-Path", "lib/a%20b.jar lib/classes/ http://127.0.0.1/c.jar",
                "Add-Opens", "java.base/java.lang java.base/java.util",
                "Add-Exports", "java.base/sun.nio.ch"));

    assertThat(ProgramJar.read(jar).mainClass()).isEqualTo("com.acme.Main");
    assertThat(ProgramJar.read(jar).needed())
        .containsExactly(directory.resolve("lib/a b.jar"), directory.resolve("lib/classes"));
    assertThat(ProgramJar.read(jar).jvmFlags())
        .containsExactly(
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED");
  }

  @Test
  void shouldFindTheClassPathBesideTheJarBehindALink() throws IOException {
    Path jar = jar(Map.of("Main-Class", "Main", "Class-Path", "lib/a%20b.jar"));
    Path link = Files.createSymbolicLink(directory.resolve("lib/link.jar"), jar);

    assertThat(ProgramJar.read(link).needed()).containsExactly(directory.resolve("lib/a b.jar"));
  }

  @Test
  void shouldRefuseAJarThatCannotRun() throws IOException {
    Path classless = jar(Map.of("Class-Path", "lib/"));
    requireRefusal(
        classless,
        "the manifest of "
            + classless
            + " has no Main-Class, write --class-path "
            + classless
            + " and the name of the class");
    Path incomplete = jar(Map.of("Main-Class", "Main", "Class-Path", "lib/no.jar"));
    requireRefusal(
        incomplete,
        directory
            + "/lib/no.jar, in the Class-Path of the manifest of "
            + incomplete
            + ", is missing, copy it or leave it out of the manifest");
    requireRefusal(directory.resolve("no.jar"), directory + "/no.jar is missing, check the name");
    requireRefusal(directory, directory + " is no file");
    assertThatThrownBy(() -> ProgramJar.read(directory.resolve("lib/a b.jar")))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--jar: " + directory + "/lib/a b.jar is no jar: ");
  }

  private static void requireRefusal(Path jar, String reason) {
    assertThatThrownBy(() -> ProgramJar.read(jar))
        .isInstanceOf(UsageException.class)
        .hasMessage("--jar: " + reason);
  }

  private Path jar(Map<String, String> attributes) throws IOException {
    return Sources.jar(
        directory.resolve("app" + attributes.hashCode() + ".jar"),
        directory.resolve("lib/classes"),
        attributes);
  }
}
