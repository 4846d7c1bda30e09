package io.tagfabric.cluster.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;

class LineCopierTest {
  private static final long PATIENCE_MS = 10_000;

  @Property(tries = 200)
  void shouldPrefixEveryLineAndLoseNoByte(
      @ForAll @CharRange(from = 'a', to = 'c') @CharRange(from = '\n', to = '\n') String text)
      throws InterruptedException {
    String expected = text.isEmpty() || text.endsWith("\n") ? text : text + "\n";

    assertThat(copy(text).replaceAll("(?m)^> ", "")).isEqualTo(expected);
    assertThat(copy(text).lines()).allMatch(line -> line.startsWith("> "));
  }

  @Test
  void shouldPassOnALineWithoutEndInPieces() throws Exception {
    String line = "x".repeat(200_000);

    String copied = copy(line);

    assertThat(copied.replaceAll("> |\n", "")).isEqualTo(line);
    assertThat(copied.lines()).hasSizeBetween(3, 4);
  }

  @Test
  void shouldKeepTheLastLines() throws Exception {
    LineCopier copier = start("1\n2\n3\n4", new ByteArrayOutputStream(), 2);

    copier.awaitEnd(PATIENCE_MS);

    assertThat(copier.lastLines()).containsExactly("3", "4");
  }

  @Test
  void shouldReadOnWhenNobodyTakesTheLines() throws Exception {
    OutputStream closedPipe =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    LineCopier copier = start("1\n2\n3\n", closedPipe, 9);

    copier.awaitEnd(PATIENCE_MS);

    assertThat(copier.lastLines()).containsExactly("1", "2", "3");
  }

  private static String copy(String text) throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    start(text, out, 1).awaitEnd(PATIENCE_MS);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static LineCopier start(String text, OutputStream out, int remembered) {
    return LineCopier.start(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
        out,
        new Object(),
        "> ",
        remembered,
        "copier");
  }
}
