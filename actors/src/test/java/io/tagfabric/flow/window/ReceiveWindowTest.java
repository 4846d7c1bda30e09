package io.tagfabric.flow.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.flow.window.ReceiveWindow.Verdict;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceiveWindowTest {
  private static final int MAX_PARKED = 3;

  private final ReceiveWindow window = new ReceiveWindow(MAX_PARKED);
  private final List<Packet> packets = new ArrayList<>();

  private Verdict offer(long sequence) {
    Packet packet = Packet.received(new byte[100]);
    packets.add(packet);
    Verdict verdict = window.offer(packet, sequence);
    packet.release();
    return verdict;
  }

  private long held() {
    return packets.stream().filter(packet -> packet.holders() > 0).count();
  }

  @Test
  void shouldKeepABoundedNumberOfEarlyPackets() {
    for (long sequence = 2; sequence < 20; sequence++) {
      assertThat(offer(sequence)).isEqualTo(Verdict.EARLY);
    }
    assertThat(held()).isEqualTo(MAX_PARKED);
    assertThat(window.hasGap()).isTrue();

    assertThat(offer(1)).isEqualTo(Verdict.NEXT);
    int passed = 0;
    Packet parked;
    while ((parked = window.pollNext()) != null) {
      parked.release();
      passed++;
    }
    assertThat(passed).isEqualTo(MAX_PARKED);
    assertThat(window.received()).isEqualTo(4);
    assertThat(offer(5)).as("it was not kept, so it is no duplicate").isEqualTo(Verdict.NEXT);
    assertThat(held()).isZero();
  }

  @Test
  void shouldKnowAPacketThatPassedOrWaits() {
    offer(1);
    offer(3);

    assertThat(offer(1)).isEqualTo(Verdict.DUPLICATE);
    assertThat(offer(3)).isEqualTo(Verdict.DUPLICATE);
    assertThat(window.received()).isEqualTo(1);
    window.clear();
    assertThat(held()).isZero();
  }
}
