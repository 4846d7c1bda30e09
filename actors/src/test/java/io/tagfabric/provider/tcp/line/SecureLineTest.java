package io.tagfabric.provider.tcp.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.provider.TestKeys;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import javax.net.ssl.SSLException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends of a connection by TLS, whose bytes are cut anywhere. */
class SecureLineTest {
  private static final String V13 = "TLSv1.3";
  private static final int MANY = 100_000;
  private static final Ready NOBODY = () -> 0;

  private static Path directory;
  private static Path keys;
  private static Path others;

  /** Ends whose engines know the sessions of before. */
  private static TestTls[] newerEnds;

  private static TestTls[] olderEnds;

  @BeforeContainer
  @BeforeAll
  static void makeKeys() throws IOException {
    directory = Files.createTempDirectory("secure-line");
    keys = TestKeys.make(directory, "keys");
    others = TestKeys.make(directory, "others");
    newerEnds = ends(V13);
    olderEnds = ends("TLSv1.2");
  }

  private static TestTls[] ends(String protocol) {
    return new TestTls[] {new TestTls(keys, keys, protocol), new TestTls(keys, keys, protocol)};
  }

  @AfterContainer
  @AfterAll
  static void removeKeys() {
    IoUtil.delete(directory.toFile(), true);
  }

  /** A client and a server. */
  private static final class Pair {
    final MemoryLine[] under;
    final TestTls near;
    final TestTls far;
    final SecureLine client;
    final SecureLine server;

    Pair(long seed, int most, TestTls near, TestTls far) throws IOException {
      under = MemoryLine.pair(seed, most);
      this.near = near;
      this.far = far;
      client = new SecureLine(under[0], near.tls, near.createClientSSLEngine("peer", 1), "peer");
      server = new SecureLine(under[1], far.tls, far.createServerSSLEngine("here", 0), "here");
    }

    Pair(long seed, int most, String protocol) throws IOException {
      this(seed, most, new TestTls(keys, keys, protocol), new TestTls(keys, keys, protocol));
    }

    /** Goes on at both ends until their handshakes have ended. */
    Pair shake() throws IOException {
      boolean made = false;
      for (int i = 0; i < MANY && !made; i++) {
        made = client.shake(NOBODY);
        near.calculate();
        made &= server.shake(NOBODY);
        far.calculate();
      }
      assertThat(made).as("the handshake has ended").isTrue();
      client.trust();
      server.trust();
      return this;
    }
  }

  /** One direction: what is written at one end and what has come at the other. */
  private static final class Flow {
    final Random random;
    final Line from;
    final Line to;
    final byte[] bytes;
    final ByteArrayOutputStream got = new ByteArrayOutputStream();
    final ByteBuffer into = ByteBuffer.allocate(90_000);
    int sent;

    Flow(Random random, Line from, Line to, int count) {
      this.random = random;
      this.from = from;
      this.to = to;
      bytes = new byte[count];
      random.nextBytes(bytes);
    }

    void write() throws IOException {
      ByteBuffer[] pieces = new ByteBuffer[1 + random.nextInt(4)];
      int at = sent;
      for (int i = 0; i < pieces.length; i++) {
        int count = Math.min(bytes.length - at, random.nextInt(40_000));
        pieces[i] = ByteBuffer.wrap(bytes, at, count);
        at += count;
      }
      long taken =
          pieces.length == 1 ? from.write(pieces[0]) : from.write(pieces, 0, pieces.length);
      sent += (int) taken;
      int left = 0;
      for (ByteBuffer piece : pieces) {
        left += piece.remaining();
      }
      assertThat(taken).isEqualTo(at - (sent - taken) - left);
    }

