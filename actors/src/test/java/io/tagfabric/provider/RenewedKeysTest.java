package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.event.MarkerLoggingAdapter;
import akka.event.NoMarkerLogging$;
import akka.remote.artery.tcp.ConfigSSLEngineProvider;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.profile.Profiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which certificate a connection shows after the files of keys have changed. */
class RenewedKeysTest {
  @TempDir private static Path directory;
  private static Path first;
  private static Path second;
  private static Path past;
  private static Path trust;

  private final List<String> informed = new ArrayList<>();
  private final List<String> warned = new ArrayList<>();
  private Path own;
  private RenewedKeys keys;

  @BeforeAll
  static void make() {
    first = TestKeys.make(directory, "first");
    second = TestKeys.make(directory, "second");
    past = TestKeys.make(directory, "past", "-100d");
    trust = TestKeys.trust(directory, first, second, past);
  }

  @BeforeEach
  void read() throws IOException {
    own = directory.resolve("own.p12");
    Files.deleteIfExists(own);
    Files.copy(first, own);
    keys = open();
  }

  private RenewedKeys open() {
    Config config =
        ConfigFactory.parseString(TestKeys.remoting(own, trust))
            .withFallback(ConfigFactory.load())
            .getConfig("akka.remote.artery.ssl.config-ssl-engine");
    return new RenewedKeys(
        () -> new ConfigSSLEngineProvider(config, silent()), informed::add, warned::add);
  }

  private static MarkerLoggingAdapter silent() {
    return NoMarkerLogging$.MODULE$;
  }

  /** As an agent that renews certificates does it. */
  private void replaceBy(Path other) throws IOException {
    Path beside = directory.resolve("own.p12.new");
    Files.copy(other, beside, StandardCopyOption.REPLACE_EXISTING);
    Files.move(beside, own, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Whose certificate a dialler sees. */
  private String seen() throws SSLException {
    SSLEngine server = keys.createServerSSLEngine("here", 0);
    SSLEngine client = keys.createClientSSLEngine("here", 1);
    shake(client, server);
    return nameOf(client);
  }

  private static String nameOf(SSLEngine engine) throws SSLPeerUnverifiedException {
    X509Certificate peers = (X509Certificate) engine.getSession().getPeerCertificates()[0];
    return peers.getSubjectX500Principal().getName();
  }

  private static void shake(SSLEngine client, SSLEngine server) throws SSLException {
    ByteBuffer there = ByteBuffer.allocate(1 << 16);
    ByteBuffer back = ByteBuffer.allocate(1 << 16);
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < 100 && !(isMade(client) && isMade(server)); i++) {
      step(client, back, there);
      step(server, there, back);
    }
    assertThat(isMade(client) && isMade(server)).as("made").isTrue();
  }

  private static boolean isMade(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer from, ByteBuffer to) throws SSLException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> engine.getDelegatedTask().run();
      case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), to);
      default -> {
        from.flip();
        engine.unwrap(from, ByteBuffer.allocate(1 << 16));
        from.compact();
      }
    }
  }

  private static String say(SSLEngine from, SSLEngine to, String text) throws SSLException {
    ByteBuffer sealed = ByteBuffer.allocate(1 << 16);
    ByteBuffer plain = ByteBuffer.allocate(1 << 16);
    from.wrap(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), sealed);
    to.unwrap(sealed.flip(), plain);
    return StandardCharsets.UTF_8.decode(plain.flip()).toString();
  }

  @Test
  void shouldShowTheNewCertificateToNewConnectionsAndLeaveTheOldOnesAlone() throws Exception {
    SSLEngine server = keys.createServerSSLEngine("here", 0);
    SSLEngine client = keys.createClientSSLEngine("here", 1);
    shake(client, server);

    replaceBy(second);

    assertThat(seen()).isEqualTo("CN=second");
    assertThat(nameOf(client)).isEqualTo("CN=first");
    assertThat(say(client, server, "still here")).isEqualTo("still here");
    assertThat(informed).hasSize(1).first().asString().contains(own.toString(), "read anew");
    assertThat(warned).isEmpty();
  }

  @Test
  void shouldBeWhatTheProfileTlsNames() throws ClassNotFoundException {
    Config settings = ConfigFactory.parseString("tagfabric.tls.key-store = \"" + own + "\"");

    String named =
        Profiles.akkaConfig(JobSpec.alone(Profile.TLS), settings)
            .getString("akka.remote.artery.ssl.ssl-engine-provider");

    assertThat(Class.forName(named)).isEqualTo(RenewedKeys.class);
  }

  @Test
  void shouldReadTheFilesOnceForEachChange() throws Exception {
    replaceBy(second);

    seen();
    seen();

    assertThat(informed).hasSize(1);
  }

  @Test
  void shouldTrustWhomTheNewFileTrusts() throws Exception {
    Path third = TestKeys.make(directory, "third");
    replaceBy(third);
    assertThatThrownBy(this::seen).hasMessageContaining("certification path");

    TestKeys.trust(directory, first, third);

    assertThat(seen()).isEqualTo("CN=third");
    TestKeys.trust(directory, first, second, past);
  }

  @Test
  void shouldKeepTheKeysWhenTheNewOnesCannotBeRead() throws Exception {
    Path garbled = Files.writeString(directory.resolve("garbled"), "no key store");

    replaceBy(garbled);

    assertThat(seen()).isEqualTo("CN=first");
    assertThat(warned)
        .hasSize(1)
        .first()
        .asString()
        .contains(own.toString(), "are not used", "cannot be read", "those before stay");
    replaceBy(second);
    assertThat(seen()).as("once that is mended").isEqualTo("CN=second");
  }

  @Test
  void shouldKeepTheKeysWhenTheirFileIsGone() throws Exception {
    Files.delete(own);

    assertThat(seen()).isEqualTo("CN=first");
    assertThat(warned).hasSize(1).first().asString().contains("NoSuchFile");
  }

  @Test
  void shouldKeepTheKeysWhenTheNewCertificateHasExpired() throws Exception {
    replaceBy(past);

    assertThat(seen()).isEqualTo("CN=first");
    assertThat(warned).hasSize(1).first().asString().contains("[CN=past]", "has expired at");
  }

  @Test
  void shouldSayAtTheStartThatTheCertificateHasExpired() throws Exception {
    replaceBy(past);

    keys = open();

    assertThat(warned).hasSize(1).first().asString().contains("[CN=past]", "has expired at");
  }
}
