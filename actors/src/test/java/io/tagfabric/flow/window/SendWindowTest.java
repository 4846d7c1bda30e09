package io.tagfabric.flow.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendWindowTest {
  private static Packet packet(int length) {
    return Packet.received(new byte[length]);
  }

  private static SendWindow window(int maxPackets, long maxBytes, boolean keepsPackets) {
    return new SendWindow(maxPackets, maxBytes, keepsPackets, new PacketBudget(0), () -> {});
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldTakeNoAcknowledgementOfWhatWasNotSent(boolean keepsPackets) {
    SendWindow window = window(4, 1_000, keepsPackets);
    window.add(packet(100));
    window.add(packet(200));

    assertThat(window.acknowledge(3)).isFalse();
    assertThat(window.unacknowledgedPackets()).isEqualTo(2);

    assertThat(window.acknowledge(1)).isTrue();
    assertThat(window.unacknowledgedPackets()).isEqualTo(1);
    assertThat(window.acknowledge(1)).as("no news").isFalse();
    assertThat(window.acknowledge(2)).isTrue();
    assertThat(window.hasUnacknowledged()).isFalse();
  }

  @Test
  void shouldCloseWhenPacketsOrBytesAreTooMany() {
    SendWindow packets = window(2, 1_000, true);
    packets.add(packet(100));
    assertThat(packets.isOpenElseWaits()).isTrue();
    packets.add(packet(100));
    assertThat(packets.isOpenElseWaits()).isFalse();

    SendWindow bytes = window(9, 200, true);
    bytes.add(packet(199));
    assertThat(bytes.isOpenElseWaits()).isTrue();
    bytes.add(packet(100));
    assertThat(bytes.isOpenElseWaits()).isFalse();
    bytes.acknowledge(1);
    assertThat(bytes.isOpenElseWaits()).isTrue();
  }

  @Test
  void shouldReplayTheOldestUpToTheLimit() {
    SendWindow window = window(9, 1_000, true);
    for (int i = 0; i < 5; i++) {
      window.add(packet(100));
    }
    window.acknowledge(2);
    List<Long> replayed = new ArrayList<>();

    assertThat(window.replay(2, packet -> replayed.add(packet.sequence()))).isEqualTo(2);
    assertThat(replayed).containsExactly(3L, 4L);
  }
}