    void read() throws IOException {
      into.clear().limit(random.nextInt(5) == 0 ? 9 : random.nextInt(90_000));
      int count = to.read(into);
      assertThat(count).isEqualTo(into.position());
      got.write(into.array(), 0, count);
      // It does not sleep on what it has: without more of the socket it brings all that it holds.
      while (to.holds() && random.nextBoolean()) {
        int rest = to.read(into.clear().limit(1 + random.nextInt(20_000)));
        assertThat(rest).isPositive();
        got.write(into.array(), 0, rest);
      }
    }

    boolean isOver() {
      return sent == bytes.length && got.size() == bytes.length;
    }
  }

  @Property(tries = 25)
  void shouldBringWhatWasWrittenInOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60_000) int most,
      @ForAll boolean newer,
      @ForAll @IntRange(max = 150_000) int there,
      @ForAll @IntRange(max = 150_000) int back)
      throws IOException {
    Random random = new Random(seed);
    TestTls[] ends = newer ? newerEnds : olderEnds;
    Pair pair = new Pair(seed, Math.max(most, 64), ends[0], ends[1]).shake();
    Flow one = new Flow(random, pair.client, pair.server, there);
    Flow other = new Flow(random, pair.server, pair.client, back);

    for (int i = 0; i < MANY && !(one.isOver() && other.isOver()); i++) {
      Flow flow = random.nextBoolean() ? one : other;
      switch (random.nextInt(3)) {
        case 0 -> flow.write();
        case 1 -> flow.read();
        default -> flow.from.flush();
      }
    }

    assertThat(one.got.toByteArray()).isEqualTo(one.bytes);
    assertThat(other.got.toByteArray()).isEqualTo(other.bytes);
    assertThat(pair.client.holds()).isFalse();
    assertThat(pair.server.holds()).isFalse();
  }

  @Test
  void shouldHoldWhatWasDecryptedUntilItIsRead() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.under[0].takesAll();
    pair.shake();
    byte[] sent = "what is longer than the room for it".getBytes(StandardCharsets.US_ASCII);
    pair.client.write(ByteBuffer.wrap(sent));
    assertThat(pair.server.holds()).isFalse();
    ByteBuffer got = ByteBuffer.allocate(sent.length);

    got.limit(5);
    assertThat(pair.server.read(got)).isEqualTo(5);
    assertThat(pair.under[1].coming()).isZero();
    assertThat(pair.server.holds()).isTrue();

    got.limit(got.capacity());
    assertThat(pair.server.read(got)).isEqualTo(sent.length - 5);
    assertThat(pair.server.holds()).isFalse();
    assertThat(got.array()).isEqualTo(sent);
  }

  @Test
  void shouldOweWhatTheSystemHasNoRoomFor() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.under[0].takesAll();
    pair.shake();
    ByteBuffer much = ByteBuffer.allocate(1 << 20);
    long taken = pair.client.write(much);
    while (!pair.client.owes()) {
      taken += pair.client.write(much);
    }

    assertThat(pair.client.write(much)).isZero();

    ByteBuffer got = ByteBuffer.allocate(1 << 20);
    while (pair.client.owes()) {
      pair.client.flush();
      pair.server.read(got);
    }
    pair.server.read(got);
    assertThat(got.position()).isEqualTo((int) taken);
  }

  @Test
  void shouldWaitForWhatIsCalculatedElsewhere() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.under[0].takesAll();
    boolean[] heard = {false};
    Ready hears =
        () -> {
          heard[0] = true;
          return 1;
        };
    assertThat(pair.client.shake(NOBODY)).isFalse();
    assertThat(pair.client.wants()).isEqualTo(SelectionKey.OP_READ);

    assertThat(pair.server.shake(hears)).isFalse();
    assertThat(pair.server.wants()).as("nothing of the socket").isZero();
    assertThat(pair.server.holds()).isFalse();
    int said = pair.under[1].said.size();
    assertThat(pair.server.shake(hears)).isFalse();
    assertThat(pair.under[1].said.size()).isEqualTo(said);
    assertThat(heard[0]).isFalse();

    pair.far.calculate();

    assertThat(heard[0]).isTrue();
    pair.shake();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldRefuseWhoseCertificateItDoesNotTrust(boolean clientRefuses) throws IOException {
    TestTls friend = new TestTls(keys, keys, V13);
    TestTls stranger = new TestTls(others, keys, V13);
    Pair pair =
        clientRefuses
            ? new Pair(1, 1 << 20, friend, stranger)
            : new Pair(1, 1 << 20, stranger, friend);
    SecureLine refuses = clientRefuses ? pair.client : pair.server;
    SecureLine refused = clientRefuses ? pair.server : pair.client;

    assertThatThrownBy(pair::shake)
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("certific");
    refuses.close();

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < MANY; i++) {
                if (refused.shake(NOBODY)) {
                  refused.read(ByteBuffer.allocate(100));
                }
                pair.near.calculate();
                pair.far.calculate();
              }
            })
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("certificate");
  }

  @Test
  void shouldRefuseASessionThatTheProviderRefuses() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.far.refused = new IllegalStateException("another cluster's");

    assertThatThrownBy(pair::shake)
        .isInstanceOf(SSLException.class)
        .hasMessage("another cluster's");
  }

  @Test
  void shouldRefuseWhatIsNoTls() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.under[0].takesAll();
    pair.under[0].write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8)));

    assertThatThrownBy(() -> pair.server.shake(NOBODY)).isInstanceOf(SSLException.class);
  }

  @Test
  void shouldTakeSoMuchOfAStrangerAndNoMore() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.under[0].takesAll();
    // A record of a handshake that announces a message of 32,000 bytes, byte by byte.
    byte[] message = {1, 0, 125, 0};
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < MANY; i++) {
                byte next = i < message.length ? message[i] : 0;
                pair.under[0].write(ByteBuffer.wrap(new byte[] {22, 3, 3, 0, 1, next}));
                pair.server.shake(NOBODY);
              }
            })
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("bytes=" + SecureLine.MOST_UNPROVED_BYTES);
  }

  @Test
  void shouldBoundWhatComesBeforeTheProof() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.under[0].takesAll();
    boolean made = false;
    for (int i = 0; i < MANY && !made; i++) {
      made = pair.client.shake(NOBODY);
      pair.near.calculate();
      made &= pair.server.shake(NOBODY);
      pair.far.calculate();
    }
    ByteBuffer into = ByteBuffer.allocate(1 << 20);

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                pair.client.write(ByteBuffer.allocate(10_000));
                pair.server.read(into);
              }
            })
        .hasMessageContaining("without a proof");
  }

  @Test
  void shouldEndWithAWordOfTlsOrWithout() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.under[0].takesAll();
    pair.shake();
    int said = pair.under[0].said.size();
    pair.client.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    pair.client.close();

    assertThat(pair.under[0].said.size()).as("with a word").isGreaterThan(said + 25);
    ByteBuffer got = ByteBuffer.allocate(10);
    assertThat(pair.server.read(got)).isEqualTo(3);
    assertThat(pair.server.read(got)).isEqualTo(-1);
    assertThat(pair.client.isOpen()).isFalse();

    Pair torn = new Pair(1, 1 << 20, V13);
    torn.client.shake(NOBODY);
    torn.under[0].close();
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < MANY; i++) {
                torn.server.shake(NOBODY);
                torn.far.calculate();
              }
            })
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("in the midst of TLS's handshake");
  }

  @Test
  void shouldFailWhenARecordWasChanged() throws IOException {
    Pair pair = new Pair(1, 1 << 20, V13);
    pair.under[0].takesAll();
    pair.shake();
    pair.client.write(ByteBuffer.wrap(new byte[100]));
    pair.under[1].spoil();

    assertThatThrownBy(() -> pair.server.read(ByteBuffer.allocate(200)))
        .isInstanceOf(SSLException.class);
  }
}
