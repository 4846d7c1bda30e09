package io.tagfabric.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.launch.Await;
import io.tagfabric.launch.Gate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RecordOutputTest {
  private static final String TWO_LINES = "{\"a\": 1}\n{\"b\": 2}\n";

  @Test
  void shouldLeaveLinesAsTheyAreWithoutALauncher() throws IOException {
    assertThat(written(0, TWO_LINES)).isEqualTo(TWO_LINES);
  }

  @Test
  void shouldReachTheScreenWithoutANumberThroughALauncher() throws IOException {
    byte[] marked = (written(42, TWO_LINES) + "text\n").getBytes(StandardCharsets.UTF_8);
    Gate screen = new Gate();
    screen.open();
    StreamWriter stream = StreamWriter.start(screen, why -> {}, System::nanoTime, "test-screen");

    LineWriter writer = new LineWriter(stream, "[0] ", 0);
    writer.accept(marked, marked.length);
    Await.until("all is there", stream::isIdle);
    stream.close();

    assertThat(screen.text()).isEqualTo(TWO_LINES + "[0] text\n");
  }

  private static String written(long launcherPid, String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = RecordOutput.of(bytes, launcherPid)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
