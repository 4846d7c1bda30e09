package io.tagfabric.provider.tcp.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private final Placing placing = new Placing();
    private final Map<Long, UnsafeBuffer> places = new HashMap<>();
    private final Map<Long, Place> known = new HashMap<>();
    private final Map<Long, byte[]> placed = new HashMap<>();

    /** A record for a place of its own: outside the heap, in it, or one that is not known. */
    private byte[] place(Random random) {
      int bytes = random.nextInt(3 * LONGEST_BODY);
      int at = random.nextInt(50);
      long name = places.size() + 1L;
      UnsafeBuffer target =
          random.nextBoolean()
              ? new UnsafeBuffer(ByteBuffer.allocateDirect(bytes + at + 70), 20, bytes + at + 50)
              : new UnsafeBuffer(new byte[bytes + at + 70], 20, bytes + at + 50);
      places.put(name, target);
      boolean isKnown = random.nextInt(4) > 0;
      if (isKnown) {
        Place place = new Place(null, target, 0, bytes + at + 9);
        known.put(name, place);
        placing.count(place, random.nextInt(2));
      }
      byte[] payload = new byte[bytes];
      random.nextBytes(payload);
      byte[] after = new byte[at + bytes + 50];
      if (isKnown) {
        System.arraycopy(payload, 0, after, at, bytes);
      }
      placed.put(name, after);
      byte[] record = new byte[Records.length(Records.PLACE_BYTES + bytes)];
      UnsafeBuffer buffer = new UnsafeBuffer(record);
      Records.place(buffer, 0, name, at, bytes);
      buffer.putBytes(Records.HEADER_BYTES + Records.PLACE_BYTES, payload);
      return record;
    }

    void requirePlaced() {
      assertThat(placing.isUnderWay()).isFalse();
      placed.forEach(
          (name, bytes) -> {
            byte[] there = new byte[bytes.length];
            places.get(name).getBytes(0, there);
            assertThat(there).isEqualTo(bytes);
          });
    }

    void send(Random random, int records) {
      List<byte[]> wire = new ArrayList<>();
      int sum = 0;
      for (int i = 0; i < records; i++) {
        int bodyBytes =
            random.nextInt(4) == 0 ? random.nextInt(LONGEST_BODY + 1) : random.nextInt(40);
        byte[] record = new byte[Records.length(bodyBytes)];
        random.nextBytes(record);
        int kind = random.nextInt(16);
        if (kind == Records.PLACE) {
          record = place(random);
        } else {
          Records.header(new UnsafeBuffer(record), 0, kind, 77, bodyBytes);
          sent.add(record);
        }
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
    public void onPlace(UnsafeBuffer buffer, int at) {
      int bodyBytes = Records.bodyBytes(buffer, at);
      Place place = known.get(Records.place(buffer, at));
      int bytes = bodyBytes - Records.PLACE_BYTES;
      placing.begin(place, (int) Records.position(buffer, at), bytes, Records.padding(bodyBytes));
    }

    @Override
    public Placing placing() {
      return placing;
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
      line.requirePlaced();
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

  @ParameterizedTest
  @ValueSource(ints = {Records.PLACE_BYTES - 1, Records.MOST_PLACED_BYTES + 17, -1})
  void shouldRefuseAPlaceOfNoSuchLength(int bodyBytes) {
    Line line = new Line();
    byte[] record = new byte[64];
    Records.header(new UnsafeBuffer(record), 0, Records.PLACE, 0, bodyBytes);
    line.bytes = ByteBuffer.wrap(record);

    assertThat(line.read(64)).isFalse();
  }

  @Property(tries = 50)
  void shouldPutNothingMoreWhereAPlaceHasEnded(@ForAll @IntRange(max = 999) int before) {
    staging = new Staging(CAPACITY, LONGEST_BODY);
    Line line = new Line();
    UnsafeBuffer target = new UnsafeBuffer(ByteBuffer.allocateDirect(1_000));
    Place place = new Place(null, target, 0, 1_000);
    line.known.put(1L, place);
    byte[] record = new byte[Records.length(Records.PLACE_BYTES + 1_000)];
    Arrays.fill(record, (byte) 7);
    Records.place(new UnsafeBuffer(record), 0, 1, 0, 1_000);
    line.bytes = ByteBuffer.wrap(record);
    line.read(24);
    line.read(before);
    line.placing.forget(place);
    while (line.bytes.hasRemaining()) {
      assertThat(line.read(CAPACITY)).isTrue();
    }

    for (int i = 0; i < 1_000; i++) {
      assertThat(target.getByte(i)).isEqualTo((byte) (i < before ? 7 : 0));
    }
    assertThat(line.placing.isUnderWay()).isFalse();
  }

  @Test
  void shouldReadLittleBeforeTheBytesOfAPlace() {
    int bytes = 100_000;
    staging = new Staging(2 * bytes, LONGEST_BODY);
    Line line = new Line();
    Place place = new Place(null, new UnsafeBuffer(ByteBuffer.allocateDirect(bytes)), 0, bytes);
    line.known.put(1L, place);
    line.placing.count(place, 1);
    byte[] record = new byte[Records.length(Records.PLACE_BYTES + bytes)];
    Records.place(new UnsafeBuffer(record), 0, 1, 0, bytes);
    line.bytes = ByteBuffer.wrap(record);

    assertThat(line.read(record.length)).isTrue();
    assertThat(line.bytes.position()).as("what is copied").isEqualTo(Staging.SHORT_BYTES);
    assertThat(line.read(record.length)).isTrue();
    assertThat(line.bytes.remaining()).isZero();

    line.placing.count(place, -1);
    byte[] records = new byte[10 * Records.length(LONGEST_BODY)];
    for (int i = 0; i < 10; i++) {
      int at = i * Records.length(LONGEST_BODY);
      Records.header(new UnsafeBuffer(records), at, Records.PACKET, 1, LONGEST_BODY);
    }
    line.bytes = ByteBuffer.wrap(records);
    assertThat(line.read(records.length)).isTrue();
    assertThat(line.taken).as("no place is awaited").hasSize(10);
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
    dead.send(random, 20);
    dead.stopsAfter = 2;
    Line living = new Line();
    living.send(random, 5);

    while (dead.taken.size() < 2) {
      dead.read(dead.bytes.remaining());
    }
    staging.forget(dead);
    while (living.bytes.hasRemaining()) {
      living.read(living.bytes.remaining());
    }

    assertThat(dead.taken).hasSize(2);
    assertThat(dead.rest()).isNull();
    assertThat(living.taken).hasSameSizeAs(living.sent);
  }
}
