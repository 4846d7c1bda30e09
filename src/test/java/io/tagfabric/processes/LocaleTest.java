package io.tagfabric.processes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.jvms.ClassArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The script {@code tagfabric} in locales without letters beyond ASCII. It runs from a copy, whose
 * build is done and whose Java is this one with the class path of the tests. The tests write such
 * letters by their bytes, so that they do not depend on the locale they run in.
 */
@Tag("jvms")
@EnabledOnOs(OS.LINUX)
class LocaleTest {
  private static final long DEADLINE_S = 100;
  private static final String JAVA =
      """
      #!/bin/sh
      case "$*" in
        *ArchiveTraining*) exit 1 ;;
      esac
      while [ "$1" != io.tagfabric.cli.Tagfabric ]; do
        shift
      done
      exec "$REAL_JAVA" $REAL_FLAGS -cp "$REAL_CLASS_PATH" "$@"
      """;

  @TempDir Path directory;

  @BeforeEach
  void copy() throws IOException {
    Path root = Files.createDirectories(directory.resolve("copy"));
    Files.createDirectories(root.resolve("cli/src/main"));
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(root.resolve("cli/pom.xml"));
    Files.copy(script(), root.resolve("tagfabric"), StandardCopyOption.COPY_ATTRIBUTES);
    Path build = Files.createDirectories(root.resolve(".tagfabric/build-1"));
    Files.createDirectories(build.resolve("lib"));
    Files.writeString(root.resolve(".tagfabric/current"), "build-1\n");
    Path bin = Files.createDirectories(directory.resolve("jdk/bin"));
    Files.writeString(
        directory.resolve("jdk/release"),
        "JAVA_VERSION=\"" + Runtime.version().feature() + ".0.1\"\n");
    Path java = Files.writeString(bin.resolve("java"), JAVA);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createFile(build.resolve("stamp"));
  }

  private static Path script() {
    Path here = Path.of("").toAbsolutePath();
    Path script = here.resolve("tagfabric");
    return Files.exists(script) ? script : here.resolveSibling("tagfabric");
  }

  /** A locale that is not installed counts as none. */
  @ParameterizedTest
  @CsvSource({"C, LC_ALL, C.UTF-8", ", LC_CTYPE, C.UTF-8", "xx_YY.UTF-8, LC_ALL, C.UTF-8"})
  void shouldBringLettersToRanksInAnyLocale(String locale, String variable, String seen)
      throws Exception {
    String text =
        run(locale, "\"$COPY\" run -n 2 io.tagfabric.processes.Echo " + variable + " \"$letters\"");

    String line = seen + "|" + variable + "|é 日本 😀|";
    assertThat(text).contains("[0] " + line, "[1] " + line, "code 0");
  }

  @Test
  void shouldLeaveALocaleThatHasThemAlone() throws Exception {
    String text =
        run("C.UTF-8", "\"$COPY\" run -n 1 io.tagfabric.processes.Echo LC_CTYPE \"$letters\"");

    assertThat(text).contains("[0] null|LC_CTYPE|é 日本 😀|", "code 0");
  }

  @Test
  void shouldRefuseBytesThatAreNotUtf8() throws Exception {
    String text =
        run("C", "\"$COPY\" run -n 1 io.tagfabric.processes.Echo X \"$(printf 'a\\377')\"");

    assertThat(text)
        .contains("tagfabric: argument 6, 'a\uFFFD', is not in the characters of the locale, UTF-8")
        .contains("code 2")
        .doesNotContain("[0]");
  }

  /** Without the script: Java has lost the letters before anybody can do anything. */
  @Test
  void shouldRefuseLettersThatJavaHasLost() throws Exception {
    String direct =
        "\"$REAL_JAVA\" $REAL_FLAGS -cp \"$REAL_CLASS_PATH\" io.tagfabric.cli.Tagfabric";

    assertThat(
            run("C", "cd .. && " + direct + " run -n 1 io.tagfabric.processes.Echo X \"$letters\""))
        .contains("tagfabric: argument 6, ", "set LC_ALL=C.UTF-8 and give it in UTF-8", "code 2")
        .doesNotContain("[0]");
    assertThat(run("C", direct + " run -n 1 io.tagfabric.processes.Echo X"))
        .contains("tagfabric: the name of the working directory, ", "code 2")
        .doesNotContain("[0]");
  }

  /** Runs a line in a directory with such a letter; all that is said, and the code. */
  private String run(String locale, String line) throws Exception {
    String lines =
        """
        letters=$(printf '\\303\\251 \\346\\227\\245\\346\\234\\254 \\360\\237\\230\\200')
        there=$(printf 'd\\303\\251')
        mkdir "$there"
        (cd "$there" && %s)
        echo "code $?"
        rmdir "$there"
        """
            .formatted(line);
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", lines)
            .directory(Files.createDirectories(directory.resolve("work")).toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    List.of("LC_ALL", "LC_CTYPE", "LANG").forEach(environment::remove);
    if (locale != null) {
      environment.put("LC_ALL", locale);
    }
    environment.put("COPY", directory.resolve("copy/tagfabric").toString());
    environment.put("JAVA_HOME", directory.resolve("jdk").toString());
    environment.put(
        "REAL_JAVA", Path.of(System.getProperty("java.home"), "bin", "java").toString());
    List<String> flags = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    flags.addAll(ClassArchive.flags());
    environment.put("REAL_FLAGS", String.join(" ", flags));
    environment.put("REAL_CLASS_PATH", System.getProperty("java.class.path"));
    environment.put("TAGFABRIC_LAUNCH_DIRECTORY", directory.toString());
    environment.put("TAGFABRIC_JVM_OPTS", "-XX:TieredStopAtLevel=1");
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      Thread guard = guard(process);
      String text = new String(process.getInputStream().readAllBytes(), UTF_8);
      guard.interrupt();
      assertThat(Command.hostDirectory(directory)).doesNotExist();
      return text;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Ends a process that hangs, so that reading its output ends. */
  private static Thread guard(Process process) {
    Thread guard =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
                  process.descendants().forEach(ProcessHandle::destroyForcibly);
                }
              } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
              }
            });
    guard.setDaemon(true);
    guard.start();
    return guard;
  }
}
