package io.tagfabric.provider.tcp.line;

import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.Adapter;
import akka.remote.artery.tcp.SSLEngineProvider;
import akka.remote.artery.tcp.SSLEngineProviderSetup;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.WireActors;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import scala.Option;

/**
 * How a node encrypts: with the engines of Akka's remoting, so with its keys, protocols and
 * algorithms, which may change while it runs. Thread: the domain's loop, but for what it works on.
 */
public final class Tls {
  /** Of four records of the longest kind. */
  private static final int BUFFER_BYTES = 4 * 17 * 1024;

  private static final int KEPT_BUFFERS = 16;
  private static final String PROVIDER = "akka.remote.artery.ssl.ssl-engine-provider";

  private final SSLEngineProvider engines;
  private final Executor workers;
  private final Executor loop;

  /** Where the node listens. */
  private final String host;

  private final ArrayDeque<ByteBuffer> buffers = new ArrayDeque<>();

  /**
   * Makes engines by a provider.
   *
   * @param workers calculate what takes long
   * @param loop goes on afterwards
   */
  Tls(SSLEngineProvider engines, Executor workers, Executor loop, String host) {
    this.engines = engines;
    this.workers = workers;
    this.loop = loop;
    this.host = host;
  }

  /**
   * As the remoting of an ActorSystem is encrypted.
   *
   * @throws IOException if its keys cannot be read, or there is no ActorSystem
   */
  public static Tls of(Optional<WireActors> actors, ProgressLoop loop, String host)
      throws IOException {
    if (actors.isEmpty()) {
      throw new IOException("there is no ActorSystem whose keys TLS could use");
    }
    akka.actor.typed.ActorSystem<?> system = actors.get().system();
    Tls tls =
        new Tls(
            provider((ExtendedActorSystem) Adapter.toClassic(system)),
            system.dispatchers().lookup(DispatcherSelector.blocking()),
            loop,
            host);
    tls.serverEngine(); // reads the keys
    return tls;
  }

  /** The same that remoting makes for itself; it gives it to nobody. */
  private static SSLEngineProvider provider(ExtendedActorSystem system) throws IOException {
    Optional<SSLEngineProviderSetup> setup =
        system.settings().setup().get(SSLEngineProviderSetup.class);
    String name = system.settings().config().getString(PROVIDER);
    try {
      return setup.isPresent()
          ? setup.get().sslEngineProvider().apply(system)
          : Class.forName(name, true, system.dynamicAccess().classLoader())
              .asSubclass(SSLEngineProvider.class)
              .getConstructor(ActorSystem.class)
              .newInstance(system);
    } catch (InvocationTargetException e) {
      throw noEngines(e.getCause());
    } catch (Exception e) {
      throw noEngines(e);
    }
  }

  private static IOException noEngines(Throwable cause) {
    return new IOException("TLS as remoting's cannot be set up: " + reason(cause), cause);
  }

  /** What an exception of TLS says, and the one behind it that says more. */
  public static String reason(Throwable failure) {
    Throwable cause = failure.getCause();
    String text = "" + failure.getMessage();
    return cause == null || cause.getMessage() == null || text.contains(cause.getMessage())
        ? text
        : text + " (" + cause.getMessage() + ")";
  }

  private SSLEngine serverEngine() throws IOException {
    try {
      return engines.createServerSSLEngine(host, 0);
    } catch (Exception e) { // providers written in Scala throw checked ones too
      throw noEngines(e);
    }
  }

  private SSLEngine clientEngine(String peer, int port) throws IOException {
    try {
      return engines.createClientSSLEngine(peer, port);
    } catch (Exception e) { // as for the other
      throw noEngines(e);
    }
  }

  /** What goes by a socket that dials a peer, which is known by a name. */
  public Line to(String peer, int port, SocketChannel socket) throws IOException {
    return new SecureLine(new PlainLine(socket), this, clientEngine(peer, port), peer);
  }

  /** What goes by a socket that was accepted. */
  public Line from(SocketChannel socket) throws IOException {
    return new SecureLine(new PlainLine(socket), this, serverEngine(), host);
  }

  /** Asks the provider of engines whether a session may serve. */
  void verify(SSLEngine engine, String name) throws SSLException {
    Throwable refused;
    try {
      Option<Throwable> said =
          engine.getUseClientMode()
              ? engines.verifyClientSession(name, engine.getSession())
              : engines.verifyServerSession(name, engine.getSession());
      refused = said.isDefined() ? said.get() : null;
    } catch (Exception e) {
      refused = e;
    }
    if (refused != null) {
      throw new SSLException(reason(refused), refused);
    }
  }

  /** Has something calculated elsewhere, and goes on in the loop when that has ended. */
  void work(Runnable task, Runnable then) throws IOException {
    try {
      workers.execute(
          () -> {
            try {
              task.run();
            } finally {
              loop.execute(then);
            }
          });
    } catch (RejectedExecutionException e) {
      throw new IOException("the ActorSystem has ended", e);
    }
  }

  /** An empty buffer for some records. */
  ByteBuffer take() {
    ByteBuffer kept = buffers.pollLast();
    return kept == null ? ByteBuffer.allocate(BUFFER_BYTES) : kept.clear();
  }

  void giveBack(ByteBuffer buffer) {
    if (buffers.size() < KEPT_BUFFERS) {
      buffers.addLast(buffer);
    }
  }
}
