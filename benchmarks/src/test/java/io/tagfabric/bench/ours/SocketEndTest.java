package io.tagfabric.bench.ours;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.bench.measure.Exchange;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketEndTest {
  private final SocketEnd[] ends = SocketEnd.pair();
  private final SocketEnd near = ends[0];
  private final SocketEnd far = ends[1];
  private final Histogram spansNs = new Histogram(3);

  @AfterEach
  void close() {
    near.close();
  }

  /** The longest are more than sockets hold. */
  @ParameterizedTest
  @ValueSource(ints = {8, 4096, 4097, 100_000, 16 << 20})
  void shouldCountWholeMessagesBothWays(int bytes) {
    Exchange.pingAlone(near, far, bytes, 3, spansNs);

    assertThat(near.received()).isEqualTo(3);
    assertThat(far.received()).isEqualTo(3);
    assertThat(spansNs.getTotalCount()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 1000})
  void shouldStreamWithinAWindow(int window) {
    int half = Math.max(1, window / 2);

    Exchange.streamAlone(near, far, 4096, 4 * half, window, spansNs);
    Exchange.streamAlone(near, far, 8, 4 * half, window, spansNs);

    assertThat(far.received()).isEqualTo(4 * half);
    assertThat(near.received()).as("acknowledgements").isEqualTo(4);
  }
}
