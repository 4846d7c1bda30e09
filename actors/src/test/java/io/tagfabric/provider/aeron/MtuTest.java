package io.tagfabric.provider.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MtuTest {
  private static final int ROOMY = 1 << 21;

  @ParameterizedTest
  @CsvSource({
    "1500, false, 1472",
    "1500, true, 1440",
    "9000, false, 8960",
    "1492, false, 1440",
    "65536, false, 65504",
    "65536, true, 65472",
    "68, false, 1408"
  })
  void shouldLeaveRoomForHeadersWhenAnInterfaceIsAsked(int mtu, boolean ipv6, int expected) {
    assertThat(Mtu.payload(mtu, ipv6)).isEqualTo(expected);
  }

  @Test
  void shouldFillLoopbackWhenNothingIsWanted() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();

    assertThat(Mtu.choose(loopback, 0, ROOMY)).isGreaterThan(16_000).isLessThanOrEqualTo(65504);
  }

  @Test
  void shouldTakeWhatIsWantedInWholeFramesWhenSocketsHoldIt() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();

    assertThat(Mtu.choose(loopback, 1500, ROOMY)).isEqualTo(1472);
    assertThat(Mtu.choose(loopback, 60_000, 20_001)).isEqualTo(20_000);
  }

  @Test
  void shouldBeCautiousWhenNoInterfaceHasTheAddress() throws Exception {
    InetAddress nowhere = InetAddress.getByName("192.0.2.1");

    assertThat(Mtu.choose(nowhere, 0, ROOMY)).isEqualTo(Mtu.CAUTIOUS);
  }
}
