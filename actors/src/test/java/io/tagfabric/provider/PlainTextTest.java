package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.typed.ActorSystem;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is encrypted by Akka's remoting goes in the clear by no other way. */
class PlainTextTest {
  private static final String WORDS = "nothing of this may be read on the way. ";
  private static final String PASSWORD = "secret";
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
  @CsvSource({
    "tcp, tagfabric.job.profile = tls",
    "tcp, akka.remote.artery.transport = tls-tcp",
    "aeron, tagfabric.job.profile = tls",
    "aeron, akka.remote.artery.transport = tls-tcp"
  })
  void shouldBeRefusedWhereRemotingIsEncryptedUnlessItIsAllowed(String provider, String settings) {
    assertThatThrownBy(() -> open(provider, "refused", settings))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("it does not encrypt")
        .hasMessageContaining("tagfabric.tls.allow-plain=on");

    Side near = open(provider, "near", settings + "\ntagfabric.tls.allow-plain = on");
    Side far = open(provider, "far", settings + "\ntagfabric.tls.allow-plain = on");
    assertThat(transfer(near, far)).isEqualTo(WORDS);
  }

  @Test
  void shouldSendNothingInTheClearWhereRemotingIsEncrypted() throws Exception {
    Path keys = directory.resolve("keys.p12");
    makeKeys(keys);
    String engine = "akka.remote.artery.ssl.config-ssl-engine";
    String tls =
        "akka.remote.artery.transport = tls-tcp\n"
            + (engine + " { key-store = \"KEYS\", trust-store = \"KEYS\", key-password = secret\n")
                .replace("KEYS", keys.toString())
            + "key-store-password = secret, trust-store-password = secret\n"
            + "protocol = TLSv1.3, enabled-algorithms = [TLS_AES_128_GCM_SHA256]\n"
            + "hostname-verification = off }\n";

    assertThat(heard(tls)).as("encrypted").hasSizeGreaterThan(WORDS.length()).doesNotContain(WORDS);
    assertThat(heard("akka.remote.artery.transport = tcp\n")).as("by tcp").contains(WORDS);
  }

  /** Sends a message, and returns all that has passed by on the way. */
  private String heard(String settings) throws IOException {
    Relay remoting = new Relay();
    Relay connections = new Relay();
    opened.add(remoting);
    opened.add(connections);
    int remotingPort = closedPort();
    int connectionsPort = closedPort();
    remoting.to(remotingPort);
    connections.to(connectionsPort);
    String behind =
        ("akka.remote.artery { canonical.port = A, bind { hostname = 127.0.0.1, port = B } }\n"
                + "tagfabric.tcp { canonical-port = C, ports = D }")
            .replace("A", Integer.toString(remoting.port()))
            .replace("B", Integer.toString(remotingPort))
            .replace("C", Integer.toString(connections.port()))
            .replace("D", Integer.toString(connectionsPort));
    Side near = open("tcp,artery", "near", REMOTE + settings);
    Side far = open("tcp,artery", "far", REMOTE + settings + behind);

    assertThat(transfer(near, far)).isEqualTo(WORDS);

    return remoting.heard() + connections.heard();
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

  private static void makeKeys(Path file) throws IOException, InterruptedException {
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "job",
                "-dname",
                "CN=test",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    tool.getOutputStream().close();
    String said = new String(tool.getInputStream().readAllBytes(), Charset.defaultCharset());
    assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tool.exitValue()).as(said).isZero();
  }
}
