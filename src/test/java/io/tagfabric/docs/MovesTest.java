package io.tagfabric.docs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that have changed, and the program that rewrites those of others. */
class MovesTest {
  private static final Path MOVES = Pages.root().resolve("src/moves");
  private static final Path TABLE = MOVES.resolve("old-new.tsv");

  @TempDir private Path directory;

  private record Ended(int code, String output) {}

  private static Ended rewrite(String... arguments) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.add(MOVES.resolve("Rewrite.java").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), output);
  }

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void shouldNameTypesThatAreThereAndNoneThatIs() throws IOException {
    List<String> lines = Files.readAllLines(TABLE);

    assertThat(lines.get(0)).isEqualTo("old\tnew");
    assertThat(lines).hasSizeGreaterThan(30);
    for (String line : lines.subList(1, lines.size())) {
      String[] names = line.split("\t");
      assertThat(names).hasSize(2);
      assertThat(isThere(names[0])).as(names[0]).isFalse();
      assertThat(isThere(names[1])).as(names[1]).isTrue();
    }
  }

  private static boolean isThere(String name) {
    String binary = Pattern.compile("(\\.[A-Z]\\w*)\\.(?=[A-Z])").matcher(name).replaceAll("$1\\$");
    try {
      Class.forName(binary, false, MovesTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void shouldRewriteATree() throws IOException, InterruptedException {
    Path program =
        write(
            "src/main/java/com/example/Program.java",
            """
            package com.example;

            import io.tagfabric.endpoint.Endpoint;
            import io.tagfabric.endpoint.EndpointPort;
            import io.tagfabric.endpoint.Posted;
            import io.tagfabric.endpoint.TaggedReceives;
            import java.util.List;

            /** Posts to {@link TaggedReceives}; see {@link io.tagfabric.endpoint.SendOptions}. */
            class Program {
              Posted post(TaggedReceives receives, EndpointPort.NoteReader reader) {
                List<io.tagfabric.endpoint.RemoteRegion> MyTaggedReceives = List.of();
                return Posted.POSTED;
              }

              Endpoint endpoint;
            }
            """);
    Path wildcard =
        write(
            "Wildcard.java",
            """
            import io.tagfabric.endpoint.*;

            class Wildcard {
              Endpoint endpoint;
              SendListener listener;
            }
            """);
    Path text =
        write("README.md", "`io.tagfabric.endpoint.Posted`, not `xio.tagfabric.endpoint.Posted`\n");
    Path built = write("target/Old.java", "import io.tagfabric.endpoint.Posted;\n");
    write("META-INF/services/io.tagfabric.endpoint.EndpointService", "com.example.Mine\n");

    Ended check = rewrite("--check", TABLE.toString(), directory.toString());
    assertThat(check.code()).isEqualTo(1);
    assertThat(check.output()).contains("would change 4 files");
    assertThat(Files.readString(text)).startsWith("`io.tagfabric.endpoint.Posted`");

    assertThat(rewrite(TABLE.toString(), directory.toString()).code()).isZero();
    assertThat(Files.readString(program))
        .isEqualTo(
            """
            package com.example;

            import io.tagfabric.endpoint.Endpoint;
            import io.tagfabric.link.NoteDesk;
            import io.tagfabric.link.Posted;
            import io.tagfabric.receive.Receives;
            import java.util.List;

            /** Posts to {@link Receives}; see {@link io.tagfabric.link.send.SendOptions}. */
            class Program {
              Posted post(Receives receives, NoteDesk.Reader reader) {
                List<io.tagfabric.access.RemoteRegion> MyTaggedReceives = List.of();
                return Posted.POSTED;
              }

              Endpoint endpoint;
            }
            """);
    assertThat(Files.readString(wildcard))
        .isEqualTo(
            """
            import io.tagfabric.endpoint.*;
            import io.tagfabric.link.send.SendListener;

            class Wildcard {
              Endpoint endpoint;
              SendListener listener;
            }
            """);
    assertThat(Files.readString(text))
        .isEqualTo("`io.tagfabric.link.Posted`, not `xio.tagfabric.endpoint.Posted`\n");
    assertThat(Files.readString(built)).contains("endpoint.Posted");
    assertThat(directory.resolve("META-INF/services/io.tagfabric.link.EndpointService")).exists();

    Ended again = rewrite("--check", TABLE.toString(), directory.toString());
    assertThat(again.output()).contains("would change 0 files");
    assertThat(again.code()).isZero();
  }

  @Test
  void shouldHaveNoOldNameInThisTree() throws IOException, InterruptedException {
    for (String part : List.of("actors", "collectives", "demos", "examples", "docs", "testkit")) {
      Ended check = rewrite("--check", TABLE.toString(), Pages.root().resolve(part).toString());

      assertThat(check.output()).as(part).isEqualTo("would change 0 files\n");
    }
  }

  @Test
  void shouldSayWhatItNeeds() throws IOException, InterruptedException {
    assertThat(rewrite().code()).isEqualTo(2);
    Ended missing = rewrite(directory.resolve("none.tsv").toString(), directory.toString());
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.output()).contains("none.tsv must be a file");
    Path table = write("bad.tsv", "old\tnew\nio.tagfabric.endpoint.Posted\n");
    Ended bad = rewrite(table.toString(), directory.toString());
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.output())
        .contains("line [io.tagfabric.endpoint.Posted]")
        .doesNotContain("\tat ");
  }

  @Test
  void shouldKeepBytesOfAnyEncoding() throws IOException, InterruptedException {
    byte[] text = "import io.tagfabric.endpoint.Posted;\n// \u00e4 Posted\n".getBytes(ISO_8859_1);
    Path file = Files.write(directory.resolve("Latin.java"), text);

    assertThat(rewrite(TABLE.toString(), directory.toString()).code()).isZero();

    assertThat(Files.readAllBytes(file))
        .isEqualTo("import io.tagfabric.link.Posted;\n// \u00e4 Posted\n".getBytes(ISO_8859_1));
  }
}
