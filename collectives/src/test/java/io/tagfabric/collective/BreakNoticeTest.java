package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.error.FabricError;
import org.junit.jupiter.api.Test;

class BreakNoticeTest {
  @Test
  void shouldTravelAsDrawn() {
    BreakNotice notice = new BreakNotice(0x0102, FabricError.CONNECTION_RESET);

    assertThat(notice.encode()).containsExactly(2, 1, 0, 0, 104, 0, 0, 0);
    assertThat(BreakNotice.decode(notice.encode(), 0x0103)).isEqualTo(notice);
  }

  @Test
  void shouldRefuseBytesThatAreNone() {
    byte[] bytes = new BreakNotice(4, FabricError.CANCELED).encode();

    assertThatThrownBy(() -> BreakNotice.decode(new byte[7], 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lengthBytes=7 is not 8");
    assertThatThrownBy(() -> BreakNotice.decode(bytes, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("member=4 is outside 0..3");
    assertThatThrownBy(() -> BreakNotice.decode(new byte[8], 5))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
