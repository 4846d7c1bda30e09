package io.tagfabric.provider.shm;

import io.tagfabric.provider.shm.ring.RingReader;
import io.tagfabric.provider.shm.ring.RingWriter;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A sender writes two records while the domain reads. */
@JCStressTest
@Outcome(id = "[012], 2, 0", expect = Expect.ACCEPTABLE, desc = "each is read once and whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "a record is lost, doubled or torn")
@State
public class RingRace {
  private static final int CAPACITY = 1 << 10;
  private static final int RECORD_BYTES = 24;

  private final UnsafeBuffer memory =
      new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH));
  private final UnsafeBuffer counts = new UnsafeBuffer(ByteBuffer.allocateDirect(256));
  private final ManyToOneRingBuffer ring = new ManyToOneRingBuffer(memory);
  private final RingReader reader = new RingReader(ring, this::onRecord);
  private final RingWriter writer = new RingWriter(new ManyToOneRingBuffer(memory), counts, 0);
  private int torn;

  private void onRecord(int type, int index, int length) {
    for (int at = 0; at < RECORD_BYTES; at += Long.BYTES) {
      if (length != RECORD_BYTES || reader.buffer().getLong(index + at) != type) {
        torn++;
      }
    }
  }

  private static void write(RingWriter writer, int type) {
    int index = writer.claim(type, RECORD_BYTES);
    MutableDirectBuffer buffer = writer.buffer();
    for (int at = 0; at < RECORD_BYTES; at += Long.BYTES) {
      buffer.putLong(index + at, type);
    }
    writer.commit(index);
  }

  @Actor
  public void writes() {
    write(writer, 1);
    write(writer, 2);
  }

  @Actor
  public void reads(III_Result result) {
    result.r1 = reader.read(2);
  }

  @Arbiter
  public void readsTheRest(III_Result result) {
    result.r2 = result.r1 + reader.read(2) + reader.read(2);
    result.r3 = torn;
  }
}
