package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.typed.ActorSystem;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is encrypted by Akka's remoting goes in the clear by no other way. */
class PlainTextTest {
  private static final String WORDS = "nothing of this may be read on the way. ";
  private static final String NAME = "one-whose-name-nobody-hears";

  /** How a dial begins. */
  private static final String DIAL = "TFTCP";

  private static final byte CHANGE = 20;
  private static final byte HANDSHAKE = 22;
  private static final byte ENCRYPTED = 23;

  private static final String REMOTE =
      """
      akka.actor.provider = remote
      akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
      """;

  @TempDir private Path directory;
  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    ContractSystems.stop(systems);
  }

  private Side open(String providers, String name, String settings) {
    ActorSystem<Void> system = ContractSystems.start(providers, name, settings);
    systems.add(system);
    Domain domain = Fabric.get(system).openDomain(name, ProgressMode.AUTO);
    opened.add(0, () -> domain.close(Duration.ofSeconds(5)));
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tagfabric.job.profile = tls", "akka.remote.artery.transport = tls-tcp"})
  void shouldRefuseAeronWhereRemotingIsEncryptedUnlessItIsAllowed(String settings) {
    assertThatThrownBy(() -> open("aeron", "refused", settings))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("it does not encrypt")
        .hasMessageContaining("tagfabric.tls.allow-plain=on");

    Side near = open("aeron", "near", settings + "\ntagfabric.tls.allow-plain = on");
    Side far = open("aeron", "far", settings + "\ntagfabric.tls.allow-plain = on");
    assertThat(transfer(near, far)).isEqualTo(WORDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tagfabric.job.profile = tls", "akka.remote.artery.transport = tls-tcp"})
  void shouldRefuseTcpWhereItsKeysCannotBeRead(String settings) {
    String plain = settings + "\ntagfabric.tls.allow-plain = on";

    assertThatThrownBy(() -> open("tcp", "refused", plain))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("TLS as remoting's cannot be set up")
        .hasMessageContaining("keystore");
  }

  @Test
  void shouldSendNothingInTheClearWhereRemotingIsEncrypted() throws Exception {
    Path keys = TestKeys.make(directory, "keys");

    Heard secure = transfer(TestKeys.remoting(keys, keys));
    Heard plain = transfer("akka.remote.artery.transport = tcp\n");

    assertThat(plain.connections().heard()).as("in the clear").contains(WORDS, NAME, DIAL);
    assertThat(secure.connections().heard()).doesNotContain(WORDS, NAME, DIAL);
    assertThat(secure.remoting().heard()).doesNotContain(WORDS, NAME);
    assertThat(secure.connections().connections()).isEqualTo(1);
    assertRecords(secure.connections().heardThere());
    assertRecords(secure.connections().heardBack());
  }

  /** All are records of TLS: of a handshake, for the change of its cipher, or encrypted. */
  private static void assertRecords(byte[] bytes) {
    assertThat(bytes).isNotEmpty();
    int at = 0;
    while (at < bytes.length) {
      assertThat(bytes[at]).as("kind of the record at " + at).isIn(HANDSHAKE, CHANGE, ENCRYPTED);
      assertThat(bytes[at + 1]).as("version at " + at).isEqualTo((byte) 3);
      at += 5 + ((bytes[at + 3] & 0xff) << 8 | bytes[at + 4] & 0xff);
    }
    assertThat(at).isEqualTo(bytes.length);
  }

  /** What relays have heard of a message between two nodes. */
  private record Heard(Relay remoting, Relay connections) {}

  private Heard transfer(String settings) throws IOException {
    Heard heard = new Heard(new Relay(), new Relay());
    opened.add(heard.remoting);
    opened.add(heard.connections);
    int remotingPort = closedPort();
    int connectionsPort = closedPort();
    heard.remoting.to(remotingPort);
    heard.connections.to(connectionsPort);
    String behind =
        ("akka.remote.artery { canonical.port = A, bind { hostname = 127.0.0.1, port = B } }\n"
                + "tagfabric.tcp { canonical-port = C, ports = D }")
            .replace("A", Integer.toString(heard.remoting.port()))
            .replace("B", Integer.toString(remotingPort))
            .replace("C", Integer.toString(heard.connections.port()))
            .replace("D", Integer.toString(connectionsPort));
    Side near = open("tcp,artery", NAME, REMOTE + settings);
    Side far = open("tcp,artery", "far", REMOTE + settings + behind);

    assertThat(transfer(near, far)).isEqualTo(WORDS);
    assertThat(flows(near)).extracting(Endpoint.FlowInfo::provider).containsExactly("tcp");

    return heard;
  }

  private static List<Endpoint.FlowInfo> flows(Side side) {
    return side.endpoint.futures().flows().toCompletableFuture().join().flows();
  }

  private static String transfer(Side near, Side far) {
    byte[] sent = WORDS.getBytes(StandardCharsets.US_ASCII);
    byte[] got = far.post(far.indexOf(near), sent.length, 7, 0);
    near.send(near.indexOf(far), sent, 7);
    far.endpoint.receiveQueue().readBlocking(Duration.ofSeconds(60));
    return new String(got, StandardCharsets.US_ASCII);
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
