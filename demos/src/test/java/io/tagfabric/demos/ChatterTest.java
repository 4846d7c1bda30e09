package io.tagfabric.demos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ChatterTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @Test
  void shouldNumberTheLinesOfARank() {
    assertThat(print("--lines 3")).isTrue();

    assertThat(printed.toString(UTF_8))
        .isEqualTo(
            """
            line 1 of 3 from rank 5
            line 2 of 3 from rank 5
            line 3 of 3 from rank 5
            """);
  }

  @Test
  void shouldFillLinesUpToTheirLength() {
    assertThat(print("--lines 2 --bytes 30")).isTrue();

    assertThat(printed.toString(UTF_8))
        .isEqualTo("line 1 of 2 from rank 5......\nline 2 of 2 from rank 5......\n");
  }

  @Test
  void shouldNotCutALineThatIsLongerThanAskedFor() {
    assertThat(print("--lines 1 --bytes 5")).isTrue();

    assertThat(printed.toString(UTF_8)).isEqualTo("line 1 of 1 from rank 5\n");
  }

  @Test
  void shouldNoticeThatNobodyTakesTheLines() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };

    assertThat(parse("--lines 1").print(0, new PrintStream(full, true, UTF_8))).isFalse();
  }

  @Test
  void shouldRefuseNumbersBelowZero() {
    assertThat(parse("--lines -1").complaint()).startsWith("--lines");
    assertThat(parse("--bytes -1").complaint()).startsWith("--bytes");
    assertThat(parse("--lines 0").complaint()).isNull();
  }

  private boolean print(String line) {
    return parse(line).print(5, new PrintStream(printed, true, UTF_8));
  }

  private static Chatter parse(String line) {
    Chatter chatter = new Chatter();
    new CommandLine(chatter).parseArgs(line.split(" "));
    return chatter;
  }
}
