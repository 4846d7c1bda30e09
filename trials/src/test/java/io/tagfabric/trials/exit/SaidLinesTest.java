package io.tagfabric.trials.exit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaidLinesTest {
  @Test
  void shouldKnowWhoSaidALine() {
    SaidLines lines = new SaidLines();
    write(lines, "[12] hel");
    write(lines, "lo\ntagfabric: café\n[0] \n[1] no end");

    List<SaidLine> all = lines.all();

    assertThat(all).extracting(SaidLine::rank).containsExactly(12, SaidLine.LAUNCHER, 0, 1);
    assertThat(all)
        .extracting(SaidLine::text)
        .containsExactly("hello", "tagfabric: café", "", "no end");
    assertThat(all).isSortedAccordingTo((a, b) -> Double.compare(a.seconds(), b.seconds()));
  }

  private static void write(SaidLines lines, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    lines.stream().write(bytes, 0, bytes.length);
  }
}
