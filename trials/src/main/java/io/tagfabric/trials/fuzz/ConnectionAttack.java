package io.tagfabric.trials.fuzz;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.provider.tcp.Proof;
import io.tagfabric.provider.tcp.TcpAddress;
import io.tagfabric.provider.tcp.record.Records;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Processes that dial the victim's port. Those without the job's key write whatever they like, and
 * must hear nothing. Those with it make a connection, mostly in the right way, and then write
 * records, most of them wrong ones, in pieces; now and then they dial again to go on from a
 * position that may be wrong. Thread: one.
 */
final class ConnectionAttack {
  private static final int AT_ONCE = 6;
  private static final int LONGEST_JUNK = 400;
  private static final int LONGEST_BODY = 64 * 1024;
  private static final int BUFFER = 64 * 1024;

  /** Of so many steps of a connection one is its last. */
  private static final int END_SHARE = 60;

  /** The same before the handshake of TLS has ended, for which the victim takes its time. */
  private static final int HANDSHAKE_END_SHARE = 2_000;

  /** Of so many writes of TLS one is changed on its way. */
  private static final int SPOILT_SHARE = 24;

  /** The kind of a TLS record that says why a connection ends. */
  private static final int ALERT = 21;

  private static final int[] KINDS = {
    Records.PACKET,
    Records.PACKET,
    Records.INJECT,
    Records.FRAMES,
    Records.CONFIRM,
    Records.ASK,
    Records.PLACE,
    Records.BYE,
    0,
    8,
    15
  };

  private static final int[] LENGTHS = {
    LONGEST_BODY, LONGEST_BODY + 1, 1 << 24, Integer.MAX_VALUE, -1, -8, Integer.MIN_VALUE
  };

  private final SplittableRandom random;
  private final FuzzCounts counts;
  private final TcpAddress address;

  /** Of the dialled connections; null if they go in the clear. */
  private final FuzzKeys keys;

  private final Proof.NodeId victim;
  private final int endpoint;
  private final Supplier<KeyProof> proofs;
  private final Attack attack;
  private final Mutator mutator;
  private final List<Line> lines = new ArrayList<>();
  private final ByteBuffer heard = ByteBuffer.allocate(BUFFER);

  /** What a peer that has lost its connection knows of it; null if none has. */
  private Known known;

  private record Known(
      long incarnation, long token, Proof.NodeId victim, long stream, long victimsStream) {}

  private ConnectionAttack(
      EndpointAddress victim,
      TcpAddress address,
      FuzzKeys keys,
      Attack attack,
      Supplier<KeyProof> proofs,
      SplittableRandom random,
      FuzzCounts counts) {
    this.random = random;
    this.counts = counts;
    this.address = address;
    this.keys = keys;
    this.victim = new Proof.NodeId(victim.incarnation(), address.token());
    endpoint = victim.endpoint();
    this.attack = attack;
    this.proofs = proofs;
    mutator = new Mutator(random.split(), LONGEST_BODY);
  }

  /**
   * An attack of the victim's connections; null if it has none, being not of tcp.
   *
   * @param keys null if the victim does not encrypt
   * @param proofs those that attackers set flows up with, null before they have some
   */
  static ConnectionAttack on(
      EndpointAddress victim,
      FuzzKeys keys,
      Attack attack,
      Supplier<KeyProof> proofs,
      SplittableRandom random,
      FuzzCounts counts) {
    String text = victim.providers().get("tcp");
    return text == null
        ? null
        : new ConnectionAttack(
            victim, TcpAddress.parse(text).orElseThrow(), keys, attack, proofs, random, counts);
  }

