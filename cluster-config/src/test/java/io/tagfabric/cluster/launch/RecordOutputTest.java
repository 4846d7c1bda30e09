package io.tagfabric.cluster.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
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
  void shouldReachTheScreenWithoutANumberThroughALauncher() throws Exception {
    byte[] marked = (written(42, TWO_LINES) + "text\n").getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream screen = new ByteArrayOutputStream();

    LineCopier.start(new ByteArrayInputStream(marked), screen, screen, "[0] ", 0, "copier")
        .awaitEnd(10_000);

    assertThat(screen.toString(StandardCharsets.UTF_8)).isEqualTo(TWO_LINES + "[0] text\n");
  }

  private static String written(long launcherPid, String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = RecordOutput.of(bytes, launcherPid)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
