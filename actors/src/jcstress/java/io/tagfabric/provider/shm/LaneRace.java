package io.tagfabric.provider.shm;

import io.tagfabric.provider.shm.ring.LaneLayout;
import io.tagfabric.provider.shm.ring.LaneReader;
import io.tagfabric.provider.shm.ring.LaneWriter;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * A sender writes twelve records into a lane that takes eight or nine of them, so that it has to
 * wait for room, passes over the end and writes where others were before, while the domain reads.
 */
@JCStressTest
@Outcome(id = "12, 12, 0, 0", expect = Expect.ACCEPTABLE, desc = "each once, whole and in order")
@Outcome(
    id = "\\d+, 12, 0, 0",
    expect = Expect.ACCEPTABLE,
    desc = "some were there only when both had ended")
@Outcome(expect = Expect.FORBIDDEN, desc = "a record is lost, doubled, torn or out of order")
@State
public class LaneRace {
  private static final int CAPACITY = 1 << 9;
  private static final int RECORD_BYTES =
      40; // 64 with its header; one of 8 comes before each third
  private static final int SHORT_BYTES = 8;
  private static final int RECORDS = 12;
  private static final int MOST_TRIES = 2_000;

  private final UnsafeBuffer memory =
      new UnsafeBuffer(ByteBuffer.allocateDirect(LaneLayout.memoryBytes(CAPACITY)));
  private final LaneReader reader = new LaneReader(memory, this::onRecord);
  private final LaneWriter writer = new LaneWriter(memory);
  private int written;
  private int read;
  private int torn;
  private int outOfOrder;

  /** Records of both lengths, so that the end of the ring is passed over at different places. */
  private static int lengthOf(int number) {
    return number % 3 == 0 ? SHORT_BYTES : RECORD_BYTES;
  }

  private void onRecord(int type, int index, int length) {
    read++;
    outOfOrder += type == read ? 0 : 1;
    torn += length == lengthOf(type) ? 0 : 1;
    for (int at = 0; at < length; at += Long.BYTES) {
      torn += memory.getLong(index + at) == type ? 0 : 1;
    }
  }

  private boolean writeNext() {
    int number = written + 1;
    int length = lengthOf(number);
    int index = writer.claim(number, length);
    if (index < 0) {
      return false;
    }
    MutableDirectBuffer buffer = writer.buffer();
    for (int at = 0; at < length; at += Long.BYTES) {
      buffer.putLong(index + at, number);
    }
    writer.commit(index);
    writer.prepare();
    written = number;
    return true;
  }

  @Actor
  public void writes() {
    for (int tries = 0; written < RECORDS && tries < MOST_TRIES; tries++) {
      if (!writeNext()) {
        Thread.onSpinWait();
      }
    }
  }

  @Actor
  public void reads(IIII_Result result) {
    for (int tries = 0; read < RECORDS && tries < MOST_TRIES; tries++) {
      if (reader.read(3) == 0) {
        Thread.onSpinWait();
      }
    }
    result.r1 = read;
  }

  @Arbiter
  public void doTheRest(IIII_Result result) {
    // bounded: a defect must not hang the race
    for (int turn = 0; turn < RECORDS + 3; turn++) {
      reader.read(RECORDS);
      if (written < RECORDS) {
        writeNext();
      }
    }
    result.r2 = reader.isDrained() ? read : -1;
    result.r3 = torn;
    result.r4 = outOfOrder;
  }
}
