package io.tagfabric.provider.tcp.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.Packet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** A stream against a plain list of its bytes. */
class SendStreamTest {
  private static final int LONGEST_BODY = 40_000;
  private static final long MOST_KEPT = 200_000;

  /** What the model does next; the operand is a random number. */
  private enum Act {
    SHORT_RECORD,
    LONG_RECORD,
    CONTROL,
    LENT,
    PROGRAMS,
    COPY_LENT,
    RELEASE,
    SEND,
    CONFIRM,
    BREAK
  }

  /** A socket that takes as much as it likes, of the pieces in their order. */
  private static final class FakeSocket implements GatheringByteChannel {
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    int room;

    @Override
    public int write(ByteBuffer piece) {
      byte[] bytes = new byte[Math.min(room, piece.remaining())];
      piece.get(bytes);
      taken.writeBytes(bytes);
      room -= bytes.length;
      return bytes.length;
    }

    @Override
    public long write(ByteBuffer[] pieces, int offset, int length) {
      long sum = 0;
      for (int i = offset; i < offset + length; i++) {
        sum += write(pieces[i]);
      }
      return sum;
    }

    @Override
    public long write(ByteBuffer[] pieces) {
      return write(pieces, 0, pieces.length);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** A stream, its socket, and what they should have done. */
  private static final class Model {
    final Chunks pool = new Chunks(LONGEST_BODY);
    final SendStream stream = new SendStream(pool, MOST_KEPT);
    final FakeSocket socket = new FakeSocket();
    final ByteArrayOutputStream written = new ByteArrayOutputStream();
    final ArrayDeque<Packet> unreleased = new ArrayDeque<>();
    final Set<DirectBuffer> small = Collections.newSetFromMap(new IdentityHashMap<>());
    final Set<DirectBuffer> large = Collections.newSetFromMap(new IdentityHashMap<>());
    final Random random = new Random(5);

    /** What the peer has got over all sockets. */
    final ByteArrayOutputStream arrived = new ByteArrayOutputStream();

    /** What is lent, by where it ends. */
    final TreeMap<Integer, ByteBuffer> programs = new TreeMap<>();

    long confirmed;

    byte[] record(int length) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      written.writeBytes(bytes);
      return bytes;
    }

    void write(int length, boolean control) {
      if (control) {
        stream.openShort(length);
      } else {
        stream.open(length);
      }
      byte[] bytes = record(length);
      stream.buffer().putBytes(stream.at(), bytes);
      if (stream.buffer().capacity() > Chunks.SMALL_BYTES) {
        large.add(stream.buffer());
      } else if (stream.buffer().capacity() == Chunks.SMALL_BYTES) {
        small.add(stream.buffer());
      }
      stream.close(length);
    }

    void lend(int length) {
      Packet packet = pool.takeLarge().packet();
      Chunk chunk = pool.lent(packet);
      assertThat(chunk.packet()).isSameAs(packet);
      assertThat(pool.lent(packet)).as("lent no more").isNull();
      large.add(chunk.buffer());
      chunk.buffer().putBytes(0, record(length));
      stream.append(chunk, length);
      unreleased.add(packet);
    }

    /** Bytes of a program, which it changes when they are confirmed or copied. */
    void lendOfProgram(int length) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(length + 10).slice(5, length);
      bytes.put(record(length)).flip();
      stream.lend(bytes.duplicate());
      programs.put(written.size(), bytes);
    }

    void changeConfirmed(long upTo) {
      Map<Integer, ByteBuffer> done = programs.headMap((int) upTo, true);
      done.values().forEach(Model::change);
      done.clear();
    }

    private static void change(ByteBuffer bytes) {
      for (int i = 0; i < bytes.limit(); i++) {
        bytes.put(i, (byte) ~bytes.get(i));
      }
    }

    void copyLent() {
      assertThat(stream.copyLent()).isTrue();
      changeConfirmed(Integer.MAX_VALUE);
    }

