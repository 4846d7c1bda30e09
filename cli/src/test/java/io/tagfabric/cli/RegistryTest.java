package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
  @TempDir Path first;
  @TempDir Path second;

  @Test
  void shouldMergeAllResourcesInTheOrderOfNames() throws Exception {
    write(first, "# a comment\n\nring = x.Ring, Passes a token, round and round\n");
    write(second, "  hello=x.Hello,Greets\n");

    assertThat(load().entries())
        .containsExactly(
            new Registry.Entry("hello", "x.Hello", "Greets"),
            new Registry.Entry("ring", "x.Ring", "Passes a token, round and round"));
  }

  @Test
  void shouldNamePlaceWhenALineIsMalformed() throws Exception {
    write(first, "\nhello x.Hello\n");

    assertThatThrownBy(this::load)
        .hasMessageContaining("names:2: \"hello x.Hello\" is not of the form");
  }

  @Test
  void shouldRefuseANameThatIsTaken() throws Exception {
    write(first, "a = x.A, one\n");
    write(second, "a = x.B, two\n");

    assertThatThrownBy(this::load).hasMessageContaining("name a is taken");
  }

  private Registry load() throws Exception {
    URL[] path = {first.toUri().toURL(), second.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, null)) {
      return Registry.load(loader, "names");
    }
  }

  private static void write(Path directory, String text) throws Exception {
    Files.writeString(directory.resolve("names"), text);
  }
}
