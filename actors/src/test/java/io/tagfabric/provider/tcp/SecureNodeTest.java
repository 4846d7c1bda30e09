package io.tagfabric.provider.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.provider.TestKeys;
import io.tagfabric.provider.WireActors;
import io.tagfabric.provider.tcp.line.Line;
import io.tagfabric.provider.tcp.line.Ready;
import io.tagfabric.provider.tcp.line.TestTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers can do to a node that encrypts, by a clock that the test moves. */
class SecureNodeTest {
  private static final String V13 = "TLSv1.3";
  private static final Ready NOBODY = () -> 0;

  @TempDir private static Path directory;
  private static Path keys;
  private static Path others;
  private static ActorSystem<Void> system;

  private TestNode node;
  private SocketChannel socket;

  @BeforeAll
  static void start() {
    keys = TestKeys.make(directory, "keys");
    others = TestKeys.make(directory, "others");
    system = start(TestKeys.remoting(keys, keys));
  }

  private static ActorSystem<Void> start(String settings) {
    return ActorSystem.create(
        Behaviors.empty(),
        "secure",
        ConfigFactory.parseString(settings)
            .withFallback(ConfigFactory.parseString("akka.loglevel = ERROR"))
            .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    stop(system);
  }

  private static void stop(ActorSystem<Void> system) {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  @BeforeEach
  void open() throws IOException {
    node = node(List.of(TestNode.KEY));
    socket = SocketChannel.open();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.place().port()));
    socket.configureBlocking(false);
  }

  private static TestNode node(List<UUID> jobKeys) {
    return node(system, jobKeys);
  }

  private static TestNode node(ActorSystem<?> system, List<UUID> jobKeys) {
    WireActors actors = new WireActors(system, Props.empty(), Optional.empty());
    return new TestNode(new AtomicLong(1), jobKeys, "", Optional.of(actors));
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
    node.close();
  }

  private void await(String what, BooleanSupplier condition) {
    TestNode.await(what, condition, node);
  }

  /** Whether the node has closed the connection. */
  private boolean isClosed() {
    try {
      return socket.read(ByteBuffer.allocate(4096)) < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  private Line line(TestTls tls) throws IOException {
    return tls.tls.to("peer", 1, socket);
  }

  private void shake(Line line, TestTls tls) {
    shake(line, tls, node);
  }

  private static void shake(Line line, TestTls tls, TestNode listener) {
    TestNode.await(
        "the handshake",
        () -> {
          tls.calculate();
          try {
            return line.shake(NOBODY);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        listener);
  }

  @Test
  void shouldExchangePackets() {
    TestNode other = node(List.of(TestNode.KEY));
    assertThat(node.place().isSecure()).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(node.offer(other.address, i, 1 + 600 * i + 4)).isTrue();
    }

    TestNode.await("all packets", () -> other.received.size() == 100, node, other);

    assertThat(other.received).isSorted();
    other.close();
  }

  @Test
  void shouldExchangePacketsWhileTheKeysOfTheJobRoll() {
    UUID old = TestNode.KEY;
    UUID renewed = new UUID(8, 8);
    TestNode before = node(List.of(old, renewed));
    TestNode after = node(List.of(renewed, old));

    assertThat(before.offer(after.address, 1, 100)).isTrue();
    TestNode.await("a packet that way", () -> after.received.equals(List.of(1)), before, after);
    assertThat(before.offer(node.address, 2, 100)).isTrue();
    TestNode.await("to the old key alone", () -> node.received.equals(List.of(2)), before, node);
    TestNode last = node(List.of(renewed));
    assertThat(last.offer(after.address, 3, 100)).isTrue();
    TestNode.await("of the new key alone", () -> after.received.contains(3), last, after);

    before.close();
    after.close();
    last.close();
  }

  @Test
  void shouldShowRenewedKeysToNewConnectionsAndGoOnWithTheOldOnes() throws IOException {
    Path own = Files.copy(keys, directory.resolve("own.p12"));
    Path trust = TestKeys.trust(directory, keys, others);
    ActorSystem<Void> renewing =
        start(
            TestKeys.remoting(own, trust)
                + "akka.remote.artery.ssl.ssl-engine-provider ="
                + " io.tagfabric.provider.RenewedKeys");
    TestNode near = node(renewing, List.of(TestNode.KEY));
    TestNode far = node(renewing, List.of(TestNode.KEY));
    near.offer(far.address, 1, 100);
    TestNode.await("a packet", () -> far.received.equals(List.of(1)), near, far);
    node.close();

    Files.copy(others, own, StandardCopyOption.REPLACE_EXISTING);
    node = node(renewing, List.of(TestNode.KEY));
    near.offer(node.address, 2, 100);
    TestNode.await("by a new connection", () -> node.received.equals(List.of(2)), near, node);
    near.offer(far.address, 3, 100);
    TestNode.await("by the old one", () -> far.received.equals(List.of(1, 3)), near, far);

    assertThat(certificateOf(far)).isEqualTo("CN=others");
    near.close();
    far.close();
    stop(renewing);
  }

  /** Whose certificate a node shows to one that dials it now. */
  private String certificateOf(TestNode listener) throws IOException {
    socket.close();
    socket = SocketChannel.open();
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.place().port()));
    socket.configureBlocking(false);
    TestTls tls = new TestTls(others, TestKeys.trust(directory, keys, others), V13);
    shake(line(tls), tls, listener);
    return tls.peer();
  }

  @Test
  void shouldCloseAConnectionThatSpeaksNoTls() throws IOException {
    socket.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));

