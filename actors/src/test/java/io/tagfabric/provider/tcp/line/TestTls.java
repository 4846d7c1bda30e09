package io.tagfabric.provider.tcp.line;

import akka.remote.artery.tcp.SSLEngineProvider;
import io.tagfabric.provider.TestKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import scala.Option;

/** Engines with keys of files, for both sides; what is to be calculated waits for the test. */
public final class TestTls implements SSLEngineProvider {
  final ArrayDeque<Runnable> work = new ArrayDeque<>();
  public final Tls tls = new Tls(this, work::add, Runnable::run, "here");
  private final SSLContext context;
  private final String protocol;
  private SSLEngine last;

  /** What the provider has against sessions; null for nothing. */
  Throwable refused;

  public TestTls(Path own, Path trusted, String protocol) {
    this.protocol = protocol;
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store(own), TestKeys.PASSWORD.toCharArray());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store(trusted));
      context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyStore store(Path file) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, TestKeys.PASSWORD.toCharArray());
    }
    return store;
  }

  /** Calculates what waits for it, if anything does. */
  public void calculate() {
    Runnable task = work.poll();
    if (task != null) {
      task.run();
    }
  }

  /** Whose certificate the other side of the last engine has shown. */
  public String peer() {
    try {
      X509Certificate shown = (X509Certificate) last.getSession().getPeerCertificates()[0];
      return shown.getSubjectX500Principal().getName();
    } catch (SSLPeerUnverifiedException e) {
      throw new IllegalStateException(e);
    }
  }

  private SSLEngine engine(boolean client, String host, int port) {
    SSLEngine engine = context.createSSLEngine(host, port);
    last = engine;
    engine.setUseClientMode(client);
    engine.setEnabledProtocols(new String[] {protocol});
    if (!client) {
      engine.setNeedClientAuth(true);
    }
    return engine;
  }

  @Override
  public SSLEngine createServerSSLEngine(String host, int port) {
    return engine(false, host, port);
  }

  @Override
  public SSLEngine createClientSSLEngine(String host, int port) {
    return engine(true, host, port);
  }

  @Override
  public Option<Throwable> verifyClientSession(String host, SSLSession session) {
    return Option.apply(refused);
  }

  @Override
  public Option<Throwable> verifyServerSession(String host, SSLSession session) {
    return Option.apply(refused);
  }
}