    void send(int room) {
      socket.room = room;
      long waiting = stream.waitingBytes();
      long taken;
      try {
        taken = stream.sendTo(socket);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      assertThat(taken).isBetween(Math.min(1L, Math.min(room, waiting)), Math.min(room, waiting));
      assertThat(stream.waitingBytes()).isEqualTo(waiting - taken);
    }

    /** The peer gets a part of what the socket has taken, at least what it has confirmed. */
    int arrive(int operand) {
      byte[] taken = socket.taken.toByteArray();
      int got = operand % (taken.length + 1);
      arrived.write(taken, 0, got);
      byte[] rest = Arrays.copyOfRange(taken, got, taken.length);
      socket.taken.reset();
      socket.taken.writeBytes(rest);
      return got;
    }

    void breakSocket(int operand) {
      arrive(operand);
      socket.taken.reset();
      assertThat(stream.resume(arrived.size())).isTrue();
      confirmed = arrived.size();
      changeConfirmed(confirmed);
      assertThat(stream.waitingBytes()).isEqualTo(written.size() - arrived.size());
    }

    void act(Act act, int operand) {
      switch (act) {
        case SHORT_RECORD -> write(Records.length(operand % 600), false);
        case LONG_RECORD -> write(Records.length(operand % LONGEST_BODY), false);
        case CONTROL -> write(Records.length(Long.BYTES), true);
        case LENT -> lend(Records.length(operand % LONGEST_BODY));
        case PROGRAMS -> lendOfProgram(1 + operand % LONGEST_BODY);
        case COPY_LENT -> copyLent();
        case RELEASE -> {
          if (!unreleased.isEmpty()) {
            unreleased.poll().release();
          }
        }
        case SEND -> send(operand % 50_000);
        case CONFIRM -> {
          arrive(operand);
          long upTo = confirmed + operand % (arrived.size() - confirmed + 1);
          assertThat(stream.confirm(upTo)).isTrue();
          confirmed = upTo;
          changeConfirmed(confirmed);
        }
        case BREAK -> breakSocket(operand);
      }
      assertThat(stream.written()).isEqualTo(written.size());
      assertThat(stream.confirmed()).isEqualTo(confirmed);
      assertThat(stream.hasRoom()).isEqualTo(written.size() - confirmed < MOST_KEPT);
    }

    /** Each chunk is in the pool, once; no other is made before they are used. */
    void requireAllGivenBack() {
      unreleased.forEach(Packet::release);
      unreleased.clear();
      List<Chunk> again = new ArrayList<>();
      for (int i = Math.min(small.size(), 16); i > 0; i--) {
        Chunk chunk = pool.take(8);
        assertThat(small.remove(chunk.buffer())).as("one that was used, and only once").isTrue();
        again.add(chunk);
      }
      for (int i = Math.min(large.size(), 64); i > 0; i--) {
        Chunk chunk = pool.takeLarge();
        assertThat(large.remove(chunk.buffer())).as("one that was used, and only once").isTrue();
        again.add(chunk);
      }
      assertThat(again).doesNotHaveDuplicates();
    }
  }

  @Property(tries = 300)
  void shouldBringEveryByteOnceAndInOrderAcrossSockets(
      @ForAll @Size(max = 150) List<Act> acts, @ForAll @IntRange(max = 1 << 20) int seed) {
    Random operands = new Random(seed);
    Model model = new Model();

    for (Act act : acts) {
      model.act(act, operands.nextInt(1 << 20));
    }
    while (model.stream.waitingBytes() > 0) {
      model.send(1 + operands.nextInt(100_000));
      if (operands.nextInt(8) == 0) {
        model.breakSocket(operands.nextInt(1 << 20));
      }
    }
    model.arrive(model.socket.taken.size());

    assertThat(model.arrived.toByteArray()).isEqualTo(model.written.toByteArray());
    assertThat(model.stream.confirm(model.arrived.size())).isTrue();
    model.requireAllGivenBack();
  }

  @Property(tries = 100)
  void shouldGiveBackAllThatWasNotSent(
      @ForAll @Size(max = 60) List<Act> acts, @ForAll @IntRange(max = 1 << 20) int seed) {
    Random operands = new Random(seed);
    Model model = new Model();
    for (Act act : acts) {
      model.act(act, operands.nextInt(1 << 20));
    }

    model.stream.clear();

    assertThat(model.stream.waitingBytes()).isZero();
    assertThat(model.stream.hasRoom()).isTrue();
    model.requireAllGivenBack();
  }

  @Test
  void shouldRefuseToHaveBroughtWhatNoSocketHasTaken() {
    Model model = new Model();
    model.write(16, false);
    model.write(16, false);
    model.send(24);
    SendStream stream = model.stream;

    assertThat(stream.confirm(25)).isFalse();
    assertThat(stream.resume(25)).isFalse();
    assertThat(stream.confirm(24)).isTrue();
    assertThat(stream.resume(23)).as("less than was confirmed").isFalse();
    assertThat(stream.confirm(8)).as("an old confirmation").isTrue();
    assertThat(stream.confirmed()).isEqualTo(24);
    assertThat(stream.resume(-1)).isFalse();
    assertThat(stream.resume(24)).isTrue();
  }

  @Test
  void shouldHandOverNoMoreAtOnceThanTheReaderCanKeepUpWith() throws IOException {
    SendStream stream = new SendStream(new Chunks(LONGEST_BODY), Long.MAX_VALUE);
    ByteBuffer lent = ByteBuffer.allocateDirect(2 * SendStream.MOST_AT_ONCE_BYTES + 100);
    for (int i = 0; i < lent.capacity(); i++) {
      lent.put(i, (byte) (i / 7));
    }
    stream.openShort(40);
    stream.close(40);
    stream.lend(lent.duplicate());
    FakeSocket socket = new FakeSocket();
    socket.room = Integer.MAX_VALUE;

    assertThat(stream.sendTo(socket)).isEqualTo(SendStream.MOST_AT_ONCE_BYTES);
    assertThat(stream.sendTo(socket)).isEqualTo(SendStream.MOST_AT_ONCE_BYTES);
    assertThat(stream.sendTo(socket)).isEqualTo(140);
    assertThat(stream.sendTo(socket)).isZero();

    byte[] taken = socket.taken.toByteArray();
    for (int i = 0; i < lent.capacity(); i++) {
      assertThat(taken[40 + i]).isEqualTo(lent.get(i));
    }
  }

  @Test
  void shouldKeepALentPacketWhoseBytesNobodyWillRead() {
    Chunks pool = new Chunks(LONGEST_BODY);
    Packet packet = pool.takeLarge().packet();

    packet.release();

    assertThat(pool.lent(packet)).as("it came back without being sent").isNull();
    assertThat(pool.takeLarge().packet()).isSameAs(packet);
  }
}
