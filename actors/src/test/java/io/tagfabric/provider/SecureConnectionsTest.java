package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.provider.tcp.TcpAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same where Akka's remoting is encrypted, and with whom no connection is made there. */
class SecureConnectionsTest extends TcpConnectionsTest {
  private static final String PLAIN = "akka.remote.artery.transport = tcp";

  @TempDir private static Path directory;
  private static Path keys;
  private static Path others;

  /** Of the systems that are started. */
  private String remoting;

  @BeforeAll
  static void makeKeys() {
    keys = TestKeys.make(directory, "keys");
    others = TestKeys.make(directory, "others");
  }

  @BeforeEach
  void encrypt() {
    remoting = TestKeys.remoting(keys, keys);
  }

  @Override
  String common() {
    return "\n" + remoting;
  }

  @Override
  IntStream cuts() {
    return IntStream.iterate(0, bytes -> bytes < 3_600, bytes -> bytes + 120);
  }

  @Override
  String isSomethingElse() {
    return "TLS with it fails: ";
  }

  private static TcpAddress place(Side side) {
    return TcpAddress.parse(side.endpoint.address().providers().get("tcp")).orElseThrow();
  }

  private static Endpoint.FlowInfo flow(Side side) {
    return flows(side).get(0);
  }

  @Test
  void shouldGoByTheNextProviderWhenTheListenersCertificateIsNotTrusted() {
    remoting = TestKeys.remoting(others, others);
    Side other = open("tcp", "other", "");
    encrypt();
    Side near = open("tcp,artery", "near", "tagfabric.tcp.dial = never");
    int port = place(other).port();
    Side far = open("tcp,artery", "far", "tagfabric.tcp.canonical-port = " + port);
    byte[] got = far.post(far.indexOf(near), 64, 7, 0);

    near.send(near.indexOf(far), new byte[] {9}, 7);

    await(() -> near.poll() + far.poll() >= 0 && !far.received.isEmpty());
    assertThat(got).startsWith(9);
    assertThat(flow(near).provider()).isEqualTo("artery");
    assertThat(flow(near).because()).contains("TLS with it fails", "certification path");
    assertThat(flows(other)).isEmpty();
  }

  @Test
  void shouldGoByTheNextProviderWhenTheDiallersCertificateIsNotTrusted() {
    Side far = open("tcp,artery", "far", "");
    remoting = TestKeys.remoting(others, keys);
    Side near = open("tcp,artery", "near", "");

    near.send(near.indexOf(far), new byte[] {9}, 7);

    await(() -> near.poll() + far.poll() >= 0 && flow(near).provider().equals("artery"));
    assertThat(flow(near).because()).contains("TLS with it fails", "certificate");
    assertThat(flows(far)).as("nor does artery bring a stranger").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldDialNobodyWhoDoesTheOther(boolean nearEncrypts) throws IOException {
    Relay relay = new Relay();
    opened.add(relay);
    int port = closedPort();
    relay.to(port);
    String secure = remoting;
    remoting = nearEncrypts ? secure : PLAIN;
    Side near = open("tcp,artery", "near", "");
    remoting = nearEncrypts ? PLAIN : secure;
    Side far =
        open(
            "tcp,artery",
            "far",
            "tagfabric.tcp { ports = " + port + ", canonical-port = " + relay.port() + " }");

    near.send(near.indexOf(far), new byte[] {9}, 7);

    await(() -> near.poll() >= 0 && !flows(near).isEmpty());
    assertThat(flow(near).provider()).isEqualTo("artery");
    assertThat(flow(near).because()).contains("encrypted and so is its tcp");
    assertThat(place(near).name()).isEqualTo(nearEncrypts ? "127.0.0.1" : "");
    assertThat(relay.connections()).isZero();
  }
}
