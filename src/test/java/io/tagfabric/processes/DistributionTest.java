package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the zip. */
class DistributionTest {
  @TempDir Path directory;
  private Path unpacked;

  @BeforeEach
  void unpack() throws IOException {
    unpacked = Distribution.unpack(directory);
  }

  @Test
  void shouldHoldCommandJarsCompletionAndLicences() throws IOException {
    assertThat(unpacked.getFileName().toString()).matches("tagfabric-\\d.*");
    assertThat(names(unpacked))
        .containsExactlyInAnyOrder(
            "LICENSE", "NOTICE", "README.md", "THIRD-PARTY.txt", "bin", "completion", "lib");
    assertThat(unpacked.resolve("bin/tagfabric"))
        .isExecutable()
        .hasSameBinaryContentAs(Distribution.root().resolve("tagfabric"));
    assertThat(unpacked.resolve("LICENSE"))
        .hasSameBinaryContentAs(Distribution.root().resolve("LICENSE"));
    assertThat(unpacked.resolve("README.md")).content().doesNotContain("${project");
    assertThat(names(unpacked.resolve("lib")))
        .allMatch(name -> name.endsWith(".jar"))
        .anyMatch(name -> name.startsWith("tagfabric-cli-"))
        .anyMatch(name -> name.startsWith("logback-classic-"));
  }

  @Test
  void shouldNameTheLicenceOfEachJarThatIsNotOurs() throws IOException {
    List<String> lines = Files.readAllLines(unpacked.resolve("THIRD-PARTY.txt"));

    assertThat(names(unpacked.resolve("lib")))
        .filteredOn(name -> !name.startsWith("tagfabric-"))
        .hasSizeGreaterThan(10)
        .allSatisfy(
            jar -> {
              // as in "(Apache License, Version 2.0) Name (group:artifact:version - address)"
              String artifact = jar.replaceFirst("-(\\d[^/]*)\\.jar$", ":$1 -");
              assertThat(lines)
                  .filteredOn(line -> line.contains(":" + artifact))
                  .singleElement()
                  .asString()
                  .matches(" *\\((?!Unknown|BUSL)[^)]*[A-Z][^)]*\\).*");
            });
  }

  @Test
  void shouldHaveTheSameTimeInAllEntries() throws IOException {
    try (Stream<Path> files = Files.walk(unpacked.resolve("lib"))) {
      assertThat(files.filter(Files::isRegularFile).map(DistributionTest::time).distinct())
          .hasSize(1);
    }
  }

  @Test
  void shouldCompleteInBash() throws Exception {
    String script = Files.readString(unpacked.resolve("completion/tagfabric.bash"));
    String line =
        "\nCOMP_WORDS=(tagfabric run -n 2 ping); COMP_CWORD=4; _complete_tagfabric 2>/dev/null\n";

    assertThat(said(script + line + "echo \"${COMPREPLY[@]}\"", "bash", "-s"))
        .isEqualTo("pingpong");
  }

  /** A terminal of its own shows what zsh completes. */
  @Test
  void shouldCompleteInZsh() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "install the package zsh");
    Path functions = unpacked.resolve("completion");
    String dialogue =
        """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "unset zle_bracketed_paste; fpath=('%s' \\$fpath)"
        zpty -w shell "autoload -Uz compinit && compinit -u -D"
        zpty -w shell 'print re''ady'
        zpty -r -m shell line '*ready*ready*'
        zpty -n -w shell $'tagfabric run --class-p\t'
        zpty -r -m shell line '*ath*'
        print -r -- "completed: $line"
        """
            .formatted(functions);

    assertThat(said(dialogue, "zsh", "-f", "-s"))
        .contains("completed: ")
        .doesNotContain("not found");
  }

  private static String said(String input, String... words) throws Exception {
    Process shell =
        new ProcessBuilder(Stream.concat(Stream.of("timeout", "60"), Stream.of(words)).toList())
            .redirectErrorStream(true)
            .start();
    try (var in = shell.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
    return said.strip();
  }

  private static Object time(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException gone) {
      throw new java.io.UncheckedIOException(gone);
    }
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
