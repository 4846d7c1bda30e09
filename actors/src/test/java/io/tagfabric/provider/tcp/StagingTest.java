package io.tagfabric.provider.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that come in pieces over several connections, which are read into one place. */
class StagingTest {
  private static final int LONGEST_BODY = 1_000;
  private static final int CAPACITY = 4 * 1_024;

  private Staging staging = new Staging(CAPACITY, LONGEST_BODY);

  /** A connection: what its peer writes, and what is read of it. */
  private final class Line implements Staging.Reader, ReadableByteChannel {
    final List<byte[]> sent = new ArrayList<>();
    final List<byte[]> taken = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.allocate(0);
    int most;
    int stopsAfter = Integer.MAX_VALUE;
    private byte[] rest;

    void send(Random random, int records) {
      List<byte[]> wire = new ArrayList<>();
      int sum = 0;
      for (int i = 0; i < records; i++) {
        int bodyBytes =
            random.nextInt(4) == 0 ? random.nextInt(LONGEST_BODY + 1) : random.nextInt(40);
        byte[] record = new byte[Records.length(bodyBytes)];
        random.nextBytes(record);
        Records.header(new UnsafeBuffer(record), 0, random.nextInt(16), 77, bodyBytes);
        sent.add(record);
        wire.add(record);
        sum += record.length;
      }
      bytes = ByteBuffer.allocate(sum);
      wire.forEach(bytes::put);
      bytes.flip();
    }

    /** Reads once at most so many bytes. Returns whether what came was records. */
    boolean read(int count) {
      most = count;
      int before = bytes.position();
      try {
        assertThat(staging.read(this, this)).isEqualTo(bytes.position() - before);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return staging.parse();
    }

    @Override
    public int read(ByteBuffer into) {
      int count = Math.min(most, Math.min(into.remaining(), bytes.remaining()));
      for (int i = 0; i < count; i++) {
        into.put(bytes.get());
      }
      return count;
    }

    @Override
    public boolean onRecord(UnsafeBuffer buffer, int at) {
      byte[] record = new byte[Records.length(Records.bodyBytes(buffer, at))];
      buffer.getBytes(at, record);
      taken.add(record);
      return taken.size() < stopsAfter;
    }

    @Override
    public byte[] rest() {
      return rest;
    }

    @Override
    public void rest(byte[] part) {
      rest = part;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Property(tries = 200)
  void shouldTakeTheSameRecordsHoweverTheyCome(
      @ForAll @IntRange(min = 1, max = 4) int lines,
      @ForAll @IntRange(min = 1, max = 3_000) int most,
      @ForAll long seed) {
    Random random = new Random(seed);
    staging = new Staging(CAPACITY, LONGEST_BODY);
    List<Line> all = new ArrayList<>();
    for (int i = 0; i < lines; i++) {
      Line line = new Line();
      line.send(random, 1 + random.nextInt(40));
      all.add(line);
    }

    while (all.stream().anyMatch(line -> line.bytes.hasRemaining())) {
      assertThat(all.get(random.nextInt(lines)).read(random.nextInt(most + 1))).isTrue();
    }

    for (Line line : all) {
      assertThat(line.taken).hasSameSizeAs(line.sent);
      for (int i = 0; i < line.sent.size(); i++) {
        assertThat(line.taken.get(i)).isEqualTo(line.sent.get(i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, LONGEST_BODY + 1, Integer.MAX_VALUE, -8})
  void shouldRefuseLengthsOfNoRecord(int bodyBytes) {
    Line line = new Line();
    byte[] record = new byte[64];
    Records.header(new UnsafeBuffer(record), 0, Records.PACKET, 1, 8);
    Records.header(new UnsafeBuffer(record), 16, Records.PACKET, 1, bodyBytes);
    line.bytes = ByteBuffer.wrap(record);

    assertThat(line.read(64)).isFalse();

    assertThat(line.taken).as("what came before it").hasSize(1);
  }

  @Test
  void shouldTakeARecordOfTheGreatestLength() {
    Line line = new Line();
    byte[] record = new byte[Records.length(LONGEST_BODY)];
    Records.header(new UnsafeBuffer(record), 0, Records.PACKET, 1, LONGEST_BODY);
    line.bytes = ByteBuffer.wrap(record);

    assertThat(line.read(record.length - 1)).isTrue();
    assertThat(line.taken).isEmpty();
    assertThat(line.read(1)).isTrue();
    assertThat(line.taken).hasSize(1);
  }

  @Property(tries = 50)
  void shouldNotShowToOneConnectionWhatAnotherLeft(@ForAll long seed) {
    Random random = new Random(seed);
    staging = new Staging(CAPACITY, LONGEST_BODY);
    Line dead = new Line();
    dead.send(random, 5);
    dead.stopsAfter = 2;
    Line living = new Line();
    living.send(random, 5);

    dead.read(dead.bytes.remaining());
    staging.forget(dead);
    living.read(living.bytes.remaining());

    assertThat(dead.taken).hasSize(2);
    assertThat(dead.rest()).isNull();
    assertThat(living.taken).hasSameSizeAs(living.sent);
  }
}
