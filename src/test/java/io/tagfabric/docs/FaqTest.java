package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that docs/90-faq.md quotes are printed so by the code. */
class FaqTest {
  private static final Path PAGE = Pages.root().resolve("docs/90-faq.md");
  private static final String LANGUAGE = "message";
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

  private static String sources;

  @BeforeAll
  static void readSources() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String module : List.of("kryo", "actors", "cluster-config", "launcher", "cli")) {
      try (Stream<Path> files = Files.walk(Pages.root().resolve(module + "/src/main/java"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          all.append(Files.readString(file));
        }
      }
    }
    sources = JOINED.matcher(all).replaceAll("").replace("\\\"", "\"");
  }

  static Stream<String> messages() {
    return Pages.blocks(PAGE).stream()
        .filter(block -> block.language().equals(LANGUAGE))
        .map(Pages.Block::text);
  }

  @Test
  void shouldFindMessages() {
    assertThat(messages()).hasSizeGreaterThan(5);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldQuoteMessagesAsTheyArePrinted(String message) {
    for (String part : message.split("\\.\\.\\.")) {
      assertThat(sources.contains(part)).as("[%s] of [%s]", part, message).isTrue();
    }
  }
}
