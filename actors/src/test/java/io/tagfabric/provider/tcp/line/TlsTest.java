package io.tagfabric.provider.tcp.line;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.remote.artery.tcp.SSLEngineProvider;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import scala.Option;

class TlsTest {
  /** As Akka's provider of rotating keys, which reads files whenever a connection is made. */
  private static final class UnreadableKeys implements SSLEngineProvider {
    @Override
    public SSLEngine createServerSSLEngine(String host, int port) {
      throw checked(new CertificateException("Could not parse certificate: Empty input"));
    }

    @Override
    public SSLEngine createClientSSLEngine(String host, int port) {
      throw checked(new CertificateException("Could not parse certificate: Empty input"));
    }

    /** Throws what Java asks to declare and Scala does not. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Exception> RuntimeException checked(Exception exception) throws T {
      throw (T) exception;
    }

    @Override
    public Option<Throwable> verifyClientSession(String host, SSLSession session) {
      return Option.empty();
    }

    @Override
    public Option<Throwable> verifyServerSession(String host, SSLSession session) {
      return Option.empty();
    }
  }

  @Test
  void shouldSayWhyThereIsNoConnectionWhileAProviderCannotReadItsKeys() throws IOException {
    Tls tls = new Tls(new UnreadableKeys(), Runnable::run, Runnable::run, "here");
    try (SocketChannel socket = SocketChannel.open()) {
      assertThatThrownBy(() -> tls.from(socket))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("TLS as remoting's cannot be set up")
          .hasMessageContaining("Could not parse certificate");
      assertThatThrownBy(() -> tls.to("there", 1, socket))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Could not parse certificate");
    }
  }
}
