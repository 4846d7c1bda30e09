package io.tagfabric.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OneLineTest {
  @Test
  void shouldLeaveOrdinaryTextAlone() {
    String text = "rank-0 é \\ 漢";
    assertThat(OneLine.of(text)).isSameAs(text);
  }

  @Test
  void shouldShowWhatBreaksOrTurnsALine() {
    assertThat(OneLine.of("a\nb\r\t\u001b[2J\u0085\u2028\u202e!"))
        .isEqualTo("a\\u000ab\\u000d\\u0009\\u001b[2J\\u0085\\u2028\\u202e!");
  }

  @Test
  void shouldKeepAnAddressOnOneLine() {
    EndpointAddress forged =
        new EndpointAddress(1, 0, "x\n12:00 WARN all is lost", "n\u001b[0m", "vm", Map.of());

    assertThat(forged).hasToString("x\\u000a12:00 WARN all is lost@n\\u001b[0m");
    assertThat(EndpointAddress.parse(forged.encode())).isEqualTo(forged);
  }
}
