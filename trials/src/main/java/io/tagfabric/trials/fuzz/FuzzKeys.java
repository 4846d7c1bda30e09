package io.tagfabric.trials.fuzz;

import io.tagfabric.cluster.host.FileTrees;
import io.tagfabric.launch.TlsKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;

/** The keys of a fuzz under the profile tls: those of the job, and those of nobody. */
final class FuzzKeys implements AutoCloseable {
  private static final String VERSION = "TLSv1.3";

  private final TlsKeys own = TlsKeys.generate();
  private final SSLContext trusted;
  private final SSLContext untrusted;
  private final Path directory;
  private final Path file;

  /** Makes them. */
  FuzzKeys() {
    try {
      KeyStore ours = store(own);
      TlsKeys other = TlsKeys.generate();
      trusted = context(ours, own.password(), ours);
      untrusted = context(store(other), other.password(), ours);
      directory = Files.createTempDirectory("tagfabric-fuzz");
      file = Files.write(directory.resolve("keys.p12"), own.bytes());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KeyStore store(TlsKeys keys) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(new ByteArrayInputStream(keys.bytes()), keys.password().toCharArray());
    return store;
  }

  private static SSLContext context(KeyStore shown, String password, KeyStore trusts)
      throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(shown, password.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusts);
    SSLContext context = SSLContext.getInstance(VERSION);
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** Akka's settings of the ActorSystems that take part. */
  String settings() {
    return """
        akka.remote.artery {
          transport = tls-tcp
          ssl.config-ssl-engine {
            key-store = "FILE", key-store-password = "PASSWORD", key-password = "PASSWORD"
            trust-store = "FILE", trust-store-password = "PASSWORD"
            protocol = TLSv1.3, enabled-algorithms = [TLS_AES_128_GCM_SHA256]
            require-mutual-authentication = on, hostname-verification = off
          }
        }
        """
        .replace("FILE", file.toString())
        .replace("PASSWORD", own.password());
  }

  /**
   * An engine for one who dials.
   *
   * @param trusted whether the victim trusts its certificate
   */
  SSLEngine engine(boolean trusted) {
    SSLEngine engine = (trusted ? this.trusted : untrusted).createSSLEngine("victim", 1);
    engine.setUseClientMode(true);
    return engine;
  }

  @Override
  public void close() {
    FileTrees.delete(directory);
  }
}
