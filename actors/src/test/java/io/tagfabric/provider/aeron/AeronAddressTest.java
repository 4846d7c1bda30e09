package io.tagfabric.provider.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AeronAddressTest {
  private static final AeronAddress HERE = new AeronAddress("127.0.0.1:4000", 65504, 8, "here");
  private static final AeronAddress OPEN = new AeronAddress("10.0.0.1:4000", 1472, 8, "");

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1:4000;65504;8;here", "[fe80::1%2]:65535;1408;1;", "[::1]:1;1408;1;"})
  void shouldReadWhatItWrote(String text) {
    assertThat(AeronAddress.parse(text).orElseThrow().encode()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "127.0.0.1:4000",
        "127.0.0.1:4000;65504;8",
        "127.0.0.1:4000;65504;8;here;there",
        "127.0.0.1:65536;65504;8;here",
        "127.0.0.1:4000;65505;8;here",
        "127.0.0.1:4000;70000;8;here",
        "127.0.0.1:4000;1408;0;here",
        "127.0.0.1:4000;1408;9;here",
        "127.0.0.1:4000;many;8;here",
        "127.0.0.1:4000|alias=x;1408;8;here",
        "example.org:4000;1408;8;here",
        "[::::]:1;1408;8;here",
        "[example.org]:1;1408;8;here",
        "[abc]:1;1408;8;here",
        "999.1.1.1:4000;1408;8;here",
        "127.1:4000;1408;8;here",
        "1:4000;1408;8;here",
        ":4000;1408;8;here",
        "127.0.0.1:0;1408;8;here",
        "127.0.0.1:+1;1408;8;here"
      })
  void shouldRefuseWhatIsNoAddress(String text) {
    assertThat(AeronAddress.parse(text)).isEmpty();
  }

  @Test
  @SuppressWarnings("AddressSelection") // literal addresses have one
  void shouldNameHostAndPortWhenTheSystemAsks() {
    AeronAddress six = new AeronAddress("[::1]:4001", 1408, 1, "");

    assertThat(HERE.toSocketAddress()).isEqualTo(new InetSocketAddress("127.0.0.1", 4000));
    assertThat(six.toSocketAddress()).isEqualTo(new InetSocketAddress("::1", 4001));
  }

  @Test
  void shouldReachWhoHasTheSameLoopbackOrNone() {
    assertThat(HERE.unreachableBecause(HERE)).isEmpty();
    assertThat(OPEN.unreachableBecause(OPEN)).isEmpty();
  }

  @Test
  void shouldSayWhichSideListensOnLoopbackWhenThatIsAnothersLoopback() {
    AeronAddress there = new AeronAddress("127.0.0.1:4000", 65504, 8, "there");

    assertThat(HERE.unreachableBecause(there)).get().asString().contains("this node", "aeron.host");
    assertThat(HERE.unreachableBecause(OPEN)).get().asString().contains("this node", "aeron.host");
    assertThat(OPEN.unreachableBecause(HERE)).get().asString().contains("the peer", "there");
  }
}
