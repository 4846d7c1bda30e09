package io.tagfabric.provider.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpAddressTest {
  @Property
  void shouldReadWhatItWrote(
      @ForAll long token,
      @ForAll boolean dialled,
      @ForAll boolean six,
      @ForAll long host,
      @ForAll boolean secure,
      @ForAll @IntRange(min = 1, max = 65535) int port)
      throws UnknownHostException {
    byte[] bytes = new byte[six ? 16 : 4];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (host >>> (8 * (i % 8)));
    }
    TcpAddress address =
        new TcpAddress(
            token & -8,
            dialled,
            "host/4026531840",
            List.of(new InetSocketAddress(InetAddress.getByAddress(bytes), port)),
            1 + port % 8,
            secure ? "node-1.example" : "");

    assertThat(TcpAddress.parse(address.encode())).contains(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1;8;always;;127.0.0.1:4000;1",
        "1;fffffffffffffff8;never;here;10.0.0.1:65535;8",
        "1;0;always;;[0:0:0:0:0:0:0:1]:1;1",
        "1;8;always;;10.0.0.1:1,[fd00:0:0:0:0:0:0:1]:2,10.0.1.1:3;2",
        "1;8;always;;10.0.0.1:1,10.0.1.1:3;2;node.example",
        "1;0;always;;[0:0:0:0:0:0:0:1]:1;1;0:0:0:0:0:0:0:1"
      })
  void shouldWriteWhatItRead(String text) {
    assertThat(TcpAddress.parse(text).orElseThrow().encode()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";;;;",
        "127.0.0.1:4000",
        "2;8;always;;127.0.0.1:4000",
        "1;8;always;127.0.0.1:4000;1",
        "1;8;always;;127.0.0.1:4000;",
        "1;;always;;127.0.0.1:4000;1",
        "1;g;always;;127.0.0.1:4000;1",
        "1;10000000000000000;always;;127.0.0.1:4000;1",
        "1;8;sometimes;;127.0.0.1:4000;1",
        "1;8;;;127.0.0.1:4000;1",
        "1;8;always;;127.0.0.1;1",
        "1;8;always;;127.0.0.1:;1",
        "1;8;always;;127.0.0.1:0;1",
        "1;8;always;;127.0.0.1:65536;1",
        "1;8;always;;127.0.0.1:-1;1",
        "1;8;always;;127.0.0.1:99999999999;1",
        "1;8;always;;:4000;1",
        "1;8;always;;localhost:4000;1",
        "1;8;always;;example.org:4000;1",
        "1;8;always;;999.1.1.1:4000;1",
        "1;8;always;;127.1:4000;1",
        "1;8;always;;1:4000;1",
        "1;8;always;;::1:4000;1",
        "1;8;always;;[::1];1",
        "1;8;always;;[::::]:4000;1",
        "1;8;always;;[abc]:4000;1",
        "1;8;always;;[example.org]:4000;1",
        "1;8;always;;127.0.0.1:4000",
        "1;8;always;;127.0.0.1:4000;0",
        "1;8;always;;127.0.0.1:4000;x",
        "1;9;always;;127.0.0.1:4000;1",
        "1;8;always;;127.0.0.1:4000,;1",
        "1;8;always;;,127.0.0.1:4000;1",
        "1;8;always;;127.0.0.1:1,10.0.0.1:0;1",
        "1;8;always;;a:1,127.0.0.1:1;1",
        "1;8;always;;10.0.0.1:1,10.0.0.1:2,10.0.0.1:3,10.0.0.1:4,10.0.0.1:5,10.0.0.1:6,"
            + "10.0.0.1:7,10.0.0.1:8,10.0.0.1:9;1",
        "1;8;always;;127.0.0.1:4000;1;two names",
        "1;8;always;;127.0.0.1:4000;1;name;"
      })
  void shouldRefuseWhatIsNoAddress(String text) {
    assertThat(TcpAddress.parse(text)).isEmpty();
  }

  @Test
  void shouldRefuseALongScope() {
    assertThat(TcpAddress.parse("1;8;always;" + "x".repeat(128) + ";127.0.0.1:1;1")).isPresent();
    assertThat(TcpAddress.parse("1;8;always;" + "x".repeat(129) + ";127.0.0.1:1;1")).isEmpty();
  }

  @Property
  void shouldReadAnyTextWithoutAnError(@ForAll @StringLength(max = 60) String text) {
    assertThat(TcpAddress.parse(text)).isEmpty();
    assertThat(TcpAddress.parse("1;8;always;" + text.replace(';', ' ') + ";127.0.0.1:1;1"))
        .isPresent();
    assertThat(TcpAddress.parse("1;8;always;;" + text)).isEmpty();
  }

  @Test
  void shouldReachALoopbackInTheSamePlaceOnly() {
    TcpAddress here = TcpAddress.parse("1;8;always;here;127.0.0.1:1;1").orElseThrow();
    TcpAddress there = TcpAddress.parse("1;10;always;there;127.0.0.1:1;1").orElseThrow();
    TcpAddress open = TcpAddress.parse("1;18;always;;10.0.0.1:1;1").orElseThrow();

    assertThat(here.unreachableBecause(here)).isEmpty();
    assertThat(here.unreachableBecause(open)).isEmpty();
    assertThat(open.unreachableBecause(here).orElseThrow()).contains("loopback", "tcp.host");
    assertThat(there.unreachableBecause(here)).isPresent();
  }
}
