package io.tagfabric.provider.shm;

import io.tagfabric.provider.shm.ring.LaneLayout;
import io.tagfabric.provider.shm.ring.LaneReader;
import io.tagfabric.provider.shm.ring.LaneWriter;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A domain falls asleep while a sender writes a record into its lane: real reader and writer, and
 * the steps of {@link ShmDoorbell#announce} and of the sender's two looks without their sockets,
 * which a state of this test could not afford.
 */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the sleeper sees the record")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the sender sees the sleeper")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both do")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "nobody rings the bell")
@State
public class LaneSleepRace {
  private static final int CAPACITY = 1 << 9;

  private final UnsafeBuffer memory =
      new UnsafeBuffer(ByteBuffer.allocateDirect(LaneLayout.memoryBytes(CAPACITY)));
  private final UnsafeBuffer words = new UnsafeBuffer(ByteBuffer.allocateDirect(2048));
  private final LaneReader reader = new LaneReader(memory, (type, index, length) -> {});
  private final LaneWriter writer = new LaneWriter(memory);

  @Actor
  public void sleeps(ZZ_Result result) {
    words.putIntOrdered(ShmLayout.ASLEEP_AT, 1);
    VarHandle.fullFence();
    result.r1 = reader.hasRecord();
  }

  @Actor
  public void writes(ZZ_Result result) {
    writer.commit(writer.claim(1, 8));
    VarHandle.releaseFence();
    boolean seen = words.getInt(ShmLayout.ASLEEP_AT) != 0;
    VarHandle.fullFence();
    result.r2 = seen || words.getInt(ShmLayout.ASLEEP_AT) != 0;
  }
}
