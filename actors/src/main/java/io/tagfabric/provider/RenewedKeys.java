package io.tagfabric.provider;

import akka.actor.ActorSystem;
import akka.remote.artery.tcp.ConfigSSLEngineProvider;
import akka.remote.artery.tcp.SSLEngineProvider;
import io.tagfabric.annotation.InternalApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * The engines of {@code akka.remote.artery.ssl.config-ssl-engine}, with keys that are read anew
 * when one of their files has changed: the {@code ssl-engine-provider} of the profile {@code tls}.
 * Connections that are made from then on use the new keys, those that there are live on. Keys that
 * cannot be read, or with a certificate that is not valid now, are warned of, and those before stay
 * until the files change again.
 *
 * <p>Thread: any.
 */
@InternalApi
public final class RenewedKeys implements SSLEngineProvider {
  private static final Logger LOG = LoggerFactory.getLogger(RenewedKeys.class);

  private final Supplier<ConfigSSLEngineProvider> reader;
  private final Consumer<String> informs;
  private final Consumer<String> warns;
  private ConfigSSLEngineProvider keys;

  /** Of the files, when they were read last, with success or without. */
  private List<Object> state;

  /** As Akka makes it. */
  public RenewedKeys(ActorSystem system) {
    this(() -> new ConfigSSLEngineProvider(system), LOG::info, LOG::warn);
  }

  /**
   * Reads keys, and again when their files have changed.
   *
   * @param reader gives engines that have read nothing yet
   * @param informs hears what has been read anew
   * @param warns hears what could not be
   */
  RenewedKeys(
      Supplier<ConfigSSLEngineProvider> reader, Consumer<String> informs, Consumer<String> warns) {
    this.reader = reader;
    this.informs = informs;
    this.warns = warns;
    keys = reader.get();
    state = state(keys);
    read(keys);
    invalidBecause(keys).ifPresent(warns);
  }

  /** What tells of a change of the files, without reading them. */
  private static List<Object> state(ConfigSSLEngineProvider keys) {
    List<Object> all = new ArrayList<>();
    for (String name : List.of(keys.SSLKeyStore(), keys.SSLTrustStore())) {
      Path file = Path.of(name);
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        all.addAll(List.of(now.lastModifiedTime(), now.size(), Files.isReadable(file)));
        all.add(now.fileKey());
      } catch (IOException e) {
        all.add("not there");
      }
    }
    return all;
  }

  private static void read(ConfigSSLEngineProvider keys) {
    keys.createServerSSLEngine("localhost", 0); // the first one reads the files
  }

  /** Why its own certificate is no good at present, empty if it is. */
  private static Optional<String> invalidBecause(ConfigSSLEngineProvider keys) {
    KeyStore store = keys.loadKeystore(keys.SSLKeyStore(), keys.SSLKeyStorePassword());
    try {
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias) && store.getCertificate(alias) instanceof X509Certificate own) {
          try {
            own.checkValidity();
          } catch (CertificateExpiredException e) {
            return Optional.of(of(own, keys) + " has expired at " + own.getNotAfter().toInstant());
          } catch (CertificateNotYetValidException e) {
            return Optional.of(
                of(own, keys) + " is valid from " + own.getNotBefore().toInstant() + " on only");
          }
        }
      }
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      return Optional.of("" + e.getMessage());
    }
  }

  private static String of(X509Certificate own, ConfigSSLEngineProvider keys) {
    return "the certificate ["
        + own.getSubjectX500Principal().getName()
        + "] of "
        + keys.SSLKeyStore();
  }

  /** The keys of now; whoever asks first after a change waits for the files. */
  private synchronized ConfigSSLEngineProvider keys() {
    List<Object> now = state(keys);
    if (!now.equals(state)) {
      state = now;
      renew();
    }
    return keys;
  }

  private void renew() {
    String files = keys.SSLKeyStore() + " and " + keys.SSLTrustStore();
    try {
      ConfigSSLEngineProvider next = reader.get();
      read(next);
      Optional<String> invalid = invalidBecause(next);
      if (invalid.isEmpty()) {
        keys = next;
        informs.accept("TLS: keys read anew from " + files + ", for connections from now on");
      } else {
        refuse(files, invalid.get());
      }
    } catch (Exception e) { // what is written in Scala throws checked ones too
      refuse(files, reason(e));
    }
  }

  private void refuse(String files, String why) {
    warns.accept(
        "TLS: the keys of "
            + files
            + " have changed and are not used, "
            + why
            + "; those before stay until the files change again");
  }

  /** What is behind that which Akka says. */
  private static String reason(Throwable failure) {
    Throwable first = failure;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    String text = first.getMessage() == null ? "" : ": " + first.getMessage();
    return "they cannot be read, " + first.getClass().getSimpleName() + text;
  }

  @Override
  public SSLEngine createServerSSLEngine(String host, int port) {
    return keys().createServerSSLEngine(host, port);
  }

  @Override
  public SSLEngine createClientSSLEngine(String host, int port) {
    return keys().createClientSSLEngine(host, port);
  }

  @Override
  public Option<Throwable> verifyClientSession(String host, SSLSession session) {
    return keys().verifyClientSession(host, session);
  }

  @Override
  public Option<Throwable> verifyServerSession(String host, SSLSession session) {
    return keys().verifyServerSession(host, session);
  }
}