  /** Does something; the victim reads it in its next pass. */
  void step() {
    if (lines.size() < AT_ONCE && random.nextInt(4) == 0) {
      begin();
    }
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (!lines.get(i).step()) {
        lines.remove(i).close();
      }
    }
  }

  void close() {
    lines.forEach(Line::close);
    lines.clear();
  }

  private void begin() {
    KeyProof setUp = proofs.get();
    try {
      SocketChannel socket =
          SocketChannel.open(new InetSocketAddress(address.host(), address.port()));
      socket.configureBlocking(false);
      counts.dials++;
      boolean stranger = setUp == null || random.nextInt(3) == 0;
      lines.add(
          stranger
              ? new Strange(socket, strangersTls())
              : new Peer(socket, keys == null ? null : tls(true), Proof.of(setUp)));
    } catch (IOException refused) {
      throw new Violation(Promise.LIFE, "the victim's port cannot be dialled: " + refused, refused);
    }
  }

  private TlsEnd tls(boolean trusted) throws SSLException {
    return new TlsEnd(keys.engine(trusted));
  }

  /** Null for in the clear, which a victim that encrypts must not understand. */
  private TlsEnd strangersTls() throws SSLException {
    return keys == null || random.nextInt(4) == 0 ? null : tls(random.nextInt(4) > 0);
  }

  /** A connection. */
  private abstract class Line {
    private final SocketChannel socket;
    private final TlsEnd tls;
    private ByteBuffer leaving = ByteBuffer.allocate(0);

    /** One that has been made; null for one without TLS. */
    Line(SocketChannel socket, TlsEnd tls) {
      this.socket = socket;
      this.tls = tls;
    }

    boolean hasTls() {
      return tls != null;
    }

    /** Whether what is written now can be heard. */
    boolean isMade() {
      return tls == null || tls.isMade();
    }

    /** Goes on; false at its end. */
    boolean step() {
      try {
        if (leaving.hasRemaining()) {
          int end = leaving.limit();
          leaving.limit(leaving.position() + 1 + random.nextInt(leaving.remaining()));
          socket.write(leaving);
          leaving.limit(end);
        }
        heard.clear();
        if (socket.read(heard) < 0) {
          counts.dialsCutOff++;
          return false;
        }
        heard.flip();
        onHeard(tls == null ? heard : ByteBuffer.wrap(tls.take(heard)));
        seal();
      } catch (IOException reset) {
        counts.dialsCutOff++;
        return false;
      }
      int share = isMade() ? END_SHARE : HANDSHAKE_END_SHARE;
      return leaving.hasRemaining() || random.nextInt(share) != 0 && goOn();
    }

    void write(byte[] bytes) {
      if (tls == null) {
        raw(bytes);
        return;
      }
      try {
        tls.say(bytes);
        seal();
      } catch (SSLException ended) {
        raw(junk(LONGEST_JUNK));
      }
    }

    /** What TLS has made leaves, and now and then something else than that. */
    private void seal() {
      byte[] records = tls == null ? new byte[0] : tls.leaving();
      if (records.length == 0) {
        return;
      }
      if (random.nextInt(SPOILT_SHARE) != 0) {
        raw(records);
        return;
      }
      switch (random.nextInt(4)) {
        case 0 -> records[random.nextInt(records.length)] ^= (byte) (1 << random.nextInt(8));
        case 1 -> records = Arrays.copyOf(records, random.nextInt(records.length));
        case 2 -> raw(records); // twice
        default -> raw(junk(LONGEST_JUNK));
      }
      raw(records);
    }

    private void raw(byte[] bytes) {
      ByteBuffer all = ByteBuffer.allocate(leaving.remaining() + bytes.length);
      leaving = all.put(leaving).put(bytes).flip();
    }

    abstract void onHeard(ByteBuffer bytes);

    /** All has left. */
    abstract boolean goOn();

    void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new Violation(Promise.LIFE, "a socket of an attacker cannot be closed", e);
      }
    }
  }

  private byte[] junk(int longest) {
    byte[] bytes = new byte[random.nextInt(longest)];
    random.nextBytes(bytes);
    return bytes;
  }

  private Proof.Dial anyDial() {
    long token = random.nextLong();
    long path = token & 7; // both sides must name the same
    return new Proof.Dial(
        random.nextLong(),
        token,
        new Proof.NodeId(victim.incarnation(), victim.token() | path),
        random.nextLong(),
        random.nextInt(4) / 3);
  }

  /** One without the key. */
  private final class Strange extends Line {
    Strange(SocketChannel socket, TlsEnd tls) {
      super(socket, tls);
      KeyProof own = new KeyProof(new UUID(random.nextLong(), 1), "stranger");
      byte[] dial = Proof.dial(own, anyDial(), random.nextLong(), random.nextLong());
      switch (random.nextInt(4)) {
        case 0 -> write(junk(LONGEST_JUNK));
        case 1 -> write(Arrays.copyOf(dial, random.nextInt(dial.length)));
        case 2 -> {
          write(dial);
          write(junk(LONGEST_JUNK));
        }
        default -> write(dial);
      }
    }

    @Override
    void onHeard(ByteBuffer bytes) {
      // To one that does not speak TLS it may say so, and does.
      boolean alert = keys != null && !hasTls() && bytes.remaining() == 7 && bytes.get(0) == ALERT;
      if (bytes.hasRemaining() && !alert) {
        throw new Violation(Promise.SILENCE, "who has dialled without the key was answered");
      }
    }

    @Override
    boolean goOn() {
      return true;
    }
  }

  /** One with the key. */
  private final class Peer extends Line {
    private final KeyProof own;
    private final Proof.Dial said;
    private final byte[] dial;
    private ByteBuffer wanted = ByteBuffer.allocate(Proof.ANSWER_BYTES);
    private byte[] answer;
    private boolean serves;

    Peer(SocketChannel socket, TlsEnd tls, KeyProof own) {
      super(socket, tls);
      this.own = own;
      Known before = random.nextInt(3) == 0 ? known : null;
      known = before == null ? known : null;
      said =
          before == null
              ? anyDial()
              : new Proof.Dial(
                  before.incarnation,
                  before.token,
                  before.victim,
                  before.stream,
                  before.victimsStream);
      dial = Proof.dial(own, said, random.nextLong(), random.nextLong());
      write(dial);
    }

    @Override
    void onHeard(ByteBuffer bytes) {
      while (!serves && bytes.hasRemaining()) {
        wanted.put(bytes.get());
        if (!wanted.hasRemaining()) {
          onMessage(wanted.array());
        }
      }
    }

    private void onMessage(byte[] message) {
      if (answer != null) {
        serves = true;
        return;
      }
      answer = message;
      Proof.Answer told = Proof.readAnswer(message);
      int key = Proof.keyOfAnswer(own, dial, message);
      if (key == KeyProof.NO_KEY || told.status() != Proof.WELCOME) {
        return;
      }
      known =
          new Known(said.incarnation(), said.token(), said.wanted(), said.stream(), told.stream());
      wanted = ByteBuffer.allocate(Proof.POSITION_BYTES);
      byte[] finish =
          Proof.position(own, key, random.nextInt(8) == 0 ? random.nextLong() : 0, dial, answer);
      if (random.nextInt(8) == 0) {
        finish[random.nextInt(finish.length)] ^= 1;
      }
      write(finish);
    }

    @Override
    boolean goOn() {
      if (serves) {
        write(record());
      } else if (isMade() && random.nextInt(64) == 0) {
        write(junk(LONGEST_JUNK)); // before it may
      }
      return true;
    }

    private byte[] record() {
      int kind = KINDS[random.nextInt(random.nextInt(8) == 0 ? KINDS.length : 4)];
      byte[] body = body(kind);
      byte[] bytes = new byte[Records.length(body.length)];
      UnsafeBuffer buffer = new UnsafeBuffer(bytes);
      buffer.putBytes(Records.HEADER_BYTES, body);
      boolean wrongLength = random.nextInt(64) == 0;
      int length = wrongLength ? LENGTHS[random.nextInt(LENGTHS.length)] : body.length;
      int receiver = random.nextInt(8) == 0 ? random.nextInt(1 << 28) : endpoint;
      Records.header(buffer, 0, kind, receiver, length);
      counts.records++;
      return bytes;
    }

    private byte[] body(int kind) {
      byte[] seen = attack.anySeen(random);
      if (kind == Records.CONFIRM) {
        return KeyProof.part(random.nextInt(4) == 0 ? random.nextLong() : 0);
      }
      if (kind != Records.PACKET || seen == null || random.nextInt(8) == 0) {
        return junk(LONGEST_JUNK);
      }
      return mutator.mutate(seen.clone()).stream().findFirst().orElse(new byte[0]);
    }
  }
}
