package io.tagfabric.trials.fuzz;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.shm.ring.LaneWriter;
import io.tagfabric.provider.shm.ring.ShmEntry;
import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * A process that has mapped the victim's file, taken a lane there and writes into it what it likes:
 * headers that no sender writes, and such with lengths that may be, before junk. When its lane is
 * cut off it takes another one, but leaves some to the others. Thread: one.
 */
final class LaneAttack {
  private static final int WORDS = 16;
  private static final int RECORD_STEP = 32;

  /** Bytes of a lane before its records. */
  private static final int DATA_AT = 128;

  private static final int[] LENGTHS = {
    1, 7, 8, 9, 12, 20, 31, 32, 40, 64, 100, 4096, 65_536, 65_537, Integer.MAX_VALUE, -1, -8
  };

  /** Flags of a type, and neighbours of them. */
  private static final int FLAGS_FROM = 26;

  /** Of so many headers one may be any. */
  private static final int WRONG_SHARE = 64;

  private static final int STEPS_SHARE = 16;
  private static final int MOST_LANES = 8;

  private final SplittableRandom random;
  private final FuzzCounts counts;
  private final int endpoint;
  private final UnsafeBuffer file;
  private final ShmLayout layout;
  private final byte[] path;
  private final byte[] junk;
  private ShmEntry entry;
  private UnsafeBuffer lane;
  private int lanes;

  private LaneAttack(
      FileChannel channel, Path path, int endpoint, SplittableRandom random, FuzzCounts counts)
      throws IOException {
    this.random = random;
    this.counts = counts;
    this.endpoint = endpoint;
    file = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
    layout = ShmLayout.of(file);
    // The name of a domain's file that is not there: its process has ended.
    this.path =
        path.resolveSibling("domain-1-" + random.nextInt(1_000_000, 2_000_000))
            .toString()
            .getBytes(StandardCharsets.UTF_8);
    junk = new byte[layout.laneMemoryBytes() - DATA_AT];
    random.nextBytes(junk);
  }

  /** An attack of the victim's lanes; null if it has none, being not of shm. */
  static LaneAttack on(EndpointAddress victim, SplittableRandom random, FuzzCounts counts) {
    String address = victim.providers().get("shm");
    if (address == null) {
      return null;
    }
    Path path = Path.of(address.substring(0, address.lastIndexOf('#')));
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new LaneAttack(channel, path, victim.endpoint(), random, counts);
    } catch (IOException e) {
      throw new Violation(Promise.LIFE, "the victim's file cannot be mapped: " + e, e);
    }
  }

  /** Now and then writes something; the victim reads it in its next pass. */
  void step() {
    if (random.nextInt(STEPS_SHARE) != 0) {
      return;
    }
    if (entry != null && entry.isCutOff()) {
      counts.lanesCutOff++;
      entry = null;
    }
    if (entry == null && (lanes == MOST_LANES || !enter())) {
      return;
    }
    lane.putBytes(DATA_AT, junk);
    int at = 0;
    for (int i = 0; i < WORDS || random.nextInt(8) != 0; i++) {
      lane.putLongOrdered(DATA_AT + at, header());
      at = (at + RECORD_STEP * (1 + random.nextInt(4))) & (junk.length - 1);
    }
    if (random.nextInt(4) == 0) {
      lane.putLong(0, random.nextLong());
    }
    counts.laneWrites++;
  }

  private boolean enter() {
    ManyToOneRingBuffer ring =
        new ManyToOneRingBuffer(new UnsafeBuffer(file, ShmLayout.RING_AT, layout.ringTotalBytes()));
    entry =
        ShmEntry.take(
            file,
            layout,
            ring,
            number -> {
              lane = new UnsafeBuffer(file, layout.laneAt(number), layout.laneMemoryBytes());
              return lane;
            },
            path,
            RECORD_STEP);
    if (entry == null || !(entry.writer() instanceof LaneWriter)) {
      entry = null;
      lanes = MOST_LANES;
      return false;
    }
    lanes++;
    return true;
  }

  private long header() {
    int length;
    int type;
    if (random.nextInt(WRONG_SHARE) == 0) {
      length = LENGTHS[random.nextInt(LENGTHS.length)];
      type = random.nextBoolean() ? random.nextInt() : -1;
    } else {
      length = 8 + RECORD_STEP + random.nextInt(200);
      type = endpoint + 1;
      int flag = random.nextInt(FLAGS_FROM, Integer.SIZE);
      type |= flag == 28 || flag == 29 ? 1 << flag : 0;
    }
    return (long) type << Integer.SIZE | length & 0xffffffffL;
  }
}