    await("the connection's end", this::isClosed);
  }

  @Test
  void shouldCloseADialInTheClear() throws IOException {
    Proof.Dial said = new Proof.Dial(1, 2, node.id(), 3, 0);
    socket.write(ByteBuffer.wrap(Proof.dial(TestNode.connectionProofs(TestNode.KEY), said, 4, 5)));

    await("the connection's end", this::isClosed);
  }

  @Test
  void shouldCloseAConnectionWhoseHandshakeDoesNotEnd() throws IOException {
    TestTls tls = new TestTls(keys, keys, V13);
    assertThat(line(tls).shake(NOBODY)).isFalse(); // and no more
    ByteBuffer said = ByteBuffer.allocate(1 << 16);
    await(
        "the node's part",
        () -> {
          try {
            return socket.read(said) > 0;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });

    HandPeer.move(node, TcpNode.GUEST_NS - 1, TimeUnit.NANOSECONDS);
    assertThat(isClosed()).isFalse();
    HandPeer.move(node, 1, TimeUnit.NANOSECONDS);

    await("the connection's end", this::isClosed);
  }

  @Test
  void shouldRefuseOneWhoseCertificateIsNotTrusted() throws IOException {
    TestTls tls = new TestTls(others, keys, V13);
    Line line = line(tls);
    shake(line, tls); // of TLS 1.3 this side's ends before it is judged

    assertThatThrownBy(
            () ->
                await(
                    "a word",
                    () -> {
                      try {
                        return line.read(ByteBuffer.allocate(100)) != 0;
                      } catch (IOException e) {
                        throw new IllegalStateException(e);
                      }
                    }))
        .hasCauseInstanceOf(SSLException.class)
        .hasMessageContaining("certificate");
  }

  @Test
  void shouldTellNothingToOneWithACertificateAndWithoutTheKey() throws IOException {
    TestTls tls = new TestTls(keys, keys, V13);
    Line line = line(tls);
    shake(line, tls);
    Proof.Dial said = new Proof.Dial(1, 2, node.id(), 3, 0);
    Line.write(line, Proof.dial(TestNode.connectionProofs(new UUID(9, 9)), said, 4, 5));
    ByteBuffer heard = ByteBuffer.allocate(1000);

    await(
        "the connection's end",
        () -> {
          try {
            return line.read(heard) < 0;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });

    assertThat(heard.position()).isZero();
  }

  @Test
  void shouldAnswerOneWhoDialsInPieces() throws IOException {
    TestTls tls = new TestTls(keys, keys, V13);
    Line line = line(tls);
    shake(line, tls);
    Proof.Dial said = new Proof.Dial(1, 2, node.id(), 3, 0);
    byte[] dial = Proof.dial(TestNode.connectionProofs(TestNode.KEY), said, 4, 5);
    for (byte each : dial) {
      Line.write(line, new byte[] {each});
    }
    ByteBuffer heard = ByteBuffer.allocate(Proof.ANSWER_BYTES);

    await(
        "the answer",
        () -> {
          try {
            line.read(heard);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          return !heard.hasRemaining();
        });

    assertThat(Proof.keyOfAnswer(TestNode.connectionProofs(TestNode.KEY), dial, heard.array()))
        .isZero();
  }
}
