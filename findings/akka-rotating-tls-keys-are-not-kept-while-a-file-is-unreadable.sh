#!/usr/bin/env bash
# Akka 2.8.5, Artery over TLS with RotatingKeysSSLEngineProvider: once ssl-context-cache-ttl is over, the files are read when
# the next connection is made, and what was read before is not kept for the case that they cannot be. While the
# certificate is absent or empty, as during a copy that is not atomic or a failed issue, each new connection fails,
# though the keys in memory are still valid; and an empty file throws a bare CertificateException, an absent one an
# SslTransportException. A certificate that does not belong to the key is taken without a word: engines are made, and it
# is the client of each handshake that fails, with "Invalid ECDH ServerKeyExchange signature", which names no file. All is
# well again when the file is.
#
# Expected output:
#   both files fit: handshake done
#   certificate empty: no engine, CertificateException
#   certificate absent: no engine, SslTransportException
#   certificate of another key: handshake failed, Invalid ECDH ServerKeyExchange signature
#   both files fit: handshake done
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.typesafe.akka</groupId><artifactId>akka-cluster_2.13</artifactId><version>2.8.5</version></dependency>
    <dependency><groupId>com.typesafe.akka</groupId><artifactId>akka-pki_2.13</artifactId><version>2.8.5</version></dependency>
  </dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -keyout ca.key -out ca.crt -subj "/CN=ca" 2>/dev/null
printf 'subjectAltName=DNS:localhost' > names
for name in node other; do
  openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj "/CN=$name" 2>/dev/null
  openssl x509 -req -in $name.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile names -out $name.crt 2>/dev/null
done
cp node.crt server.crt
cat > Rotate.java <<'JAVA'
import akka.actor.ActorSystem;
import akka.remote.artery.tcp.ssl.RotatingKeysSSLEngineProvider;
import com.typesafe.config.ConfigFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

public class Rotate {
  static final List<ActorSystem> SYSTEMS = new ArrayList<>();

  static RotatingKeysSSLEngineProvider provider(String certificate) {
    String files =
        "key-file = node.key, cert-file = " + certificate + ", ca-cert-file = ca.crt, ssl-context-cache-ttl = 1ms";
    ActorSystem system =
        ActorSystem.create(
            "finding",
            ConfigFactory.parseString(
                    "akka { loglevel = OFF, stdout-loglevel = OFF,"
                        + " remote.artery.ssl.rotating-keys-engine { " + files + " } }")
                .withFallback(ConfigFactory.load()));
    SYSTEMS.add(system);
    return new RotatingKeysSSLEngineProvider(system);
  }

  /** Carries what one side says to the other until both are done. */
  static void handshake(SSLEngine a, SSLEngine b) throws SSLException {
    ByteBuffer empty = ByteBuffer.allocate(0);
    SSLEngine[] sides = {a, b};
    ByteBuffer[] to = {ByteBuffer.allocate(1 << 18), ByteBuffer.allocate(1 << 18)};
    ByteBuffer plain = ByteBuffer.allocate(1 << 18);
    a.beginHandshake();
    b.beginHandshake();
    for (int turn = 0; turn < 200; turn++) {
      for (int i = 0; i < 2; i++) {
        SSLEngine side = sides[i];
        Runnable task;
        while ((task = side.getDelegatedTask()) != null) {
          task.run();
        }
        if (side.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
          side.wrap(empty, to[1 - i]);
        } else if (side.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING || to[i].position() > 0) {
          to[i].flip();
          side.unwrap(to[i], plain);
          to[i].compact();
        }
      }
    }
    if (a.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
      throw new SSLException("not done");
    }
  }

  static void attempt(
      String what, RotatingKeysSSLEngineProvider server, RotatingKeysSSLEngineProvider client) throws Exception {
    Thread.sleep(50); // the cache is over
    SSLEngine there;
    try {
      there = server.createServerSSLEngine("localhost", 1);
    } catch (Throwable failure) {
      System.out.println(what + ": no engine, " + failure.getClass().getSimpleName());
      return;
    }
    try {
      handshake(client.createClientSSLEngine("localhost", 1), there);
      System.out.println(what + ": handshake done");
    } catch (SSLException failure) {
      System.out.println(what + ": handshake failed, " + failure.getMessage());
    }
  }

  public static void main(String[] args) throws Exception {
    RotatingKeysSSLEngineProvider server = provider("server.crt");
    RotatingKeysSSLEngineProvider client = provider("node.crt");
    Path certificate = Path.of("server.crt");
    attempt("both files fit", server, client);
    Files.write(certificate, new byte[0]);
    attempt("certificate empty", server, client);
    Files.delete(certificate);
    attempt("certificate absent", server, client);
    Files.copy(Path.of("other.crt"), certificate);
    attempt("certificate of another key", server, client);
    Files.delete(certificate);
    Files.copy(Path.of("node.crt"), certificate);
    attempt("both files fit", server, client);
    SYSTEMS.forEach(ActorSystem::terminate);
  }
}
JAVA
timeout 120 java -cp "lib/*" Rotate.java > seen
cat seen
diff seen - <<'EXPECTED'
both files fit: handshake done
certificate empty: no engine, CertificateException
certificate absent: no engine, SslTransportException
certificate of another key: handshake failed, Invalid ECDH ServerKeyExchange signature
both files fit: handshake done
EXPECTED
