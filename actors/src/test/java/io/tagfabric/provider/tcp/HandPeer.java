package io.tagfabric.provider.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.provider.tcp.record.Records;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/** Whoever dials a node and says what a test likes, byte by byte. Thread: that of the nodes. */
final class HandPeer implements AutoCloseable {
  final long incarnation;
  final long token = 104;
  final long stream;
  final KeyProof proofs;
  final TestNode node;
  final SocketChannel socket;
  byte[] dial;
  byte[] answer;
  byte[] finish;

  HandPeer(TestNode node, UUID key, long incarnation, long stream, int receiveBufferBytes)
      throws IOException {
    this.node = node;
    this.incarnation = incarnation;
    this.stream = stream;
    proofs = TestNode.connectionProofs(key);
    socket = SocketChannel.open();
    if (receiveBufferBytes > 0) {
      socket.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.place().port()));
    socket.configureBlocking(false);
  }

  HandPeer(TestNode node) throws IOException {
    this(node, TestNode.KEY, 1, 11, 0);
  }

  /** What others call it; nobody listens there. */
  EndpointAddress address() {
    TcpAddress at = new TcpAddress(token, false, node.place().scope(), node.place().host(), 1);
    return new EndpointAddress(incarnation, 5, "hand", "node", "vm", Map.of("tcp", at.encode()));
  }

  void write(byte[] bytes) {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    await(
        "room for bytes",
        () -> {
          try {
            socket.write(left);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          return !left.hasRemaining();
        });
  }

  private void await(String what, BooleanSupplier condition) {
    TestNode.await(what, condition, node);
  }

  /** Reads what there is, at most so much; null at the end of the stream. */
  byte[] read(int most) {
    ByteBuffer bytes = ByteBuffer.allocate(most);
    try {
      return socket.read(bytes) < 0 ? null : Arrays.copyOf(bytes.array(), bytes.position());
    } catch (IOException reset) {
      return null;
    }
  }

  byte[] readFully(int count) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    await(
        "bytes=" + count,
        () -> {
          byte[] some = read(count - all.size());
          assertThat(some).as("more, after bytes=" + all.size()).isNotNull();
          all.writeBytes(some);
          return all.size() == count;
        });
    return all.toByteArray();
  }

  /** Runs the node until it has closed the connection; returns what it has said before. */
  byte[] readToEnd() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    await(
        "the connection's end",
        () -> {
          byte[] some = read(4096);
          if (some != null) {
            all.writeBytes(some);
          }
          return some == null;
        });
    return all.toByteArray();
  }

  void dial(Proof.NodeId wanted, long peersStream) {
    Proof.Dial said = new Proof.Dial(incarnation, token, wanted, stream, peersStream);
    dial = Proof.dial(proofs, said, 3, 4);
    write(dial);
  }

  Proof.Answer answer() {
    answer = readFully(Proof.ANSWER_BYTES);
    assertThat(Proof.keyOfAnswer(proofs, dial, answer)).isZero();
    return Proof.readAnswer(answer);
  }

  void finish(long position) {
    finish = Proof.position(proofs, 0, position, dial, answer);
    write(finish);
  }

  /** The position that the node has; the connection serves from now on. */
  long go() {
    byte[] go = readFully(Proof.POSITION_BYTES);
    assertThat(Proof.isPosition(proofs, 0, go, dial, answer, finish)).isTrue();
    return Proof.readPosition(go);
  }

  /** Makes a connection that serves. Returns the number of the node's stream. */
  long connect() {
    dial(node.id(), 0);
    Proof.Answer said = answer();
    assertThat(said.status()).isEqualTo(Proof.WELCOME);
    finish(0);
    assertThat(go()).isZero();
    return said.stream();
  }

  /** A record with a body of zeros. */
  static byte[] record(int kind, int endpoint, int bodyBytes) {
    byte[] bytes = new byte[Records.length(bodyBytes)];
    Records.header(new UnsafeBuffer(bytes), 0, kind, endpoint, bodyBytes);
    return bytes;
  }

  static byte[] confirm(long position) {
    byte[] bytes = record(Records.CONFIRM, 0, Long.BYTES);
    new UnsafeBuffer(bytes).putLong(Records.HEADER_BYTES, position, Records.ORDER);
    return bytes;
  }

  static void move(TestNode node, long time, TimeUnit unit) {
    node.clock.addAndGet(unit.toNanos(time));
    node.run(3);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
