package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;

/** Keys of nodes whose remoting is encrypted, each with a certificate that signs itself. */
public final class TestKeys {
  public static final String PASSWORD = "secret";

  private TestKeys() {}

  /** Makes a PKCS #12 file with a key and its certificate. */
  public static Path make(Path directory, String name) {
    return make(directory, name, "-0d");
  }

  /**
   * The same.
   *
   * @param begin of the 90 days that the certificate is valid for, as keytool has it
   */
  public static Path make(Path directory, String name, String begin) {
    Path file = directory.resolve(name + ".p12");
    try {
      Process tool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "job",
                  "-dname",
                  "CN=" + name,
                  "-keyalg",
                  "EC",
                  "-groupname",
                  "secp256r1",
                  "-startdate",
                  begin,
                  "-validity",
                  "90",
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
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return file;
  }

  /** Makes a PKCS #12 file that trusts the certificates of others. */
  public static Path trust(Path directory, Path... others) {
    Path file = directory.resolve("trust.p12");
    try {
      KeyStore all = KeyStore.getInstance("PKCS12");
      all.load(null, null);
      for (Path other : others) {
        KeyStore store = KeyStore.getInstance(other.toFile(), PASSWORD.toCharArray());
        all.setCertificateEntry(other.getFileName().toString(), store.getCertificate("job"));
      }
      try (OutputStream out = Files.newOutputStream(file)) {
        all.store(out, PASSWORD.toCharArray());
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  /** Settings of Akka's remoting, encrypted with a key of one file, trusting those of another. */
  public static String remoting(Path own, Path trusted) {
    return """
        akka.remote.artery.transport = tls-tcp
        akka.remote.artery.ssl.config-ssl-engine {
          key-store = "OWN", trust-store = "TRUSTED"
          key-store-password = PASSWORD, key-password = PASSWORD, trust-store-password = PASSWORD
          protocol = TLSv1.3, enabled-algorithms = [TLS_AES_128_GCM_SHA256]
          hostname-verification = off
        }
        """
        .replace("OWN", own.toString())
        .replace("TRUSTED", trusted.toString())
        .replace("PASSWORD", PASSWORD);
  }
}
