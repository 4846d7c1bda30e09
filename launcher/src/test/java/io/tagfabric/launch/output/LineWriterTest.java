package io.tagfabric.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.launch.Await;
import io.tagfabric.launch.Gate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LineWriterTest {
  private static final String RECORD = Character.toString(RecordOutput.RECORD_SEPARATOR);

  private final Gate screen = new Gate();
  private final StreamWriter stream =
      StreamWriter.start(screen, why -> {}, System::nanoTime, "test-screen");

  LineWriterTest() {
    screen.open();
  }

  @Property(tries = 200)
  void shouldTagEveryLineAndLoseNoByte(
      @ForAll @CharRange(from = 'a', to = 'c') @CharRange(from = '\n', to = '\n') String text,
      @ForAll @IntRange(min = 1, max = 9) int pieceBytes) {
    Gate gate = new Gate();
    gate.open();
    StreamWriter out = StreamWriter.start(gate, why -> {}, System::nanoTime, "test-screen");
    LineWriter writer = new LineWriter(out, "> ", 1);
    String expected = text.isEmpty() || text.endsWith("\n") ? text : text + "\n";

    for (int from = 0; from < text.length(); from += pieceBytes) {
      print(writer, text.substring(from, Math.min(text.length(), from + pieceBytes)));
    }
    writer.end();
    Await.until("all is there", out::isIdle);
    out.close();

    assertThat(gate.text().replaceAll("(?m)^> ", "")).isEqualTo(expected);
    assertThat(gate.text().lines()).allMatch(line -> line.startsWith("> "));
  }

  @Test
  void shouldAddNothingToALongLine() {
    LineWriter writer = new LineWriter(stream, "> ", 1);
    String line = "x".repeat(200_000);

    for (int i = 0; i < 200; i++) {
      print(writer, line.substring(0, 1000));
    }
    writer.end();

    assertThat(shown()).isEqualTo("> " + line + "\n");
  }

  @Test
  void shouldShowAPromptAndTagItsLineOnce() {
    LineWriter writer = new LineWriter(stream, "[0] ", 1);

    print(writer, "your name? ");
    Await.until("the prompt is there", () -> screen.text().equals("[0] your name? "));
    print(writer, "good day, Ann\nbye\n");

    assertThat(shown()).isEqualTo("[0] your name? good day, Ann\n[0] bye\n");
    assertThat(writer.lastLines()).containsExactly("bye");
  }

  @Test
  void shouldBeginALineAnewWhenAnotherRankHasPrintedMeanwhile() {
    LineWriter first = new LineWriter(stream, "[0] ", 1);
    LineWriter second = new LineWriter(stream, "[1] ", 1);

    print(first, "your name? ");
    Await.until("the prompt is there", () -> screen.text().equals("[0] your name? "));
    print(second, "a line\n");
    print(first, "Ann\n");

    assertThat(shown()).isEqualTo("[0] your name? \n[1] a line\n[0] Ann\n");
  }

  @Test
  void shouldNotMixLinesThatComeInPiecesWithoutAPause() {
    LineWriter first = new LineWriter(stream, "[0] ", 1);
    LineWriter second = new LineWriter(stream, "[1] ", 1);
    StringBuilder expected = new StringBuilder();

    for (int i = 0; i < 100; i++) {
      print(first, "ab");
      print(second, "cd\n");
      print(first, "ef\n");
      expected.append("[1] cd\n[0] abef\n");
    }

    // a machine that stands still for a while is a pause; then there is one line more
    assertThat(shown().replace("[0] ab\n[1] cd\n[0] ef\n", "[1] cd\n[0] abef\n"))
        .isEqualTo(expected.toString());
  }

  @Test
  void shouldPassRecordsOnWithoutTagAndMark() {
    LineWriter writer = new LineWriter(stream, "[0] ", 1);

    print(writer, RECORD);
    print(writer, "{1}\ntext\n" + RECORD + "{2}");
    print(writer, "\n" + RECORD + "{3}");
    writer.end();

    assertThat(shown()).isEqualTo("{1}\n[0] text\n{2}\n{3}\n");
  }

  @Test
  void shouldKeepTheLastLines() {
    LineWriter writer = new LineWriter(stream, "", 2);

    print(writer, "1\n2\n3\n4");
    assertThat(writer.lastLines()).containsExactly("3", "4");
    writer.end();

    assertThat(writer.lastLines()).containsExactly("3", "4");
  }

  @Test
  void shouldRememberNothingWhenToldSo() {
    LineWriter writer = new LineWriter(stream, "", 0);

    print(writer, "1\n2");
    writer.end();

    assertThat(writer.lastLines()).isEmpty();
  }

  @Test
  void shouldReadOnWhenNobodyTakesTheLines() {
    OutputStream closedPipe =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new ReaderGoneException(new IOException("Broken pipe"));
          }
        };
    StreamWriter gone =
        StreamWriter.start(closedPipe, why -> {}, System::nanoTime, "test-closed-pipe");
    LineWriter writer = new LineWriter(gone, "> ", 9);

    for (String line : List.of("1\n", "2\n", "3\n")) {
      print(writer, line);
    }

    assertThat(writer.lastLines()).containsExactly("1", "2", "3");
  }

  private String shown() {
    Await.until("all is there", stream::isIdle);
    stream.close();
    return screen.text();
  }

  private static void print(LineWriter writer, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    writer.accept(bytes, bytes.length);
  }
}
